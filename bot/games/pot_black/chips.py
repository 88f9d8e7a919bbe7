"""Payments in Pot Black: antes, penalties, settling a deal, and the end of the game."""

from collections.abc import Sequence, Set as AbstractSet
from typing import Final, NamedTuple

from bot.games.game import Event, Outcome, Seat, Step, places_of
from bot.games.pot_black.moves import AntePaid, Chips, DealSettled
from bot.games.pot_black.state import Setup, State

FEWEST_IN_PLAY: Final = 3


class Payment(NamedTuple):
    """The chips after a payment, what left each stack, and the sides that couldn't pay in full."""

    chips: Chips
    paid: tuple[int, ...]
    short: frozenset[int]


def pay_antes(setup: Setup, chips: Chips, in_play: Sequence[Seat], ante: int) -> Payment:
    """Pay the antes of all seats in play into the main pot."""
    return _pay(setup, chips, dict.fromkeys(in_play, ante), into_main=True)


def open_deal(state: State, dealer: Seat, events: tuple[Event, ...]) -> Step[State]:
    """Pay the antes of the next deal. If payments are strict, a team that can't pay in full has lost (K-05)."""
    setup, seats, deal = state.setup, state.in_play, state.deal + 1
    ante = setup.ante(state.ante, len(seats))
    chips, paid, short = pay_antes(setup, state.chips, seats, ante)
    opened = state._replace(
        chips=chips, deal=deal, dealer=dealer, ante=ante, hands=((),) * setup.players, order=(), tricks=()
    )
    events = (*events, AntePaid(deal, ante, paid, chips))
    if short and setup.short == "strict":
        return Step(opened._replace(outcome=lost_by(setup, chips.stacks, short)), events)
    return Step(opened, events)


def pay_penalty(setup: Setup, chips: Chips, taker: Seat, tens: int) -> Payment:
    """Pay the penalty for black tens into the side pot. The classic form has only the main pot."""
    return _pay(setup, chips, {taker: tens * setup.penalty}, into_main=setup.form == "classic")


def _pay(setup: Setup, chips: Chips, debts: dict[Seat, int], *, into_main: bool) -> Payment:
    left = list(chips.stacks)
    short: set[int] = set()
    for seat, debt in debts.items():
        owed = debt
        for payer in setup.payers(seat):
            part = min(owed, left[payer])
            left[payer] -= part
            owed -= part
        if owed:
            short.add(setup.sides[seat])
    paid = tuple([before - after for before, after in zip(chips.stacks, left, strict=True)])
    main, side = (sum(paid), 0) if into_main else (0, sum(paid))
    return Payment(Chips(tuple(left), chips.main + main, chips.side + side), paid, frozenset(short))


def settle(state: State) -> DealSettled:
    """Share both pots after the last trick of a deal.

    The main pot is for most counted tricks, the side pot for taking no black ten. The computers' engine has the same
    rules in another form: `bot.computer.pot_black.engine`.
    """
    setup, chips = state.setup, state.chips
    ten_takers = {trick.taker for trick in state.tricks if not trick.counts}
    winners = _with_most(state)
    from_main = _shares(chips.main, winners, setup.players)
    from_side = _shares(chips.side, _side_pot_to(state, ten_takers, winners), setup.players)
    stacks = tuple(map(sum, zip(chips.stacks, from_main, from_side, strict=True)))
    before = state.settled[-1].chips.stacks if state.settled else (setup.stack,) * setup.players
    return DealSettled(
        deal=state.deal,
        counted=state.counted,
        ten_takers=tuple(sorted(ten_takers)),
        winners=winners,
        from_main=from_main,
        from_side=from_side,
        chips=Chips(stacks, chips.main - sum(from_main), chips.side - sum(from_side)),
        gains=tuple([after - before for after, before in zip(stacks, before, strict=True)]),
    )


def _with_most(state: State) -> tuple[Seat, ...]:
    """Return the seats of the side with most counted tricks, none if sides are tied (BK-12, BK-20)."""
    tricks, sides = side_totals(state.setup, state.counted), state.setup.sides
    most = max(tricks)
    best = tuple([seat for seat in state.in_play if tricks[seat] == most])
    return best if sides[best[0]] == sides[best[-1]] else ()


def _side_pot_to(state: State, ten_takers: AbstractSet[Seat], winners: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats that share the side pot.

    Partners win it with the main pot, unless either has taken a black ten (BK-10). Individuals win it if they have
    taken none, whoever won the tricks (BK-21).
    """
    if state.setup.form == "partnership":
        return () if ten_takers & {*winners} else winners
    if not winners and state.setup.tied_side_pot == "stays":
        return ()
    return tuple([seat for seat in state.in_play if seat not in ten_takers])


def _shares(pot: int, seats: Sequence[Seat], players: int) -> tuple[int, ...]:
    """Share a pot between seats. Odd chips stay in the pot (BK-18)."""
    return tuple([pot // len(seats) if seat in seats else 0 for seat in range(players)])


def side_totals(setup: Setup, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return for each seat the sum over its side, of chips or tricks."""
    sides = setup.sides
    totals = [0] * setup.players
    for side, number in zip(sides, numbers, strict=True):
        totals[side] += number
    return tuple([totals[side] for side in sides])


def knocked_out(setup: Setup, stacks: Sequence[int], in_play: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats that drop out after a settled deal: in a knock-out, those without chips."""
    return tuple([seat for seat in in_play if not stacks[seat]]) if setup.end == "knock_out" else ()


def ended(setup: Setup, stacks: Sequence[int], out: Sequence[int], deal: int) -> Outcome | None:
    """Return the outcome if the game ends with this settled deal, tested in the order of K-02.

    ``out`` is the deal in which each seat was knocked out, 0 for seats still in.
    """
    totals = side_totals(setup, stacks)
    if setup.end == "first_out" and 0 in totals:
        reason = "broke"
    elif setup.end == "knock_out" and out.count(0) < FEWEST_IN_PLAY:
        reason = "knock_out"
    elif setup.deals == deal:
        reason = "deals"
    else:
        return None
    # Seats that are out rank below all that are in, and the later out the better (K-03).
    ranks = [left - deal - 1 if left else total for left, total in zip(out, totals, strict=True)]
    return _ranked(setup, totals, ranks, reason)


def lost_by(setup: Setup, stacks: Sequence[int], losers: AbstractSet[int]) -> Outcome:
    """Return the outcome of a strict game in which sides can't pay in full: they lose, whatever the stacks (K-06)."""
    ranks = [0 if side in losers else 1 for side in setup.sides]
    return _ranked(setup, side_totals(setup, stacks), ranks, "broke")


def _ranked(setup: Setup, totals: tuple[int, ...], ranks: Sequence[int], reason: str) -> Outcome:
    places = places_of(ranks, setup.sides)
    first = {side for side, place in zip(setup.sides, places, strict=True) if place == 1}
    return Outcome(totals, places, reason if len(first) == 1 else "draw")
