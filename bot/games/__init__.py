"""The rulebooks, by key."""
