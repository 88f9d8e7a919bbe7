"""Moves and events that the card games share."""

from dataclasses import dataclass

from bot.games.cards import Card
from bot.games.game import Event, Move, Seat


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play a card from the hand."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class Dealer(Move):
    """Chance draws the first dealer. The deal then passes on clockwise."""

    seat: Seat

    def __str__(self) -> str:
        return f"dealer {self.seat}"


@dataclass(frozen=True, slots=True)
class DealerDrawn(Event):
    """The seat deals first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """The seat played a card to the trick."""

    seat: Seat
    card: Card
