"""Programs for development. The bot doesn't import them."""
