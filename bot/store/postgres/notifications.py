"""Notifications between processes, on one channel.

They are hints: each process looks for changes once a second anyway, so one that is lost costs a second at most.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from bot.errors import StoreError
from bot.store.postgres.postgres_errors import DRIVER_ERRORS
from bot.store.postgres.postgres_server import Connection, Pool, Server, hang_up

log: Final = logging.getLogger(__name__)

CHANNEL: Final = "lilypad"
PAUSES_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Delays before connecting again, after a loss and after each failure; the last one repeats."""
_PROBE_S: Final = 1.0
"""Interval of checking the connection: a network may drop one that is silent, and report nothing."""

_ERRORS: Final = (StoreError, *DRIVER_ERRORS)


async def notify(about: int, pool: Pool) -> None:
    """Send a notification, in a transaction of its own: the server commits those that notify one by one."""
    with suppress(*_ERRORS):
        async with pool.connection() as connection:
            await connection.execute(f"NOTIFY {CHANNEL}, '{about}'")


async def listen(server: Server, heard: Callable[[int], object]) -> None:
    """Call ``heard`` with each notification, until cancelled. Return at once behind a pooler, which drops them."""
    if server.is_pooled:
        log.info("behind a connection pooler, changes by other processes are noticed once a second, not at once")
        return
    failures = 0
    while True:
        try:
            connection = await _listening(server, heard)
        except _ERRORS as error:
            failures += 1
            if failures == 1:
                log.warning("changes by other processes are noticed once a second, not at once: %s", error)
        else:
            failures = 0
            await _until_lost(connection)
            log.warning("the connection for notifications was lost; it is opened again")
        await asyncio.sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])


async def _listening(server: Server, heard: Callable[[int], object]) -> Connection:
    """Return a connection that listens."""

    def hear(_connection: Any, _process: int, _channel: str, about: object) -> None:
        heard(int(str(about)))

    connection = await server.connect()
    try:
        await connection.add_listener(CHANNEL, hear)
    except BaseException:
        connection.terminate()
        raise
    return connection


async def _until_lost(connection: Connection) -> None:
    is_lost = asyncio.Event()
    connection.add_termination_listener(lambda _: is_lost.set())
    try:
        while not is_lost.is_set():
            await connection.execute("SELECT 1")
            with suppress(TimeoutError):
                await asyncio.wait_for(is_lost.wait(), _PROBE_S)
    except _ERRORS:
        log.debug("the connection for notifications doesn't answer", exc_info=True)
    finally:
        await hang_up(connection)
