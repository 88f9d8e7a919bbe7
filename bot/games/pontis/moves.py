"""The moves of Pontis, of seats and of chance, with their texts, the events they lead to, and scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.errors import InvalidMove
from bot.games.cards import ALL_CARDS, JOKER, Card, Dealer, Play, join, split
from bot.games.game import RESIGN, Event, Move, Seat
from bot.games.pontis.bridges import Required

MOST_SEATS: Final = 13
"""The maximum number of players."""


@dataclass(frozen=True, slots=True)
class Sum(Move):
    """Bridge with two cards by the sum ability. The second ends on top (PT-13)."""

    under: Card
    top: Card

    def __str__(self) -> str:
        return f"sum {self.under} {self.top}"


@dataclass(frozen=True, slots=True)
class Miss(Move):
    """Play no bridge. Only written where misses may be faked (PT-24)."""

    def __str__(self) -> str:
        return "miss"


@dataclass(frozen=True, slots=True)
class Decline(Move):
    """Pass the sum ability on. Only written where misses may be faked (PT-19)."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Liar(Move):
    """Claim that the last play of a seat proves an earlier miss a lie (PT-25)."""

    seat: Seat

    def __str__(self) -> str:
        return f"liar {self.seat}"


@dataclass(frozen=True, slots=True)
class Foundations(Move):
    """Chance lays a card face down on each bank, from bank 0."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"foundations {'/'.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Chance deals a hand to each seat, from seat 0. ``rest`` stays out of play."""

    hands: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]

    def __str__(self) -> str:
        return f"deal {'/'.join(map(join, (*self.hands, self.rest)))}"


MISS: Final = Miss()
DECLINE: Final = Decline()
_MOVES: Final[dict[str, Move]] = {
    str(move): move
    for move in (
        MISS,
        DECLINE,
        RESIGN,
        *map(Play, ALL_CARDS),
        *map(Liar, range(MOST_SEATS)),
        *map(Dealer, range(MOST_SEATS)),
    )
}


def cards_of(move: Move) -> tuple[Card, ...]:
    """Return the cards that a move plays, the one on top last."""
    match move:
        case Play(card):
            return (card,)
        case Sum(under, top):
            return (under, top)
        case _:
            return ()


def playable(legal: Iterable[Move]) -> set[Card]:
    """Return the cards that the moves play."""
    return {card for move in legal for card in cards_of(move)}


def parse(text: str) -> Move:
    """Return the move with exactly this text (G-04). Raises `InvalidMove`."""
    move = _MOVES.get(text) or _parse_sum(text) or _parse_deal(text)
    if move is None:
        raise InvalidMove("“{text}” isn't a move in Pontis. Try “play 5H” or “sum KS 9D”.", text=text[:40])
    return move


def _parse_sum(text: str) -> Sum | None:
    match text.split(" "):
        case ["sum", under, top] if {under, top} <= ALL_CARDS and (under != top or under == JOKER):
            return Sum(Card(under), Card(top))
        case _:
            return None


def _parse_deal(text: str) -> Move | None:
    word, _, listed = text.partition(" ")
    groups = [split(group) for group in listed.split("/")]
    known = [group for group in groups if group is not None]
    if len(known) < len(groups) or len(known) < 2:
        return None
    if word == "deal":
        return Deal(tuple(known[:-1]), known[-1])
    if word == "foundations" and {*map(len, known)} == {1}:
        return Foundations(tuple([card for (card,) in known]))
    return None


# ---- scores and events


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
