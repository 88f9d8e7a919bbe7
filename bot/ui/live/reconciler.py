"""One worker per place where a table is shown: it plans, carries out, and repeats what failed."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, NamedTuple, Protocol

import discord

from bot.tables import Kind, LiveMessage, Table, Tables
from bot.ui.live.drawings import Drawing, Drawings
from bot.ui.live.failures import Refusals, Trouble, is_away, trouble
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.plan import Action, Create, Edit, Find, Mark, Remove, Seen, next_due, plan
from bot.ui.live.sightings import Sightings
from bot.ui.live.workers import Workers
from bot.ui.live.writer import Recorded, Writer, request_of
from bot.ui.posts.discord_errors import Code, Reach, reach_of

MAX_ACTIONS: Final = 50
"""Maximum number of actions for one version of a table: a plan that never ends would flood Discord with requests."""
SLOW_S: Final = 30.0
"""If a request for the board takes longer, hands say that Discord delays it."""


class Lane(NamedTuple):
    """A place where a table is shown: its channel, or the direct messages of a player."""

    table_id: int
    user_id: int | None = None

    def __str__(self) -> str:
        return f"table {self.table_id}, {'its channel' if self.user_id is None else 'a hand'}"


def lane_of(message: LiveMessage) -> Lane:
    """Return the lane of a message."""
    return Lane(message.table_id, message.user_id if message.kind is Kind.HAND else None)


class Owner(Protocol):
    """Knows which process updates the messages of which servers: `bot.running.leases.Leases`."""

    def holds(self, guild_id: int | None) -> bool:
        """Whether this process updates the messages of the server, or of direct messages (``None``)."""

    async def request(self, table_id: int, guild_id: int | None) -> None:
        """Ask the process that updates this table's messages to do so."""

    async def request_event(self, name: str, guild_id: int) -> None:
        """Ask the process that updates the server's messages to update the one about an event."""


class _Part(NamedTuple):
    """A part of a lane that Discord may refuse alone: new posts, or the removal of old messages."""

    lane: Lane
    action: type[Action]


class _GaveWay(Exception):
    """There is nothing to do here for now: another process or an answer shows the table, or it stays as it is."""


@dataclass
class _Attempt:
    """One attempt to bring a lane up to date: what should be shown, and what is known of its messages by now."""

    lane: Lane
    drawing: Drawing
    recorded: Recorded
    missing: set[int] = field(default_factory=set)
    """The nonces of noted messages that aren't in the channel."""
    refusal: Exception | None = None
    """Why Discord doesn't take posts at the moment."""
    is_outdated: bool = False
    """Whether something has changed since it began that may have been the reason for a refusal."""


