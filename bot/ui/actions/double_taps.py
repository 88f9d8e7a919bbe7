"""Presses that come twice: what they begin is begun once, and what they post for everyone is posted once."""

import asyncio
from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.errors import NotAllowed
from bot.ui.interactions.reply import Reply
from bot.ui.posts.custom_id import Press

_AGAIN_AFTER_S: Final = 10.0
"""Time after which the same button may post the same again."""

_Post = tuple[int, int | None, str]
_locks: Final[WeakValueDictionary[tuple[object, ...], asyncio.Lock]] = WeakValueDictionary()
_posted_at: Final[dict[_Post, float]] = {}
"""When a user has last posted with a button in a channel, on the event loop's clock."""


def one_at_a_time(*what: object) -> asyncio.Lock:
    """Return the lock to hold while something is begun, so that the second press finds what the first has begun."""
    return _locks.setdefault(what, asyncio.Lock())


def check_first_post(interaction: discord.Interaction, pressed: Press, reply: Reply) -> None:
    """Raise `NotAllowed` if the reply is for everyone in a channel, and the user has just posted the same there."""
    if reply.where != "channel" or interaction.guild_id is None:
        return
    now, post = asyncio.get_running_loop().time(), (interaction.user.id, interaction.channel_id, pressed.custom_id)
    for old in [each for each, at in _posted_at.items() if not at <= now < at + _AGAIN_AFTER_S]:
        del _posted_at[old]
    if post in _posted_at:
        raise NotAllowed("It's in the channel already.")
    _posted_at[post] = now
