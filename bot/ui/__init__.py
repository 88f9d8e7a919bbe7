"""What is the same for all games on Discord."""
