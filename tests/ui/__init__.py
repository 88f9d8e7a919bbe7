"""The parts of `bot.ui` that can be tested without Discord."""
