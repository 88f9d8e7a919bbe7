"""Pot Black, a card game by Rob Rutherford."""
