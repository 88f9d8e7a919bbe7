"""Pond · cards, a card game by Michael Schoessow."""
