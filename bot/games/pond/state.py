"""The state of a table of Pond, and facts about it."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from bot.games.cards import PACK, Card
from bot.games.game import Outcome, Seat
from bot.games.pond.moves import Cards, Hand
from bot.games.pond.scoring import STRENGTH, RoundScore

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
    def totals(self) -> tuple[int, ...]:
        """The points of each seat's side in all finished rounds."""
        by_round = [score.points for score in self.rounds]
        return tuple(map(sum, zip(*by_round, strict=True))) if by_round else (0,) * self.setup.players


def sides_of(players: int) -> tuple[int, ...]:
    """Return the side of each seat: opposite seats are partners."""
    return (0, 1, 0, 1)[:players]
