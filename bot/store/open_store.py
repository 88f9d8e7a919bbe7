"""Opens the store of the settings, and copies databases."""

import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.errors import AlreadyRunning, StoreError
from bot.records.table import Log
from bot.store.bot_processes import RUNNING
from bot.store.database import Database, Row, Session, Transaction, insert
from bot.store.schema import KEYS
from bot.store.statements import read_log
from bot.store.store import Store

_PAGE: Final = 1000
"""Rows that are read and written at a time."""

Progress = Callable[[str, int, int], None]
"""Called with the name of an SQL table, and how many of its rows are copied, out of how many."""


async def copy(source: Database, target: Database, check: Callable[[Log], None], progress: Progress) -> int:
    """Copy everything, verify it, and return the number of rows. Nothing is written unless all of it is right.

    Every row is counted. The log of every open table has to be the same in both databases, and ``check`` is called with
    it. Raises `StoreError` if the target isn't empty, or a bot is using the source. Nobody else can write to either
    database meanwhile.
    """
    is_alone = source.occupy()
    async with source.exclusive(KEYS) as reading, target.exclusive(KEYS) as writing:
        if not is_alone and await reading.rows(RUNNING):
            raise AlreadyRunning("A bot is running on the database. Stop it first; if it was killed, wait ten seconds.")
        if any([await _count(table, writing) for table in KEYS]):
            raise StoreError("The target isn't empty; nothing was copied.")
        total = sum([await _copy_table(table, reading, writing, progress) for table in KEYS])
        await writing.run(target.count_on)
        await _compare(reading, writing, check)
    return total


async def _copy_table(table: str, reading: Session, writing: Session, progress: Progress) -> int:
    """Copy an SQL table, and return how many rows it has. Raises `StoreError` if one is missing afterwards."""
    total, done = await _count(table, reading), 0
    async for page in _pages(table, reading):
        await writing.run(partial(_insert, table, page))
        done += len(page)
        progress(table, done, total)
    if not done == total == await _count(table, writing):
        raise StoreError(f"{table} has {total} rows, but {done} were copied; nothing was kept.")
    return total


async def _pages(table: str, session: Session) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield the rows of an SQL table in the order of its key."""
    after: Row = ()
    while page := await session.run(partial(_page, table, after)):
        yield page
        after = tuple(page[-1][column] for column in KEYS[table])


async def _page(table: str, after: Row, db: Transaction) -> list[dict[str, Any]]:
    key = ", ".join(KEYS[table])
    where = f"WHERE ({key}) > ({', '.join('?' * len(after))})" if after else ""
    return await db.named_rows(f"SELECT * FROM {table} {where} ORDER BY {key} LIMIT {_PAGE}", after)  # noqa: S608 - constant names


async def _insert(table: str, page: list[dict[str, Any]], db: Transaction) -> None:
    await db.execute_many(insert(table, page[0]), page)


async def _count(table: str, session: Session) -> int:
    (count,) = await session.numbers(f"SELECT count(*) FROM {table}")  # noqa: S608 - a constant name
    return count


async def _compare(reading: Session, writing: Session, check: Callable[[Log], None]) -> None:
    for table_id in await reading.numbers("SELECT id FROM open_tables ORDER BY id"):
        log = await reading.run(partial(read_log, table_id))
        if log is None or log != await writing.run(partial(read_log, table_id)):
            raise StoreError(f"Table {table_id} differs in the copy; nothing was kept.")
        check(log)


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


async def backup(database: Path | str, path: Path) -> None:
    """Copy a SQLite database of any version to a new file, also while a bot is running. Raises `StoreError`."""
    if isinstance(database, str):
        raise StoreError(f"The database isn't a file, so {path.name} wasn't written; back it up with pg_dump.")
    from bot.store.sqlite.connection import connected  # noqa: PLC0415 - as above
    from bot.store.sqlite.sqlite_schema import back_up  # noqa: PLC0415 - as above

    with writable(database) as file:
        async with connected(Path(file)) as connection:
            await connection.run(partial(back_up, path, database))


@contextmanager
def writable(database: Path | str) -> Iterator[Path | str]:
    """Give the database, or a temporary copy of a file that can't be written here. Raises `StoreError`.

    SQLite can't open a file with a write-ahead log without writing beside it.
    """
    if isinstance(database, str) or (os.access(database, os.W_OK) and os.access(database.absolute().parent, os.W_OK)):
        yield database
        return
    from bot.store.sqlite.sqlite_schema import copy_of  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory(prefix="lilypad-") as folder:
        yield copy_of(database, Path(folder))
