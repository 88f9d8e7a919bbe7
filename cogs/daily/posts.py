"""The message about the daily that each server has: without cards, edited in place."""

import asyncio
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import discord

from bot.records.event import Event, EventResult, daily_name, day_of
from bot.records.live_message import Kind, LiveMessage, Stage
from bot.records.table import Place, Receipt
from bot.tables.events import today
from bot.tables.tables import Tables
from bot.tables.time_zones import zone_of_server
from bot.texts import gettext as _, supported, using
from bot.ui.live.lanes import Card, Drawing, Lane, Owner, Recorded, drawn, lane_of
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.plan import Wanted
from bot.ui.live.workers import Workers, persist
from bot.ui.live.writer import new_nonce
from bot.ui.messages.lobby import in_force
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import proof
from cogs.daily import texts

_SUBJECT: Final = "daily"
"""Of messages whose id is that of the server."""
_PAUSE_S: Final = 5.0
"""Shortest time between two edits of one message."""
_AT_ONCE: Final = 20
"""Messages that are posted or edited at once when days end."""


def _opens_at(event: Event, results: Sequence[EventResult], now: float) -> float:
    """Return when the day is over everywhere: once it would be, when those who still play have to be done."""
    late = [each.finish_by for each in results if each.is_open and each.finish_by is not None]
    return max([event.closes_at, *late]) if now >= event.closes_at else event.closes_at


def lane_for(name: str, guild_id: int) -> Lane:
    """Return where a daily is shown on a server."""
    return Lane(guild_id, subject=_SUBJECT, day=(day_of(name) or date.min).toordinal())


def _name_of(lane: Lane) -> str:
    return daily_name(date.fromordinal(lane.day or 1))


