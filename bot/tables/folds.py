"""Folds of logs and what follows from them: transcripts, which stale moves are valid; and caches of folds."""

import contextlib
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from bot.errors import InvalidMove, TranscriptError
from bot.games.game import CHANCE, COUNTED, AnyGame, Entry, Event, Move, Observation, Seat, Step
from bot.games.typed import letters_of
from bot.records.table import Log, Table
from bot.transcript import Fairness, Transcript

KEPT_EVENTS: Final = 100
"""How many recent public events a fold keeps: more than there are in a lap of any game, and in a few by computers."""
_MAX_QUOTED: Final = 40
"""Maximum characters of an unreadable move that its refusal quotes."""


class StandIn(NamedTuple):
    """A computer that played for the absent user of a seat."""

    seat: Seat
    name: str


class Itself(NamedTuple):
    """The only move of a seat, which played itself."""

    seat: Seat


PlayedBy = StandIn | Itself | None
"""Who made a move, unless the player or the computer on the seat did."""


def stand_in(entry: Entry, name: str | None) -> StandIn | None:
    """Return the computer with this name that made an entry for an absent user, if one did."""
    return None if name is None or entry.seat is CHANCE else StandIn(entry.seat, name)


def _played_by(entry: Entry, name: str | None, *, is_automatic: bool) -> PlayedBy:
    return Itself(entry.seat) if is_automatic and entry.seat is not CHANCE else stand_in(entry, name)


class Progress(NamedTuple):
    """Entries that aren't written yet, with their state and public events; ``freely_undone_by`` as in `Fold`.

    ``stand_in`` is the name of the computer that makes the first one for an absent user. ``automatic`` are those that
    played themselves, counted from 0. ``later`` tells of the last events who made them: those that followed the first
    entry.
    """

    state: Any
    entries: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    freely_undone_by: Seat | None = None
    stand_in: str | None = None
    automatic: frozenset[int] = frozenset()
    later: tuple[PlayedBy, ...] = ()

    def automatically(self, is_automatic: bool) -> "Progress":  # noqa: FBT001 - the name says what it is
        """Return the progress, with a first entry that plays itself if it ``is_automatic``."""
        return self._replace(automatic=frozenset({0}), freely_undone_by=None) if is_automatic else self

    def then(self, state: Any, entries: Sequence[Entry], events: Sequence[Event], by: PlayedBy = None) -> "Progress":
        """Return the progress with entries that follow without a choice: of chance, or a card that plays itself."""
        added = frozenset([len(self.entries)]) if by is not None else frozenset[int]()
        return self._replace(
            state=state,
            entries=(*self.entries, *entries),
            events=(*self.events, *events),
            freely_undone_by=None,
            automatic=self.automatic | added,
            later=(*self.later, *(by for _ in events)),
        )


@dataclass(frozen=True, slots=True)
class Fold:
    """A table's state at a version, its entries and its last public events.

    The state and the entries are secret, so the ``repr`` doesn't show them. ``freely_undone_by`` is the seat of the
    last entry, if that revealed nothing and its own player made it: they may take it back without asking. ``undone_at``
    is as in `bot.tables.Table`. ``stand_ins`` and ``automatic`` are as in `Log`. ``played_by`` says who made each of
    the ``events``.
    """

    version: int
    state: Any = field(repr=False)
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    events: tuple[Event, ...] = ()
    freely_undone_by: Seat | None = None
    undone_at: int = 0
    stand_ins: Mapping[int, str] = field(default_factory=dict)
    automatic: frozenset[int] = frozenset()
    played_by: tuple[PlayedBy, ...] = ()
    undoable: dict[int, bool] = field(default_factory=dict, repr=False, compare=False)
    """Whether the last move of a user may be undone if the others agree: a cache of `bot.tables.undo.can_undo`."""
    before_deal: dict[int, "Fold"] = field(default_factory=dict, repr=False, compare=False)
    """Folds of the first so many entries: a cache of `bot.tables.between_deals.before_deal`."""
    _observations: dict[Seat | None, Observation] = field(default_factory=dict, repr=False, compare=False)

    def observation(self, game: AnyGame, seat: Seat | None) -> Observation:
        """Return the observation of the seat, or the public. It is cached, as several messages show it."""
        if seat not in self._observations:
            self._observations[seat] = game.observe(self.state, seat)
        return self._observations[seat]

    def after(self, progress: Progress) -> "Fold":
        """Return the fold after this progress. Its version is known when that is written."""
        events = (*self.events, *progress.events)[-KEPT_EVENTS:]
        plies, stand_ins, by = len(self.entries), self.stand_ins, None
        if progress.entries:
            by = _played_by(progress.entries[0], progress.stand_in, is_automatic=0 in progress.automatic)
        if progress.stand_in is not None:
            stand_ins = {**stand_ins, plies: progress.stand_in}
        first = len(progress.events) - len(progress.later)
        return Fold(
            version=self.version,
            state=progress.state,
            entries=self.entries + progress.entries,
            events=events,
            freely_undone_by=progress.freely_undone_by,
            undone_at=self.undone_at,
            stand_ins=stand_ins,
            automatic=self.automatic.union(plies + at for at in progress.automatic),
            played_by=(*self.played_by, *(by for _ in range(first)), *progress.later)[-KEPT_EVENTS:],
        )

    def log(self, table: Table, plies: int) -> Log:
        """Return the log of the table with the first entries alone."""
        stand_ins = {at: name for at, name in self.stand_ins.items() if at < plies}
        automatic = frozenset([at for at in self.automatic if at < plies])
        return Log(table, self.entries[:plies], stand_ins, automatic=automatic)

    def is_fresh(self, seen: int | None, seat: Seat) -> bool:
        """Return whether neither chance nor the seat has written since version ``seen``; ``None`` means now.

        Other seats may have moved at the same time (G-02). Since the last undo, each version has at most one entry
        more, so at most ``version - seen`` entries are new. Versions before that are never fresh.
        """
        return seen is None or self.fresh_since(seat) <= seen <= self.version

    def fresh_since(self, seat: Seat) -> int:
        """Return the oldest version that `is_fresh` for the seat."""
        since = self.version
        for entry in reversed(self.entries):
            if entry.seat in {CHANCE, seat}:
                return max(self.undone_at, since)
            since -= 1
        return self.undone_at

    @property
    def dealt(self) -> int:
        """The number of chance entries."""
        return sum(entry.seat is CHANCE for entry in self.entries)


