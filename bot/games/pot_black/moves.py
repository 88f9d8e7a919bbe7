"""The moves of Pot Black, of seats and of chance, with their texts, and the events they lead to."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.errors import InvalidMove
from bot.games import cards
from bot.games.cards import PACK, Card, Dealer, Play
from bot.games.game import RESIGN, Event, Move, Seat


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Chance deals a hand to each seat in play, from the lowest (K-04)."""

    hands: tuple[tuple[Card, ...], ...]

    def __str__(self) -> str:
        return f"deal {'/'.join(map(cards.join, self.hands))}"


_MOVES: Final[dict[str, Move]] = {str(move): move for move in (*map(Play, PACK), *map(Dealer, range(4)), RESIGN)}


def parse(text: str) -> Move:
    """Return the move with exactly this text (G-04). Raises `InvalidMove`."""
    if move := _MOVES.get(text):
        return move
    word, _, groups = text.partition(" ")
    hands = [cards.split(group) for group in groups.split("/")]
    if word != "deal" or not all(hands):
        raise InvalidMove("“{text}” isn't a move. Name a card, such as 10H or QS.", text=text)
    return Deal(tuple(hand for hand in hands if hand))


def tidy(text: str) -> str:
    """Read cards as people write them. A card alone means to play it."""
    tidied = cards.tidy(text)
    return f"play {tidied}" if tidied in PACK else tidied


# ---- events


class Chips(NamedTuple):
    """The chips of each seat and of both pots. Their sum never changes.

    Stacks belong to seats. Pots belong to nobody until they are won (BK-14, BK-16).
    """

    stacks: tuple[int, ...]
    main: int = 0
    side: int = 0

    @property
    def total(self) -> int:
        """All chips of the table."""
        return sum(self.stacks) + self.main + self.side


@dataclass(frozen=True, slots=True)
class AntePaid(Event):
    """All antes of a deal were paid (K-05). ``paid`` is what left each stack, including help for a partner."""

    deal: int
    ante: int
    paid: tuple[int, ...]
    chips: Chips


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Thirteen cards each were dealt. ``trumps`` is a suit, or ``None`` for no trumps."""

    deal: int
    dealer: Seat
    leader: Seat
    trumps: str | None


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """A trick was taken. One with a black ten doesn't count (BK-09) and costs ``penalty`` chips.

    ``paid`` is what left each stack: less than the penalty if the seat is short, or the partner's chips (BK-06, BK-13).
    """

    seat: Seat
    cards: tuple[Card, ...]
    counts: bool
    penalty: int
    paid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealSettled(Event):
    """A deal was settled. ``counted`` are the tricks of each seat without those that held a black ten (BK-09).

    ``winners`` are the seats of the side with most counted tricks, none after a tie. ``from_main`` and ``from_side``
    are what each seat won. ``chips`` are those after settling; pots that weren't won stay there. ``gains`` are the
    changes of the stacks in this deal, antes and penalties included.
    """

    deal: int
    counted: tuple[int, ...]
    ten_takers: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    from_main: tuple[int, ...]
    from_side: tuple[int, ...]
    chips: Chips
    gains: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnockedOut(Event):
    """The seat had no chips left when the deal was settled, and is out."""

    seat: Seat
    deal: int
