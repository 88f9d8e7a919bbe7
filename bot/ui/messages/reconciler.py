"""One worker per place where a table is shown: it plans, carries out, and repeats what failed."""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import discord
from msgspec.structs import replace

from bot.tables import Kind, LiveMessage, Table, Tables
from bot.ui.messages.drawings import Drawing, Drawings
from bot.ui.messages.executor import Executor, Recorded
from bot.ui.messages.failures import DMS_CLOSED, NOTHING_SHARED, Trouble, lasts, trouble
from bot.ui.messages.pace import Pace, Priority
from bot.ui.messages.plan import Action, Create, Edit, Find, Forget, Mark, Seen, next_due, plan
from bot.ui.messages.workers import Workers

MAX_ACTIONS: Final = 50
"""Maximum number of actions in one attempt: a plan that never ends would flood Discord with requests."""
CHANNELS_KEPT: Final = 20_000
"""Maximum number of channels whose newest message is remembered; of others, discord.py knows it."""


class Lane(NamedTuple):
    """A place where a table is shown: its channel, or the direct messages of a player."""

    table_id: int
    user_id: int | None = None

    def __str__(self) -> str:
        return f"table {self.table_id}, {'its channel' if self.user_id is None else 'a hand'}"


def lane_of(message: LiveMessage) -> Lane:
    """Return the lane of a message."""
    return Lane(message.table_id, message.user_id if message.kind is Kind.HAND else None)


def _of_lane(lane: Lane, every: Recorded, *, is_redraw: bool) -> Recorded:
    """Return the lane's messages; if they are to be shown again, what they show counts as unknown."""
    own = (each for each in every if lane_of(each) == lane)
    return tuple(replace(each, content=None) for each in own) if is_redraw else tuple(own)


class Owner(Protocol):
    """Knows which process updates the messages of which servers: `bot.leases.Leases`."""

    def holds(self, guild_id: int | None) -> bool:
        """Whether this process updates the messages of the server, or of direct messages (``None``)."""

    async def request(self, table_id: int) -> None:
        """Ask the process that updates this table's messages to do so."""


