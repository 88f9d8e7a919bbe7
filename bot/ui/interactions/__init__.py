"""Receiving interactions and responding to them."""
