"""Plays the turns of computers, and of absent players, through the same methods as for people."""

import asyncio
import contextlib
import logging
import math
import random
import secrets
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Literal, NamedTuple

from bot import computer
from bot.errors import DamagedTable, IllegalMove, NotAllowed, Stale, StoreError, WrongPhase
from bot.games.game import Move, Observation, Seat
from bot.records.table import Chosen, Receipt, Table
from bot.tables.tables import Tables
from bot.thinking.thinkers import NoThought, Think, Turn, level_of, severity, turn_of

log: Final = logging.getLogger(__name__)

_RESUME_TIMEOUT_S: Final = 1.0
"""Maximum time that `resume` waits for one table before it goes on with the next."""
_MAX_RETRY_S: Final = 30.0

THOUGHT_S: Final = 2.0
"""Time after which the move of a slow computer is shown. Nearly all moves have been chosen by then."""
TICK_S: Final = 1.0
"""Interval of the times after `THOUGHT_S` at which later moves are shown."""
_RECENT: Final = 16
"""Number of thoughts of each game from which the time of a forced move is drawn."""


Choose = Callable[[str, Observation, random.Random, str], Move]
"""Returns one of the legal moves of an observation at a level, like `bot.computer.choose`.

The first argument is the game's key.
"""


ThoughtOutcome = Literal["in_time", "late", "failed"]
"""The result of a thought: its move was shown on time, later, or replaced by one of a quick computer."""

Listener = Callable[[str, ThoughtOutcome], None]
"""Gets the key of a game, and the outcome of each thought."""


class Choice(NamedTuple):
    """A computer's move, and the level at which it was chosen; ``None`` if it was drawn at random."""

    move: Move
    level: str | None


class _Taken(NamedTuple):
    """How long a thought took, and the number of cards in the hand, which is public and decides most of the time."""

    cards: int
    taken_s: float