class Reconciler(Workers[Lane]):
    """Workers that bring messages up to date."""

    def __init__(  # noqa: PLR0913 - the parts that it ties together
        self,
        *,
        client: discord.Client,
        tables: Tables,
        owner: Owner,
        drawings: Drawings,
        writer: Writer,
        sightings: Sightings,
        budget: Budget,
        now: Callable[[], float],
    ) -> None:
        super().__init__("the messages", self._reconcile)
        self._client = client
        self._tables = tables
        self._owner = owner
        self._messages = tables.messages
        self._drawings = drawings
        self._writer = writer
        self._sightings = sightings
        self._budget = budget
        self.board_listeners: list[Callable[[Table], None]] = []
        """Called with each table whose board is up to date."""
        self._now = now
        self.refusals = Refusals()
        """What Discord has refused: lanes, parts of them, what everybody needs (`Reach`), and users' tries."""
        self._under_way: dict[Lane, _Attempt] = {}
        """The attempts that may be making requests."""
        self._redraws: set[Lane] = set()
        self._turns: dict[int, frozenset[int]] = {}
        """The users to move at each table when its board was last brought up to date."""

    def redraw(self, lane: Lane) -> asyncio.Future[None]:
        """Show the live messages of the lane again soon, even if they seem to be up to date."""
        self._redraws.add(lane)
        return self.request(lane)

    def note_change(self, *, guild_id: int | None = None, user_id: int | None = None) -> None:
        """Repeat attempts under way on a server, or for a user, if they are refused: the reason may be gone."""
        for lane, attempt in self._under_way.items():
            is_there = guild_id is not None and attempt.drawing.table.place.guild_id == guild_id
            attempt.is_outdated |= is_there or (user_id is not None and lane.user_id == user_id)

    def lift(self, *, table_id: int | None = None, user_id: int | None = None) -> None:
        """Let the lanes of a table or a user try again at once what Discord has refused."""
        for key, lane in self._refused_lanes():
            if table_id == lane.table_id or (user_id is not None and user_id == lane.user_id):
                self.refusals.lift(key)

    def refused_tables(self) -> set[int]:
        """Return the tables where Discord has refused something."""
        return {lane.table_id for _, lane in self._refused_lanes()}

    def _refused_lanes(self) -> Iterator[tuple[Hashable, Lane]]:
        for key in self.refusals.keys:
            if isinstance(key, Lane | _Part):
                yield key, key.lane if isinstance(key, _Part) else key

    # ---- working

    async def _reconcile(self, lane: Lane) -> None:
        """Bring a lane up to date. If its messages are to be shown again, that stays to be done until it succeeds."""
        is_redraw = lane in self._redraws
        self._redraws.discard(lane)
        try:
            with contextlib.suppress(_GaveWay):
                await self._bring_up_to_date(lane, is_redraw=is_redraw)
                is_redraw = False
        finally:
            if is_redraw:
                self._redraws.add(lane)

    async def _bring_up_to_date(self, lane: Lane, *, is_redraw: bool) -> None:
        snapshot = await self._tables.snapshot(lane.table_id)
        await self._check_ours(lane, snapshot.table)
        self._check_may_try(lane, self.refusals.wait_s(lane))
        self._check_invited(lane, snapshot.table)
        recorded = tuple(each for each in snapshot.messages if lane_of(each) == lane)
        may_wait = not is_redraw and self._sightings.lost.isdisjoint([each.sent_id for each in recorded])
        drawing = await self._drawings.draw(snapshot, lane.user_id, may_wait=may_wait)
        if drawing is None:
            raise _GaveWay
        if is_redraw:  # what they show counts as unknown
            recorded = tuple(each.with_unknown_content() for each in recorded)
        attempt = _Attempt(lane, drawing, recorded)
        if lane.user_id is None:
            await self._look_first(attempt)
        self._under_way[lane] = attempt
        try:
            await self._carry_out(attempt)
        finally:
            del self._under_way[lane]
        self.refusals.lift(lane)
        if lane.user_id is None:
            self._board_is_shown(attempt.drawing)
        elif lane.user_id in self._drawings.unreachable:
            self._drawings.unreachable.discard(lane.user_id)
            self.request(Lane(lane.table_id))
        self._come_back(attempt)

    async def _look_first(self, attempt: _Attempt) -> None:
        """See once what is in the channel before that is changed. Gives way if the board isn't as recorded."""
        table = attempt.drawing.table
        await self._sightings.notice_chat(table)
        is_due = table.id not in self._sightings.tables_seen and self._next(attempt)
        if is_due and await self._sightings.finds_change(table, attempt.recorded, Priority.BOARD):
            for message in await self._messages.of(table.id):
                self.request(lane_of(message))
            raise _GaveWay

    def _come_back(self, attempt: _Attempt) -> None:
        """Work on the lane again when something is due: a ping, a late edit, or what Discord has refused."""
        look_at = self._sightings.look_at(message.sent_id for message in attempt.recorded)
        times = (next_due(attempt.drawing.desired, attempt.recorded, self._now()), look_at)
        waits = [at - self._now() for at in times if at is not None]
        waits += filter(None, (self.refusals.wait_s(_Part(attempt.lane, part)) for part in (Create, Remove)))
        if waits:
            self.later(attempt.lane, min(waits))

    # ---- carrying out

    async def _carry_out(self, attempt: _Attempt) -> None:
        """Plan, carry out the first action and plan again, until there is nothing left to do.

        While people play faster than a channel takes edits, each wait ends with a newer version to show.
        """
        try:
            carried_out = Counter[int]()
            while action := self._next(attempt):
                version = attempt.drawing.table.version
                if carried_out[version] == MAX_ACTIONS:
                    raise RuntimeError(f"{attempt.lane}: the plan isn't done after {MAX_ACTIONS} actions")
                carried_out[version] += 1
                if isinstance(action, Mark):
                    await self._execute(action, attempt)
                else:
                    await self._request(action, attempt)
        except (discord.HTTPException, KeyError) as refusal:
            await self._refused(attempt, refusal)
            raise

    async def _request(self, action: Action, attempt: _Attempt) -> None:
        """Carry out an action that needs a request, as soon as the rate limits allow, and as it is needed by then."""
        async with self._budget.slot(*request_of(action, attempt.drawing)) as had_to_wait:
            if had_to_wait:
                await self._check_ours(attempt.lane, attempt.drawing.table)
                if attempt.lane in self._requested:
                    snapshot = await self._tables.snapshot(attempt.lane.table_id)
                    attempt.drawing = await self._drawings.draw(snapshot, attempt.lane.user_id) or attempt.drawing
            if latest := self._next(attempt) if had_to_wait else action:
                await self._execute(latest, attempt)

    async def _execute(self, action: Action, attempt: _Attempt) -> None:
        """Carry out an action. The first post that Discord refuses is noted: a board can be edited instead."""
        if attempt.refusal and isinstance(action, Create):
            raise attempt.refusal
        lane = attempt.lane
        if self.was_held(lane):  # an answer shows a message of it, or has since the attempt began
            raise _GaveWay
        shared = self._check_not_refused(action, lane)
        slow = asyncio.get_running_loop().call_later(SLOW_S, self._note_slow, action, attempt)
        try:
            attempt.recorded = await self._writer.execute(action, attempt.drawing, attempt.recorded)
        except (discord.HTTPException, KeyError) as refusal:
            self._note_part(action, attempt, refusal)
            return
        finally:
            slow.cancel()
        for what in (*shared, _Part(lane, type(action))):
            self.refusals.lift(what)
        if isinstance(action, Find) and action.message in attempt.recorded:
            attempt.missing.add(action.message.nonce)
        if isinstance(action, Create | Edit) and action.wanted.kind in {Kind.BOARD, Kind.PING}:
            self._remember_turn(attempt.drawing)

    def _check_not_refused(self, action: Action, lane: Lane) -> list[Reach]:
        """Give way if Discord has refused such an action. Return the refusals of others that this would end."""
        shared = [] if isinstance(action, Mark) else [Reach.BOT]
        if isinstance(action, Create):
            self._check_may_try(lane, self.refusals.wait_s(_Part(lane, Create)))
            shared += [] if lane.user_id is None else [Reach.DIRECT_MESSAGES]
        wait_s = max(map(self.refusals.share_s, shared), default=0.0)
        if wait_s and isinstance(action, Create):
            self._note_unreachable(lane)
        self._check_may_try(lane, wait_s)
        return shared

    def _note_part(self, action: Action, attempt: _Attempt, refusal: Exception) -> None:
        """Note that Discord refuses new posts, or removals, so that the rest goes on. Raises other refusals."""
        lane = attempt.lane
        if not isinstance(action, Create | Remove) or self._reach(refusal, lane) not in {Reach.PLACE, Reach.USER}:
            raise refusal
        self._check_current(attempt)
        self.refusals.note(_Part(lane, type(action)))
        if isinstance(action, Create):
            attempt.refusal = refusal

    def _next(self, attempt: _Attempt) -> Action | None:
        table = attempt.drawing.table
        seen = Seen(
            now=self._now(),
            last_foreign_id=self._sightings.last_foreign_id(table.place.channel_id) or 0,
            turn=self._turns.get(table.id, frozenset()),
            can_post=attempt.refusal is None and not self.refusals.wait_s(_Part(attempt.lane, Create)),
            lost=self._sightings.lost,
            missing=frozenset(attempt.missing),
            is_tight=self._budget.is_tight,
        )
        action = next(iter(plan(attempt.drawing.desired, attempt.recorded, seen)), None)
        must_wait = isinstance(action, Remove) and self.refusals.wait_s(_Part(attempt.lane, Remove))
        return None if must_wait else action

    # ---- reasons to give way

    async def _check_ours(self, lane: Lane, table: Table) -> None:
        """Give way if another process or an answer shows the table now; each has the lane updated afterwards."""
        if not self._owner.holds(table.place.guild_id):
            self._turns.pop(table.id, None)
            if not any(held.table_id == table.id for held in self._held):  # the other process comes after an answer
                await self._owner.request(table.id, table.place.guild_id)
            raise _GaveWay
        if self.was_held(lane):
            raise _GaveWay

    def _check_may_try(self, lane: Lane, wait_s: float) -> None:
        """Give way for this time, if Discord has refused such a thing."""
        if wait_s:
            self.later(lane, wait_s)
            raise _GaveWay

    def _check_invited(self, lane: Lane, table: Table) -> None:
        """Give way after a refusal until the bot is on the server again: too many of them get its address banned."""
        if lane.user_id is None and lane in self.refusals.keys and is_away(self._client, table):
            raise _GaveWay

    def _check_current(self, attempt: _Attempt) -> None:
        """Give way after a refusal, and try again, if the reason may be gone."""
        if attempt.is_outdated:
            self.request(attempt.lane)
            raise _GaveWay

    def _reach(self, refusal: Exception, lane: Lane) -> Reach | None:
        """Return what has to wait after a refusal: everything, if Discord has refused very many requests lately."""
        reach = reach_of(refusal, is_direct=lane.user_id is not None)
        return Reach.BOT if reach and self._budget.is_near_ban else reach

    async def _refused(self, attempt: _Attempt, refusal: Exception) -> None:
        """Remember a refusal that lasts, and let players know. Gives way if a user can't get direct messages."""
        table, (_, user_id) = attempt.drawing.table, attempt.lane
        reach = self._reach(refusal, attempt.lane)
        if reach is None:
            return
        self._check_current(attempt)
        is_shared = reach in {Reach.BOT, Reach.DIRECT_MESSAGES}
        self.refusals.note(reach if is_shared else attempt.lane, is_shared=is_shared)
        if user_id is None:
            self._note_trouble(table, trouble(self._client, table, refusal))
            return
        self._note_unreachable(attempt.lane)
        if reach is Reach.USER:
            await self.note_closed(user_id, table.place.guild_id, refusal)
            raise _GaveWay

    async def note_closed(self, user_id: int, guild_id: int | None, refusal: Exception) -> None:
        """Count a user's direct messages as closed, as Discord has refused one, about a table of this server."""
        if getattr(refusal, "code", 0) == Code.NOTHING_SHARED:
            self._sightings.strangers[user_id, guild_id] = None
        await self._tables.users.set_dm_closed(user_id, closed=True)

    # ---- what others learn

    def _note_unreachable(self, lane: Lane) -> None:
        """Let the board say that a player gets no direct messages."""
        if lane.user_id is not None and lane.user_id not in self._drawings.unreachable:
            self._drawings.unreachable.add(lane.user_id)
            self.request(Lane(lane.table_id))

    def _board_is_shown(self, drawing: Drawing) -> None:
        """Tell those who wait for the board, and update hands that depend on it."""
        table = drawing.table
        self._remember_turn(drawing)
        self._note_trouble(table, None)
        for listener in self.board_listeners:
            listener(table)
        if table.id in self._sightings.tables_without_board:  # hands link to the old one
            del self._sightings.tables_without_board[table.id]
            self._redraw_hands(table)

    def _remember_turn(self, drawing: Drawing) -> None:
        """Remember the turn that the board shows, even if an old message can't be deleted afterwards."""
        if drawing.desired.turn:
            self._turns[drawing.table.id] = frozenset(drawing.desired.turn)
        else:
            self._turns.pop(drawing.table.id, None)

    def _note_trouble(self, table: Table, trouble: Trouble | None) -> None:
        troubles = self._drawings.troubles
        before = troubles.pop(table.id, None)
        if trouble:
            troubles[table.id] = trouble
        if before != trouble:
            self._redraw_hands(table)

    def _note_slow(self, action: Action, attempt: _Attempt) -> None:
        """Let hands say that a request takes long, such as one that waits until a rate limit is over."""
        table = attempt.drawing.table
        if attempt.lane.user_id is None and isinstance(action, Create | Edit):
            self._note_trouble(table, Trouble(table.place.guild_id, HTTPStatus.TOO_MANY_REQUESTS, ""))

    def _redraw_hands(self, table: Table) -> None:
        for sitter in table.sitters:
            if sitter.user_id is not None:
                self.redraw(Lane(table.id, sitter.user_id))
