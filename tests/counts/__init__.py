"""Counts of what can be reached, move by move."""
