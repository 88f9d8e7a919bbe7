"""Lilypad: four tabletop games for Discord."""

__version__ = "0.2.0"
