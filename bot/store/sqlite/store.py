"""`SqliteStore`: a store in one file."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Self

from bot.store.group_commit import Writer
from bot.store.migrations import Migration
from bot.store.sqlite.backup import copy_to
from bot.store.sqlite.connection import Connection, connected, create_private, open_connection
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.group_commit import commit_on
from bot.store.sqlite.schema import migrations, prepare
from bot.store.store import Store


class SqliteStore(Store):
    """A store in one file. Open it with `SqliteStore.open`, or use that in ``async with``."""

    def __init__(self, path: Path, writing: Connection, reading: Connection) -> None:
        self._path = path
        self._writing = writing
        self._reading = reading
        super().__init__(SqliteDatabase(path, reading, writing, Writer(partial(commit_on, writing))))

    @classmethod
    async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> Self:
        """Open the store in this file, which is created or migrated as needed.

        Raises `DatabaseTooNew`, or `StoreError` if the file isn't a database of ours or can't be written to.
        """
        create_private(path)
        writing = await open_connection(path)
        try:
            await writing.run(partial(prepare, path, known or migrations()))
            reading = await open_connection(path)
        except BaseException:
            await writing.close()
            raise
        return cls(path, writing, reading)

    async def backup(self, path: Path) -> None:
        """Copy everything to a new file, while play goes on. Raises `StoreError` if the file exists."""
        async with connected(self._path) as connection:
            await connection.run(partial(copy_to, path))
