"""The state of a table of Pot Black, facts about it, and what a seat or the public sees of it."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.games import game
from bot.games.cards import PACK, Card, leave_out
from bot.games.game import Actor, Move, Outcome, Seat
from bot.games.pot_black.moves import Chips, DealSettled

TRUMPS: Final = ("H", "C", "D", "S", None)
"""The cycle of trumps, by the number of the deal."""

BLACK_TENS: Final = (Card("TS"), Card("TC"))
HAND: Final = 13
"""The cards of each hand that is dealt."""

SHORT_PACK: Final = tuple(leave_out(PACK, [Card("5C"), *(card for card in PACK if card[0] in "234")]))
"""The 39 cards for three seats in play."""

PACKS: Final = {4: PACK, 3: SHORT_PACK}
"""The cards that are dealt, by seats in play, in the order a shuffle starts from."""


class Setup(NamedTuple):
    """The settled options of a table."""

    players: int
    form: str
    short: str
    tied_side_pot: str
    end: str
    deals: int

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return (0, 1, 0, 1) if self.form == "partnership" else (0, 1, 2, 3)[: self.players]

    @property
    def stack(self) -> int:
        """The chips each seat begins with."""
        if self.form == "classic":
            return 100 if self.players == 4 else 120
        return 30

    @property
    def penalty(self) -> int:
        """The chips that a black ten costs."""
        return 10 if self.form == "classic" else 3

    def ante(self, last: int, in_play: int) -> int:
        """Return the ante for a number of seats in play. ``last`` is the ante before, 0 if there was none (K-07)."""
        if self.form != "classic":
            return 2
        if not last:
            return 10
        return last + (1 if in_play == 4 else 5)

    def payers(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats that pay what a seat owes, in order: the seat, then its partner (BK-06, BK-13)."""
        return (seat, (seat + 2) % 4) if self.form == "partnership" else (seat,)


class Trick(NamedTuple):
    """A complete trick: the seats in play from the leader on, with their cards. ``counts``: it has no black ten.

    ``paid``: what each seat paid for black tens, empty without any.
    """

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    taker: Seat
    counts: bool
    paid: tuple[int, ...] = ()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """A table as a seat, or the public, sees it. Tuples by seat include the seats that are knocked out.

    * ``deal`` counts from 1. Before there is a dealer it is 0, and ``dealer`` is ``None``.
    * ``ante``: the ante of the deal.
    * ``trumps`` and ``next_trumps`` are suits, or ``None`` for no trumps.
    * ``out``: the deal in which a seat was knocked out, 0 while it is in.
    * ``hand`` is sorted, and empty for the public. ``hand_counts``: the number of cards, by seat.
    * ``order``: the seats in play from the leader of the trick on, empty while no hands are dealt.
    * ``trick``: the cards on the table, in that order. ``turn`` is the seat that owes the next.
    * ``tricks``: the complete tricks of this deal. ``last_trick`` may be of the deal before (BK-30).
    * ``counted``: the tricks of each seat in this deal, without those that held a black ten.
    * ``ten_takers``: the taker of each of `BLACK_TENS`, ``None`` until it is played.
    * ``voids``: for each seat, the suits (``"HS"``) that it failed to follow in this deal.
    * ``settled``: the finished deals.
    """

    setup: Setup
    deal: int
    dealer: Seat | None
    ante: int
    chips: Chips
    out: tuple[int, ...]
    in_play: tuple[Seat, ...]
    trumps: str | None
    next_trumps: str | None
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    order: tuple[Seat, ...]
    turn: Seat | None
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    last_trick: Trick | None
    counted: tuple[int, ...]
    ten_takers: tuple[Seat | None, ...]
    voids: tuple[str, ...]
    settled: tuple[DealSettled, ...]

    @property
    def is_last_deal(self) -> bool:
        """Whether no deal can follow, as this one has the maximum number."""
        return self.deal == self.setup.deals > 0

    @property
    def last_card(self) -> Seat | None:
        """The seat on turn, if it holds one card."""
        return self.turn if self.turn is not None and self.hand_counts[self.turn] == 1 else None


def observe(state: State, seat: Seat | None, to_act: frozenset[Actor], legal: tuple[Move, ...]) -> Observation:
    """Return the table as the seat, or the public, sees it."""
    return Observation(
        seat=seat,
        to_act=to_act,
        legal=legal,
        outcome=state.outcome,
        setup=state.setup,
        deal=state.deal,
        dealer=state.dealer,
        ante=state.ante,
        chips=state.chips,
        out=state.out,
        in_play=state.in_play,
        trumps=trumps(state.deal) if state.deal else None,
        next_trumps=trumps(state.deal + 1),
        hand=() if seat is None else state.hands[seat],
        hand_counts=tuple(map(len, state.hands)),
        order=state.order,
        turn=state.turn,
        trick=state.trick,
        tricks=state.tricks,
        last_trick=state.last_trick,
        counted=state.counted,
        ten_takers=tuple(_taker_of(ten, state) for ten in BLACK_TENS),
        voids=_voids(state),
        settled=state.settled,
    )


def _taker_of(card: Card, state: State) -> Seat | None:
    return next((trick.taker for trick in state.tricks if card in trick.cards), None)


def _voids(state: State) -> tuple[str, ...]:
    tricks = [(trick.seats, trick.cards) for trick in state.tricks] + [(state.order, state.trick)]
    suits: list[set[str]] = [set() for _ in range(state.setup.players)]
    for seats, cards in tricks:
        for seat, card in zip(seats, cards, strict=False):
            if card[1] != cards[0][1]:
                suits[seat].add(cards[0][1])
    return tuple("".join(sorted(shown)) for shown in suits)