class Reconciler(Workers[Lane]):
    """Workers that bring messages up to date."""

    def __init__(  # noqa: PLR0913 - the parts that it ties together
        self,
        *,
        client: discord.Client,
        tables: Tables,
        owner: Owner,
        drawings: Drawings,
        executor: Executor,
        pace: Pace,
        now: Callable[[], float],
    ) -> None:
        super().__init__("the messages", self._reconcile)
        self._client = client
        self._tables = tables
        self._owner = owner
        self._messages = tables.messages
        self._drawings = drawings
        self._executor = executor
        self._pace = pace
        self.board_listeners: list[Callable[[Table], None]] = []
        """Called with each table whose board is up to date."""
        self._now = now
        self._redraws: set[Lane] = set()
        self._foreign: dict[int, int] = {}
        """The newest message in each channel that isn't the bot's; the channel with the oldest one first."""
        self._turns: dict[int, frozenset[int]] = {}
        """The users to move at each table when its board was last brought up to date."""

    def redraw(self, lane: Lane) -> asyncio.Future[None]:
        """Show the live messages of the lane again soon, even if they seem to be up to date."""
        self._redraws.add(lane)
        return self.request(lane)

    def turn_at(self, table_id: int) -> frozenset[int]:
        """Return the users to move at the table when its board was last brought up to date."""
        return self._turns.get(table_id, frozenset())

    def saw_message(self, channel_id: int, message_id: int) -> None:
        """Remember that somebody else wrote in the channel."""
        self._foreign.pop(channel_id, None)
        self._foreign[channel_id] = message_id
        if len(self._foreign) > CHANNELS_KEPT:
            del self._foreign[next(iter(self._foreign))]

    # ---- working

    async def _reconcile(self, lane: Lane) -> None:
        is_redraw, is_done = lane in self._redraws, False
        self._redraws.discard(lane)
        try:
            is_done = await self._bring_up_to_date(lane, is_redraw=is_redraw)
        finally:
            if is_redraw and not is_done:
                self._redraws.add(lane)

    async def _bring_up_to_date(self, lane: Lane, *, is_redraw: bool) -> bool:
        """Return whether all messages are as they should be."""
        snapshot = await self._tables.snapshot(lane.table_id)
        if not await self._is_ours(lane, snapshot.table):
            return False
        recorded = _of_lane(lane, snapshot.messages, is_redraw=is_redraw)
        drawing = await self._drawings.draw(snapshot, lane.user_id)
        if drawing is None:
            return False
        if lane.user_id is None:
            await self._notice_chat(drawing.table)
        is_member = self._client.get_guild(drawing.table.place.guild_id or 0) is not None
        try:
            done = await self._carry_out(lane, drawing, recorded)
        except discord.HTTPException as refusal:
            if await self._is_dm_closed(drawing, refusal, is_member=is_member):
                return False
            if drawing.user_id is None and lasts(refusal):
                self._note_trouble(drawing.table, trouble(self._client, drawing.table, refusal))
            raise
        if done is None:
            return False
        drawing, recorded = done
        self._note_turn(drawing)
        self._succeeded(drawing)
        times = (next_due(drawing.desired, recorded, self._now()), self._executor.redraw_at(recorded))
        if due := [at for at in times if at is not None]:
            self.later(lane, min(due) - self._now())
        return True

    def _note_turn(self, drawing: Drawing) -> None:
        if drawing.user_id is None and drawing.desired.turn:
            self._turns[drawing.table.id] = frozenset(drawing.desired.turn)
        elif drawing.user_id is None:
            self._turns.pop(drawing.table.id, None)

    async def _notice_chat(self, table: Table) -> None:
        """Find out who wrote last in a channel, if nobody has since the start."""
        guild = self._client.get_guild(table.place.guild_id or 0)
        channel = guild.get_channel_or_thread(table.place.channel_id) if guild else None
        last_id = getattr(channel, "last_message_id", None)
        if last_id is not None and table.place.channel_id not in self._foreign:
            is_ours = bool(await self._messages.tables_of([last_id]))
            self._foreign.setdefault(table.place.channel_id, 0 if is_ours else last_id)

    async def _carry_out(self, lane: Lane, drawing: Drawing, recorded: Recorded) -> tuple[Drawing, Recorded] | None:
        """Carry out the plan; ``None`` if that ends early, as somebody else shows the table from now on."""
        missing: frozenset[int] = frozenset()
        refused: list[discord.HTTPException] = []
        for _ in range(MAX_ACTIONS):
            action = self._next(drawing, recorded, missing, can_post=not refused)
            if action is None:
                return drawing, recorded
            if isinstance(action, Mark | Forget):
                recorded = await self._executor.execute(action, drawing, recorded)
                continue
            async with self._pace.turn(*request_of(action, drawing)) as had_to_wait:
                if had_to_wait and not await self._is_ours(lane, drawing.table):
                    return None
                if had_to_wait:  # what was drawn may be out of date by now
                    snapshot = await self._tables.snapshot(lane.table_id)
                    drawing = await self._drawings.draw(snapshot, lane.user_id) or drawing
                    action = self._next(drawing, recorded, missing, can_post=not refused)
                if action is not None:
                    recorded = await self._execute(action, drawing, recorded, refused)
            if isinstance(action, Find) and action.message in recorded:
                missing |= {action.message.nonce}
        raise RuntimeError(f"{lane}: the plan isn't done after {MAX_ACTIONS} actions")

    async def _execute(
        self, action: Action, drawing: Drawing, recorded: Recorded, refused: list[discord.HTTPException]
    ) -> Recorded:
        """Carry out an action. The first post that Discord refuses is noted: a board can be edited instead."""
        if refused and isinstance(action, Create):
            raise refused[0]
        try:
            return await self._executor.execute(action, drawing, recorded)
        except discord.HTTPException as refusal:
            if not (isinstance(action, Create) and lasts(refusal)):
                raise
            refused.append(refusal)
            return recorded

    async def _is_dm_closed(self, drawing: Drawing, refusal: discord.HTTPException, *, is_member: bool) -> bool:
        """Whether a user doesn't take direct messages. ``is_member``: whether the bot was on the table's server."""
        table, user_id = drawing.table, drawing.user_id
        bot_was_removed = table.place.guild_id is not None and not is_member
        if user_id is None or refusal.code not in DMS_CLOSED or (refusal.code == NOTHING_SHARED and bot_was_removed):
            return False
        await self._tables.users.set_dm_closed(user_id, closed=True)
        self.request(Lane(table.id))
        return True

    def _succeeded(self, drawing: Drawing) -> None:
        """Let hands know what has changed about their board."""
        table = drawing.table
        if drawing.user_id is not None:
            return
        self._note_trouble(table, None)
        for listener in self.board_listeners:
            listener(table)
        if table.id in self._executor.lost_boards:  # hands link to the old one
            self._executor.lost_boards.discard(table.id)
            self._redraw_hands(table)

    def _note_trouble(self, table: Table, trouble: Trouble | None) -> None:
        troubles = self._drawings.troubles
        before = troubles.pop(table.id, None)
        if trouble:
            troubles[table.id] = trouble
        if before != troubles.get(table.id):
            self._redraw_hands(table)

    def _redraw_hands(self, table: Table) -> None:
        for sitter in table.sitters:
            if sitter.user_id is not None:
                self.redraw(Lane(table.id, sitter.user_id))

    async def _is_ours(self, lane: Lane, table: Table) -> bool:
        """Whether neither another process nor an answer shows the table now; each has the lane updated afterwards."""
        if not self._owner.holds(table.place.guild_id):
            await self._owner.request(lane.table_id)
            return False
        return not self.is_held(lane)

    def _next(self, drawing: Drawing, recorded: Recorded, missing: frozenset[int], *, can_post: bool) -> Action | None:
        seen = Seen(
            now=self._now(),
            last_foreign_id=self._foreign.get(drawing.table.place.channel_id, 0),
            turn=self.turn_at(drawing.table.id),
            can_post=can_post,
            lost=self._executor.lost,
            missing=missing,
        )
        return next(iter(plan(drawing.desired, recorded, seen)), None)


def request_of(action: Action, drawing: Drawing) -> tuple[int, str, Priority]:
    """Return the place, the route and the priority of the request that an action makes."""
    is_public = drawing.user_id is None
    place = drawing.table.place.channel_id if is_public else drawing.user_id or 0
    match action:
        case Create(wanted=wanted):
            return place, "post", Priority.TURN if is_public or wanted.is_prompt else Priority.OTHER
        case Edit(wanted=wanted) if wanted.is_prompt:
            return place, "edit", Priority.TURN
        case Edit():
            return place, "edit", Priority.BOARD if is_public else Priority.OTHER
        case _:
            return place, "other", Priority.OTHER
