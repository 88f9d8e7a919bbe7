"""Trials in which the bot is killed."""
