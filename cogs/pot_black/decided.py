"""What decided a game of Pot Black: a pot, a black ten, or else a deal."""

from collections.abc import Iterator, Sequence

from bot.games.game import Seat
from bot.games.pot_black.chips import side_totals
from bot.games.pot_black.moves import DealSettled
from bot.games.pot_black.state import Observation
from bot.records.table import Table
from bot.texts import gettext as _, listed
from bot.ui.posts.names import name_of
from cogs.causes import Cause, Whole, decided_in
from cogs.pot_black.payments import paid_for_tens, sides, tens_of, total
from cogs.pot_black.scores import gains


def decided(table: Table, observation: Observation) -> str:
    """Return the pot or the black ten that decided the game, or else the deal; empty if none did."""
    deals = (
        Whole(_deal(table, observation, deal), list(_parts(table, observation, deal))) for deal in observation.settled
    )
    return decided_in(observation.outcome, observation.setup.sides, deals)


def _parts(table: Table, observation: Observation, deal: DealSettled) -> Iterator[Cause]:
    """Yield what changed the chips in a deal, but for the antes, which all pay alike."""
    for names, seats in sides(table):
        if any(tens_of(deal, seat) for seat in seats):
            yield _black_ten(table, observation, deal, names, seats)
    main, values = deal.from_main, {"deal": deal.deal, "names": _winners(table, deal.from_main)}
    text = _("Decided in deal {deal}: {names} won the main pot of {chips}.", chips=sum(main), **values)
    if observation.setup.form == "classic":
        text = _("Decided in deal {deal}: {names} won the pot of {chips}.", chips=sum(main), **values)
    yield Cause(side_totals(observation.setup, main), text)
    side, values = deal.from_side, {"deal": deal.deal, "names": _winners(table, deal.from_side)}
    text = _("Decided in deal {deal}: {names} won the side pot of {chips}.", chips=sum(side), **values)
    yield Cause(side_totals(observation.setup, side), text)


def _black_ten(table: Table, observation: Observation, deal: DealSettled, names: str, seats: tuple[Seat, ...]) -> Cause:
    """Return what black tens cost a side: the payment, and partners with most tricks also the side pot (BK-10)."""
    paid = paid_for_tens(observation, deal, seats)
    is_spoilt = observation.setup.form == "partnership" and bool({*deal.winners} & {*seats})
    lost = deal.chips.side if is_spoilt else 0
    if lost:
        text = _(
            "Decided in deal {deal}: a black ten kept {names} from the side pot of {chips}.",
            deal=deal.deal,
            names=names,
            chips=lost,
        )
    else:
        takers = listed([name_of(table, seat) for seat in seats if tens_of(deal, seat)])
        text = _(
            "Decided in deal {deal}: {names} paid {chips} for black tens.", deal=deal.deal, names=takers, chips=paid
        )
    return Cause(tuple(-paid - lost if seat in seats else 0 for seat in range(table.seats)), text)


def _deal(table: Table, observation: Observation, deal: DealSettled) -> Cause:
    text = _("Decided in deal {deal}: {gains}.", deal=deal.deal, gains=gains(table, deal))
    return Cause(side_totals(observation.setup, deal.gains), text)


def _winners(table: Table, won: Sequence[int]) -> str:
    return listed([names for names, seats in sides(table) if total(won, seats)])
