"""The daily in words, and the message about it that each server has: without cards, edited in place."""

import asyncio
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import discord
from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.records.event import GRACE_S, Event, EventResult, daily_name, day_of
from bot.records.live_message import Kind, LiveMessage, Stage
from bot.records.table import Place, Receipt
from bot.tables.events import midnight, rank, today
from bot.tables.tables import Tables
from bot.tables.time_zones import zone_of_server
from bot.texts import gettext as _, ngettext, number, supported, using
from bot.ui.live.lanes import Card, Drawing, Lane, Owner, Recorded, drawn, lane_of
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.plan import Wanted
from bot.ui.live.workers import Workers, persist
from bot.ui.live.writer import new_nonce
from bot.ui.messages.lobby import in_force
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest
from bot.ui.posts.names import short_name, told_apart
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import plain, proof, title_of

_SUBJECT: Final = "daily"
"""Of messages whose id is that of the server."""
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
        now, zone = self._events.now(), zone_of_server(await self._tables.servers.settings(guild_id))
        when, finish_by = f"<t:{_opens_at(event, results, now):.0f}:R>", midnight(day or date.min, zone) + GRACE_S
        begun = _("Games begun before midnight can be finished until {until}.", until=f"<t:{finish_by:.0f}:f>")
        if (day or date.max) < today(zone, now):
            label = _("Today's daily")
            said = "-# " + _("The day is over here. When it's over everywhere, all hands open ({when}).", when=when)
            said += f" {begun}" if now < finish_by else ""
        else:
            label = _("Play the daily")
            said = "-# " + _(
                "The same cards for everyone, one try. When the day is over everywhere, all hands open ({when}).",
                when=when,
            )
            said += f" {begun}"
        row = (Button("daily", label, "primary"), fair)
        game, _options = self._events.game(event)
        fair_deal = proof(event.commitment, has_hands=game.has_hands)
        return Post((f"{heading}\n{text}", f"{said}\n{fair_deal}"), rows=(row,))


def check_finished(result: EventResult | None) -> EventResult:
    """Return the result of a finished try. Raises `NotAllowed`."""
    if result is None or result.score is None:
        raise NotAllowed("You haven't finished this daily.")
    return result
