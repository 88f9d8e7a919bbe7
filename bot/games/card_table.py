"""What the logs of all card games have in common: who deals first, a card played, and the moves made once for all."""

from dataclasses import dataclass
from typing import Final

from bot.games.cards import ALL_CARDS, PACK, Card
from bot.games.game import Event, Move, Seat

MOST_SEATS: Final = 13
"""No card game here has more."""


@dataclass(frozen=True, slots=True)
class Play(Move):
    """A seat plays a card from its hand."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class Dealer(Move):
    """Chance: who deals first; the deal then passes on clockwise."""

    seat: Seat

    def __str__(self) -> str:
        return f"dealer {self.seat}"


PLAYS: Final = {card: Play(card) for card in sorted(ALL_CARDS)}
"""The one `Play` of each card, sorted by text."""

DEALERS: Final = tuple(map(Dealer, range(MOST_SEATS)))
"""The one `Dealer` of each seat."""


@dataclass(frozen=True, slots=True)
class DealerDrawn(Event):
    """The seat deals first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """The seat played a card to the trick."""

    seat: Seat
    card: Card


CARD_PLAYED: Final = tuple({card: (CardPlayed(seat, card),) for card in PACK} for seat in range(4))
"""By seat and card, at tables of at most four: all that happens when a card is played that completes no trick."""
