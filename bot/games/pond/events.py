"""The events of Pond."""

from dataclasses import dataclass
from typing import Literal

from bot.games.cards import Card
from bot.games.game import Event, Seat
from bot.games.pond.scoring import RoundScore


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
