"""Pond's state and observation, and what can be read off a state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from bot.games import game
from bot.games.cards import PACK, Card
from bot.games.game import Outcome, Seat
from bot.games.pond.moves import MOST_SEATS, Cards, Hand
from bot.games.pond.scoring import STRENGTH, RoundScore

Phase = Literal["dealer", "poison", "deal", "profit", "bait", "trap", "traps", "play", "award", "over"]
"""What is due: ``trap`` is the starter's choice, ``traps`` the cards of the others once he has opened one."""

FACE_DOWN: Final = Card("??")
"""Stands in an observation where a card lies that its reader can't see."""

PACKS: Final[Mapping[int, Cards]] = {2: PACK, 4: PACK + PACK}
"""The pack, by number of players."""

_new: Final = tuple.__new__

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
    """A card on the table, and whose it was."""

    seat: Seat
    card: Card


LaidCards = tuple[Laid, ...]

LAID: Final = tuple({card: (Laid(seat, card),) for card in PACK} for seat in range(MOST_SEATS))
"""By seat and card: the card laid, as a tuple that can be added to what lies there."""


class Taken(NamedTuple):
    """A pond and its trick, taken. The first to bait and to play was the starter; ``traps`` may be empty."""

    baits: tuple[Laid, ...]
    traps: tuple[Laid, ...]
    trick: tuple[Laid, ...]
    taker: Seat

    @property
    def laid(self) -> tuple[Laid, ...]:
        """All that was taken: baits, traps, trick."""
        return self.baits + self.traps + self.trick


class State(NamedTuple):
    """A whole table. Tuples with one value a seat are in the order of the seats; empty where nothing is dealt yet.

    ``turned`` are the cards each seat turned for poison, its marker last. ``taken`` are the tricks of this round. What
    changes with each card that is laid comes last: a `Table`.
    """

    setup: Setup
    first_dealer: Seat | None = None
    turned: tuple[Cards, ...] = ()
    hidden: tuple[Hand, ...] = ()
    set_aside: tuple[Card | None, ...] = ()
    starter: Seat = 0
    taken: tuple[Taken, ...] = ()
    rounds: tuple[RoundScore, ...] = ()
    outcome: Outcome | None = None
    phase: Phase = "dealer"
    hands: tuple[Hand, ...] = ()
    baits: LaidCards = ()
    traps: LaidCards = ()
    trick: LaidCards = ()


Table = tuple[Phase, tuple[Hand, ...], LaidCards, LaidCards, LaidCards]
"""The last fields of a state: phase, hands, baits, traps, trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """What a seat, or the public, can know. Tuples with one value a seat are in the order of the seats.

    * ``round`` counts from 0. ``dealer`` and ``starter`` are ``None`` until there is one; the starter also leads.
    * ``turned``: the cards each seat turned for poison, its marker last.
    * ``hand``: the own cards that may be looked at; ``hand_counts``: how many everybody has of them; ``hidden``: how
      many more everybody has face down.
    * ``set_aside``: ``None`` for who has not chosen, the card if it may be seen, else `FACE_DOWN`.
    * ``baits``, ``traps``, ``trick``: what lies on the table, in the order of laying; the traps of others face down.
    * ``taken``: the ponds and tricks of this round, in order; cards that the reader can't see any more are face down.
    * ``pile``: all cards the seat has taken; ``pile_points``: their value so far; ``pile_counts``: everybody's.
    * ``tied``: the seats one of which the leader has to name.
    * ``rounds``: the finished rounds, all revealed; ``totals``: the points of each seat's side in them.
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
    pile: Hand
    pile_points: int
    pile_counts: tuple[int, ...]
    tied: tuple[Seat, ...]
    rounds: tuple[RoundScore, ...]
    totals: tuple[int, ...]

    @property
    def poisons(self) -> tuple[str, ...]:
        """The poison suit of each seat; empty before it is turned."""
        return tuple(turned[-1][1] for turned in self.turned)

    @property
    def order(self) -> tuple[Seat, ...]:
        """All seats in turn order, the starter first; empty while there is no starter."""
        seats = tuple(range(self.setup.players))
        return () if self.starter is None else seats[self.starter :] + seats[: self.starter]


def after_choosing(state: State, hidden: tuple[Hand, ...], set_aside: tuple[Card | None, ...], table: Table) -> State:
    """The state once a card is set aside."""
    setup, first_dealer, turned, _, _, *lasting = state[:9]
    return _new(State, (setup, first_dealer, turned, hidden, set_aside, *lasting, *table))


def after_laying(state: State, table: Table) -> State:
    """The state once a card is laid. Of all changes the most frequent, so made without the detour of ``_replace``."""
    return _new(State, state[:9] + table)


def after_taking(state: State, hands: tuple[Hand, ...], taken: Taken) -> State:
    """The state once a trick and its pond are taken: the taker is the next starter (PC-26)."""
    setup, first_dealer, turned, hidden, set_aside, _, before, rounds, outcome = state[:9]
    lasting = setup, first_dealer, turned, hidden, set_aside, taken.taker, (*before, taken), rounds, outcome
    table: Table = ("bait", hands, (), (), ())
    return _new(State, lasting + table)


def sides_of(players: int) -> tuple[int, ...]:
    """The side of each seat: opposite seats are partners."""
    return (0, 1, 0, 1)[:players]


def round_of(state: State) -> int:
    """The number of the round, from 0; at the end that of the last one."""
    return len(state.rounds) - (state.phase == "over")


def dealer_of(state: State) -> Seat | None:
    """The dealer of the round (P-02); ``None`` before the first is drawn."""
    return None if state.first_dealer is None else (state.first_dealer + round_of(state)) % state.setup.players


def tied_in(trick: tuple[Laid, ...]) -> list[Seat]:
    """The seats whose cards no other card beats, in the order of play: one, or the tied (PC-24, PC-25)."""
    best = max([STRENGTH[laid.card] for laid in trick])
    return [laid.seat for laid in trick if STRENGTH[laid.card] == best]


def pile_of(state: State, seat: Seat) -> Hand:
    """All that the seat has taken in this round, sorted."""
    return tuple(sorted([laid.card for taken in state.taken if taken.taker == seat for laid in taken.laid]))


def totals_of(state: State) -> tuple[int, ...]:
    """The points of each seat's side in all finished rounds."""
    by_round = [score.points for score in state.rounds]
    return tuple(map(sum, zip(*by_round, strict=True))) if by_round else (0,) * state.setup.players
