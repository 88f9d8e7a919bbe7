"""The simulated Discord: a server, its people, and a window on each person's side of it."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

import simcord
from discord.ext import commands
from simcord.preview import Preview

from bot.sandbox.live import ANSWER_S, LiveEnv

log = logging.getLogger(__name__)

SERVER: Final = "Lilypad"
CHANNEL: Final = "games"
PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan")
TICK_S: Final = 0.2
"""How often the world's clock is moved and the windows are brought up to date."""

WATCHED_S: Final = 3.0
"""A window that asked for its state this lately is open in a browser."""

SHOWN: Final = 4


@dataclass(slots=True)
class Window:
    """What one person sees of one channel: a SimCord preview with an address of its own.

    ``shown`` are the last states that a browser was given; it may have dropped the very last for its next action.
    """

    preview: Preview
    is_behind: bool = False
    asked_at: float = -WATCHED_S
    shown: deque[bytes] = field(default_factory=lambda: deque(maxlen=SHOWN))

    def is_watched(self) -> bool:
        """Whether a browser shows this window."""
        return asyncio.get_running_loop().time() - self.asked_at < WATCHED_S


@dataclass(slots=True)
class Person:
    """Somebody on the server, with a window on the games' channel and one on the direct messages with the bot."""

    member: simcord.MemberActor
    channel: Window
    direct: Window

    @property
    def call(self) -> int:
        """The id of the latest message that is meant for this person alone or mentions him; 0 if there is none."""
        backend = self.channel.preview.env.backend
        direct = backend.messages.get(self.direct.preview.channel.id, {})
        public = backend.messages.get(self.channel.preview.channel.id, {})
        mentions = (message.id for message in public.values() if self.member.id in message.mention_user_ids)
        return max((*direct, *mentions), default=0)


@dataclass(slots=True)
class World:
    """A server with people and the bot on it.

    ``turn`` is held by whatever acts on the world: SimCord allows one thing at a time.
    """

    env: LiveEnv
    people: list[Person]
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def windows(self) -> list[Window]:
        """All windows of all people."""
        return [window for person in self.people for window in (person.channel, person.direct)]

    async def live(self) -> None:
        """Lets time pass and shows in the open windows what it brings, until it is cancelled."""
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
    """The bot, started on a server with people, and closed at the end. A press waits ``answer_s`` for its answer."""
    env = LiveEnv(bot, answer_s)
    env.backend.edit_bot_profile(SERVER)
    guild = env.create_guild(SERVER)
    channel = guild.create_text_channel(CHANNEL, topic="/pond open opens a table")
    members = [guild.add_member(env.create_user(name)) for name in PEOPLE]
    await env.start()
    async with contextlib.AsyncExitStack() as windows:
        windows.push_async_callback(env.end)

        async def window(place: simcord.ChannelHandle, viewer: simcord.MemberActor | simcord.UserHandle) -> Window:
            return Window(await windows.enter_async_context(_preview(env, place, viewer)))

        people = [
            Person(member, await window(channel, member), await window(member.user.dm_channel, member.user))
            for member in members
        ]
        yield World(env, people)


def _preview(env: LiveEnv, place: simcord.ChannelHandle, viewer: simcord.MemberActor | simcord.UserHandle) -> Preview:
    # Not env.preview(): that allows one at a time.
    return Preview(
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
