"""The store in one SQLite file. Nothing else knows SQL."""

from bot.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
