"""How requests to Discord fail, and why it refuses to show a board, as a sentence for players."""

from http import HTTPStatus
from typing import Final

import aiohttp
import discord

from bot.tables import Table
from bot.ui.posts.text import listed

UNKNOWN_CHANNEL: Final = 10003
MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
ARCHIVED: Final = 50083
LOCKED: Final = 160005
TOO_MANY_EDITS: Final = 30046

NOTHING_SHARED: Final = 50278
"""The bot and the user are on no server together."""
DMS_CLOSED: Final = frozenset({50007, NOTHING_SHARED})
POST_ANEW: Final = frozenset({ARCHIVED, LOCKED, TOO_MANY_EDITS})
"""Errors of an edit that a new message avoids: it unarchives a thread, and isn't too old."""

_NEEDED: Final = ("view_channel", "send_messages")
_NEEDED_IN_THREAD: Final = ("view_channel", "send_messages_in_threads")


def is_outage(error: BaseException) -> bool:
    """Whether the connection to Discord failed or timed out, or Discord itself: the request may have been served."""
    if isinstance(error, discord.HTTPException):
        return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, (aiohttp.ClientError, OSError))


def lasts(refusal: discord.HTTPException) -> bool:
    """Whether somebody has to act before Discord shows the board."""
    return isinstance(refusal, (discord.Forbidden, discord.NotFound)) or refusal.code in {ARCHIVED, LOCKED}


def trouble(client: discord.Client, table: Table, refusal: discord.HTTPException) -> str:
    """Return a sentence about a board that Discord refuses to show."""
    where = f"<#{table.place.channel_id}>"
    go_on = "Play goes on all the same: this message is up to date."
    if refusal.code == UNKNOWN_CHANNEL:
        return f"The board can't be shown: its channel is gone. {go_on}"
    if refusal.code in {ARCHIVED, LOCKED}:
        return (
            f"The board can't be posted in {where}: the thread is archived and locked; a moderator can open it. {go_on}"
        )
    lacking = _lacking(client, table)
    if not lacking and refusal.code == MISSING_ACCESS:
        lacking = ["View Channel"]
    if lacking or refusal.code == MISSING_PERMISSIONS:
        what = listed(lacking) if lacking else "a permission"
        return f"The board can't be posted in {where}: the bot lacks {what}; a moderator can grant that. {go_on}"
    return f"The board can't be posted in {where}: Discord says “{refusal.text}”. {go_on}"


def _lacking(client: discord.Client, table: Table) -> list[str]:
    """Return the permissions that the bot lacks in the table's channel, as far as it is cached."""
    guild = client.get_guild(table.place.guild_id or 0)
    channel = guild.get_channel_or_thread(table.place.channel_id) if guild else None
    if guild is None or channel is None:
        return []
    try:
        has = channel.permissions_for(guild.me)
    except discord.ClientException:  # a thread in a channel that the bot can't view
        return ["View Channel"]
    return missing_to_post(has, in_thread=isinstance(channel, discord.Thread))


def missing_to_post(has: discord.Permissions, *, in_thread: bool) -> list[str]:
    """Return the names of the permissions that the bot lacks to post in a channel or thread."""
    needed = _NEEDED_IN_THREAD if in_thread else _NEEDED
    return [name.replace("_", " ").title() for name in needed if not getattr(has, name)]
