"""What everybody at a table of Pontis sees happen, and how a game is scored."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.games.cards import Card
from bot.games.game import Event, Outcome, Seat
from bot.games.pontis.bridges import Required


class Score(NamedTuple):
    """What one side has from one game (T-12)."""

    cards: int
    """Cards in the side's banks, foundations included; on a bank shared without teams the cards the seat played."""
    suit_points: int
    bonus: int
    """4 for going out, else 0."""
    penalty: int
    """-2 for the first miss of a game that got stuck, else 0."""
    calls: int
    """Points of liar calls, made and suffered."""

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self)


class Result(NamedTuple):
    """A finished game: ``out``, ``complete_curdle`` or ``stuck``, and the score of each side."""

    reason: str
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class FoundationsLaid(Event):
    """One card face down to each bank; their suit is announced (PT-04)."""

    suit: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """The hands were dealt; ``rest`` cards stay out of play (PT-06)."""

    dealer: Seat
    hand: int
    rest: int


@dataclass(frozen=True, slots=True)
class FoundationTurned(Event):
    """A bank's first card was turned up, at the start of its first turn."""

    seat: Seat
    bank: int
    card: Card


@dataclass(slots=True, unsafe_hash=True)  # nearly every entry makes one; frozen, that would take four times as long
class Bridged(Event):
    """A bridge was played, of one card or of two (the last on top).

    ``asked`` is the arithmetic of the tops (``9 − 4 = 5``), ``made`` that of two cards (``13 − 9 = 4``, else empty).
    """

    seat: Final[Seat]
    bank: Final[int]
    cards: Final[tuple[Card, ...]]
    asked: Final[tuple[str, ...]]
    made: Final[tuple[str, ...]]
    suit_point: Final[bool]


@dataclass(frozen=True, slots=True)
class Missed(Event):
    """No single bridge was played, for want of one or (with fakes) so it is said."""

    seat: Seat
    bank: int
    required: Required


@dataclass(frozen=True, slots=True)
class SumAbility(Event):
    """The sum ability came to this seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AbilityPassed(Event):
    """The seat could not use the sum ability, or did not want to."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Curdle(Event):
    """Neighbouring banks show equal values; ``complete`` if all banks do."""

    banks: tuple[int, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class LiarCalled(Event):
    """A call: right, the caller gains ``points`` and the accused loses them; wrong, the caller loses them."""

    caller: Seat
    accused: Seat
    right: bool
    points: int


@dataclass(frozen=True, slots=True)
class GameScored(Event):
    """A game ended; ``game`` counts from 0. ``result.scores`` and ``totals`` (over all games so far) are by side."""

    game: int
    result: Result
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchOver(Event):
    """The last game is scored."""

    outcome: Outcome
