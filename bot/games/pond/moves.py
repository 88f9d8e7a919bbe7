"""Pond's moves and their texts, and its events."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeVar

from bot.errors import InvalidMove
from bot.games.card_table import DEALERS, PLAYS
from bot.games.cards import PACK, Card, join, split
from bot.games.game import RESIGN, Event, Move, Outcome, Seat
from bot.games.pond.scoring import RoundScore

Cards = tuple[Card, ...]
Hand = Cards
"""Cards sorted as text."""

MOST_SEATS: Final = 4

# ---- what a seat writes


@dataclass(frozen=True, slots=True)
class Profit(Move):
    """Set a card of the eleven aside: it tells the profit group (PC-12)."""

    card: Card

    def __str__(self) -> str:
        return f"profit {self.card}"


@dataclass(frozen=True, slots=True)
class Bait(Move):
    """Add a card to the pond, face up (PC-17)."""

    card: Card

    def __str__(self) -> str:
        return f"bait {self.card}"


@dataclass(frozen=True, slots=True)
class Trap(Move):
    """Add a second card to the pond, face down (PC-18)."""

    card: Card

    def __str__(self) -> str:
        return f"trap {self.card}"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """The starter opens no trap (PC-18)."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Award(Move):
    """The leader names the tied seat that takes the trick (PC-23, PC-24)."""

    seat: Seat

    def __str__(self) -> str:
        return f"award {self.seat}"


# ---- what chance writes


@dataclass(frozen=True, slots=True)
class Poison(Move):
    """The cards turned for poison, group by group clockwise from the dealer (P-01)."""

    groups: tuple[Cards, ...]

    def __str__(self) -> str:
        return f"poison {'/'.join(map(join, self.groups))}"


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """The cards dealt to each seat from seat 0: eleven that its owner sees, five that nobody sees yet (PC-08)."""

    hands: tuple[tuple[Cards, Cards], ...]

    def __str__(self) -> str:
        return f"deal {'/'.join(f'{join(seen)}+{join(hidden)}' for seen, hidden in self.hands)}"


# ---- the moves by card or seat, made once

PASS: Final = Pass()
PROFITS: Final = {card: Profit(card) for card in PACK}
BAITS: Final = {card: Bait(card) for card in PACK}
TRAPS: Final = {card: Trap(card) for card in PACK}
AWARDS: Final = tuple(Award(seat) for seat in range(MOST_SEATS))

_BY_TEXT: Final[dict[str, Move]] = {
    str(move): move
    for move in (
        RESIGN,
        PASS,
        *AWARDS,
        *DEALERS[:MOST_SEATS],
        *(table[card] for table in (PROFITS, BAITS, TRAPS, PLAYS) for card in PACK),
    )
}
_SUITED: Final = frozenset(PACK)
T = TypeVar("T")


def parse(text: str) -> Move:
    """The move whose text this is, to the letter. Raises `InvalidMove`."""
    move = _BY_TEXT.get(text) or _parse_chance(text)
    if move is None:
        raise InvalidMove(f"“{text}” is no move of Pond · cards.", "G-04")
    return move


def _parse_chance(text: str) -> Move | None:
    word, _, rest = text.partition(" ")
    if word == "poison":
        turned = _groups(rest, _cards)
        return None if turned is None else Poison(turned)
    if word == "deal":
        hands = _groups(rest, _dealt)
        return None if hands is None else Deal(hands)
    return None


def _groups(text: str, read: Callable[[str], T | None]) -> tuple[T, ...] | None:
    groups = tuple(group for part in text.split("/") if (group := read(part)) is not None)
    return groups if len(groups) == text.count("/") + 1 else None


def _cards(text: str) -> Cards | None:
    cards = split(text)
    return cards if cards and _SUITED.issuperset(cards) else None


def _dealt(text: str) -> tuple[Cards, Cards] | None:
    seen, _, hidden = text.partition("+")
    eleven, five = _cards(seen), _cards(hidden)
    return (eleven, five) if eleven and five else None


# ---- events


@dataclass(frozen=True, slots=True)
class PoisonTurned(Event):
    """A round began: its number from 0, its dealer, and the cards that each seat turned, its marker last."""

    round: int
    dealer: Seat
    turned: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Everybody has eleven cards to look at and five face down."""


@dataclass(frozen=True, slots=True)
class Misdealt(Event):
    """These seats had nothing but 4s and face cards; all cards are dealt anew (PC-10)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ProfitChosen(Event):
    """The seat has set a card aside."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandsPickedUp(Event):
    """All have chosen, and everybody has picked up the hidden five."""


@dataclass(frozen=True, slots=True)
class BaitLaid(Event):
    """The seat added a bait to the pond."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrapLaid(Event):
    """The seat added a trap card to the pond, face down."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrapDeclined(Event):
    """The starter opened no trap."""

    seat: Seat


How = Literal["best", "first", "awarded"]


@dataclass(frozen=True, slots=True)
class TieToDecide(Event):
    """The best cards are equal: the leader names which of the tied seats takes the trick."""

    leader: Seat
    tied: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """The seat took trick and pond, so many cards together: with the best card, as the first of the tied, or because
    the leader named it.
    """

    seat: Seat
    cards: int
    how: How


@dataclass(frozen=True, slots=True)
class RoundScored(Event):
    """A round (its number from 0) is over and all of it is revealed; ``totals`` are those of the sides, by seat."""

    round: int
    score: RoundScore
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The last round is scored."""

    outcome: Outcome


# ---- what happens most often, made once: all the events of a step

_SEATS: Final = range(MOST_SEATS)
PROFIT_CHOSEN: Final = tuple((ProfitChosen(seat),) for seat in _SEATS)
BAIT_LAID: Final = tuple({card: (BaitLaid(seat, card),) for card in PACK} for seat in _SEATS)
TRAP_LAID: Final = tuple((TrapLaid(seat),) for seat in _SEATS)
TRAP_DECLINED: Final = tuple((TrapDeclined(seat),) for seat in _SEATS)


@cache
def trick_taken(seat: Seat, cards: int, how: How) -> tuple[TrickTaken]:
    """The seat took so many cards."""
    return (TrickTaken(seat, cards, how),)
