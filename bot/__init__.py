"""Lilypad: four games for a group, inside Discord."""
