"""Checks that a file is our database, copies it, and migrates it."""

import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.errors import AlreadyRunning, StoreError
from bot.store.bot_processes import RUNNING
from bot.store.messages import MARK_RESTORED
from bot.store.schema import Migration, check_unused, check_version, read_migrations
from bot.store.sqlite.connection import BUSY_TIMEOUT_S, connect, create_private, store_error, transaction
from bot.store.sqlite.file_lock import FileLock

LOCKED_SINCE: Final = 49
"""The migration since which a running bot holds the `FileLock` of its database."""
UNOPENED: Final = 1
"""The user version of a copy that no bot has opened. It is 0 in databases in use."""


def back_up(path: Path, source: Path, connection: sqlite3.Connection) -> None:
    """Copy the database to a new file, whichever version of the program wrote it. Raises `StoreError`."""
    _check_ours(source, connection)
    copy_to(path, connection)


def copy_to(path: Path, connection: sqlite3.Connection) -> None:
    """Copy the database to a new file, which gets its name when it is complete. Raises `StoreError`."""
    part = path.parent / f"{path.name}.part"
    try:
        if path.exists():
            raise StoreError(f"There is a file {path.name or path} already; a backup overwrites nothing.")
        part.unlink(missing_ok=True)
        create_private(part)
        with closing(connect(part)) as target:
            connection.backup(target)
            target.execute(f"PRAGMA user_version = {UNOPENED}")
        part.rename(path)
    except (OSError, sqlite3.OperationalError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"The backup {path} can't be written: {why}.") from None


def copy_of(path: Path, folder: Path) -> Path:
    """Copy a database that can't be written to a folder, and return the copy. Raises `StoreError`."""
    copy = folder / path.name
    create_private(copy)
    try:
        try:
            # A bot that has it open elsewhere shares its index of the write-ahead log.
            uri = f"file:{quote(str(path.absolute()))}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True)) as source, closing(connect(copy)) as target:
                source.backup(target)
        except sqlite3.OperationalError:  # there is a log without an index, and no place for one
            shutil.copyfile(path, copy)
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}-wal", f"{copy}-wal")
    except sqlite3.DatabaseError as error:
        raise store_error(path, error) from None
    except OSError as error:
        raise StoreError(f"The database {path} can't be read: {error.strerror}.") from None
    return copy


APPLICATION_ID: Final = int.from_bytes(b"Lily", "big")
"""Stored in the file's header. Other programs' databases don't have it."""


def migrations() -> tuple[Migration, ...]:
    """Return the migrations of this version of the program, in order."""
    return read_migrations(files(__package__).joinpath("migrations"))


def prepare(path: Path, known: Sequence[Migration], connection: sqlite3.Connection) -> None:
    """Check that the file is ours, writable, and neither too new nor too old, then back it up and migrate it.

    Raises `StoreError`, `Locked`, `DatabaseTooNew` or `DatabaseTooOld`, and leaves such a file as it was.
    """
    _check_ours(path, connection)
    written, newest = _newest(connection), known[-1].number
    check_version(path.name, written, known)
    if 0 < written < newest:
        check_unused(path.name, _is_in_use(path, written, connection))
    _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")  # fails now if the file is read-only
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")  # a read-only disk may grant the lock
    finally:
        connection.execute("ROLLBACK")
    if 0 < written < newest:
        _keep_copy(path, connection)
    for migration in known:
        apply(migration, connection)
    if connection.execute("PRAGMA user_version").fetchone()[0] == UNOPENED:
        with transaction(connection):
            connection.execute(MARK_RESTORED)
            connection.execute("PRAGMA user_version = 0")


def _check_ours(path: Path, connection: sqlite3.Connection) -> None:
    has_tables = bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if has_tables and connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(f"The database {path.name} belongs to another program; it was left as it is.")


def _is_in_use(path: Path, written: int, connection: sqlite3.Connection) -> bool:
    """Whether a bot of the database's version runs on it. Bots before the lock are known by their leases."""
    if written < LOCKED_SINCE:
        return bool(connection.execute(RUNNING).fetchall())
    try:
        FileLock(path).release()
    except AlreadyRunning:
        return True
    return False


def _keep_copy(path: Path, connection: sqlite3.Connection) -> None:
    """Copy the database to ``<name>.v<version>.backup``, replacing the copy of an earlier try.

    The lock keeps other processes from migrating the file, or copying it, at the same time.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        with closing(connect(path)) as reader:  # a connection in a transaction can't be the source of a copy
            backup = path.with_name(f"{path.name}.v{_newest(reader)}.backup")
            with suppress(OSError):
                backup.unlink(missing_ok=True)
            copy_to(backup, reader)
    finally:
        connection.execute("ROLLBACK")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, retrying while another process does so: SQLite's timeout doesn't apply."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def apply(migration: Migration, connection: sqlite3.Connection) -> None:
    """Apply and record the migration in one transaction, unless the database has another schema by now."""
    if migration.since != _newest(connection):
        return
    with transaction(connection):
        if migration.since != _newest(connection):  # another process has applied it
            return
        for statement in _statements(migration.script):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations "
            "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP) STRICT"
        )
        connection.execute("INSERT INTO migrations (number, name) VALUES (?, ?)", migration[:2])


def _newest(connection: sqlite3.Connection) -> int:
    if not connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'migrations'").fetchone()[0]:
        return 0
    newest: int | None = connection.execute("SELECT max(number) FROM migrations").fetchone()[0]
    return newest or 0


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
