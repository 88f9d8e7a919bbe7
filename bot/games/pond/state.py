"""The state of a table of Pond, facts about it, and what a seat or the public sees of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from bot.games import game
from bot.games.cards import PACK, Card
from bot.games.game import Actor, Move, Outcome, Seat
from bot.games.pond.moves import Cards, Hand
from bot.games.pond.scoring import STRENGTH, RoundScore, group_of, points

Phase = Literal["dealer", "poison", "deal", "profit", "bait", "trap", "traps", "play", "award", "over"]
"""The next decision. ``trap`` is the starter's choice, ``traps`` the cards of the others after a trap was opened."""

PACKS: Final[Mapping[int, Cards]] = {2: PACK, 4: PACK + PACK}
"""The pack, by number of players."""

VISIBLE: Final = 11
HIDDEN: Final = 5


class Setup(NamedTuple):
    """The options of a table."""

    players: int
    rounds: int
    tie: str
    tiebreak: str
    history: str


class Laid(NamedTuple):
    """A card on the table, and the seat that laid it."""

    seat: Seat
    card: Card


class Taken(NamedTuple):
    """A pond and its trick, taken by a seat. ``traps`` may be empty."""

    baits: tuple[Laid, ...]
    traps: tuple[Laid, ...]
    trick: tuple[Laid, ...]
    taker: Seat

    @property
    def laid(self) -> tuple[Laid, ...]:
        """All cards: baits, traps, trick."""
        return self.baits + self.traps + self.trick


class State(NamedTuple):
    """A table of Pond. Tuples by seat are empty until there is something in them.

    * ``turned``: the cards each seat turned for poison, its marker last.
    * ``hands``: by seat, sorted. ``hidden``: the five cards of each seat that it can't see yet.
    * ``set_aside``: by seat, ``None`` for seats that still have to choose their profit.
    * ``baits``, ``traps``, ``trick``: the cards on the table, in the order they were laid.
    * ``taken``: the ponds and tricks of this round. ``rounds``: the finished rounds.
    * ``last_trick``: the last of ``taken``; it may be of the round before.
    * ``past``: the ponds and tricks of each finished round.
    """

    setup: Setup
    phase: Phase = "dealer"
    first_dealer: Seat | None = None
    turned: tuple[Cards, ...] = ()
    hands: tuple[Hand, ...] = ()
    hidden: tuple[Hand, ...] = ()
    set_aside: tuple[Card | None, ...] = ()
    starter: Seat = 0
    baits: tuple[Laid, ...] = ()
    traps: tuple[Laid, ...] = ()
    trick: tuple[Laid, ...] = ()
    taken: tuple[Taken, ...] = ()
    rounds: tuple[RoundScore, ...] = ()
    last_trick: Taken | None = None
    past: tuple[tuple[Taken, ...], ...] = ()
    outcome: Outcome | None = None

    @property
    def round(self) -> int:
        """The number of the round, from 0. At the end it is the number of the last round."""
        return len(self.rounds) - (self.phase == "over")

    @property
    def dealer(self) -> Seat | None:
        """The dealer of the round (P-02), ``None`` before the first is drawn."""
        return None if self.first_dealer is None else (self.first_dealer + self.round) % self.setup.players

    @property
    def tied(self) -> tuple[Seat, ...]:
        """The seats with the best cards of the trick, in the order of play: one, or several if tied (PC-24, PC-25)."""
        best = max([STRENGTH[laid.card] for laid in self.trick])
        return tuple([laid.seat for laid in self.trick if STRENGTH[laid.card] == best])

    def poison(self, seat: Seat) -> str:
        """Return the poison suit of a seat."""
        return self.turned[seat][-1][1]

    def pile(self, seat: Seat) -> Hand:
        """Return the cards that a seat has taken in this round, sorted."""
        return tuple(sorted([laid.card for taken in self.taken if taken.taker == seat for laid in taken.laid]))

    @property
    def pile_counts(self) -> tuple[int, ...]:
        """The number of cards that each seat has taken in this round."""
        takers = [taken.taker for taken in self.taken for _ in taken.laid]
        return tuple(map(takers.count, range(self.setup.players)))

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat's side in all finished rounds."""
        by_round = [score.points for score in self.rounds]
        return tuple(map(sum, zip(*by_round, strict=True))) if by_round else (0,) * self.setup.players


def sides_of(players: int) -> tuple[int, ...]:
    """Return the side of each seat: opposite seats are partners."""
    return (0, 1, 0, 1)[:players]


