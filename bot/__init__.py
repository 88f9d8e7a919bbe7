"""Lilypad: four tabletop games for Discord."""
