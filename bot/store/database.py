"""A database as repositories know it: sessions to read, and a writer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from functools import partial

from bot.store.group_commit import Writer
from bot.store.transaction import Row, T, Transaction, Work


class Session(ABC):
    """Runs works outside of the writer's transactions, most of them to read. Every method may raise `StoreError`."""

    @abstractmethod
    async def run(self, work: Work[T]) -> T:
        """Return the result of a work. Each of its statements is a transaction of its own."""

    @abstractmethod
    async def in_snapshot(self, work: Work[T]) -> T:
        """Return the result of a work whose queries all see the database at one moment."""

    async def rows(self, query: str, *values: object) -> list[Row]:
        """Return the rows of a query."""
        return await self.run(partial(_rows, query, values))

    async def numbers(self, query: str, *values: object) -> tuple[int, ...]:
        """Return the only column of a query."""
        return tuple([number for (number,) in await self.rows(query, *values)])


class Database(ABC):
    """An open database. All readers share the session ``reading``."""

    reading: Session
    writer: Writer

    @abstractmethod
    def session(self) -> AbstractAsyncContextManager[Session]:
        """Return a session on a connection of its own, so that moves don't wait for slow works."""

    @abstractmethod
    def exclusive(self, tables: Collection[str]) -> AbstractAsyncContextManager[Session]:
        """Return a session whose works are all in one transaction, while nobody else writes to these tables.

        The transaction is committed at the end, or rolled back after an error.
        """

    async def notify(self, about: int) -> None:  # noqa: B027 - not every engine can
        """Notify all processes that listen. A notification may get lost, so nothing may depend on it."""

    async def listen(self, heard: Callable[[int], object]) -> None:  # noqa: B027 - as above
        """Call ``heard`` with each notification, until cancelled. Return at once if there are none."""

    @abstractmethod
    async def count_on(self, db: Transaction) -> None:
        """Continue the numbering after the copied rows, which keep their numbers."""

    @abstractmethod
    async def scrub(self) -> bool:
        """Overwrite deleted rows in the files, if the engine can do that. Return false if it has to be tried again."""

    @abstractmethod
    async def close(self) -> None:
        """Finish writing, and close all connections."""


async def _rows(query: str, values: tuple[object, ...], db: Transaction) -> list[Row]:
    return await db.rows(query, values)
