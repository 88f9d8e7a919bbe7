"""The store in one SQLite file."""

from bot.store.sqlite.sqlite_store import SqliteStore

__all__ = ["SqliteStore"]