class DailyPosts:
    """Draws the message about the daily of each server, and has it posted and brought up to date."""

    def __init__(
        self, client: discord.Client, tables: Tables, faces: Faces, *, live: LiveMessages, owner: Owner
    ) -> None:
        self._client = client
        self._tables = tables
        self._events = tables.events
        self._messages = tables.messages
        self._faces = faces
        self._live = live
        self._owner = owner
        self._workers = Workers[Lane]("daily", self._work)
        self._looking: set[asyncio.Task[None]] = set()
        live.add(_SUBJECT, self._draw)

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
        self._workers.request(lane_for(name, guild_id))

    async def request_all(self, name: str) -> None:
        """Show a daily on all servers as it stands, soon."""
        for each in await self._messages.kept(_SUBJECT):
            if _name_of(lane_of(each)) == name:
                self.request(name, each.subject_id)

    async def open(self, name: str, guild_id: int, channel_id: int) -> None:
        """Have the message posted in this channel, unless the server has one."""
        await self._note(lane_for(name, guild_id), channel_id)
        self.request(name, guild_id)

    async def _note(self, lane: Lane, channel_id: int) -> None:
        now = self._events.now()
        card = LiveMessage(
            lane.subject_id, Kind.CARD, None, channel_id, new_nonce(), 0, now, deal=lane.day, subject=_SUBJECT
        )
        await self._messages.open(card)

    async def open_due(self) -> None:
        """Note the messages of the day on servers that have chosen a channel: each once, as `refresh` posts them."""
        noted: dict[str, set[int]] = {}
        for server in await self._tables.servers.with_dailies():
            guild = self._client.get_guild(server.guild_id)
            channel_id = in_force(server, guild).daily_channel_id
            if guild is None or channel_id is None or not self._owner.holds(guild.id):
                continue
            event = await self._events.daily(today(zone_of_server(server), self._events.now()))
            lane = lane_for(event.name, guild.id)
            if event.name not in noted:
                of_day = await self._messages.kept(_SUBJECT, lane.day)
                noted[event.name] = {each.subject_id for each in of_day if each.deal == lane.day}
            if guild.id not in noted[event.name]:
                await self._note(lane, channel_id)

    async def refresh(self) -> None:
        """Bring all messages of this process up to date."""
        cards = [each for each in await self._messages.kept(_SUBJECT) if self._owner.holds(each.subject_id)]
        names = dict.fromkeys(_name_of(lane_of(each)) for each in cards)
        results = {name: await self._events.records.results(name) for name in names}
        for first in range(0, len(cards), _AT_ONCE):
            some = cards[first : first + _AT_ONCE]
            await asyncio.gather(*[self._refresh(each, results[_name_of(lane_of(each))]) for each in some])

    async def close(self) -> None:
        """Stop; the next start brings the messages up to date."""
        for task in self._looking:
            task.cancel()
        await self._workers.close()

    async def _work(self, lane: Lane) -> None:
        await asyncio.wait({self._live.request(lane)})
        await asyncio.sleep(_PAUSE_S)

    async def _refresh(self, card: LiveMessage, results: Sequence[EventResult]) -> None:
        """Have a message brought up to date if it isn't. One that couldn't be posted in its day never is."""
        lane = lane_of(card)
        zone = zone_of_server(await self._tables.servers.settings(lane.subject_id))
        if card.stage is Stage.NOTED and date.fromordinal(lane.day or 1) < today(zone, self._events.now()):
            await self._messages.forget(card)
            return
        wanted = await self._wanted(lane, results)
        if wanted is not None and (wanted.is_last or wanted.content != card.content):
            await asyncio.wait({self._live.request(lane)})

    async def _draw(self, lane: Lane, recorded: Recorded) -> Drawing | None:
        name, card = _name_of(lane), next((each for each in recorded if each.stage is not Stage.LEFT), None)
        if card is None or (wanted := await self._wanted(lane, await self._events.records.results(name))) is None:
            return None
        return drawn(Card(lane, name, Place(lane.subject_id, card.channel_id)), wanted)

    async def _wanted(self, lane: Lane, results: Sequence[EventResult]) -> Wanted | None:
        event = await self._events.records.event(_name_of(lane))
        if event is None:
            return None
        with using(supported(await self._tables.languages.of_server(lane.subject_id))):
            post = await self._drawn(event, lane.subject_id, results)
        is_last = event.secret is not None
        return Wanted(Kind.CARD, digest(post), deal=lane.day, post=post, is_final=True, is_last=is_last, is_silent=True)

    async def _drawn(self, event: Event, guild_id: int, results: Sequence[EventResult]) -> Post:
        game, _options = self._events.game(event)
        face, day = self._faces[game.key], day_of(event.name) or date.min
        heading, fair = "### " + texts.title(event, face), proof(event.commitment, has_hands=game.has_hands)
        zone = zone_of_server(await self._tables.servers.settings(guild_id))
        is_today = day >= today(zone, self._events.now())
        said = texts.players_line(guild_id, results) if is_today else texts.places_lines(guild_id, results)
        streak = await self._streak(day, guild_id, results)
        if event.secret is not None:
            return _closed(heading, "\n".join(filter(None, (said, streak))), str(day), has_hands=game.has_hands)
        said = said or _("Nobody has played yet.")
        when = f"<t:{_opens_at(event, results, self._events.now()):.0f}:R>"
        if is_today:
            said = f"{texts.form_line(event, face)}\n{said}"
            label, note = (
                _("Play"),
                _("The same for everyone. All is open when the day is over everywhere ({when}).", when=when),
            )
        else:
            label, note = (
                _("Today's daily"),
                _("The day is over here. All is open when it's over everywhere ({when}).", when=when),
            )
        row = (Button("daily", label, "primary", argument=str(day)),)
        return Post((f"{heading}\n" + "\n".join(filter(None, (said, streak))), f"-# {note}\n{fair}"), rows=(row,))

    async def _streak(self, day: date, guild_id: int, results: Sequence[EventResult]) -> str:
        best = texts.best_streak(guild_id, results)
        if best is None or best.user_id is None:
            return ""
        return texts.streak_line(best, await self._events.run(best.user_id, day))


def _closed(heading: str, said: str, argument: str, *, has_hands: bool) -> Post:
    """Return the message about a daily that is over everywhere."""
    fair = Button("daily-fair", _("Fair deal") if has_hands else _("Fair start"), argument=argument)
    if not said:
        return Post((heading, _("Nobody has played.")), rows=((fair,),))
    note = (
        _("It's over everywhere: all hands are open.") if has_hands else _("It's over everywhere: all games are open.")
    )
    row = (
        Button("daily-mine", _("My result"), "primary", argument=argument),
        Button("daily-replay", _("Replay"), argument=argument),
        fair,
    )
    return Post((f"{heading}\n{said}", f"-# {note}"), rows=(row,))
