"""Measurements, each against a yardstick taken in the same run."""
