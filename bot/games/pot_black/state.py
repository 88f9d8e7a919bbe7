"""The state of a Pot Black table: what changes with each card, on top of what changes at most once a trick."""

from typing import Final, NamedTuple

from bot.games.cards import PACK, Card, leave_out
from bot.games.game import Outcome, Seat
from bot.games.pot_black.chips import Chips, Terms
from bot.games.tricks import BIT, Cards, mask

TRUMPS: Final = ("H", "C", "D", "S", None)
"""The cycle of trumps, by the number of the deal."""

SPADE_TEN: Final = Card("TS")
CLUB_TEN: Final = Card("TC")
HAND: Final = 13
"""The cards of each hand that is dealt."""

SHORT_PACK: Final = tuple(leave_out(PACK, [Card("5C"), *(card for card in PACK if card[0] in "234")]))
"""The 39 cards for three seats in play."""

PACKS: Final = {4: PACK, 3: SHORT_PACK}
"""By seats in play: the cards that are dealt, in the order from which a shuffle starts."""

WHOLE: Final = {seats: mask(pack) for seats, pack in PACKS.items()}
"""By seats in play: the set of the cards that are dealt."""


class Trick(NamedTuple):
    """A complete trick. ``seats`` are those in play from the leader on, ``cards`` what each of them played."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    taker: Seat
    counts: bool


class Position(NamedTuple):
    """How things stood when the present trick was led, or now if no hands are dealt.

    ``deal`` is the number of the deal (0 before there is a dealer), ``out`` the deal in which each seat was knocked out
    (0 while it is in). ``hands`` are the cards held before the present trick. ``order`` has the seats in play from the
    leader on; it is empty while chance is due. ``tricks`` are those of this deal.
    """

    terms: Terms
    chips: Chips
    out: tuple[int, ...]
    deal: int = 0
    dealer: Seat | None = None
    ante: int = 0
    hands: tuple[Cards, ...] = ()
    order: tuple[Seat, ...] = ()
    tricks: tuple[Trick, ...] = ()
    last_trick: Trick | None = None

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """The seats that have not been knocked out."""
        return in_play(self.out)


class State(NamedTuple):
    """A whole table: the cards of the present trick on top of a position."""

    position: Position
    trick: tuple[Card, ...] = ()
    outcome: Outcome | None = None

    @property
    def turn(self) -> Seat | None:
        """The seat that owes a card."""
        if self.outcome is None and self.position.order:
            return self.position.order[len(self.trick)]
        return None


def in_play(out: tuple[int, ...]) -> tuple[Seat, ...]:
    """The seats that have not been knocked out, from the deals in which the others were."""
    return tuple([seat for seat, deal in enumerate(out) if not deal])


def trumps(deal: int) -> str | None:
    """The trumps of a deal (counted from 1), ``None`` for no trumps (BK-03)."""
    return TRUMPS[(deal - 1) % len(TRUMPS)]


def from_seat(seats: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """The seats clockwise from ``first``, which is one of them."""
    at = seats.index(first)
    return seats[at:] + seats[:at]


def left_of(seats: tuple[Seat, ...], seat: Seat) -> Seat:
    """The next of the seats to the left of ``seat``, which may have been knocked out itself (K-04)."""
    return next((other for other in seats if other > seat), seats[0])


def held(position: Position, trick: tuple[Card, ...]) -> tuple[Cards, ...]:
    """What each seat holds now, the cards of the present trick gone; nothing while no hands are dealt."""
    hands = list(position.hands) or [0] * position.terms.players
    for seat, card in zip(position.order, trick, strict=False):
        hands[seat] &= ~BIT[card]
    return tuple(hands)


def ten_takers(tricks: tuple[Trick, ...]) -> tuple[Seat | None, Seat | None]:
    """Who took the ten of spades and the ten of clubs, ``None`` for one that has not fallen yet."""
    spade, club = (next((trick.taker for trick in tricks if ten in trick.cards), None) for ten in (SPADE_TEN, CLUB_TEN))
    return spade, club


def counted(players: int, tricks: tuple[Trick, ...]) -> tuple[int, ...]:
    """The counted tricks of each seat (BK-09)."""
    numbers = [0] * players
    for trick in tricks:
        numbers[trick.taker] += trick.counts
    return tuple(numbers)


def faults(state: State) -> tuple[str, ...]:
    """The name of each invariant that the state breaks."""
    position, trick, outcome = state
    chips, seats = position.chips, position.in_play
    hands = held(position, trick)
    shown = [card for old in position.tricks for card in old.cards] + list(trick)
    tests = {
        "chips conserved": chips.total == position.terms.stack * position.terms.players,
        "chips never negative": min(*chips.stacks, chips.main, chips.side) >= 0,
        "one pot in the classic form": position.terms.form != "classic" or not chips.side,
        "at least three play on": outcome is not None or len(seats) >= 3,
        "a complete trick is taken": not trick or len(trick) < len(position.order),
        "hands are even": all(
            hands[seat].bit_count() == (HAND - len(position.tricks) - (at < len(trick)))
            for at, seat in enumerate(position.order)
        ),
        "hands of others are empty": all(not hand for seat, hand in enumerate(hands) if seat not in position.order),
        "cards conserved": not position.order
        or (sum(hands) + sum(BIT[card] for card in shown) == WHOLE[len(position.order)]),
        "a finished deal is settled": outcome is not None or len(position.tricks) < HAND,
    }
    return tuple(name for name, holds in tests.items() if not holds)
