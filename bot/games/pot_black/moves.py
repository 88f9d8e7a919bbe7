"""The moves of Pot Black, of seats and of chance, and their texts."""

from dataclasses import dataclass
from typing import Final

from bot.errors import InvalidMove
from bot.games import cards
from bot.games.card_table import Dealer, Play
from bot.games.cards import PACK, Card
from bot.games.game import RESIGN, Move


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
