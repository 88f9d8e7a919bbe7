"""How Nim appears on Discord: its commands, boards and results."""