FACE_DOWN: Final = Card("??")
"""Stands for a card that the observer can't see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """A table as a seat, or the public, sees it. Tuples by seat are empty until there is something in them.

    * ``round`` counts from 0. ``dealer`` and ``starter`` are ``None`` until there is one; the starter also leads.
    * ``turned``: the cards each seat turned for poison, its marker last.
    * ``hand``: the cards that the observing seat may look at. ``hand_counts``: their number, by seat. ``hidden``: the
      number of cards that every seat has face down besides.
    * ``set_aside``: by seat, ``None`` for seats that still have to choose, `FACE_DOWN` if the card can't be seen.
    * ``baits``, ``traps``, ``trick``: the cards on the table, in the order they were laid.
    * ``taken``: the ponds and tricks of this round, in order. ``last_trick`` may be of the round before.
    * ``pile``: all cards the observing seat has taken. ``pile_points``: their value so far. ``pile_counts``: by seat.
    * ``rounds``: the finished rounds, all revealed. ``totals``: the points of each seat's side in them.
    * ``past``: the ponds and tricks of each finished round, once the game is over; empty before.
    """

    setup: Setup
    phase: Phase
    round: int
    dealer: Seat | None
    starter: Seat | None
    turned: tuple[Cards, ...]
    hand: Hand
    hand_counts: tuple[int, ...]
    hidden: int
    set_aside: tuple[Card | None, ...]
    baits: tuple[Laid, ...]
    traps: tuple[Laid, ...]
    trick: tuple[Laid, ...]
    taken: tuple[Taken, ...]
    last_trick: Taken | None
    pile: Hand
    pile_points: int
    pile_counts: tuple[int, ...]
    rounds: tuple[RoundScore, ...]
    totals: tuple[int, ...]
    past: tuple[tuple[Taken, ...], ...]

    def poison(self, seat: Seat) -> str:
        """Return the poison suit of a seat."""
        return self.turned[seat][-1][1]

    def profit(self, seat: Seat) -> str:
        """Return the profit ranks of a seat; empty if the observer doesn't know them."""
        card = self.set_aside[seat] if self.set_aside else None
        return (group_of(card) if card else None) or ""

    def points(self, seat: Seat, *cards: Card) -> int:
        """Return the points of captured cards for a seat, as far as the observer knows its profit."""
        poison, profit = self.poison(seat), self.profit(seat)
        return sum([points(card, poison, profit) for card in cards])


def observe(state: State, seat: Seat | None, to_act: frozenset[Actor], legal: tuple[Move, ...]) -> Observation:
    """Return the table as the seat, or the public, sees it."""
    dealt = bool(state.hands)
    pile = () if seat is None else state.pile(seat)
    return Observation(
        seat=seat,
        to_act=to_act,
        legal=legal,
        outcome=state.outcome,
        setup=state.setup,
        phase=state.phase,
        round=state.round,
        dealer=state.dealer,
        starter=state.starter if dealt else None,
        turned=state.turned,
        hand=state.hands[seat] if dealt and seat is not None else (),
        hand_counts=tuple(map(len, state.hands)),
        hidden=HIDDEN if state.hidden else 0,
        set_aside=_set_aside_seen(state, seat),
        baits=state.baits,
        traps=_traps_seen(state.traps, seat),
        trick=state.trick,
        taken=_taken_seen(state, seat),
        last_trick=None if state.last_trick is None else _trick_seen(state.last_trick, seat),
        pile=pile,
        pile_points=_value(state, seat, pile) if pile and seat is not None else 0,
        pile_counts=state.pile_counts,
        rounds=state.rounds,
        totals=state.totals,
        past=state.past if state.outcome is not None else (),
    )


def _set_aside_seen(state: State, seat: Seat | None) -> tuple[Card | None, ...]:
    """Show a seat its own card and, after all have chosen, its partner's (PC-32)."""
    if seat is None:
        may_see: set[Seat] = set()
    elif None in state.set_aside:
        may_see = {seat}
    else:
        may_see = {seat, (seat + 2) % state.setup.players}
    return tuple(card if card is None or owner in may_see else FACE_DOWN for owner, card in enumerate(state.set_aside))


def _traps_seen(traps: tuple[Laid, ...], seat: Seat | None) -> tuple[Laid, ...]:
    return tuple(laid if laid.seat == seat else Laid(laid.seat, FACE_DOWN) for laid in traps)


def _taken_seen(state: State, seat: Seat | None) -> tuple[Taken, ...]:
    """Show takers all cards, others the traps face down (PC-20). What ``history`` hides is face down (PC-21)."""
    seen = tuple(_trick_seen(taken, seat) for taken in state.taken)
    return seen if state.setup.history == "log" else (*map(_face_down, seen[:-1]), *seen[-1:])


def _trick_seen(taken: Taken, seat: Seat | None) -> Taken:
    return taken if taken.taker == seat else taken._replace(traps=_traps_seen(taken.traps, seat))


def _face_down(taken: Taken) -> Taken:
    baits, traps, trick = (
        tuple(Laid(laid.seat, FACE_DOWN) for laid in part) for part in (taken.baits, taken.traps, taken.trick)
    )
    return Taken(baits, traps, trick, taken.taker)


def _value(state: State, seat: Seat, pile: Hand) -> int:
    """Return the worth of the pile to the seat so far (PC-33)."""
    group = group_of(state.set_aside[seat] or FACE_DOWN) or ""
    return sum(points(card, state.poison(seat), group) for card in pile)
