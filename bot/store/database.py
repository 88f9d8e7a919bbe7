"""What repositories know of a database: works and their transactions, sessions to read, and the writer.

A *work* is an asynchronous function of a `Transaction`: statements that belong together, written once for every engine.
On SQLite its statements never wait, so it runs to its end in one step on the connection's thread. On PostgreSQL it is
awaited. It may run again after a deadlock or a lost connection, so it changes nothing but the database.
`work` makes a work of a repository's method.

Statements are written in the SQL that both engines understand. `bot.store.postgres.translation` lists the few functions
of SQLite that are translated for PostgreSQL.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import copy_context
from functools import update_wrapper
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeAlias, TypeVar

import msgspec

from bot.errors import Conflict, OutcomeUnknown, Unreachable

log: Final = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Repository")
R = TypeVar("R", bound=msgspec.Struct)
Row: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[object] | Mapping[str, object]
"""The values of a statement: for ``?`` and ``?1`` in order, for ``:name`` by name."""

SOON_S: Final = 0.2
"""Maximum time for which a write that may be lost waits for another one."""
NOW: Final = "((julianday('now') - 2440587.5) * 86400.0)"
"""The database's clock, in seconds since 1970: processes whose own clocks differ agree on it."""


class Transaction(Protocol):
    """Runs the statements of a work."""

    async def execute(self, statement: str, values: Values = (), /) -> int:
        """Run a statement, and return how many rows it changed."""
        ...

    async def execute_many(self, statement: str, values: Iterable[Values], /) -> None:
        """Run a statement with each of these values."""
        ...

    async def rows(self, query: str, values: Values = (), /) -> list[Row]:
        """Return the rows of a query, or of a statement with ``RETURNING``."""
        ...

    async def named_rows(self, query: str, values: Values = (), /) -> list[dict[str, Any]]:
        """Return the rows as values by the names of their columns."""
        ...

    async def lock(self, what: str, /) -> None:
        """Let no other work with this lock run until the transaction ends.

        Needed where a work reads some rows and then writes others. A changed row is locked anyway.
        """
        ...


Work: TypeAlias = Callable[[Transaction], Coroutine[Any, Any, T]]


Commit: TypeAlias = Callable[[list[Work[Any]]], Awaitable[list[Any]]]
"""Runs works in one transaction, and returns the result or the error of each. An error undoes only its own work.

Raises `StoreError` if the transaction can't be committed.
"""


