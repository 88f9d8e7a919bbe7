"""The chips of Pot Black: antes, penalties, settling a deal, and what ends the game. Pure arithmetic, no cards.

Stacks belong to seats; the main pot and the side pot belong to nobody until they are won (BK-14, BK-16).
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.games.game import Event, Outcome, Seat, places_of

FEWEST_IN_PLAY: Final = 3


class Terms(NamedTuple):
    """The settled options of a table, under their keys."""

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
        """The chips that each seat begins with."""
        if self.form == "classic":
            return 100 if self.players == 4 else 120
        return 30

    @property
    def penalty(self) -> int:
        """The chips that a black ten costs."""
        return 10 if self.form == "classic" else 3

    def ante(self, last: int, in_play: int) -> int:
        """The ante with so many seats in play; ``last`` is that of the deal before, 0 if there is none (K-07)."""
        if self.form != "classic":
            return 2
        if not last:
            return 10
        return last + (1 if in_play == 4 else 5)

    def payers(self, seat: Seat) -> tuple[Seat, ...]:
        """Who pays what the seat owes, in this order: the seat, then its partner (BK-06, BK-13)."""
        return (seat, seat ^ 2) if self.form == "partnership" else (seat,)


class Chips(NamedTuple):
    """Where the chips lie. Their sum never changes."""

    stacks: tuple[int, ...]
    main: int = 0
    side: int = 0

    @property
    def total(self) -> int:
        """All chips of the table."""
        return sum(self.stacks) + self.main + self.side


@dataclass(frozen=True, slots=True)
class AntePaid(Event):
    """All antes of a deal, paid at once (K-05). ``paid`` is what left each stack, a partner's help included."""

    deal: int
    ante: int
    paid: tuple[int, ...]
    chips: Chips


@dataclass(frozen=True, slots=True)
class DealSettled(Event):
    """A deal was settled. ``counted``: tricks of each seat without those that held a black ten (BK-09).

    ``winners`` are the seats of the side with most counted tricks, nobody after a tie. ``from_main`` and ``from_side``
    are what each seat was given; ``chips`` is how things stand now, rolled-over pots included.
    """

    deal: int
    counted: tuple[int, ...]
    ten_takers: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    from_main: tuple[int, ...]
    from_side: tuple[int, ...]
    chips: Chips


@dataclass(frozen=True, slots=True)
class KnockedOut(Event):
    """A seat had no chips left when the deal was settled, and plays no more."""

    seat: Seat
    deal: int


class DealResult(NamedTuple):
    """What the cards of a deal came to. ``counted``: tricks without a black ten, of each seat (BK-09)."""

    deal: int
    in_play: tuple[Seat, ...]
    counted: tuple[int, ...]
    ten_takers: frozenset[Seat]


class Payment(NamedTuple):
    """What a payment led to. ``short`` holds the sides that could not pay all of it."""

    chips: Chips
    paid: tuple[int, ...]
    short: frozenset[int]


def pay_antes(terms: Terms, chips: Chips, in_play: Sequence[Seat], ante: int) -> Payment:
    """The antes of all seats in play, into the main pot."""
    return _pay(terms, chips, dict.fromkeys(in_play, ante), into_main=True)


def pay_penalty(terms: Terms, chips: Chips, taker: Seat, tens: int) -> Payment:
    """The penalty for so many black tens in one trick, into the side pot; the classic form has only the main one."""
    return _pay(terms, chips, {taker: tens * terms.penalty}, into_main=terms.form == "classic")


def _pay(terms: Terms, chips: Chips, debts: dict[Seat, int], *, into_main: bool) -> Payment:
    left = list(chips.stacks)
    short: set[int] = set()
    for seat, debt in debts.items():
        owed = debt
        for payer in terms.payers(seat):
            part = min(owed, left[payer])
            left[payer] -= part
            owed -= part
        if owed:
            short.add(terms.sides[seat])
    paid = tuple([before - after for before, after in zip(chips.stacks, left, strict=True)])
    main, side = (sum(paid), 0) if into_main else (0, sum(paid))
    return Payment(Chips(tuple(left), chips.main + main, chips.side + side), paid, frozenset(short))


