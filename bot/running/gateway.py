"""Connection robustness that discord.py lacks, and the only module that patches it.

Each patch names the problem in discord.py (checked with 2.7.1). `tests/wire/test_patches.py` shows each problem
without the patch, so it fails once upstream has solved it.
"""

import asyncio
import logging
import zlib
from http import HTTPStatus
from typing import Any, Final, Self

import aiohttp
import aiohttp.client
import discord
from discord import shard
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

log: Final = logging.getLogger(__name__)

LONGEST_PAUSE_S: Final = 60.0
"""Maximum delay between attempts to connect."""
REQUEST_S: Final = 15.0
"""Timeout of a request; waiting for a rate limit doesn't count."""
_UNKNOWN_ERROR: Final = 4000


class _WebSocket(DiscordWebSocket):
    """A connection that survives what real outages send.

    * A connection closed before its greeting: discord.py resumes at once, hundreds of times a second, or ends the
      program where it would begin a new session. https://github.com/Rapptz/discord.py/issues/10511
    * An event that can't be parsed: discord.py ends the program. https://github.com/Rapptz/discord.py/issues/2195
    """

    @classmethod
    async def from_client(cls, *args: Any, **kwargs: Any) -> Self:
        try:
            return await super().from_client(*args, **kwargs)
        except ReconnectWebSocket as error:
            raise ConnectionError("Discord closed the connection before it said hello") from error

    async def received_message(self, msg: Any, /) -> None:
        has_session = self._keep_alive is not None and self.session_id is not None
        try:
            await super().received_message(msg)
        except (zlib.error, LookupError, TypeError, ValueError, AttributeError) as error:
            if has_session and not isinstance(error, zlib.error):
                log.exception("a gateway event can't be parsed and is skipped")
                return
            await self.close(_UNKNOWN_ERROR)
            raise ConnectionError("the gateway's messages can't be parsed") from error


class Backoff(ExponentialBackoff[bool]):
    """Exponential backoff with a maximum of a minute; discord.py's grows to 17 minutes.

    https://github.com/Rapptz/discord.py/blob/v2.7.1/discord/backoff.py
    """

    def delay(self) -> float:
        """Return the next delay in seconds."""
        return min(super().delay(), LONGEST_PAUSE_S)


def stay_connected() -> None:
    """Apply all patches to this process.

    The timeout is aiohttp's default for sessions, five minutes, which discord.py has no setting for.
    https://docs.aiohttp.org/en/stable/client_quickstart.html#timeouts
    """
    setattr(shard, "DiscordWebSocket", _WebSocket)  # noqa: B010 - mypy takes the module's name for a type
    setattr(shard, "ExponentialBackoff", Backoff)  # noqa: B010 - likewise
    setattr(aiohttp.client, "DEFAULT_TIMEOUT", aiohttp.ClientTimeout(total=REQUEST_S))  # noqa: B010 - likewise
    logging.getLogger(shard.__name__).addFilter(_shorten)


def _shorten(record: logging.LogRecord) -> bool:
    """Turn errors of lost connections into warnings of one line: they are expected, and retried."""
    error = record.exc_info[1] if record.exc_info else None
    if record.levelno == logging.ERROR and error is not None:
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {type(error).__name__}: {error}", (), None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


async def start(client: discord.Client, token: str) -> None:
    """Log in and connect as `discord.Client.start` does, but retry while Discord answers with errors.

    discord.py gives up at the first one. https://github.com/Rapptz/discord.py/issues/7996

    Raises
    ------
    discord.LoginFailure: The token is wrong.
    aiohttp.ClientConnectorError: Discord can't be reached at all.
    """
    backoff, is_logged_in = Backoff(), False
    while True:
        try:
            if not is_logged_in:
                await client.login(token)
                is_logged_in = True
            await client.connect()
        except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, TimeoutError) as error:
            if not _is_outage(error) or (is_logged_in and not isinstance(error, discord.GatewayNotFound)):
                raise
            pause_s = backoff.delay()
            log.warning("Discord fails at the start (%r); retrying in %.1f s", error.__cause__ or error, pause_s)
        else:
            return
        if not is_logged_in:
            await client.http.close()
            client.http.connector = discord.utils.MISSING  # it was closed with the session
        await asyncio.sleep(pause_s)


def _is_outage(error: BaseException | None) -> bool:
    if isinstance(error, discord.GatewayNotFound):
        return _is_outage(error.__cause__)
    if isinstance(error, discord.HTTPException):
        return error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, (aiohttp.ClientError, TimeoutError)) and not isinstance(
        error, aiohttp.ClientConnectorError
    )
