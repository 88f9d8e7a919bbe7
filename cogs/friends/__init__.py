"""Standings and recaps of a server."""