def settle(terms: Terms, chips: Chips, result: DealResult) -> DealSettled:
    """Both pots after the last trick of a deal: most counted tricks, and who took no black ten."""
    winners = _with_most(terms, result)
    from_main = _shares(chips.main, winners, terms.players)
    from_side = _shares(chips.side, _side_pot_to(terms, result, winners), terms.players)
    stacks = tuple(map(sum, zip(chips.stacks, from_main, from_side, strict=True)))
    return DealSettled(
        deal=result.deal,
        counted=result.counted,
        ten_takers=tuple(sorted(result.ten_takers)),
        winners=winners,
        from_main=from_main,
        from_side=from_side,
        chips=Chips(stacks, chips.main - sum(from_main), chips.side - sum(from_side)),
    )


def _with_most(terms: Terms, result: DealResult) -> tuple[Seat, ...]:
    tricks = side_totals(terms, result.counted)
    most = max(tricks)
    best = tuple([seat for seat in result.in_play if tricks[seat] == most])
    return best if terms.sides[best[0]] == terms.sides[best[-1]] else ()


def _side_pot_to(terms: Terms, result: DealResult, winners: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if terms.form == "partnership":
        return winners if result.ten_takers.isdisjoint(winners) else ()  # BK-10: either partner's ten spoils it
    if not winners and terms.tied_side_pot == "stays":
        return ()
    return tuple([seat for seat in result.in_play if seat not in result.ten_takers])  # BK-21: whoever won the tricks


def _shares(pot: int, seats: Sequence[Seat], players: int) -> tuple[int, ...]:
    shares = [0] * players
    for seat in seats:
        shares[seat] = pot // len(seats)  # BK-18: what does not divide stays in the pot
    return tuple(shares)


def side_totals(terms: Terms, numbers: Sequence[int]) -> tuple[int, ...]:
    """For each seat the sum over its side: chips, or tricks."""
    sides = terms.sides
    totals = [0] * terms.players
    for side, number in zip(sides, numbers, strict=True):
        totals[side] += number
    return tuple([totals[side] for side in sides])


def knocked_out(terms: Terms, stacks: Sequence[int], in_play: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats that drop out now that the deal is settled: those without chips, where players are knocked out."""
    return tuple([seat for seat in in_play if not stacks[seat]]) if terms.end == "knock_out" else ()


def ended(terms: Terms, stacks: Sequence[int], out: Sequence[int], deal: int) -> Outcome | None:
    """The outcome if the game ends with this settled deal, tested in the order of K-02.

    ``out`` has the deal in which each seat was knocked out, 0 for those still in.
    """
    totals = side_totals(terms, stacks)
    if terms.end == "first_out" and 0 in totals:
        reason = "broke"
    elif terms.end == "knock_out" and out.count(0) < FEWEST_IN_PLAY:
        reason = "knock_out"
    elif terms.deals == deal:
        reason = "deals"
    else:
        return None
    # K-03: whoever is out is behind everybody who is in, the later out the better.
    ranks = [left - deal - 1 if left else total for left, total in zip(out, totals, strict=True)]
    return _ranked(terms, totals, ranks, reason)


def lost_by(terms: Terms, stacks: Sequence[int], losers: AbstractSet[int]) -> Outcome:
    """The outcome when sides can't pay in full and that ends the game: they have lost, whatever the stacks (K-06)."""
    ranks = [0 if side in losers else 1 for side in terms.sides]
    return _ranked(terms, side_totals(terms, stacks), ranks, "broke")


def _ranked(terms: Terms, totals: tuple[int, ...], ranks: Sequence[int], reason: str) -> Outcome:
    places = places_of(ranks, terms.sides)
    first = {side for side, place in zip(terms.sides, places, strict=True) if place == 1}
    return Outcome(totals, places, reason if len(first) == 1 else "draw")
