"""The daily in words, and the message about it that each server has: without cards, edited in place."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import discord
from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.tables import Event, EventPost, EventResult, Receipt, Tables, day_of
from bot.tables.events import rank, today
from bot.tables.time_zones import zone_of_server
from bot.texts import gettext as _, ngettext, number, supported, using
from bot.ui.live.outbox import Outbox
from bot.ui.live.reconciler import Owner
from bot.ui.live.workers import Workers, persist
from bot.ui.live.writer import new_nonce
from bot.ui.messages.lobby import in_force
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, is_refusal
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest
from bot.ui.posts.names import short_name, told_apart
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import PROOF_DIGITS, plain, title_of

log: Final = logging.getLogger(__name__)

_PAUSE_S: Final = 5.0
"""Shortest time between two edits of one message."""
_NAMED: Final = 15
"""Maximum number of players that a message names."""
_AT_ONCE: Final = 20
"""Messages that are posted or edited at once when days end."""
_SQUARES: Final = 5


def title(name: str, faces: Faces, tables: Tables) -> str:
    """Return the heading of a daily: ``Daily 2026-11-26 · Pond · cards``."""
    day = day_of(name) or date.min
    game = tables.events.game_on(day)
    return _("Daily {day} · {game}", day=day, game=title_of(faces[game.key].game))


def percent(value: int) -> str:
    """Return a share in words."""
    return _("{n} %", n=value)


def streak_of(result: EventResult) -> str:
    """Return how many days in a row a user has played, if it is more than one."""
    return ngettext("streak {n}", "streak {n}", result.streak) if result.streak > 1 else ""


def share_line(heading: str, result: EventResult, results: Sequence[EventResult]) -> str:
    """Return a line about a result that says nothing about the cards."""
    beaten = rank(result.score or 0, results).beaten
    full = round(_SQUARES * beaten / 100)
    squares = "🟩" * full + "⬜" * (_SQUARES - full)
    parts = (heading, f"{squares} {percent(beaten)}", streak_of(result))
    return f"**{_name(result)}** · " + " · ".join(filter(None, parts))


def _name(result: EventResult) -> str:
    return plain(short_name(result.name, 0))


def _score(result: EventResult) -> int:
    return result.score or 0


def shown_here(results: Sequence[EventResult], guild_id: int) -> list[EventResult]:
    """Return the finished tries from a server, except of players who hide their results, the best first.

    Equal names are numbered by who began first.
    """
    here = [each for each in results if each.guild_id == guild_id and each.name and not each.is_hidden]
    names = told_apart(each.name for each in here)
    named = [replace(each, name=name) for each, name in zip(here, names, strict=True)]
    return sorted((each for each in named if each.score is not None), key=_score, reverse=True)


def standings(guild_id: int, results: Sequence[EventResult]) -> str:
    """Return a line on the players of a server: ``Ann 84 % · Ben 61 % · 2 playing · Ann's streak 5``. Empty if none."""
    here = [each for each in results if each.guild_id == guild_id]
    finished, people = sum(each.score is not None for each in here), shown_here(results, guild_id)
    parts = [f"**{_name(each)}** {percent(rank(_score(each), results).beaten)}" for each in people[:_NAMED]]
    if more := finished - len(parts):
        others = _("and {n} more", n=number(more))
        parts.append(others if parts else ngettext("{n} has played", "{n} have played", more))
    if playing := sum(each.is_open for each in here):
        parts.append(ngettext("{n} playing", "{n} playing", playing))
    parts += _best_streak(people)
    return " · ".join(parts)


def _best_streak(people: Sequence[EventResult]) -> list[str]:
    best = max(people, key=lambda each: each.streak, default=None)
    if best is None or best.streak <= 1:
        return []
    return [_("{name}'s streak {n}", name=_name(best), n=best.streak)]


def promise(event: Event, following: Event) -> str:
    """Return the hashes of the secrets of a daily and of the following one, in small print."""
    ours = _("🔒 Today's: {digits}…", digits=event.commitment[:PROOF_DIGITS])
    return f"-# {ours}\n-# " + _("🔒 Tomorrow's: {digits}…", digits=following.commitment[:PROOF_DIGITS])


