"""The daily: the command, its posts and its results."""
