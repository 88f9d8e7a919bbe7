"""What a table's log folds to, how a wish becomes the next step, and which old presses are still good."""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from bot.errors import InvalidMove, PlayError, TranscriptError
from bot.games.game import CHANCE, AnyGame, Entry, Event, Move, Observation, Seat, Shuffle
from bot.store.records import Log

KEPT_EVENTS: Final = 40
"""How many of the last events are kept to be shown."""


class Progress(NamedTuple):
    """Entries, not yet written, with the state they lead to and what everybody sees happen; ``free`` as in `Fold`."""

    state: Any
    entries: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    free: Seat | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """A table's state at a version, with the entries that led there and the last public events.

    The state holds secrets: it is never part of the text of a fold. ``free`` is the seat that wrote the last entry, if
    that entry revealed nothing: it may take it back without asking. ``undone_at`` is as in `bot.tables.Table`.
    """

    version: int
    state: Any = field(repr=False)
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    events: tuple[Event, ...] = ()
    free: Seat | None = None
    undone_at: int = 0
    _observations: dict[Seat | None, Observation] = field(default_factory=dict, repr=False, compare=False)

    def observation(self, game: AnyGame, seat: Seat | None) -> Observation:
        """What the seat, or the public, can know; made once, as a move is shown in several places."""
        if seat not in self._observations:
            self._observations[seat] = game.observe(self.state, seat)
        return self._observations[seat]

    def after(self, progress: Progress, version: int, undone_at: int) -> "Fold":
        """The fold once this progress is written, at that version."""
        events = (*self.events, *progress.events)[-KEPT_EVENTS:]
        return Fold(version, progress.state, self.entries + progress.entries, events, progress.free, undone_at)

    def is_fresh(self, seen: int | None, seat: Seat) -> bool:
        """Whether what the seat saw at version ``seen`` still holds: since then neither chance nor the seat itself has
        written anything; others may have acted at the same time (G-02). ``None`` means now.

        Since entries were taken back last a version is at most one entry more, so the last ``version - seen`` entries
        are all that can be new; what was seen before that holds no more.
        """
        if seen is None or seen == self.version:
            return True
        if seen < self.undone_at:
            return False
        missed = self.entries[max(0, len(self.entries) - (self.version - seen)) :]
        return seen < self.version and all(entry.seat not in {CHANCE, seat} for entry in missed)

    @property
    def dealt(self) -> int:
        """How many chance entries there are."""
        return sum(entry.seat is CHANCE for entry in self.entries)


def fold(game: AnyGame, log: Log) -> Fold:
    """Folds a whole log. Raises `bot.errors.TranscriptError` if an entry is illegal."""
    state = game.start(log.table.options)
    events: deque[Event] = deque(maxlen=KEPT_EVENTS)
    seen: tuple[Event, ...] = ()
    for number, entry in enumerate(log.entries):
        try:
            state, seen = game.apply(state, entry.seat, game.parse(entry.move))
        except PlayError as fault:
            raise TranscriptError(f"table {log.table.id}, entry {number}", fault.sentence) from None
        events.extend(seen)
    last = log.entries[-1].seat if log.entries else CHANCE
    free = None if game.reveals(seen) else last
    return Fold(log.table.version, state, log.entries, tuple(events), free, log.table.undone_at)


def read(game: AnyGame, text: str, legal: Sequence[Move]) -> Move:
    """The move a text means: to the letter, else as people type it. Raises `InvalidMove` with an example."""
    try:
        return game.parse(text)
    except InvalidMove:
        pass
    try:
        return game.parse(game.tidy(text))
    except InvalidMove as refusal:
        example = f" You could play: {legal[0]}." if legal else ""
        raise InvalidMove(refusal.sentence + example) from None


def with_chance(game: AnyGame, progress: Progress, dealt: int, shuffle_of: Callable[[int], Shuffle]) -> Progress:
    """The progress and the chance that follows it, which reveals; ``dealt`` counts the chance entries there are."""
    state, entries, events = game.run_chance(progress.state, dealt, shuffle_of)
    return Progress(state, (*progress.entries, *entries), (*progress.events, *events))


class Versioned(Protocol):
    """Something of a table, as it is at one version of the table."""

    @property
    def version(self) -> int:
        """The version."""


V = TypeVar("V", bound=Versioned)


class Newest(Generic[V]):
    """What the tables used last came to. What isn't kept is made again: it is a memory, never the truth."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[int, V] = OrderedDict()

    def at(self, table_id: int, version: int) -> V | None:
        """What is kept of the table, if it is of this very version."""
        kept = self._kept.get(table_id)
        if kept is None or kept.version != version:
            return None
        self._kept.move_to_end(table_id)
        return kept

    def keep(self, table_id: int, newest: V) -> None:
        """Keeps this of the table, unless something newer is kept."""
        kept = self._kept.get(table_id)
        if kept is None or kept.version <= newest.version:
            self._kept[table_id] = newest
        self._kept.move_to_end(table_id)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
