"""`PostgresStore`: a store in a PostgreSQL database, with a connection to write, and a few to read.

Works that wait at the same time are committed together in one transaction.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from importlib.resources import files
from typing import Any, Final, Self

import asyncpg

from bot.errors import OutcomeUnknown, StoreError, Unreachable
from bot.store.bot_processes import RUNNING
from bot.store.database import Database, Session, T, Transaction, Work, Writer
from bot.store.postgres.notifications import listen, notify
from bot.store.postgres.postgres_errors import (
    DRIVER_ERRORS,
    PAUSES_S,
    is_lost,
    is_silent,
    may_go_away,
    retried,
    store_error,
)
from bot.store.postgres.postgres_server import Connection, Pool, Server, hang_up
from bot.store.postgres.translation import PostgresTransaction, translate
from bot.store.schema import Migration, check_unused, check_version, read_migrations
from bot.store.store import Store

log: Final = logging.getLogger(__name__)

OUTCOME_PAUSES_S: Final = PAUSES_S
"""Delays before asking again what became of a transaction. Nothing else is written until then."""

_NUMBER: Final = "SELECT CAST(pg_current_xact_id_if_assigned() AS TEXT)"
_STATUS: Final = "SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))"


class Committer:
    """Runs works in transactions on one connection, one transaction at a time.

    After a deadlock, a serialisation failure or a lost connection, all works of the transaction run again: none of them
    was saved. Only if the connection is lost during the commit itself, that isn't known. Then the server is asked what
    became of the transaction, by its number. If it was committed, the results that the works had are returned. So
    nothing is saved twice. If the server doesn't answer in time, the callers get `OutcomeUnknown`. Repeating a move
    would do no harm then, either: it is bound to a version of its table.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._connection: Connection | None = None
        self._is_closed = False

    async def commit(self, works: list[Work[Any]]) -> list[Any]:
        """Return the result or the error of each work. Raises `StoreError` if the transaction can't be committed."""
        return await retried(self._server.name, partial(self._attempt, works), lambda: self._server.may_come_back)

    async def close(self) -> None:
        """Close the connection."""
        self._is_closed = True
        if self._connection is not None:
            await hang_up(self._connection)
            self._connection = None

    async def _attempt(self, works: list[Work[Any]]) -> list[Any]:
        if self._is_closed:
            raise StoreError(f"The database {self._server.name} is closed.")
        connection, self._connection = self._connection or await self._server.connect(), None
        try:
            results = await self._transaction(works, connection)
        except BaseException:
            connection.terminate()  # the server rolls back
            raise
        if not connection.is_closed():
            self._connection = connection
        return results

    async def _transaction(self, works: list[Work[Any]], connection: Connection) -> list[Any]:
        """Return the result or the error of each work. They run one after the other, each in a savepoint."""
        db = PostgresTransaction(connection)
        results = []
        for number, work in enumerate(works):
            await connection.execute("RELEASE work; SAVEPOINT work" if number else "BEGIN; SAVEPOINT work")
            results.append(await self._run(work, db, connection))
        transaction = await connection.fetchval(_NUMBER)
        try:
            await connection.execute("COMMIT")
        except DRIVER_ERRORS as error:
            connection.terminate()
            if not (is_lost(error) and transaction and await self._was_committed(transaction)):
                raise
        return results

    async def _run(self, work: Work[Any], db: PostgresTransaction, connection: Connection) -> Any:
        """Return the result of a work, or its error, which undoes only its own changes."""
        try:
            return await work(db)
        except Exception as error:
            if may_go_away(error):
                raise
            await connection.execute("ROLLBACK TO work")
            is_drivers = isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError)
            return store_error(self._server.name, error) if is_drivers else error

    async def _was_committed(self, transaction: str) -> bool:
        """Ask the server whether a transaction was committed. Raises `StoreError` if it can't tell in time."""
        for pause_s in OUTCOME_PAUSES_S:
            status = await self._status(transaction)
            if status == "silent":
                break
            if status != "in progress":
                log.info("the connection was lost during a commit; the transaction was %s", status)
                return status == "committed"
            await asyncio.sleep(pause_s)
        raise OutcomeUnknown(
            f"The connection to the database {self._server.name} was lost while saving. "
            "Look whether the change was saved before you repeat it."
        )

    async def _status(self, transaction: str) -> str:
        """Return what became of a transaction, or "silent" if the server doesn't answer.

        A server that took over and doesn't know the transaction has aborted it.
        """
        try:
            connection = await self._server.connect()
        except Unreachable as error:
            return "silent" if is_silent(error) else "in progress"
        try:
            async with connection.transaction():
                return await connection.fetchval(_STATUS, transaction) or "aborted"
        except asyncpg.InvalidParameterValueError:
            return "aborted"
        except DRIVER_ERRORS as error:
            return "silent" if is_silent(error) else "in progress"
        finally:
            await hang_up(connection)


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
    """Check that the database is empty, or ours, unused, and neither too new nor too old, and migrate it.

    Raises `StoreError`.
    """
    for migration in known:
        async with connection.transaction():
            await connection.execute(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
            written = await _newest(name, connection)
            check_version(name, written, known)
            if migration.since == written:
                check_unused(name, written and await connection.fetch(translate(RUNNING).text))
                await connection.execute(f"SELECT 1; {migration.script}")  # asyncpg fails on a comment alone
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


class PostgresSession(Session):
    """Runs works on connections that ``lend`` gives. Lost ones are replaced, as long as ``replaces`` returns true.

    If ``in_transactions`` is set, each work is in one.
    """

    def __init__(
        self,
        server: Server,
        lend: Callable[[], AbstractAsyncContextManager[Connection]],
        replaces: Callable[[], bool],
        *,
        in_transactions: bool,
    ) -> None:
        self._server = server
        self._lend = lend
        self._replaces = replaces
        self._in_transactions = in_transactions

    async def run(self, work: Work[T]) -> T:
        return await retried(self._server.name, partial(self._run, work), self._replaces)

    async def in_snapshot(self, work: Work[T]) -> T:
        return await retried(self._server.name, partial(self._run_in_snapshot, work), self._replaces)

    async def _run(self, work: Work[T]) -> T:
        async with self._lend() as connection:
            if not self._in_transactions:
                return await work(PostgresTransaction(connection))
            async with connection.transaction():
                return await work(PostgresTransaction(connection))

    async def _run_in_snapshot(self, work: Work[T]) -> T:
        async with self._lend() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
            return await work(PostgresTransaction(connection))


_LOCK_TIMEOUT_S: Final = 5
_NUMBERED: Final = ("tables", "messages", "option_sets")
"""The tables whose rows the database numbers."""


class PostgresDatabase(Database):
    """An open PostgreSQL database."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pool = Pool(server)
        self._committer = Committer(server)
        self.reading = PostgresSession(
            server, self._pool.connection, lambda: server.may_come_back, in_transactions=server.is_pooled
        )
        self.writer = Writer(self._committer.commit)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        connection = await self._server.connect(for_long=True)
        try:
            yield self._session_on(connection, in_transactions=self._server.is_pooled)
        finally:
            await hang_up(connection)

    @asynccontextmanager
    async def exclusive(self, tables: Collection[str]) -> AsyncIterator[Session]:
        connection = await self._server.connect(for_long=True)
        try:
            async with connection.transaction(isolation="repeatable_read"):
                await connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT_S}s'")
                await connection.execute(f"LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE")
                yield self._session_on(connection)
        except DRIVER_ERRORS as error:
            raise store_error(self._server.name, error) from error
        finally:
            await hang_up(connection)

    async def notify(self, about: int) -> None:
        await notify(about, self._pool)

    async def listen(self, heard: Callable[[int], object]) -> None:
        await listen(self._server, heard)

    async def count_on(self, db: Transaction) -> None:
        for table in _NUMBERED:
            ((last,),) = await db.rows(f"SELECT max(id) FROM {table}")  # noqa: S608 - a constant name
            if last is not None:
                await db.rows("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", (table, last))

    def _session_on(self, connection: Connection, *, in_transactions: bool = False) -> Session:
        """Return a session on this connection, which isn't replaced."""
        lend = partial(nullcontext, connection)
        return PostgresSession(self._server, lend, lambda: False, in_transactions=in_transactions)

    async def scrub(self, *, vacuums: bool) -> bool:
        """Do nothing: PostgreSQL reuses the space of deleted rows by itself."""
        del vacuums
        return True

    def give_up_early(self) -> None:
        self._server.may_come_back = False
        super().give_up_early()

    async def close(self) -> None:
        await self.writer.finish()
        await self._pool.close()
        await self._committer.close()


class PostgresStore(Store):
    """A store in a PostgreSQL database. Open it with `PostgresStore.open`, or use that in ``async with``."""

    @classmethod
    async def open(cls, url: str, known: Sequence[Migration] | None = None) -> Self:
        """Open the store in this database, which is migrated as needed.

        Raises `DatabaseTooNew`, `DatabaseTooOld`, `Unreachable`, or another `StoreError` if it isn't ours, or unusable.
        """
        server = Server(url)
        await retried(server.name, partial(_prepare, server, known or migrations()))
        return cls(PostgresDatabase(server))


async def _prepare(server: Server, known: Sequence[Migration]) -> None:
    connection = await server.connect(for_long=True)
    try:
        await server.check(connection)
        await prepare(server.name, known, connection)
    except DRIVER_ERRORS as error:
        raise store_error(server.name, error) from error
    finally:
        await hang_up(connection)
