"""The contents of a transcript."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.errors import TranscriptError
from bot.games.game import AnyGame, Ended, Entry, Outcome, Value

FORMAT: Final = "transcript/1"


@dataclass(frozen=True, slots=True)
class Fairness:
    """The data needed to verify the deals of a table (G-12).

    Commitment and seed are 64 hex digits; the seed is ``None`` until the table is over. There is one cut per seat.
    """

    commitment: str
    seed: str | None
    cuts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A table's log and its result. ``options`` are settled; ``seats`` are the players' names.

    ``legal`` has the legal moves before the entry of that number, if the transcript lists them. ``malformed`` is the
    error for the first malformed entry, or a malformed outcome: ``entries`` ends before it, so that errors are reported
    in the order of the file. ``ended`` says how the table ended outside the rules; then there is no outcome. A
    malformed ``fairness`` matters only to `verify`. ``rules`` replaces the rules number of ``game``.
    ``notes`` say what isn't part of the rules, by the number of an entry.
    """

    game: AnyGame
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    entries: tuple[Entry, ...]
    outcome: Outcome | None
    fairness: Fairness | TranscriptError | None = None
    legal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    malformed: TranscriptError | None = None
    ended: Ended | None = None
    rules: int | None = None
    notes: Mapping[int, str] = field(default_factory=dict)
