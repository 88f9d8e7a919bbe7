"""One worker per place where a subject is shown: it plans, carries out, and repeats what failed."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import discord

from bot.records.live_message import TABLE, Kind, LiveMessage
from bot.records.table import Place, Table
from bot.tables.tables import Tables
from bot.ui.live.dependents import Dependents
from bot.ui.live.drawings import Drawings
from bot.ui.live.failures import Refusals, is_away, trouble
from bot.ui.live.lanes import Card, Drawing, Lane, Owner, Recorded, lane_of
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.plan import Action, Create, Edit, Find, Leave, Mark, Remove, Seen, next_due, plan
from bot.ui.live.sightings import Look, Sightings
from bot.ui.live.workers import Workers
from bot.ui.live.writer import Writer, request_of
from bot.ui.posts.discord_errors import Reach, reach_of
from bot.ui.posts.recent import Recent

MAX_ACTIONS: Final = 50
"""Maximum number of actions for one version of a table: a plan that never ends would flood Discord with requests."""
SLOW_S: Final = 30.0
"""If a request for the board takes longer, hands say that Discord delays it."""


class _Part(NamedTuple):
    """A part of a lane that Discord may refuse alone: new posts, or the removal of old messages."""

    lane: Lane
    action: type[Action]


class _GaveWay(Exception):
    """There is nothing to do here for now: another process shows the table, or it stays as it is."""


_unknown: Final = LiveMessage.with_unknown_content
"""For messages that are to be shown again, whatever they show."""


@dataclass
class _Attempt:
    """One attempt to bring a lane up to date: what should be shown, and what is known of its messages by now."""

    lane: Lane
    drawing: Drawing
    recorded: Recorded
    missing: set[int] = field(default_factory=set)
    """The nonces of noted messages that aren't in the channel."""
    action: Action | None = None
    """What it does, or has done last."""
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
        note_closed: Callable[[int, int | None, Exception], Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        """``note_closed`` is called when Discord has refused a user direct messages, about a table of a server."""
        super().__init__("the messages", self._reconcile)
        self._client = client
        self._tables = tables
        self._owner = owner
        self._messages = tables.messages
        self._drawings = drawings
        self._writer = writer
        self._sightings = sightings
        self._budget = budget
        self._note_closed = note_closed
        self.dependents = Dependents(drawings, sightings, request=self.request, redraw=self.redraw)
        self._now = now
        self.refusals = Refusals()
        """What Discord has refused: lanes, parts of them, what everybody needs (`Reach`), and users' tries."""
        self._under_way: dict[Lane, _Attempt] = {}
        """The attempts that may be making requests."""
        self._redraws: set[Lane] = set()
        self._messages.on_unrecorded = lambda message: self._redraws.add(lane_of(message))
        self._turns: dict[Lane, frozenset[int]] = {}
        """The users to move at each table when its board was last brought up to date."""
        self._places = Recent[Lane, Place]()
        """Where cards are that were shown or refused lately."""

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
            is_there = lane.subject == TABLE and table_id == lane.subject_id
            if is_there or (user_id is not None and user_id == lane.user_id):
                self.refusals.lift(key)

    def lift_cards(self, guild_id: int, thread_id: int | None) -> None:
        """Try the cards of a server, or of a thread there, again at once that Discord has refused."""
        for key, lane in self._refused_lanes():
            place = self._places.get(lane)
            if place is not None and place.guild_id == guild_id and thread_id in {None, place.channel_id}:
                self.refusals.lift(key)
                self.request(lane)

    def refused_tables(self) -> set[int]:
        """Return the tables where Discord has refused something."""
        return {lane.subject_id for _, lane in self._refused_lanes() if lane.subject == TABLE}

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
        at_card = lane.subject != TABLE
        drawing, recorded = await (self._at_card(lane) if at_card else self._at_table(lane, is_redraw=is_redraw))
        if drawing is None:
            raise _GaveWay
        attempt = _Attempt(lane, drawing, tuple(map(_unknown, recorded)) if is_redraw else recorded)
        table = drawing.table
        if lane.is_board and not isinstance(table, Card):
            await self._look_first(attempt, table)
        self._under_way[lane] = attempt
        try:
            await self._carry_out(attempt)
        finally:
            del self._under_way[lane]
        self.refusals.lift(lane)
        if lane.is_board and not isinstance(table := attempt.drawing.table, Card):
            self._remember_turn(attempt.drawing)
            self.dependents.board_is_shown(table)
        self.dependents.note_reachable(lane)
        self._come_back(attempt)

    async def _at_table(self, lane: Lane, *, is_redraw: bool) -> tuple[Drawing | None, Recorded]:
        """Return what of a table should be shown here, and what is recorded."""
        snapshot = await self._tables.snapshot(lane.subject_id)
        await self._check_may_show(lane, snapshot.table)
        recorded = tuple(each for each in snapshot.messages if lane_of(each) == lane)
        may_wait = not is_redraw and self._sightings.lost.isdisjoint([each.sent_id for each in recorded])
        is_pressed = any(map(self._writer.is_pressed, recorded))
        drawing = await self._drawings.draw(
            snapshot, lane.user_id, may_wait=may_wait, is_redraw=is_redraw, is_pressed=is_pressed
        )
        return drawing, recorded

    async def _at_card(self, lane: Lane) -> tuple[Drawing | None, Recorded]:
        """Return the same for another subject, which its feature draws."""
        messages = await self._messages.about(lane.subject, lane.subject_id)
        recorded = tuple(each for each in messages if lane_of(each) == lane)
        drawing = await self._drawings.features[lane.subject](lane, recorded)
        if drawing is not None:
            self._places[lane] = drawing.table.place
            await self._check_may_show(lane, drawing.table)
        return drawing, recorded

    async def _look_first(self, attempt: _Attempt, table: Table) -> None:
        """See once what is in the channel before that is changed. Gives way if the board isn't as recorded."""
        await self._sightings.notice_chat(table)
        is_due = table.id not in self._sightings.tables_seen and self._next(attempt)
        if is_due and await self._sightings.look(table, attempt.recorded, Priority.BOARD) is Look.CHANGED:
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
                if isinstance(action, Mark | Leave):
                    await self._execute(action, attempt)
                else:
                    await self._request(action, attempt)
        except (discord.HTTPException, KeyError) as refusal:
            await self._refused(attempt, refusal)
            raise

    async def _request(self, action: Action, attempt: _Attempt) -> None:
        """Carry out an action that needs a request, as soon as the rate limits allow, and as it is needed by then."""
        if self._writer.is_free(action, attempt.drawing.table.id):
            await self._execute(action, attempt)
            return
        async with self._budget.slot(*request_of(action, attempt.drawing)) as had_to_wait:
            if had_to_wait:
                await self._check_ours(attempt.lane, attempt.drawing.table)
                if attempt.lane in self._requested:
                    attempt.drawing = await self._draw_again(attempt.lane) or attempt.drawing
            if latest := self._next(attempt) if had_to_wait else action:
                await self._execute(latest, attempt)

    async def _draw_again(self, lane: Lane) -> Drawing | None:
        if lane.subject != TABLE:
            return (await self._at_card(lane))[0]
        return await self._drawings.draw(await self._tables.snapshot(lane.subject_id), lane.user_id)

    async def _execute(self, action: Action, attempt: _Attempt) -> None:
        """Carry out an action. The first post that Discord refuses is noted: a board can be edited instead."""
        attempt.action = action
        if attempt.refusal and isinstance(action, Create):
            raise attempt.refusal
        lane = attempt.lane
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
            self._note_first_board(action, attempt.drawing.table)

    def _note_first_board(self, action: Create | Edit, table: Table | Card) -> None:
        """Let hands link to a board in direct messages that has no lobby: they may have been posted before it."""
        is_board = isinstance(action, Create) and action.wanted.kind is Kind.BOARD
        if is_board and isinstance(table, Table) and table.status == "playing" and table.place.guild_id is None:
            self._sightings.tables_without_board[table.id] = None

    def _check_not_refused(self, action: Action, lane: Lane) -> list[Reach]:
        """Give way if Discord has refused such an action. Return the refusals of others that this would end.

        Answers and edits by tokens aren't the bot's own requests: they go on, and say nothing about those.
        """
        is_own = not (isinstance(action, Mark | Leave) or self._writer.is_free(action, lane.subject_id))
        shared = [Reach.BOT] if is_own else []
        if isinstance(action, Create):
            self._check_may_try(lane, self.refusals.wait_s(_Part(lane, Create)))
            shared += [] if lane.user_id is None else [Reach.DIRECT_MESSAGES]
        wait_s = max(map(self.refusals.share_s, shared), default=0.0)
        if wait_s and isinstance(action, Create):
            self.dependents.note_unreachable(lane)
        self._check_may_try(lane, wait_s)
        return shared

    def _note_part(self, action: Action, attempt: _Attempt, refusal: Exception) -> None:
        """Note that Discord refuses new posts, or removals, so that the rest goes on. Raises other refusals."""
        lane = attempt.lane
        if not isinstance(action, Create | Remove) or self._reach(refusal, attempt) not in {Reach.PLACE, Reach.USER}:
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
            turn=self._turns.get(attempt.lane, frozenset()),
            can_post=attempt.refusal is None and not self.refusals.wait_s(_Part(attempt.lane, Create)),
            lost=self._sightings.lost,
            gone=self._sightings.gone,
            missing=frozenset(attempt.missing),
            is_tight=self._budget.is_tight,
            pressed=frozenset(each.sent_id for each in attempt.recorded if self._writer.is_pressed(each)),
        )
        action = next(iter(plan(attempt.drawing.desired, attempt.recorded, seen)), None)
        must_wait = isinstance(action, Remove) and self.refusals.wait_s(_Part(attempt.lane, Remove))
        return None if must_wait else action

    # ---- reasons to give way

    async def _check_may_show(self, lane: Lane, table: Table | Card) -> None:
        """Give way if another process shows this, or Discord has refused it."""
        await self._check_ours(lane, table)
        self._check_may_try(lane, self.refusals.wait_s(lane))
        self._check_invited(lane, table.place)

    async def _check_ours(self, lane: Lane, table: Table | Card) -> None:
        """Give way if another process shows the subject now, and let it do so."""
        if self._owner.holds(table.place.guild_id):
            return
        self._turns.pop(lane, None)
        if isinstance(table, Card):
            await self._owner.request_event(table.name, table.place.guild_id or 0)
        else:
            await self._owner.request(table.id, table.place.guild_id)
        raise _GaveWay

    def _check_may_try(self, lane: Lane, wait_s: float) -> None:
        """Give way for this time, if Discord has refused such a thing."""
        if wait_s:
            self.later(lane, wait_s)
            raise _GaveWay

    def _check_invited(self, lane: Lane, place: Place) -> None:
        """Give way after a refusal until the bot is on the server again: too many of them get its address banned."""
        if lane.user_id is None and lane in self.refusals.keys and is_away(self._client, place):
            raise _GaveWay

    def _check_current(self, attempt: _Attempt) -> None:
        """Give way after a refusal, and try again, if the reason may be gone."""
        if attempt.is_outdated:
            self.request(attempt.lane)
            raise _GaveWay

    def _reach(self, refusal: Exception, attempt: _Attempt) -> Reach | None:
        """Return what has to wait after a refusal: everything, if Discord has refused very many requests lately."""
        is_new = isinstance(attempt.action, Create)
        reach = reach_of(refusal, is_direct=attempt.lane.user_id is not None, is_new=is_new)
        return Reach.BOT if reach and self._budget.is_near_ban else reach

    async def _refused(self, attempt: _Attempt, refusal: Exception) -> None:
        """Remember a refusal that lasts, and let players know. Gives way if a user can't get direct messages."""
        table, user_id = attempt.drawing.table, attempt.lane.user_id
        reach = self._reach(refusal, attempt)
        if reach is None:
            return
        self._check_current(attempt)
        is_shared = reach in {Reach.BOT, Reach.DIRECT_MESSAGES}
        self.refusals.note(reach if is_shared else attempt.lane, is_shared=is_shared)
        if user_id is None:
            if not isinstance(table, Card):
                self.dependents.note_trouble(table, trouble(self._client, table.place, refusal))
            return
        self.dependents.note_unreachable(attempt.lane)
        if reach is Reach.USER:
            await self._note_closed(user_id, table.place.guild_id, refusal)
            raise _GaveWay

    def _remember_turn(self, drawing: Drawing) -> None:
        """Remember the turn that the board shows, even if an old message can't be deleted afterwards."""
        if drawing.desired.turn:
            self._turns[drawing.lane] = frozenset(drawing.desired.turn)
        else:
            self._turns.pop(drawing.lane, None)

    def _note_slow(self, action: Action, attempt: _Attempt) -> None:
        table = attempt.drawing.table
        if attempt.lane.user_id is None and isinstance(action, Create | Edit) and not isinstance(table, Card):
            self.dependents.note_slow(table)
