"""Opens the store of the settings."""

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
