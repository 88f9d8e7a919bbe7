"""Connection robustness that discord.py lacks: retries, and why they are needed. The only module that patches it.

Each patch names the problem in discord.py (checked with 2.7.1). `tests/wire/test_patches.py` shows each problem
without the patch, so it fails once upstream has solved it.
"""

import asyncio
import copy
import itertools
import logging
import math
import random
import time
import zlib
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Self, TypeVar
from urllib.parse import urlsplit

import aiohttp
import aiohttp.client
import discord
from discord import app_commands, shard
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import HTTPClient, Route
from yarl import URL

from bot.errors import StoreError
from bot.settings import proxy_of
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE, is_refusal, retry_after_s

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

SHORTEST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""Minimum and maximum delay between attempts to connect."""
LONGEST_WAIT_S: Final = 3600.0
"""Maximum delay that an answer may ask for."""
DISCORD_ERRORS: Final = (discord.ConnectionClosed, *CONNECTION_ERRORS, *UNREADABLE)
"""Exceptions of discord.py if Discord fails, or something else answers."""
REQUEST_S: Final = 15.0
"""Timeout of a request; waiting for a rate limit doesn't count."""
SYNC_RETRY_S: Final = (5, 30, 300, 3600)
"""Retry delays for syncing commands; the last one repeats."""
OUTAGE_RETRY_S: Final = 60
"""Maximum delay while Discord fails, or something else answers."""
_UNKNOWN_ERROR: Final = 4000
_WHAT_TO_CHECK: Final = "check DISCORD_API_URL, the proxy, and whether this network asks for a login"
_MAX_TEXT: Final = 150
_JITTER: Final = random.Random()  # noqa: S311 - no secret


class Identified:
    """How many sessions this process has begun, and when the last one, on the monotonic clock."""

    count = 0
    last_at = -math.inf


identified: Final = Identified()


class _WebSocket(DiscordWebSocket):
    """A connection that survives what real outages send.

    * A connection closed before its greeting: discord.py resumes at once, hundreds of times a second, or ends the
      program where it would begin a new session. https://github.com/Rapptz/discord.py/issues/10511
    * An event that can't be parsed: discord.py ends the program. https://github.com/Rapptz/discord.py/issues/2195
    * A first connection that fails: discord.py tries each five seconds, a thousand times at most, as it recurses.
    """

    @classmethod
    async def from_client(cls, client: discord.Client, **kwargs: Any) -> Self:
        is_first = kwargs.get("gateway") is not None and not kwargs.get("resume")
        if not is_first:
            return await cls._connected(client, **kwargs)
        return await retried("The connection", partial(cls._connected, client, **kwargs), is_final=lambda _: False)

    @classmethod
    async def _connected(cls, client: discord.Client, **kwargs: Any) -> Self:
        try:
            return await super().from_client(client, **kwargs)
        except ReconnectWebSocket as error:
            raise ConnectionError("Discord closed the connection before it said hello") from error

    async def identify(self) -> None:
        identified.count += 1  # before it is sent: Discord may count it even if no answer comes
        identified.last_at = time.monotonic()
        await super().identify()

    async def received_message(self, msg: Any, /) -> None:
        has_session = self._keep_alive is not None and self.session_id is not None
        try:
            await super().received_message(msg)
        except (zlib.error, LookupError, TypeError, ValueError, AttributeError) as error:
            if has_session and not isinstance(error, zlib.error):
                log.warning("a gateway event can't be parsed and is skipped", exc_info=True)  # users can forge some
                return
            await self.close(_UNKNOWN_ERROR)
            raise ConnectionError("the gateway's messages can't be parsed") from error


class Backoff(ExponentialBackoff[bool]):
    """Exponential backoff from a second to a minute; discord.py's is between nothing and 17 minutes.

    https://github.com/Rapptz/discord.py/blob/v2.7.1/discord/backoff.py
    """

    def delay(self) -> float:
        """Return the next delay in seconds."""
        return min(max(super().delay(), SHORTEST_PAUSE_S), LONGEST_PAUSE_S) * _JITTER.uniform(0.8, 1.0)


_connect: Final = HTTPClient.ws_connect


