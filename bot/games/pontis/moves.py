"""What is written in a table of Pontis: the moves of the seats, those of chance, and their text."""

from dataclasses import dataclass
from itertools import product
from typing import Final

from bot.errors import InvalidMove
from bot.games import cards
from bot.games.card_table import DEALERS, MOST_SEATS, PLAYS
from bot.games.cards import ALL_CARDS, JOKER, Card
from bot.games.game import RESIGN, Move, Seat


@dataclass(frozen=True, slots=True)
class Sum(Move):
    """Bridge with two cards by the sum ability; the second ends on top (PT-13)."""

    under: Card
    top: Card

    def __str__(self) -> str:
        return f"sum {self.under} {self.top}"


@dataclass(frozen=True, slots=True)
class Miss(Move):
    """Play no bridge; only written where misses may be faked (PT-24)."""

    def __str__(self) -> str:
        return "miss"


@dataclass(frozen=True, slots=True)
class Decline(Move):
    """Pass the sum ability on; only written where misses may be faked (PT-19)."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Liar(Move):
    """Call the last play of a seat a proof that it faked a miss (PT-25)."""

    seat: Seat

    def __str__(self) -> str:
        return f"liar {self.seat}"


@dataclass(frozen=True, slots=True)
class Foundations(Move):
    """Chance: the card that lies face down under each bank, from bank 0."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"foundations {'/'.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Chance: each seat's hand in the order it was dealt, from seat 0, and what stays out of play, from the top."""

    hands: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]

    def __str__(self) -> str:
        return f"deal {'/'.join(map(cards.join, (*self.hands, self.rest)))}"


MISS: Final = Miss()
DECLINE: Final = Decline()
SUMS: Final = {
    (under, top): Sum(under, top)
    for under, top in product(sorted(ALL_CARDS), repeat=2)
    if under != top or under == JOKER
}
LIARS: Final = tuple(map(Liar, range(MOST_SEATS)))
_MOVES: Final[dict[str, Move]] = {
    str(move): move for move in (RESIGN, MISS, DECLINE, *PLAYS.values(), *SUMS.values(), *LIARS, *DEALERS)
}


def parse(text: str) -> Move:
    """The move whose text this is, to the letter (G-04). Raises `InvalidMove`."""
    move = _MOVES.get(text) or _parse_chance(text)
    if move is None:
        raise InvalidMove(f"{text[:40]!r} is no move of Pontis; moves look like 'play 5H' or 'sum KS 9D'.")
    return move


def _parse_chance(text: str) -> Move | None:
    word, _, listed = text.partition(" ")
    groups = [cards.split(group) for group in listed.split("/")]
    known = [group for group in groups if group is not None]
    if len(known) < len(groups) or len(known) < 2:
        return None
    if word == "deal":
        return Deal(tuple(known[:-1]), known[-1])
    if word == "foundations" and {*map(len, known)} == {1}:
        return Foundations(tuple([card for (card,) in known]))
    return None
