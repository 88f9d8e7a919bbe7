"""How each game looks on Discord."""
