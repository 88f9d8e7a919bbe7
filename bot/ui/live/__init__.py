"""Keeping messages up to date: boards, hands, pings and questions, and private messages that are open."""
