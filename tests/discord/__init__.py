"""The real bot on a simulated Discord."""