class DailyPosts:
    """Keeps the message about the daily up to date on the servers of this process."""

    def __init__(self, client: discord.Client, tables: Tables, faces: Faces, *, outbox: Outbox, owner: Owner) -> None:
        self._client = client
        self._tables = tables
        self._events = tables.events
        self._faces = faces
        self._outbox = outbox
        self._owner = owner
        self._workers = Workers[tuple[str, int]]("daily", self._work)
        self._looking: set[asyncio.Task[None]] = set()

    def changed(self, receipt: Receipt) -> None:
        """Show that a try has begun or ended."""
        table = receipt.table
        if table.event is not None and (not receipt.before or not table.is_open):
            look = partial(self._look, table.event[0], table.host_id)
            task = asyncio.create_task(persist("showing a change of the daily", look), name="a change of the daily")
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look(self, name: str, user_id: int) -> None:
        result = await self._events.records.result(name, user_id)
        if result is not None and result.guild_id is not None:
            self.request(name, result.guild_id)

    def request(self, name: str, guild_id: int) -> None:
        """Show a daily on a server as it stands, soon."""
        self._workers.request((name, guild_id))

    async def open(self, name: str, guild_id: int, channel_id: int) -> None:
        """Have the message posted in this channel, unless the server has one."""
        await self._events.records.note_post(EventPost(name, guild_id, channel_id, new_nonce()))
        self.request(name, guild_id)

    async def open_due(self) -> None:
        """Note the messages of the day on servers that have chosen a channel: each once, as `refresh` posts them."""
        noted: dict[str, frozenset[int]] = {}
        for server in await self._tables.servers.with_dailies():
            guild = self._client.get_guild(server.guild_id)
            channel_id = in_force(server, guild).daily_channel_id
            if guild is None or channel_id is None or not self._owner.holds(guild.id):
                continue
            event = await self._events.daily(today(zone_of_server(server), self._events.now()))
            if event.name not in noted:
                noted[event.name] = await self._events.records.noted(event.name)
            if guild.id not in noted[event.name]:
                await self._events.records.note_post(EventPost(event.name, guild.id, channel_id, new_nonce()))

    async def refresh(self) -> None:
        """Bring all messages of this process up to date."""
        posts = [post for post in await self._events.records.posts() if self._owner.holds(post.guild_id)]
        results = {name: await self._events.records.results(name) for name in {post.event for post in posts}}
        for first in range(0, len(posts), _AT_ONCE):
            some = posts[first : first + _AT_ONCE]
            await asyncio.gather(*[self._update(post, results[post.event]) for post in some])

    async def close(self) -> None:
        """Stop; the next start brings the messages up to date."""
        for task in self._looking:
            task.cancel()
        await self._workers.close()

    async def _work(self, key: tuple[str, int]) -> None:
        if not self._owner.holds(key[1]):
            await self._owner.request_event(*key)
            return
        post = await self._events.records.post(*key)
        if post is not None:
            await self._update(post, await self._events.records.results(post.event))
            await asyncio.sleep(_PAUSE_S)

    async def _update(self, noted: EventPost, results: Sequence[EventResult]) -> None:
        event = await self._events.records.event(noted.event)
        if event is None:
            return
        with using(supported(await self._tables.languages.of_server(noted.guild_id))):
            post = await self._drawn(event, noted.guild_id, results)
        content = digest(post)
        if content != noted.shown:
            try:
                message_id = await self._outbox.show(
                    noted.channel_id, noted.message_id, post, mark=noted.nonce, is_silent=True
                )
            except (discord.HTTPException, *CONNECTION_ERRORS) as error:
                log.info("the daily can't be shown in channel %s: %s", noted.channel_id, error)
                if is_refusal(error):  # the next `/daily` posts it again
                    await self._events.records.forget_post(noted)
                return
            noted = replace(noted, message_id=message_id, shown=content)
            await self._events.records.posted(noted, is_final=event.secret is not None)

    async def _drawn(self, event: Event, guild_id: int, results: Sequence[EventResult]) -> Post:
        heading, text = "### " + title(event.name, self._faces, self._tables), standings(guild_id, results)
        day = day_of(event.name)
        argument = str(day)
        fair = Button("daily-fair", _("Fair deal"), argument=argument)
        if event.secret is not None and not text:
            return Post((heading, _("Nobody has played.")), rows=((fair,),))
        if event.secret is not None:
            row = (Button("daily-replay", _("Replay"), argument=argument), fair)
            return Post((f"{heading}\n{text}", "-# " + _("It's over everywhere: all hands are open.")), rows=(row,))
        text = text or _("Nobody has played yet.")
        when, zone = f"<t:{event.closes_at:.0f}:R>", zone_of_server(await self._tables.servers.settings(guild_id))
        if (day or date.max) < today(zone, self._events.now()):
            label = _("Today's daily")
            said = "-# " + _("The day is over here. When it's over everywhere, all hands open ({when}).", when=when)
            secrets = f"-# 🔒 {event.commitment[:PROOF_DIGITS]}…"
        else:
            label = _("Play the daily")
            said = "-# " + _(
                "The same cards for everyone, one try. When the day is over everywhere, all hands open ({when}).",
                when=when,
            )
            secrets = promise(event, await self._events.following(event))
        row = (Button("daily", label, "primary"), fair)
        return Post((f"{heading}\n{text}", f"{said}\n{secrets}"), rows=(row,))


def check_finished(result: EventResult | None) -> EventResult:
    """Return the result of a finished try. Raises `NotAllowed`."""
    if result is None or result.score is None:
        raise NotAllowed("You haven't finished this daily.")
    return result
