"""Staying connected: the bot finds its way to Discord and back, however long that takes.

discord.py does nearly all of it. But where Discord takes connections and closes them before it has said hello, as in an
outage, discord.py (2.7) tries to resume without any pause, hundreds of times a second, and ends the program where a
session was to begin anew; and its pauses grow to a quarter of an hour. Here every such failure is a pause, of a minute
at most. An event that discord.py can't read would end the program, too; here it is logged and passed over. A request
that is left hanging would do so for five minutes; here it has failed sooner. And of what messages show, which Discord
sends along with every press, edit and answer, discord.py makes objects; here it makes none, as nobody looks at them.
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
from discord.http import MultipartParameters
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

log: Final = logging.getLogger(__name__)

LONGEST_PAUSE_S: Final = 60.0
REQUEST_S: Final = 15.0
"""How long one request may take; waiting for a limit to be over is no part of that."""
_UNREADABLE: Final = 4000


class _Line(DiscordWebSocket):
    """A connection that is closed before it is greeted has failed like any other that can't be made."""

    @classmethod
    async def from_client(cls, *given: Any, **named: Any) -> Self:
        try:
            line = await super().from_client(*given, **named)
        except ReconnectWebSocket as fault:
            raise ConnectionError("Discord closed the connection before it said hello") from fault
        line.read_less()
        return line

    def read_less(self) -> None:
        """From now on no objects are made of what messages show."""
        parsers = self._discord_parsers
        created, pressed = parsers["MESSAGE_CREATE"], parsers["INTERACTION_CREATE"]

        def message_created(data: Any) -> None:
            created({**data, "components": []})

        def interaction_created(data: Any) -> None:
            message = data.get("message")
            pressed({**data, "message": {**message, "components": []}} if message else data)

        of_use = {event: parser for event, parser in parsers.items() if event != "MESSAGE_UPDATE"}
        self._discord_parsers = {**of_use, "MESSAGE_CREATE": message_created, "INTERACTION_CREATE": interaction_created}

    async def received_message(self, msg: Any, /) -> None:
        is_greeted = self._keep_alive is not None and self.session_id is not None
        try:
            await super().received_message(msg)
        except (zlib.error, LookupError, TypeError, ValueError, AttributeError) as fault:
            if is_greeted and not isinstance(fault, zlib.error):
                log.exception("an event of the gateway could not be read, and is passed over")
                return
            await self.close(_UNREADABLE)
            raise ConnectionError("what the gateway says can't be read") from fault


class _Answers(AsyncWebhookAdapter):
    """The way of answers to interactions: of what an edited message shows by them no object is made."""

    async def create_interaction_response(self, *given: Any, params: MultipartParameters, **named: Any) -> Any:
        receipt = await super().create_interaction_response(*given, params=params, **named)
        is_edit = params.payload and params.payload["type"] == discord.InteractionResponseType.message_update.value
        if is_edit and isinstance(receipt, dict):
            receipt.pop("resource", None)
        return receipt


class Pauses(ExponentialBackoff[bool]):
    """The pauses between tries, longer and longer."""

    def delay(self) -> float:
        """The next pause, in seconds."""
        return min(super().delay(), LONGEST_PAUSE_S)


async def start(client: discord.Client, token: str) -> None:
    """As `discord.Client.start`, but where Discord answers and fails, as in an outage, that is waited for.

    Raises what that raises: `discord.LoginFailure`, where there is no way to Discord an `aiohttp.ClientConnectorError`.
    """
    pauses, is_logged_in = Pauses(), False
    while True:
        try:
            if not is_logged_in:
                await client.login(token)
                is_logged_in = True
            await client.connect()
        except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, TimeoutError) as fault:
            if not _is_outage(fault) or (is_logged_in and not isinstance(fault, discord.GatewayNotFound)):
                raise
            pause_s = pauses.delay()
            log.warning(
                "Discord fails at the start (%r); that is tried again in %.1f s", fault.__cause__ or fault, pause_s
            )
        else:
            return
        if not is_logged_in:
            await client.http.close()
            client.http.connector = discord.utils.MISSING  # it was closed with the session
        await asyncio.sleep(pause_s)


def _is_outage(fault: BaseException | None) -> bool:
    if isinstance(fault, discord.GatewayNotFound):
        return _is_outage(fault.__cause__)
    if isinstance(fault, discord.HTTPException):
        return fault.status == HTTPStatus.TOO_MANY_REQUESTS or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(fault, (aiohttp.ClientError, TimeoutError)) and not isinstance(
        fault, aiohttp.ClientConnectorError
    )


def stay_connected() -> None:
    """From now on every shard that is connected in this process does so, no request hangs, and less is read."""
    setattr(shard, "DiscordWebSocket", _Line)  # noqa: B010 - a name of the module, which mypy takes for a type
    setattr(shard, "ExponentialBackoff", Pauses)  # noqa: B010 - likewise
    async_context.set(_Answers())  # type: ignore[no-untyped-call]  # discord.py gives no type
    setattr(aiohttp.client, "DEFAULT_TIMEOUT", aiohttp.ClientTimeout(total=REQUEST_S))  # noqa: B010 - likewise
    logging.getLogger(shard.__name__).addFilter(_in_one_line)


def _in_one_line(record: logging.LogRecord) -> bool:
    """A connection that fails is a warning in one line: nothing is wrong here, and it is tried again."""
    fault = record.exc_info[1] if record.exc_info else None
    if record.levelno == logging.ERROR and fault is not None:
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {type(fault).__name__}: {fault}", (), None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True
