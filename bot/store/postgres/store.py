"""`PostgresStore`: a store in a PostgreSQL database."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Self

from bot.errors import StoreError
from bot.store.migrations import Migration
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.errors import DRIVER_ERRORS, store_error
from bot.store.postgres.retry import retried
from bot.store.postgres.schema import migrations, prepare
from bot.store.postgres.server import Server, hang_up
from bot.store.store import Store


class PostgresStore(Store):
    """A store in a PostgreSQL database. Open it with `PostgresStore.open`, or use that in ``async with``."""

    @classmethod
    async def open(cls, url: str, known: Sequence[Migration] | None = None) -> Self:
        """Open the store in this database, which is migrated as needed.

        Raises `DatabaseTooNew`, `Unreachable`, or `StoreError` if the database isn't ours or can't be used.
        """
        server = Server(url)
        await retried(server.name, partial(_prepare, server, known or migrations()))
        return cls(PostgresDatabase(server))

    async def backup(self, path: Path) -> None:
        raise StoreError(f"The database isn't a file, so {path.name} wasn't written; back it up with pg_dump.")


async def _prepare(server: Server, known: Sequence[Migration]) -> None:
    connection = await server.connect(for_long=True)
    try:
        await server.check(connection)
        await prepare(server.name, known, connection)
    except DRIVER_ERRORS as error:
        raise store_error(server.name, error) from error
    finally:
        await hang_up(connection)
