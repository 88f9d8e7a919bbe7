"""Leak tests: hidden information must not change anything that the bot shows."""
