"""Logs in to Discord: plays until stopped, or only compares the emojis."""

import asyncio
import contextlib
from collections.abc import Iterator
from http import HTTPStatus
from typing import Final

import aiohttp
import discord

from bot.errors import SettingsError
from bot.running import client
from bot.running.application_emojis import Comparison, fetch
from bot.running.gateway import reason_of, start, stay_connected
from bot.settings import Settings, proxy_of
from bot.ui.posts.discord_errors import UNREADABLE

_TOKEN_REFUSED: Final = "Discord refuses DISCORD_TOKEN; copy it again from the developer portal."  # noqa: S105 - no token
_SHARDS_REFUSED: Final = "Discord refuses SHARDS; this bot needs more shards, or other ones."
_VERSION_REFUSED: Final = "Discord refuses this version of its API; upgrade Lilypad."
_INTENTS_REFUSED: Final = (
    "Discord refuses the bot's intents. Lilypad needs none of the Privileged Gateway Intents; if you have added one, "
    "switch it on in the developer portal, on the page Bot."
)
_DISALLOWED_INTENTS: Final = 4014
_REFUSALS: Final = {
    4004: _TOKEN_REFUSED,
    4010: _SHARDS_REFUSED,
    4011: _SHARDS_REFUSED,
    4012: _VERSION_REFUSED,
    4013: _INTENTS_REFUSED,
    _DISALLOWED_INTENTS: _INTENTS_REFUSED,
}
"""Codes with which the gateway closes a connection for good.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
"""
_CANCELLED_WITHIN_S: Final = 1.5


async def run(settings: Settings) -> None:
    """Connect to Discord and play until stopped. Needs ``discord_token``.

    Raises `SettingsError` if Discord refuses the token, `OSError` if it can't be reached at the start.
    """
    stay_connected()
    _use_api_of(settings)
    async with client.LilypadBot(settings) as bot:
        bot.http.proxy = proxy_of(discord.http.Route.BASE)
        playing = asyncio.ensure_future(start(bot, settings.discord_token or ""))
        try:
            await asyncio.wait({playing})
        except asyncio.CancelledError:
            # Cancel a start first, or it would continue while everything is closed. Cancel a connection last:
            # discord.py ignores cancellation while it reconnects.
            if not bot.is_ready():
                await _cancel(playing)
            await bot.close()
            await _cancel(playing)
            raise
        with _readable_errors():
            await playing
    if bot.lost is not None:
        raise bot.lost


async def compare_emojis(settings: Settings) -> Comparison:
    """Compare the application's emojis on Discord with those of this version. Needs ``discord_token``; see `run`."""
    _use_api_of(settings)
    async with discord.Client(intents=discord.Intents.none()) as session:
        session.http.proxy = proxy_of(discord.http.Route.BASE)
        with _readable_errors():
            try:
                await session.login(settings.discord_token or "")
                return await fetch(session)
            except UNREADABLE as error:
                raise ConnectionError(reason_of(error)) from error


def _use_api_of(settings: Settings) -> None:
    """Send REST requests to the settings' own base URL, if they have one."""
    if settings.discord_api_url:
        discord.http.Route.BASE = settings.discord_api_url


@contextlib.contextmanager
def _readable_errors() -> Iterator[None]:
    """Raise `SettingsError` if Discord refuses this bot for good, `ConnectionError` if it can't be reached."""
    try:
        yield
    except discord.LoginFailure:
        raise SettingsError(_TOKEN_REFUSED) from None
    except discord.PrivilegedIntentsRequired:
        raise SettingsError(_REFUSALS[_DISALLOWED_INTENTS]) from None
    except discord.ConnectionClosed as error:
        if error.code in _REFUSALS:
            raise SettingsError(_REFUSALS[error.code]) from None
        raise ConnectionError(reason_of(error)) from error
    except discord.HTTPException as error:
        if error.status == HTTPStatus.UNAUTHORIZED:
            raise SettingsError(_TOKEN_REFUSED) from None
        raise ConnectionError(reason_of(error)) from error
    except aiohttp.ClientError as error:
        raise ConnectionError(reason_of(error)) from error


async def _cancel(task: asyncio.Future[None]) -> None:
    task.cancel()
    await asyncio.wait({task}, timeout=_CANCELLED_WITHIN_S)