class Turns:
    """Runs a task for each table where computers are to move.

    Register `changed` with `Tables.on_change`, call `resume` once after a start and `close` at the end.

    Parameters
    ----------
    is_ours: Whether this process plays for slow computers of a table; they aren't to think in several processes.
    think: Chooses the moves of slow computers (`bot.computer.is_slow`); ``None`` lets them choose here, like others.
    thought_s, tick_s: When moves of slow computers are shown; see `shown_after_s`.
    retry_s: The first delay after a database error; delays double up to a maximum.
    """

    def __init__(  # noqa: PLR0913 - each has a default
        self,
        tables: Tables,
        *,
        choose: Choose = computer.choose,
        think: Think | None = None,
        is_ours: Callable[[Table], bool] = lambda _: True,
        thought_s: float = THOUGHT_S,
        tick_s: float = TICK_S,
        retry_s: float = 1.0,
    ) -> None:
        self._tables = tables
        self._choose = choose
        self._think = think
        self._is_ours = is_ours
        self._thought_s = thought_s
        self._tick_s = tick_s
        self._listeners: list[Listener] = []
        self._standing_in: dict[tuple[int, Seat], asyncio.Task[None]] = {}
        self._retry_s = retry_s
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._woken: set[int] = set()
        self._slow: set[int] = set()
        self._taken: defaultdict[str, deque[_Taken]] = defaultdict(lambda: deque(maxlen=_RECENT))

    def on_thought(self, listener: Listener) -> None:
        """Call the listener after each move that a slow computer has chosen."""
        self._listeners.append(listener)

    def changed(self, receipt: Receipt) -> None:
        """Let computers move at the table, if they have seats there."""
        table = receipt.table
        if table.status == "playing" and any(sitter.is_computer for sitter in table.sitters):
            self._wake(table)

    async def resume(self, concerns: Callable[[Table], bool] = lambda _: True) -> None:
        """Let computers move at all tables that this concerns, after a start or when another process has ended."""
        for table in filter(concerns, await self._tables.lists.open_tables()):
            self.changed(Receipt(table, table.version))
            # One table at a time: thousands at once would block the database for everybody else.
            await self._wait(table.id, _RESUME_TIMEOUT_S)

    async def close(self) -> None:
        """Stop all tasks."""
        tasks = [*self._tasks.values(), *self._standing_in.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def settle(self, table_id: int, within_s: float) -> None:
        """Wait until no computer is to move at the table, with a timeout. Don't wait where slow computers play."""
        if table_id not in self._slow:
            await self._wait(table_id, within_s)

    async def _wait(self, table_id: int, within_s: float) -> None:
        if (task := self._tasks.get(table_id)) is not None:
            await asyncio.wait({task}, timeout=within_s)

    async def stand_in(self, table_id: int, seat: Seat, seen: int | None = None) -> None:
        """Play one turn for the absent user on this seat. A slow computer plays it later.

        Nothing is played if the seat or chance has moved since version ``seen``: that turn is over.
        """
        table = await self._tables.table(table_id)
        work = partial(self._stand_in, table_id, seat, table.version if seen is None else seen)
        if not self._is_slow(table, seat):
            await work()
        elif (table_id, seat) not in self._standing_in:
            task = asyncio.create_task(self._logged(table_id, work), name=f"stand-in at table {table_id}")
            self._standing_in[table_id, seat] = task
            task.add_done_callback(lambda _: self._standing_in.pop((table_id, seat)))

    async def _stand_in(self, table_id: int, seat: Seat, seen: int) -> bool:
        with contextlib.suppress(Stale, IllegalMove, NotAllowed):  # the user has just come back, or left for good
            await self._play(table_id, seat, seen, for_absent=True)
        return False

    def _wake(self, table: Table) -> None:
        table_id = table.id
        self._woken.add(table_id)
        if any(self._is_slow(table, sitter.seat) for sitter in table.sitters if sitter.is_computer):
            self._slow.add(table_id)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=f"computers at table {table_id}")

    async def _run(self, table_id: int) -> None:
        try:
            while table_id in self._woken:
                self._woken.discard(table_id)
                await self._logged(table_id, partial(self._move, table_id))
        finally:
            self._woken.discard(table_id)
            self._slow.discard(table_id)
            del self._tasks[table_id]

    async def _logged(self, table_id: int, move: Callable[[], Awaitable[bool]]) -> None:
        try:
            await self._keep_moving(table_id, move)
        except Exception:
            log.exception("table %s: computers stopped after an error", table_id)

    async def _keep_moving(self, table_id: int, move: Callable[[], Awaitable[bool]]) -> None:
        delay_s = self._retry_s
        while True:
            try:
                if not await move():
                    return
            except (Stale, NotAllowed):  # or the user has just taken the seat back
                log.debug("table %s: another player moved first; retrying", table_id)
            except (WrongPhase, DamagedTable):  # it has just ended
                return
            except StoreError as error:
                log.warning("table %s: computers retry in %s s: %s", table_id, delay_s, error)
                await asyncio.sleep(delay_s)
                delay_s = min(2 * delay_s, _MAX_RETRY_S)

    async def _move(self, table_id: int) -> bool:
        """Make one move of a computer, or the only one of the only person, if it is to play itself.

        Return false if none is to be made, or if it is another process' turn to think.
        """
        table = await self._tables.table(table_id)
        seat = next(iter(await self._tables.computers_turn(table)), None)
        if seat is None:
            return await self._tables.forced.play_at_once(table)
        if self._is_slow(table, seat) and not self._is_ours(table):
            return False
        await self._play(table_id, seat)
        return True

    async def _play(self, table_id: int, seat: Seat, seen: int | None = None, *, for_absent: bool = False) -> None:
        """Play one turn on the seat, unless the table has changed so that none is due."""
        sight = await self._tables.look_as_computer(table_id, seat, for_absent=for_absent)
        if sight.table.status == "playing" and seat in sight.observation.to_act:
            prescribed = computer.on_time_out(sight.table.game, sight.observation) if for_absent else None
            turn = await turn_of(self._tables, sight, seat)
            move, level = Choice(prescribed, None) if prescribed else await self._chosen(turn)
            chosen = None if level is None else Chosen(level, sight.table.plies)
            version = sight.table.version if seen is None else seen
            await self._tables.play_computer(table_id, seat, str(move), version, for_absent=for_absent, chosen=chosen)

    def _is_slow(self, table: Table, seat: Seat) -> bool:
        return self._think is not None and computer.is_slow(table.game, level_of(table, seat))

    async def _chosen(self, turn: Turn) -> Choice:
        table, level = turn.sight.table, turn.level
        if self._think is None or not self._is_slow(table, turn.seat):
            return self._pick(turn, level)
        clock = asyncio.get_running_loop().time
        begun = clock()
        cards, legal = len(getattr(turn.sight.observation, "hand", ())), turn.sight.observation.legal
        if len(legal) == 1:
            choice, is_found, taken_s = Choice(legal[0], level), True, self._drawn_s(table.game, cards)
        else:
            choice, is_found = await self._thought(turn, self._think)
            taken_s = clock() - begun
            self._taken[table.game].append(_Taken(cards, taken_s))
        due_s = shown_after_s(taken_s, self._thought_s, self._tick_s)
        await asyncio.sleep(begun + due_s - clock())
        outcome: ThoughtOutcome = "failed" if not is_found else "late" if due_s > self._thought_s else "in_time"
        for listener in self._listeners:
            listener(table.game, outcome)
        return choice

    async def _thought(self, turn: Turn, think: Think) -> tuple[Choice, bool]:
        """Return the choice of a slow computer, or that of a quick one, and whether it is the former."""
        try:
            return Choice(await think(turn), turn.level), True
        except NoThought as error:
            text = "table %s: the computer on seat %s plays by rules of thumb"
            log.log(severity(error), text, turn.sight.table.id, turn.seat, exc_info=True)
            return self._pick(turn, "fair"), False

    def _drawn_s(self, game_key: str, cards: int) -> float:
        """Return how long a forced move seems to take: as long as one of the last thoughts about as many cards.

        A forced move needs no thought. At another time than others, it would tell everybody that it was forced.
        """
        taken = self._taken[game_key]
        nearest = min((abs(each.cards - cards) for each in taken), default=0)
        fitting = [each.taken_s for each in taken if abs(each.cards - cards) == nearest]
        return secrets.choice(fitting) if fitting else 0.0

    def _pick(self, turn: Turn, level: str) -> Choice:
        """Return the computer's choice, or a random legal move if it fails, so that a bug doesn't block the table."""
        table, observation, seat = turn.sight.table, turn.sight.observation, turn.seat
        rng = random.Random(turn.seed)  # noqa: S311 - its seed is secret, and different for each choice
        try:
            move = self._choose(table.game, observation, rng, level)
        except Exception:
            log.exception("table %s: the computer on seat %s failed to choose; it plays at random", table.id, seat)
            return Choice(rng.choice(observation.legal), None)
        if move not in observation.legal:
            log.error("table %s: the computer on seat %s chose an illegal move", table.id, seat)
            return Choice(rng.choice(observation.legal), None)
        return Choice(move, level)


def shown_after_s(taken_s: float, first_s: float, tick_s: float) -> float:
    """Return when a move is shown that took this long to choose, so that the time says nothing about hidden cards."""
    return first_s + max(0, math.ceil((taken_s - first_s) / tick_s)) * tick_s
