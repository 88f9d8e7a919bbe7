"""Commits works together in one transaction of PostgreSQL."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import asyncpg

from bot.errors import OutcomeUnknown, StoreError, Unreachable
from bot.store.group_commit import Write
from bot.store.postgres.errors import DRIVER_ERRORS, is_lost, is_silent, may_go_away, store_error
from bot.store.postgres.retry import PAUSES_S, retried
from bot.store.postgres.server import Connection, Server, hang_up
from bot.store.postgres.together import NotTogether, run_together
from bot.store.postgres.transaction import PostgresTransaction
from bot.store.transaction import Work

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

    async def commit(self, writes: list[Write]) -> list[Any]:
        """Return the result or the error of each work. Raises `StoreError` if the transaction can't be committed."""
        return await retried(self._server.name, partial(self._attempt, writes))

    async def close(self) -> None:
        """Close the connection."""
        self._is_closed = True
        if self._connection is not None:
            await hang_up(self._connection)
            self._connection = None

    async def _attempt(self, writes: list[Write]) -> list[Any]:
        if self._is_closed:
            raise StoreError(f"The database {self._server.name} is closed.")
        connection, self._connection = self._connection or await self._server.connect(), None
        try:
            try:
                results = await self._transaction(partial(run_together, writes, connection), connection)
            except NotTogether:
                await connection.execute("ROLLBACK")
                results = await self._transaction(partial(self._run_one_by_one, writes, connection), connection)
        except BaseException:
            connection.terminate()  # the server rolls back
            raise
        if not connection.is_closed():
            self._connection = connection
        return results

    async def _transaction(self, run: Callable[[], Awaitable[list[Any]]], connection: Connection) -> list[Any]:
        await connection.execute("BEGIN")
        results = await run()
        transaction = await connection.fetchval(_NUMBER)
        try:
            await connection.execute("COMMIT")
        except DRIVER_ERRORS as error:
            connection.terminate()
            if not (is_lost(error) and transaction and await self._was_committed(transaction)):
                raise
        return results

    async def _run_one_by_one(self, writes: list[Write], connection: Connection) -> list[Any]:
        """Return the result or the error of each work. They run one after the other, each in a savepoint."""
        db = PostgresTransaction(connection)
        results = []
        for write in writes:
            await connection.execute("SAVEPOINT work")
            results.append(await self._run(write.work, db, connection))
            await connection.execute("RELEASE work")
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
