"""The bot is killed at random moments."""
