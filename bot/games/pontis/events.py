"""The events of Pontis, and the scores of a finished game."""

from dataclasses import dataclass
from typing import NamedTuple

from bot.games.cards import Card
from bot.games.game import Event, Seat
from bot.games.pontis.bridges import Required


class Score(NamedTuple):
    """The points of one side in one game (T-12)."""

    cards: int
    """Cards in the side's banks, including foundations. On a bank shared without teams, the cards the seat played."""
    suit_points: int
    bonus: int
    """4 for going out, else 0."""
    penalty: int
    """-2 for the first miss of a game that got stuck, else 0."""
    calls: int
    """Points won and lost by liar calls."""

    @property
    def total(self) -> int:
        """The sum of all points."""
        return sum(self)


class Result(NamedTuple):
    """The end of a game: ``out``, ``complete_curdle`` or ``stuck``, and the score of each side."""

    reason: str
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class FoundationsLaid(Event):
    """Each bank got a card face down. Their suit is public (PT-04)."""

    suit: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Hands were dealt. ``hand`` is their size, and ``rest`` cards stay out of play (PT-06)."""

    dealer: Seat
    hand: int
    rest: int


@dataclass(frozen=True, slots=True)
class FoundationTurned(Event):
    """A foundation was turned up at the start of the bank's first turn (PT-07, PT-08)."""

    seat: Seat
    bank: int
    card: Card


@dataclass(frozen=True, slots=True)
class Bridged(Event):
    """The seat played a bridge of one card, or of two; the last is on top.

    ``asked`` is the arithmetic of the tops (``9 − 4 = 5``). ``made`` is the arithmetic of two cards (``13 − 9 = 4``),
    empty for one card.
    """

    seat: Seat
    bank: int
    cards: tuple[Card, ...]
    asked: tuple[str, ...]
    made: tuple[str, ...]
    suit_point: bool


@dataclass(frozen=True, slots=True)
class Missed(Event):
    """The seat played no single bridge: it had none or, with fakes, claims so."""

    seat: Seat
    bank: int
    required: Required


@dataclass(frozen=True, slots=True)
class SumAbility(Event):
    """The seat has the sum ability now. ``after`` passed it on, or is ``None`` if this seat is the first."""

    seat: Seat
    after: Seat | None = None


@dataclass(frozen=True, slots=True)
class AbilityPassed(Event):
    """The seat couldn't use the sum ability, or declined."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Curdle(Event):
    """Neighbouring banks show equal values. The curdle is ``complete`` if all banks do."""

    banks: tuple[int, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class LiarCalled(Event):
    """A liar call. If it is right, the caller wins ``points`` and the accused loses them; else the caller does."""

    caller: Seat
    accused: Seat
    right: bool
    points: int


@dataclass(frozen=True, slots=True)
class GameScored(Event):
    """A game ended. ``game`` counts from 0; ``result.scores`` and ``totals`` (of all games so far) are by side."""

    game: int
    result: Result
    totals: tuple[int, ...]
