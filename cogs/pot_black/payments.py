"""Payments in a deal of Pot Black in words: antes, black tens, and what each side won, so that they add up."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.games import GAMES
from bot.games.game import Seat
from bot.games.pot_black.moves import DealSettled
from bot.games.pot_black.state import Observation
from bot.records.table import Table
from bot.texts import gettext as _, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.card_texts import held


class _Paid(NamedTuple):
    """The chips that a side paid in a deal. If it ``is_short`` of chips, ``antes`` include black tens."""

    antes: int
    tens: int
    is_short: bool


def sides(table: Table) -> list[tuple[str, tuple[Seat, ...]]]:
    """Return each side as its names and its seats."""
    return side_names(table, GAMES["pot_black"])


def total(numbers: Sequence[int], seats: Sequence[Seat]) -> int:
    """Return the sum over seats of numbers by seat."""
    return sum(numbers[seat] for seat in seats)


def tens_of(deal: DealSettled, seat: Seat) -> int:
    """Return the number of black tens that a seat took. Both fall in every deal."""
    return 2 // len(deal.ten_takers) if seat in deal.ten_takers else 0


def added_up(observation: Observation, deal: DealSettled, seats: Sequence[Seat]) -> str:
    """Return all that a side paid and won in a deal: ``Antes −4 · Main pot +8``."""
    paid = _paid(observation, deal, seats)
    name = _("Antes") if len(seats) > 1 else _("Ante")
    parts = (
        (_("Antes and black tens") if paid.is_short else name, -paid.antes),
        (_("Black tens"), -paid.tens),
        (pot_name(observation.setup.form), total(deal.from_main, seats)),
        (_("Side pot"), total(deal.from_side, seats)),
    )
    return " · ".join(held(f"{part} {signed(chips)}") for part, chips in parts if chips)


def antes(table: Table, observation: Observation, deal: DealSettled) -> str:
    """Return the antes of a deal, or if a side was short of chips, what each side paid in all."""
    if _are_short(table, observation, deal):
        paid = [(names, _paid(observation, deal, seats)) for names, seats in sides(table)]
        sums = [f"{names} {signed(-each.antes - each.tens)}" for names, each in paid if each.antes]
        return _("Antes and black tens: {sides}", sides=", ".join(sums))
    ante = _ante(observation, deal.deal)
    if observation.setup.form == "partnership":
        return _("Antes: −{n} for each side", n=2 * ante)
    return _("Antes: −{n} for each player", n=ante)


def all_paid(observation: Observation, deal: DealSettled, seats: Sequence[Seat]) -> int:
    """Return what a side paid in a deal if it couldn't pay all of its antes and black tens, else 0."""
    paid = _paid(observation, deal, seats)
    return paid.antes if paid.is_short else 0


def paid_for_tens(observation: Observation, deal: DealSettled, seats: Sequence[Seat]) -> int:
    """Return what a side paid for black tens; 0 if it was short of chips, so that this isn't known."""
    return _paid(observation, deal, seats).tens


def black_tens(table: Table, observation: Observation, deal: DealSettled) -> str:
    """Return who took the black tens, and what they cost, unless `antes` include that."""
    worth = 1 if _are_short(table, observation, deal) else -observation.setup.penalty
    tens = ", ".join(f"{name_of(table, seat)} {number(worth * tens_of(deal, seat))}" for seat in deal.ten_takers)
    return _("Black tens: {players}", players=tens)


def pot_name(form: object) -> str:
    """Return the name of the pot for most tricks, which is the only one in the classic form."""
    return _("Pot") if form == "classic" else _("Main pot")


def _are_short(table: Table, observation: Observation, deal: DealSettled) -> bool:
    return any(_paid(observation, deal, seats).is_short for _names, seats in sides(table))


def _paid(observation: Observation, deal: DealSettled, seats: Sequence[Seat]) -> _Paid:
    """Return what a side paid. A settled deal has no more than the sum."""
    ante = _ante(observation, deal.deal) * sum(_is_in(observation, seat, deal.deal) for seat in seats)
    tens = observation.setup.penalty * sum(tens_of(deal, seat) for seat in seats)
    paid = total(deal.from_main, seats) + total(deal.from_side, seats) - total(deal.gains, seats)
    return _Paid(ante, tens, is_short=False) if paid == ante + tens else _Paid(paid, 0, is_short=True)


def _ante(observation: Observation, deal: int) -> int:
    """Return the ante of a deal. In the classic form, it rises from deal to deal."""
    ante = 0
    for each in range(1, deal + 1):
        in_play = sum(_is_in(observation, seat, each) for seat in range(observation.setup.players))
        ante = observation.setup.ante(ante, in_play)
    return ante


def _is_in(observation: Observation, seat: Seat, deal: int) -> bool:
    """Whether a seat took part in a deal."""
    return not observation.out[seat] or observation.out[seat] >= deal
