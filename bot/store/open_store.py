"""Opens the store of the settings."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import StoreError
from bot.store.store import Store


async def open_store(database: Path | str) -> Store:
    """Open the store in this SQLite file, or in the PostgreSQL database of this URL. Raises `StoreError`."""
    if isinstance(database, Path):
        from bot.store.sqlite import SqliteStore  # noqa: PLC0415 - each engine is loaded only if it is used

        return await SqliteStore.open(database)
    try:
        from bot.store.postgres import PostgresStore  # noqa: PLC0415 - the extra may be missing
    except ModuleNotFoundError as error:
        if error.name != "asyncpg":
            raise
        raise StoreError("PostgreSQL needs asyncpg. Run: make ready POSTGRES=1.") from None
    return await PostgresStore.open(database)


@contextmanager
def writable(database: Path | str) -> Iterator[Path | str]:
    """Give the database, or a temporary copy of a file that can't be written here. Raises `StoreError`.

    SQLite can't open a file with a write-ahead log without writing beside it.
    """
    if isinstance(database, str) or (os.access(database, os.W_OK) and os.access(database.absolute().parent, os.W_OK)):
        yield database
        return
    from bot.store.sqlite.backup import copy_of  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory(prefix="lilypad-") as folder:
        yield copy_of(database, Path(folder))
