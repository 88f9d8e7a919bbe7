"""Challenges and duplicates: the commands and their posts."""
