"""The games' commands and looks on Discord."""
