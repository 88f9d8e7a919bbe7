"""Errors of PostgreSQL as sentences, and repeating what may go away: lost connections and deadlocks."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import asyncpg

from bot.errors import Conflict, Locked, StatementFailed, StoreError, Unreachable

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

DRIVER_ERRORS: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""Errors of the driver, the server and the network."""

_SENTENCES: Final[tuple[tuple[type[Exception], type[StoreError], str], ...]] = (
    (asyncpg.LockNotAvailableError, Locked, "is locked by another program; try again in a moment"),
    (asyncpg.InvalidAuthorizationSpecificationError, StoreError, "refuses the user or the password"),
    (asyncpg.InvalidCatalogNameError, StoreError, "doesn't exist on its server; create it with createdb"),
    (asyncpg.InsufficientPrivilegeError, StoreError, "can't be used; its user lacks a permission"),
    (asyncpg.ReadOnlySQLTransactionError, StoreError, "can't be written to; it is read-only"),
    (asyncpg.DiskFullError, StoreError, "can't be written to; the server's disk is full"),
    (asyncpg.DataCorruptedError, StoreError, "is damaged; restore it from a backup"),
    (asyncpg.IndexCorruptedError, StoreError, "is damaged; restore it from a backup"),
    (
        asyncpg.TargetServerAttributeNotMatched,
        Unreachable,
        "has no server at the moment that can be written to",
    ),
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
    for kind, wanted, why in _SENTENCES:
        if isinstance(error, kind):
            return wanted(f"The database {name} {why}.")
    if isinstance(error, asyncpg.ClientConfigurationError) and "root certificate" in str(error):
        return StoreError(
            f"The database {name} needs certificates to check the server's; add sslrootcert=system or sslrootcert=FILE."
        )
    if isinstance(error, ssl.SSLError):
        return StoreError(f"The database {name} can't be reached by TLS: {error.reason or 'no secure connection'}.")
    if is_lost(error):
        return Unreachable(f"The database {name} can't be reached{_reason(error)}; try again in a moment.")
    if isinstance(error, asyncpg.PostgresError):
        return StatementFailed(f"The database {name} can't be used: {error.args[0]}.")
    return StoreError(f"The database {name} can't be used; check its address.")


def _reason(error: Exception) -> str:
    if isinstance(error, asyncpg.PostgresError):
        return f": {error.args[0]}"
    if isinstance(error, TimeoutError):
        return ": it doesn't answer"
    reason = error.strerror or str(error) if isinstance(error, OSError) else ""
    return f": {reason}" if reason else ""


PAUSES_S: Final = (0.0, 0.1, 0.3, 0.6, 1.0, 2.0, 3.0)
"""Delays before each repetition: about as long as a server takes to restart."""

MOST_SILENCES: Final = 2
"""Attempts that may end without an answer: one on a connection that is lost unnoticed, and one on a new connection.

Each takes as long as its time limit. More would keep players waiting.
"""


async def retried(name: str, attempt: Callable[[], Awaitable[T]], may_repeat: Callable[[], bool] = lambda: True) -> T:
    """Return the result of an attempt that leaves nothing behind if it fails. Raises errors as `StoreError`."""
    tries = silences = 0
    while True:
        try:
            return await attempt()
        except Exception as error:
            silences += is_silent(error)
            is_last = tries >= len(PAUSES_S) or silences == MOST_SILENCES or not may_repeat()
            if is_last or not may_go_away(error):
                raise _as_store_error(name, error) from error
            log.warning("%s It is tried again.", _as_store_error(name, error))
        await asyncio.sleep(PAUSES_S[tries])
        tries += 1


def _as_store_error(name: str, error: Exception) -> Exception:
    """Return errors of the driver and of the network as a sentence, and others as they are."""
    if isinstance(error, DRIVER_ERRORS):
        return store_error(name, error)
    return error
