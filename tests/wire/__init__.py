"""Tests with a bot process and a Discord over HTTP and WebSocket."""
