"""The moves of Pond, of seats and of chance, with their texts, and the events they lead to."""

from dataclasses import dataclass
from typing import Final, Literal

from bot.errors import InvalidMove
from bot.games.cards import JOKER, PACK, Card, Dealer, Play, join, split
from bot.games.game import RESIGN, Event, Move, Seat
from bot.games.pond.scoring import RoundScore

Cards = tuple[Card, ...]
Hand = Cards
"""Cards sorted as text."""

MOST_SEATS: Final = 4

# ---- moves of a seat


@dataclass(frozen=True, slots=True)
class Profit(Move):
    """Set one of the eleven cards aside. It stands for the profit group (PC-12)."""

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
    """Open no trap, as the starter (PC-18)."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Award(Move):
    """Name the tied seat that takes the trick, as the leader (PC-23, PC-24)."""

    seat: Seat

    def __str__(self) -> str:
        return f"award {self.seat}"


# ---- moves of chance


@dataclass(frozen=True, slots=True)
class Poison(Move):
    """Chance turns cards for poison: a group a seat, clockwise from the dealer (P-01)."""

    groups: tuple[Cards, ...]

    def __str__(self) -> str:
        return f"poison {'/'.join(map(join, self.groups))}"


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Chance deals each seat, from seat 0, eleven cards to look at and five hidden ones (PC-08)."""

    hands: tuple[tuple[Cards, Cards], ...]

    def __str__(self) -> str:
        return f"deal {'/'.join(f'{join(seen)}+{join(hidden)}' for seen, hidden in self.hands)}"


# ---- text

PASS: Final = Pass()
_MOVES: Final[dict[str, Move]] = {
    str(move): move
    for move in (
        RESIGN,
        PASS,
        *map(Award, range(MOST_SEATS)),
        *map(Dealer, range(MOST_SEATS)),
        *(kind(card) for kind in (Profit, Bait, Trap, Play) for card in PACK),
    )
}


def parse(text: str) -> Move:
    """Return the move with exactly this text (G-04). Raises `InvalidMove`."""
    move = _MOVES.get(text) or _parse_chance(text)
    if move is None:
        raise InvalidMove("“{text}” isn't a move in Pond · cards.", "G-04", text=text)
    return move


def _parse_chance(text: str) -> Move | None:
    word, _, rest = text.partition(" ")
    groups = [_parts(group) for group in rest.split("/")]
    sizes = {*map(len, groups)}
    if word == "poison" and sizes == {1}:
        return Poison(tuple([turned for (turned,) in groups]))
    if word == "deal" and sizes == {2}:
        return Deal(tuple([(seen, hidden) for seen, hidden in groups]))
    return None


def _parts(group: str) -> list[Cards]:
    """Return the parts of a group; none if any of them has no cards, or a joker."""
    parts = [split(part) or () for part in group.split("+")]
    return parts if all(cards and JOKER not in cards for cards in parts) else []


# ---- events


@dataclass(frozen=True, slots=True)
class PoisonTurned(Event):
    """A round began. ``round`` counts from 0; ``turned`` are the cards that each seat turned, its marker last."""

    round: int
    dealer: Seat
    turned: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Every seat has eleven cards to look at and five face down."""


@dataclass(frozen=True, slots=True)
class Misdealt(Event):
    """These seats had only 4s and face cards, so all cards are dealt again (PC-10)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ProfitChosen(Event):
    """The seat has set a card aside."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandsPickedUp(Event):
    """All seats have chosen their profit and picked up the hidden five."""


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
"""Why a seat takes a trick: the best card, the first of the tied, or the leader's decision."""


@dataclass(frozen=True, slots=True)
class TieToDecide(Event):
    """The best cards are equal: the leader names which of the tied seats takes the trick."""

    leader: Seat
    tied: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """The seat took the trick and the pond, ``cards`` in all."""

    seat: Seat
    cards: int
    how: How


@dataclass(frozen=True, slots=True)
class RoundScored(Event):
    """A round is over and revealed. ``round`` counts from 0; ``totals`` are the totals of each seat's side."""

    round: int
    score: RoundScore
    totals: tuple[int, ...]
