"""The state of a table of Pot Black, and facts about it."""

from typing import Final, NamedTuple

from bot.games.cards import PACK, Card, leave_out
from bot.games.game import Outcome, Seat
from bot.games.pot_black.moves import DealSettled
from bot.games.pot_black.setup import Chips, Setup

TRUMPS: Final = ("H", "C", "D", "S", None)
"""The cycle of trumps, by the number of the deal."""

BLACK_TENS: Final = (Card("TS"), Card("TC"))
HAND: Final = 13
"""The cards of each hand that is dealt."""

SHORT_PACK: Final = tuple(leave_out(PACK, [Card("5C"), *(card for card in PACK if card[0] in "234")]))
"""The 39 cards for three seats in play."""

PACKS: Final = {4: PACK, 3: SHORT_PACK}
"""The cards that are dealt, by seats in play, in the order a shuffle starts from."""


class Trick(NamedTuple):
    """A complete trick: the seats in play from the leader on, with their cards. ``counts``: it has no black ten."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    taker: Seat
    counts: bool


class State(NamedTuple):
    """A table of Pot Black.

    * ``out``: the deal in which each seat was knocked out, 0 while it is in.
    * ``deal``: the number of the deal, 0 before there is a dealer. ``ante``: the ante of the deal.
    * ``hands``: by seat, sorted.
    * ``order``: the seats in play from the leader of the trick on, empty while no hands are dealt.
    * ``trick``: the cards on the table, in that order. ``tricks``: the complete tricks of the deal.
    * ``settled``: the finished deals.
    """

    setup: Setup
    chips: Chips
    out: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    deal: int = 0
    dealer: Seat | None = None
    ante: int = 0
    order: tuple[Seat, ...] = ()
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    last_trick: Trick | None = None
    settled: tuple[DealSettled, ...] = ()
    outcome: Outcome | None = None

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """The seats that have not been knocked out."""
        return tuple([seat for seat, deal in enumerate(self.out) if not deal])

    @property
    def turn(self) -> Seat | None:
        """The seat that owes a card."""
        return self.order[len(self.trick)] if self.order and self.outcome is None else None

    @property
    def counted(self) -> tuple[int, ...]:
        """The counted tricks of each seat in this deal (BK-09)."""
        takers = [trick.taker for trick in self.tricks if trick.counts]
        return tuple(map(takers.count, range(self.setup.players)))


def trumps(deal: int) -> str | None:
    """Return the trumps of a deal, counted from 1; ``None`` means no trumps (BK-03)."""
    return TRUMPS[(deal - 1) % len(TRUMPS)]


def from_left_of(dealer: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats clockwise from the dealer's left. The dealer may be out (K-04)."""
    return tuple(sorted(seats, key=lambda seat: (seat <= dealer, seat)))
