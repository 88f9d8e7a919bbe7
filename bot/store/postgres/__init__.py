"""The store in a PostgreSQL database. Needs the extra ``postgres``."""

from bot.store.postgres.postgres_store import PostgresStore

__all__ = ["PostgresStore"]
