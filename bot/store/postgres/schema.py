"""Checks that a PostgreSQL database is ours or empty, and migrates it."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from bot.errors import StoreError
from bot.store.migrations import Migration, check_version, read_migrations
from bot.store.postgres.server import Connection

_MIGRATING: Final = int.from_bytes(b"Lily", "big")
"""The number of the lock that lets one process migrate at a time."""

_TABLES: Final = """
SELECT table_name FROM information_schema.tables
WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
"""
_OURS: Final = {"migrations", "tables", "entries"}

_RECORD: Final = """
CREATE TABLE IF NOT EXISTS migrations (
    number      BIGINT  PRIMARY KEY,
    name        TEXT    NOT NULL,
    at          TEXT    NOT NULL DEFAULT CAST(CURRENT_TIMESTAMP AS TEXT)
)
"""


def migrations() -> tuple[Migration, ...]:
    """Return the migrations of this version of the program, in order."""
    return read_migrations(files(__package__).joinpath("migrations"))


async def prepare(name: str, known: Sequence[Migration], connection: Connection) -> None:
    """Check that the database is empty, or ours and not too new, and migrate it. Raises `StoreError`."""
    for migration in known:
        async with connection.transaction():
            await connection.execute(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
            written = await _newest(name, connection)
            check_version(name, written, known[-1].number)
            if migration.number > written:
                await connection.execute(migration.script)
                await connection.execute(_RECORD)
                insert = "INSERT INTO migrations (number, name) VALUES ($1, $2)"
                await connection.execute(insert, migration.number, migration.name)


async def _newest(name: str, connection: Connection) -> int:
    """Return the number of the last migration, or 0 if the database is empty."""
    tables = {row["table_name"] for row in await connection.fetch(_TABLES)}
    if not tables:
        return 0
    if not tables >= _OURS:
        raise StoreError(f"The database {name} belongs to another program; it was left as it is.")
    newest: int = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migrations")
    return newest
