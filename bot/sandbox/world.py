"""The simulated Discord: a server, its people and their windows."""

import asyncio
import contextlib
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

import discord
import simcord
from discord.ext import commands
from simcord.preview import Preview

from bot.sandbox.live import ANSWER_S, LiveEnv, add_emojis, remember_texts, show_at_once

log = logging.getLogger(__name__)

SERVER: Final = "Lilypad"
CHANNEL: Final = "games"
PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan")
MODERATOR: Final = "Dan"
TICK_S: Final = 0.2
"""How often the world's clock and the windows are updated."""

WATCHED_S: Final = 3.0
"""A window that asked for its state this recently is open in a browser."""

_EPHEMERAL: Final = 1 << 6
"""Discord's flag of private answers."""

SHOWN: Final = 4
"""How many of its last states a window remembers."""


@dataclass(slots=True)
class Window:
    """A person's view of a channel: a SimCord preview with an address.

    ``shown`` are the latest states sent to the browser. The next action may refer to any of them. ``picks`` counts the
    values picked in each menu.
    """

    preview: Preview
    is_behind: bool = False
    asked_at: float = -WATCHED_S
    shown: deque[bytes] = field(default_factory=lambda: deque(maxlen=SHOWN))
    picks: Counter[str] = field(default_factory=Counter)

    def is_watched(self) -> bool:
        """Return whether a browser shows this window."""
        return asyncio.get_running_loop().time() - self.asked_at < WATCHED_S


@dataclass(slots=True)
class Person:
    """A member of the server, with a window for the channel and one for direct messages with the bot."""

    member: simcord.MemberActor
    channel: Window
    direct: Window

    @property
    def is_moderator(self) -> bool:
        """Return whether this person may use commands for moderators."""
        return self.member.name == MODERATOR

    @property
    def calls(self) -> tuple[int, int]:
        """Return the ids of the latest mention of this person in the channel, and of their latest direct message.

        Private answers to others may name this person, too.
        """
        backend = self.channel.preview.env.backend
        public = backend.messages.get(self.channel.preview.channel.id, {})
        heard = (message for message in public.values() if not message.flags & _EPHEMERAL)
        mentions = (message.id for message in heard if self.member.id in message.mention_user_ids)
        direct = backend.messages.get(self.direct.preview.channel.id, {})
        return max(mentions, default=0), max(direct, default=0)


@dataclass(slots=True)
class World:
    """A server with people and the bot.

    Hold ``turn`` while acting on the world: SimCord allows one action at a time.
    """

    env: LiveEnv
    people: list[Person]
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def windows(self) -> list[Window]:
        """Return the windows of all people."""
        return [window for person in self.people for window in (person.channel, person.direct)]

    async def live(self) -> None:
        """Let time pass and update the open windows, until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            try:
                async with self.turn:
                    await self.env.catch_up()
                    await self._show()
            except Exception:
                log.exception("The sandbox missed a tick.")

    async def _show(self) -> None:
        if self.env.news():
            for window in self.windows:
                window.is_behind = True
        for window in self.windows:
            if window.is_behind and window.is_watched():
                window.is_behind = False
                await window.preview.refresh()


@contextlib.asynccontextmanager
async def world(bot: commands.AutoShardedBot, answer_s: float = ANSWER_S) -> AsyncIterator[World]:
    """Run the bot on a server with people, whose time passes. A press waits ``answer_s`` for its answer."""
    remember_texts()
    env = LiveEnv(bot, answer_s)
    env.backend.edit_bot_profile(SERVER)
    add_emojis(env)
    guild = env.create_guild(SERVER)
    channel = guild.create_text_channel(CHANNEL, topic="/pond open opens a table")
    moderators = guild.create_role("Moderators", permissions=discord.Permissions(manage_guild=True))
    members = [
        guild.add_member(env.create_user(name), roles=(moderators,) if name == MODERATOR else ()) for name in PEOPLE
    ]
    await env.start()
    async with contextlib.AsyncExitStack() as windows:
        windows.push_async_callback(env.end)

        async def window(place: simcord.ChannelHandle, viewer: simcord.MemberActor | simcord.UserHandle) -> Window:
            return Window(await windows.enter_async_context(_preview(env, place, viewer)))

        people = [
            Person(member, await window(channel, member), await window(member.user.dm_channel, member.user))
            for member in members
        ]
        opened = World(env, people)
        living = asyncio.create_task(opened.live(), name="the sandbox's time")
        try:
            yield opened
        finally:
            living.cancel()
            await asyncio.wait({living})


def _preview(env: LiveEnv, place: simcord.ChannelHandle, viewer: simcord.MemberActor | simcord.UserHandle) -> Preview:
    # Not env.preview(): that allows one at a time.
    preview = Preview(
        env,
        place,
        (viewer,),
        layout="channel",
        display="responsive",
        width=960,
        height=720,
        locale="en-GB",
        timezone="UTC",
        presentation_time=None,
        assets=None,
        port=0,
    )
    show_at_once(preview)
    return preview
