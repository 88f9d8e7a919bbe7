"""Errors of PostgreSQL as sentences, and which of them may go away."""

import ssl
from typing import Final

import asyncpg

from bot.errors import Conflict, Locked, StoreError, Unreachable

DRIVER_ERRORS: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""Errors of the driver, the server and the network."""

_SENTENCES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (asyncpg.InvalidAuthorizationSpecificationError, "refuses the user or the password"),
    (asyncpg.InvalidCatalogNameError, "doesn't exist on its server; create it with createdb"),
    (asyncpg.InsufficientPrivilegeError, "can't be used; its user lacks a permission"),
    (asyncpg.ReadOnlySQLTransactionError, "can't be written to; it is read-only"),
    (asyncpg.DiskFullError, "can't be written to; the server's disk is full"),
    (asyncpg.DataCorruptedError, "is damaged; restore it from a backup"),
    (asyncpg.IndexCorruptedError, "is damaged; restore it from a backup"),
)

_UNREACHABLE: Final = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)
"""The connection is lost, or none can be made at the moment. Timeouts are `OSError`, too."""

_REPEATABLE: Final = (asyncpg.TransactionRollbackError, asyncpg.InvalidCachedStatementError)
"""Deadlocks, serialisation failures, and statements that were prepared before a migration."""


def is_lost(error: BaseException) -> bool:
    """Whether the error is about the connection, not about a statement."""
    if isinstance(error, ssl.SSLError):
        return False
    return isinstance(error, _UNREACHABLE) or (
        isinstance(error, asyncpg.InterfaceError) and not isinstance(error, ValueError)
    )


def is_silent(error: BaseException) -> bool:
    """Whether a time limit has passed without an answer: on a statement, or on a new connection."""
    return isinstance(error, TimeoutError) or isinstance(error.__cause__, TimeoutError)


def may_go_away(error: BaseException) -> bool:
    """Whether the same transaction may succeed on the next try."""
    return is_lost(error) or isinstance(error, (*_REPEATABLE, asyncpg.ReadOnlySQLTransactionError, Unreachable))


def store_error(name: str, error: Exception) -> StoreError:
    """Return the error as a sentence about the database; a `Conflict` if a row with this key exists.

    It never quotes the address, which may have a password.
    """
    if isinstance(error, asyncpg.UniqueViolationError):
        return Conflict("Somebody else was quicker; nothing was changed.")
    if isinstance(error, asyncpg.LockNotAvailableError):
        return Locked(f"The database {name} is locked by another program; try again in a moment.")
    for kind, why in _SENTENCES:
        if isinstance(error, kind):
            return StoreError(f"The database {name} {why}.")
    if isinstance(error, asyncpg.TargetServerAttributeNotMatched):
        return Unreachable(f"The database {name} has no server at the moment that can be written to.")
    if isinstance(error, asyncpg.ClientConfigurationError) and "root certificate" in str(error):
        return StoreError(
            f"The database {name} needs certificates to check the server's; add sslrootcert=system or sslrootcert=FILE."
        )
    if isinstance(error, ssl.SSLError):
        return StoreError(f"The database {name} can't be reached by TLS: {error.reason or 'no secure connection'}.")
    if is_lost(error):
        return Unreachable(f"The database {name} can't be reached{_reason(error)}; try again in a moment.")
    if isinstance(error, asyncpg.PostgresError):
        return StoreError(f"The database {name} can't be used: {error.args[0]}.")
    return StoreError(f"The database {name} can't be used; check its address.")


def _reason(error: Exception) -> str:
    if isinstance(error, asyncpg.PostgresError):
        return f": {error.args[0]}"
    if isinstance(error, TimeoutError):
        return ": it doesn't answer"
    reason = error.strerror or str(error) if isinstance(error, OSError) else ""
    return f": {reason}" if reason else ""