class Writer:
    """Collects writes and commits them in batches. Its task runs only while there is something to write."""

    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self._context = copy_context()
        """A transaction has writes of many tasks, so it isn't part of any of them."""
        self._waiting: list[tuple[Work[Any], asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_ending = False
        self._failure: Exception | None = None
        """Why the last transaction couldn't be committed, while the program stops."""

    def write(self, work: Work[T]) -> asyncio.Future[T]:
        """Run ``work`` in the next transaction. The future has its result once that is on disk.

        If ``work`` raises, so does the future, and nothing that it wrote is kept.
        """
        written = self._add(work)
        self.flush()
        return written

    def write_soon(self, work: Work[T]) -> asyncio.Future[T]:
        """Like `write`, for what may be lost: it waits up to `SOON_S` for a transaction that others need."""
        written = self._add(work)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SOON_S, self.flush)
        return written

    def _add(self, work: Work[T]) -> asyncio.Future[T]:
        written: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, written))
        return written

    def flush(self) -> None:
        """Write what is waiting."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting and self._task is None:
            self._task = asyncio.create_task(self._write_all(), name="commit", context=self._context.copy())
            self._task.add_done_callback(self._stop)

    async def execute(self, statement: str, values: Values = ()) -> None:
        """Write with one statement."""
        await self.write(lambda db: db.execute(statement, values))

    def give_up_early(self) -> None:
        """Write nothing any more once a transaction has failed."""
        self._is_ending = True

    async def finish(self) -> None:
        """Wait until nothing is left to be written."""
        self.flush()
        while self._task is not None:
            await asyncio.wait({self._task})

    def _stop(self, task: asyncio.Task[None]) -> None:
        """Cancel the waiting writes if the task was cancelled."""
        if task.cancelled():
            self._task = None
            for _, written in self._waiting:
                written.cancel()
            self._waiting = []

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._write_batch(batch)
            await asyncio.sleep(0)  # callers that were just acknowledged may have more to write
        self._task = None

    async def _committed(self, works: list[Work[Any]]) -> list[Any]:
        if self._failure is not None:
            raise self._failure
        try:
            return await self._commit(works)
        except Exception as error:
            self._failure = error if self._is_ending else None
            raise

    async def _write_batch(self, batch: list[tuple[Work[Any], asyncio.Future[Any]]]) -> None:
        try:
            results = await self._committed([work for work, _ in batch])
        except Exception as error:  # noqa: BLE001 - raised in every caller
            results = [error] * len(batch)
            if isinstance(error, Unreachable | OutcomeUnknown):  # those that came meanwhile would wait as long again
                results += [Unreachable("The database can't be reached; try again in a moment.")] * len(self._waiting)
                batch, self._waiting = batch + self._waiting, []
        except asyncio.CancelledError:
            for _, written in batch:
                written.cancel()
            raise
        for (_, written), result in zip(batch, results, strict=True):
            if written.done():  # the caller was cancelled
                continue
            if isinstance(result, Exception):
                written.set_exception(result)
            else:
                written.set_result(result)


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
        return await self.run(lambda db: db.rows(query, values))

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

    def occupy(self) -> bool:
        """Keep other bots off the database until it is closed, if only one can run on it; return whether that is so.

        Raises `AlreadyRunning` if another one runs.
        """
        return False

    async def notify(self, about: int) -> None:  # noqa: B027 - not every engine can
        """Notify all processes that listen. A notification may get lost, so nothing may depend on it."""

    async def listen(self, heard: Callable[[int], object]) -> None:  # noqa: B027 - as above
        """Call ``heard`` with each notification, until cancelled. Return at once if there are none."""

    @abstractmethod
    async def count_on(self, db: Transaction) -> None:
        """Continue the numbering after the copied rows, which keep their numbers."""

    @abstractmethod
    async def scrub(self, *, vacuums: bool) -> bool:
        """Overwrite deleted rows in the files, if the engine can do that. Return false if it has to be tried again.

        ``vacuums``: also in unused space, for which the whole database is rewritten.
        """

    def give_up_early(self) -> None:
        """Repeat nothing from now on, and write nothing more once that has failed.

        A program that stops can't wait for each of its last writes if the database is away.
        """
        self.writer.give_up_early()

    @abstractmethod
    async def close(self) -> None:
        """Finish writing, and close all connections."""


class Repository:
    """The queries about one subject. Each method may raise `StoreError`, and then has stored nothing.

    A method that writes returns when its data would survive a power cut.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reading = database.reading
        self._writer = database.writer


def work(
    method: Callable[Concatenate[S, Transaction, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make a method of a repository a work that the writer runs: ``db`` is its transaction."""

    async def written(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._writer.write(lambda db: method(self, db, *args, **kwargs))

    update_wrapper(written, method)
    return written


def records(kind: type[R], rows: Iterable[tuple[Any, ...]], *in_json: str) -> Iterator[R]:
    """Yield the records of rows that have their fields, in this order. Those ``in_json`` are texts.

    Databases have 0 and 1 for false and true. Rows that can't be read are left out.
    """
    for row in rows:
        fields = dict(zip(kind.__struct_fields__, row, strict=True))
        try:
            fields |= {name: msgspec.json.decode(fields[name] or "null") for name in in_json}
            yield msgspec.convert(fields, kind, strict=False)
        except (msgspec.DecodeError, UnicodeError):  # its text may quote a column
            log.warning("a row of %s can't be read and is left out", kind.__name__)


def insert(table: str, columns: Collection[str]) -> str:
    """Return the statement that inserts a row, with values by the names of its columns."""
    values = ", ".join(f":{column}" for column in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"  # noqa: S608 - constant names


def upsert(table: str, columns: Collection[str], key: str) -> str:
    """Like `insert`, but a row with the same key gets these values."""
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns if column != key)
    return f"{insert(table, columns)} ON CONFLICT ({key}) DO UPDATE SET {changes}"


async def hold(table_id: int, version: int, db: Transaction) -> None:
    """Keep the table at this version until the transaction ends. Raises `Conflict` if it has moved on."""
    if not await db.execute("UPDATE tables SET version = version WHERE id = ? AND version = ?", (table_id, version)):
        raise Conflict(f"Table {table_id} isn't at version {version} any more; nothing was changed.")


def to_json(value: object) -> str:
    """Return the value as JSON, for columns and for the parameters of ``json_each``."""
    return msgspec.json.encode(value).decode()
