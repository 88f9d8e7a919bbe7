"""Pond · frogs, a board game by David Rose."""
