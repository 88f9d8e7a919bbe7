"""What is written in the log of a Pot Black table, and what everybody sees happen while cards are played."""

from dataclasses import dataclass
from typing import Final

from bot.errors import InvalidMove
from bot.games import cards as text_of_cards
from bot.games.card_table import DEALERS, PLAYS
from bot.games.cards import JOKER, Card
from bot.games.game import RESIGN, Event, Move, Outcome, Seat
from bot.games.tricks import CARDS, Listing


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Chance deals: one hand for each seat in play, from the lowest (K-04)."""

    hands: tuple[tuple[Card, ...], ...]

    def __str__(self) -> str:
        return f"deal {'/'.join(map(text_of_cards.join, self.hands))}"


LISTED_PLAYS: Final = Listing(tuple(PLAYS[card] for card in CARDS))
"""Sets of cards as the sorted moves that play them."""

_MOVES: Final[dict[str, Move]] = {str(move): move for move in (*(PLAYS[card] for card in CARDS), *DEALERS[:4], RESIGN)}


def parse(text: str) -> Move:
    """The move of this text, to the letter (G-04). Raises `InvalidMove`."""
    if move := _MOVES.get(text):
        return move
    word, _, groups = text.partition(" ")
    hands = [text_of_cards.split(group) for group in groups.split("/")]
    if word != "deal" or not all(hands):
        raise InvalidMove(f"{text!r} is no move of Pot Black; play a card like this: play TH.")
    return Deal(tuple(hand for hand in hands if hand))


def tidy(text: str) -> str:
    """What a person typed in the form that `parse` reads; a card alone means to play it."""
    tidied = text_of_cards.tidy(text)
    return f"play {tidied}" if tidied in text_of_cards.ALL_CARDS - {JOKER} else tidied


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Thirteen cards each were dealt. ``trumps`` is a suit, or ``None`` for no trumps."""

    deal: int
    dealer: Seat
    leader: Seat
    trumps: str | None


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """A trick was taken. One with a black ten counts for nobody (BK-09) and costs ``penalty`` chips.

    ``paid`` is what left each stack for it, which may be less than the penalty or come from the partner (BK-06, BK-13).
    """

    seat: Seat
    cards: tuple[Card, ...]
    counts: bool
    penalty: int
    paid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The last deal is settled, or a team can't pay and payments are strict."""

    outcome: Outcome
