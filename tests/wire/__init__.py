"""Requests to Discord as they go over the wire."""