async def _connect_by_proxy(http: HTTPClient, url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
    """Open a WebSocket through its own proxy: discord.py takes that of the requests, which may be for another host."""
    mine = copy.copy(http)  # requests are under way with the other one
    mine.proxy = proxy_of(url)
    return await _connect(mine, url, compress=compress)


_request: Final = HTTPClient.request


async def _cancellable(http: HTTPClient, route: Route, **options: Any) -> Any:
    """Make a request. discord.py makes none any more if one is cancelled that waits for the global rate limit.

    https://github.com/DisnakeDev/disnake/pull/1585
    """
    try:
        return await _request(http, route, **options)
    except asyncio.CancelledError:
        http._global_over.set()  # noqa: SLF001 - nothing else does
        raise


def stay_connected() -> None:
    """Apply all patches to this process.

    The timeout is aiohttp's default for sessions, five minutes, which discord.py has no setting for.
    https://docs.aiohttp.org/en/stable/client_quickstart.html#timeouts
    """
    setattr(shard, "DiscordWebSocket", _WebSocket)  # noqa: B010 - mypy takes the module's name for a type
    setattr(shard, "ExponentialBackoff", Backoff)  # noqa: B010 - likewise
    setattr(HTTPClient, "ws_connect", _connect_by_proxy)  # noqa: B010 - likewise
    setattr(HTTPClient, "request", _cancellable)  # noqa: B010 - likewise
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
    """Log in and connect as `discord.Client.start` does, but retry while anything but Discord answers.

    discord.py gives up at the first error. https://github.com/Rapptz/discord.py/issues/7996

    Raises
    ------
    discord.LoginFailure: The token is wrong.
    aiohttp.ClientConnectorError: Discord can't be reached at all.
    """

    async def log_in() -> None:
        await client.http.close()  # the session of the last attempt, and the connector with it
        client.http.connector = discord.utils.MISSING
        await client.login(token)

    # With the application's answer, the login is complete: a later error is one of `setup_hook`, which runs once.
    await retried("The login", log_in, is_final=lambda error: client.application is not None or _is_final(error))
    await client.connect()


def _is_final(error: Exception) -> bool:
    """Whether the token is wrong, or no connection can be made: then the program ends."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return not isinstance(error, aiohttp.ClientSSLError)
    return isinstance(error, discord.HTTPException) and error.status == HTTPStatus.UNAUTHORIZED


class GatewayFound(NamedTuple):
    """Discord's answer: the gateway's address, the recommended number of shards, and the sessions left today."""

    address: URL
    shards: int
    sessions_left: int
    reset_after_s: float


async def find_gateway(client: discord.Client) -> GatewayFound:
    """Ask Discord for the gateway, and repeat that unless Discord itself refuses."""
    return await retried("Looking for the gateway", partial(look_for_gateway, client), is_final=_is_refused)


async def look_for_gateway(client: discord.Client) -> GatewayFound:
    """Ask Discord for the gateway, once."""
    try:
        shards, address, limit = await client.http.get_bot_gateway()
    except discord.GatewayNotFound as error:
        raise error.__cause__ or error from None
    url = URL(address)
    if url.scheme not in {"ws", "wss"} or not url.host:
        raise aiohttp.InvalidURL(address, "the gateway's address doesn't begin with wss://")
    return GatewayFound(url, int(shards), int(limit["remaining"]), limit["reset_after"] / 1000)


def _is_refused(error: Exception) -> bool:
    return _is_final(error) or (is_refusal(error) and is_discords(error))


async def retried(
    what: str,
    attempt: Callable[[], Awaitable[T]],
    errors: tuple[type[Exception], ...] = DISCORD_ERRORS,
    is_final: Callable[[Exception], bool] = _is_final,
) -> T:
    """Return the result of an attempt at the start, which is repeated after these errors unless they are final."""
    backoff = Backoff()
    while True:
        try:
            return await attempt()
        except errors as error:
            if is_final(error):
                raise
            pause_s = max(backoff.delay(), min(await retry_after_s(error), LONGEST_WAIT_S))
            reason = error.sentence.rstrip(".") if isinstance(error, StoreError) else reason_of(error)
            log.warning("%s failed: %s. Retrying in %.1f s.", what, reason, pause_s)
        await asyncio.sleep(pause_s)


async def keep_syncing(tree: app_commands.CommandTree[Any], tried: asyncio.Event) -> None:
    """Sync the commands, retrying until Discord takes them. ``tried`` is set after the first attempt.

    Discord may fail, or refuse after too many starts in a day. Until then the commands of the last start are valid.
    """
    for delay_s in itertools.chain(SYNC_RETRY_S, itertools.repeat(SYNC_RETRY_S[-1])):
        pause_s: float = delay_s
        try:
            if not await tree.sync():
                raise ValueError  # Discord lists the commands
        except app_commands.CommandSyncFailure:
            log.exception("Discord refuses the commands; retrying in %s s", delay_s)
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            is_refused = is_refusal(error) and is_discords(error)
            pause_s = max(delay_s if is_refused else min(delay_s, OUTAGE_RETRY_S), await retry_after_s(error))
            log.warning("Discord didn't take the commands: %s. Retrying in %s s.", reason_of(error), pause_s)
        else:
            return
        finally:
            tried.set()
        await asyncio.sleep(pause_s)


# ---- reasons, for the log and the command line


def reason_of(error: BaseException) -> str:
    """Return in a clause why Discord couldn't be asked, and what to check."""
    return _of_connection(error) or f"{_of_answer(error)}; {_WHAT_TO_CHECK}"


def _of_connection(error: BaseException) -> str | None:
    """Return what is known better than that something else has answered."""
    match error:
        case discord.HTTPException() if is_discords(error):
            return f"Discord answers {error.status} {' '.join(error.text.split())[:_MAX_TEXT]}"
        case aiohttp.ClientHttpProxyError():
            return f"the proxy answers {error.status} {error.message}; check HTTPS_PROXY, and what the proxy allows"
        case aiohttp.ClientProxyConnectionError():
            return f"no connection to the proxy ({_short(error)}); check HTTPS_PROXY"
        case aiohttp.ClientSSLError():
            return f"no secure connection to {error.host}: {_short(error)}; check this machine's clock, and the proxy"
    return None


def _of_answer(error: BaseException) -> str:
    host = urlsplit(Route.BASE).netloc.rpartition("@")[2]  # without a password
    match error:
        case discord.HTTPException():
            return f"{host} answers {error.status} without Discord's JSON"
        case discord.ConnectionClosed():
            return f"the gateway closes the connection with code {error.code}"
        case aiohttp.TooManyRedirects() | aiohttp.RedirectClientError():
            return f"{host} redirects to other pages"
        case aiohttp.WSServerHandshakeError():
            return f"the gateway answers {error.status} instead of opening a WebSocket"
        case TimeoutError():
            return "no answer in time"
        case aiohttp.ClientError() | OSError():
            return f"the connection fails ({_short(error)})"
    return f"{host} answers something other than Discord's JSON"


def is_discords(error: BaseException) -> bool:
    """Whether this is an error response in Discord's form."""
    if not isinstance(error, discord.HTTPException):
        return False
    return error.response.headers.get("Content-Type") == "application/json" and bool(error.text)


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:_MAX_TEXT] or type(error).__name__