def fold(game: AnyGame, log: Log) -> Fold:
    """Fold a log. Raises `TranscriptError` if an entry is illegal."""
    state = game.start(log.table.options)
    events: deque[Event] = deque(maxlen=KEPT_EVENTS)
    played_by: deque[PlayedBy] = deque(maxlen=KEPT_EVENTS)
    seen: tuple[Event, ...] = ()
    for number, (entry, step) in enumerate(zip(log.entries, _steps(game, log), strict=True)):
        state, seen = step
        events.extend(seen)
        by = _played_by(entry, log.stand_ins.get(number), is_automatic=number in log.automatic)
        played_by.extend([by] * len(seen))
    last = log.entries[-1].seat if log.entries else CHANCE
    is_own = len(log.entries) - 1 not in {*log.stand_ins, *log.automatic}
    return Fold(
        version=log.table.version,
        state=state,
        entries=log.entries,
        events=tuple(events),
        freely_undone_by=last if is_own and not game.reveals(seen) else None,
        undone_at=log.table.undone_at,
        stand_ins=log.stand_ins,
        automatic=log.automatic,
        played_by=tuple(played_by),
    )


def _steps(game: AnyGame, log: Log) -> Iterator[Step[Any]]:
    try:
        yield from game.steps(log.table.options, log.entries)
    except TranscriptError as error:
        raise TranscriptError(f"table {log.table.id}, {error.where}", error.why) from None


def read(game: AnyGame, text: str, legal: Sequence[Move], card_verb: str = "play") -> Move:
    """Parse a move, in notation or as people type it. Raises `InvalidMove` with what was typed, and an example.

    ``card QS`` means the move of that card with the verb that cards have now. A legal move with the same letters and
    digits is what was meant: suggesting it would look like what was typed.
    """
    if text.startswith("card "):
        text = f"{card_verb} {text.removeprefix('card ')}"
    with contextlib.suppress(InvalidMove):
        return game.parse(text)
    tidied = game.tidy(text)
    try:
        return game.parse(tidied)
    except InvalidMove as error:
        if not legal:
            raise
        if meant := next((move for move in legal if letters_of(str(move)) == letters_of(tidied)), None):
            return meant
        typed = {"text": text[:_MAX_QUOTED]} if "text" in error.values else {}
        why = InvalidMove(error.template, None, **error.values | typed)
        raise InvalidMove("{why} You could play: {example}.", error.ruling, why=why, example=str(legal[0])) from None


def transcript_of(written: Log, game: AnyGame) -> Transcript:
    """Return a table's log as a transcript."""
    table = written.table
    return Transcript(
        game=game,
        rules=table.rules,
        options=table.options,
        seats=table.names,
        entries=written.entries,
        outcome=table.outcome,
        fairness=None if table.continues else Fairness(table.commitment, table.seed, table.cuts),
        ended=table.ended,
        standing=game.stopped(game.fold(table.options, written.entries), COUNTED) if table.ended == COUNTED else None,
        notes=_notes(written),
    )


def _notes(written: Log) -> dict[int, str]:
    """Return notes on facts outside the rules, by entry. A hint belongs to the entry that followed it."""
    notes = {ply: [f"The computer {name} played for an absent player."] for ply, name in written.stand_ins.items()}
    if written.table.continues is not None:
        name, count = written.table.continues
        notes.setdefault(0, []).append(f"The first {count} entries were played at Table {name}.")
    if written.table.event is not None:
        name, deal = written.table.event
        notes[0] = [f"event {name}, deal {deal}", *notes.get(0, ())]
    last = len(written.entries) - 1
    for ply, seat in written.hints:
        notes.setdefault(min(ply, last), []).append(f"A hint was shown to the player in seat {seat + 1}.")
    return {ply: " ".join(texts) for ply, texts in notes.items()}


class _Versioned(Protocol):
    @property
    def version(self) -> int: ...


V = TypeVar("V", bound=_Versioned)


class VersionCache(Generic[V]):
    """A cache of the latest versions, for the most recently used tables."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._cached: OrderedDict[int, V] = OrderedDict()

    def latest(self, table_id: int) -> V | None:
        """Return what is cached of the table."""
        if table_id in self._cached:
            self._cached.move_to_end(table_id)
        return self._cached.get(table_id)

    def put(self, table_id: int, value: V) -> None:
        """Cache this, unless something newer is cached."""
        cached = self._cached.get(table_id)
        if cached is None or cached.version <= value.version:
            self._cached[table_id] = value
        self._cached.move_to_end(table_id)
        if len(self._cached) > self._size:
            self._cached.popitem(last=False)
