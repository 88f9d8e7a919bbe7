"""Commits works together in one transaction of SQLite."""

import sqlite3
from functools import partial
from typing import Any

from bot.store.group_commit import Write
from bot.store.sqlite.connection import Connection, store_error, transaction
from bot.store.sqlite.transaction import SqliteTransaction, finish
from bot.store.transaction import Work


async def commit_on(connection: Connection, writes: list[Write]) -> list[Any]:
    """Run all works in one transaction, and return the result or the error of each. Raises `StoreError`."""
    results = await connection.run(partial(commit, [write.work for write in writes]))
    path = connection.path
    return [store_error(path, each) if isinstance(each, sqlite3.Error) else each for each in results]


def commit(works: list[Work[Any]], connection: sqlite3.Connection) -> list[Any]:
    """Run all works in one transaction, and return their results or errors. An error rolls back only its own changes.

    Raises `sqlite3.Error` if the transaction can't be committed.
    """
    db = SqliteTransaction(connection)
    with transaction(connection):
        return [_run(work, db, connection) for work in works]


def _run(work: Work[Any], db: SqliteTransaction, connection: sqlite3.Connection) -> Any:
    connection.execute("SAVEPOINT work")
    try:
        result = finish(work, db)
    except Exception as error:  # returned to its caller
        if not connection.in_transaction:  # SQLite rolled back the whole transaction, for example as the disk is full
            raise
        connection.execute("ROLLBACK TO work")
        result = error
    connection.execute("RELEASE work")
    return result
