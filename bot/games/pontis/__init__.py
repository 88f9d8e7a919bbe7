"""Pontis, a card game by Aaron Hopewell."""
