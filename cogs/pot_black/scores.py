"""Results of deals of Pot Black: settlements, scores and the final result."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, face
from bot.games.game import Event, Outcome, Seat
from bot.games.pot_black.moves import DealSettled
from bot.games.pot_black.setup import Chips
from bot.games.pot_black.state import BLACK_TENS, Observation, trumps
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import listed, ngettext
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.card_texts import faces, paragraphs, suit_name

_MOST_SIDES: Final = 4
_SHOWN_DEALS: Final = 5
"""Deals in the final table, the last ones."""


def sides(table: Table) -> list[tuple[str, tuple[Seat, ...]]]:
    """Return each side as its names and its seats."""
    return side_names(table, GAMES["pot_black"])


def trumps_of(suit: str | None) -> str:
    """Return the trumps of a deal in words."""
    return _("trumps {suit}", suit=f"{SUIT_SYMBOLS[suit]} {suit_name(suit)}") if suit else _("no trumps")


def gains(table: Table, deal: DealSettled) -> str:
    """Return the gains and losses of a deal: ``Ann & Cleo +10 · Ben & Dan −10``."""
    changed = [f"{names} {_gain(deal, seats)}" for names, seats in sides(table) if _sum(deal.gains, seats)]
    return " · ".join(changed) or _("no change")


def account(table: Table, deal: DealSettled) -> str:
    """Return the settlement of a deal: a line for each side that isn't out, then the black tens and the pots."""
    heading = _("**Deal {deal}** · {trumps}", deal=deal.deal, trumps=trumps_of(trumps(deal.deal)))
    lines = [
        ngettext(
            "{names} **{gain}** · {n} trick · now {chips} chips",
            "{names} **{gain}** · {n} tricks · now {chips} chips",
            _sum(deal.counted, seats),
            names=names,
            gain=_gain(deal, seats),
            chips=stacks_of(deal.chips, seats),
        )
        for names, seats in sides(table)
        if _sum(deal.gains, seats) or _sum(deal.chips.stacks, seats)
    ]
    return "\n".join((heading, *lines, *(f"-# {item}" for item in _items(table, deal))))


def settlement(table: Table, observation: Observation) -> str:
    """Return the settlement of the last deal; empty before there is one."""
    return account(table, observation.settled[-1]) if observation.settled else ""


def reasons(table: Table, observation: Observation) -> str:
    """Return the tricks, the black tens and the pots of the last deal, and to a seat what it won or lost by most."""
    if not observation.settled:
        return ""
    deal, seat = observation.settled[-1], observation.seat
    tricks = " · ".join(f"{names} {_sum(deal.counted, seats)}" for names, seats in sides(table))
    tens, *pots = _items(table, deal)
    lines = (f"{_('Tricks: {sides}', sides=tricks)} · {tens}", " · ".join(pots))
    dearest = paragraphs("" if seat is None else _dearest(observation, deal, seat))
    return "\n".join((*dearest, *(f"-# {line}" for line in lines if line)))


def _dearest(observation: Observation, deal: DealSettled, seat: Seat) -> str:
    """Return what cost the seat's side most in a deal or, without black tens, what it won."""
    setup = observation.setup
    own = [other for other in range(setup.players) if setup.sides[other] == setup.sides[seat]]
    tens = sum(_tens_of(deal, other) for other in own)
    won = _sum(deal.from_main, own) + _sum(deal.from_side, own)
    if setup.form == "partnership" and tens and set(deal.winners) & set(own) and deal.chips.side:
        return _("A black ten kept you from the side pot of {chips}.", chips=chips_in_words(deal.chips.side))
    if tens:
        cost = chips_in_words(tens * setup.penalty)
        return ngettext("A black ten cost you {chips}.", "{n} black tens cost you {chips}.", tens, chips=cost)
    if won:
        return _("The pots brought you {chips}.", chips=chips_in_words(won))
    lost = -_sum(deal.gains, own)
    return (
        _("You took no black ten, so the deal only cost you the ante: {chips}.", chips=chips_in_words(lost))
        if lost > 0
        else ""
    )


def ended_by(table: Table, observation: Observation) -> str:
    """Return who ran out of chips or is left, or that the last deal was played, and the chips that nobody won."""
    outcome = observation.outcome
    if outcome is None:
        return ""
    why = _left(table, observation, outcome)
    if not why and outcome.reason in GAMES["pot_black"].reasons:
        why = _(GAMES["pot_black"].reasons[outcome.reason])
    return " ".join(paragraphs(why, unwon(observation)))


def _left(table: Table, observation: Observation, outcome: Outcome) -> str:
    """Return who ran out of chips, or who is left; empty if something else ended the game."""
    stacks = observation.chips.stacks
    if outcome.reason == "broke":
        broke = [names for names, seats in sides(table) if not _sum(stacks, seats)]
        return _("{names}: no chips left.", names=listed(broke)) if broke else ""
    if outcome.reason == "knock_out":
        left = [name_of(table, seat) for seat, chips in enumerate(stacks) if chips]
        return _("Only {names} still have chips.", names=listed(left)) if len(left) > 1 else ""
    return ""


def stacks_of(chips: Chips, seats: Sequence[Seat]) -> str:
    """Return the chips of a side, with each partner's chips: ``28 + 30 = **58**``."""
    total = f"**{_sum(chips.stacks, seats)}**"
    return f"{' + '.join(str(chips.stacks[seat]) for seat in seats)} = {total}" if len(seats) > 1 else total


def _items(table: Table, deal: DealSettled) -> list[str]:
    tens = ", ".join(f"{name_of(table, seat)} {_tens_of(deal, seat)}" for seat in deal.ten_takers)
    return paragraphs(
        _("Black tens: {players}", players=tens),
        _main_pot(table, deal),
        _side_pot(table, deal),
    )


def _main_pot(table: Table, deal: DealSettled) -> str:
    name = _("Pot") if table.options["form"] == "classic" else _("Main pot")
    why = _("too few to share") if deal.winners else _("tie")
    return _pot(table, name, deal.from_main, deal.chips.main, why)


def _side_pot(table: Table, deal: DealSettled) -> str:
    why = _("tie")
    if deal.winners:
        spoilt = table.options["form"] == "partnership" and set(deal.winners) & set(deal.ten_takers)
        why = _("the winners took a black ten") if spoilt else _("too few to share")
    return _pot(table, _("Side pot"), deal.from_side, deal.chips.side, why)


def _pot(table: Table, pot: str, shares: Sequence[int], left: int, why: str) -> str:
    """Return the winners of a pot, or the reason why it stays."""
    won = [f"{names} {signed(chips)}" for names, seats in sides(table) if (chips := _sum(shares, seats))]
    if won:
        return f"{pot}: {', '.join(won)}"
    stays = ngettext("{pot}: {n} chip stays ({why})", "{pot}: {n} chips stay ({why})", left, pot=pot, why=why)
    return stays if left else ""


def final_table(table: Table, observation: Observation) -> str:
    """Return the sides by their chips, with what each gained deal by deal."""
    outcome = observation.outcome
    places = outcome.places if outcome else (1,) * observation.setup.players
    lines = []
    for names, seats in sorted(sides(table), key=lambda side: places[side[1][0]]):
        chips = chips_in_words(_sum(observation.chips.stacks, seats))
        lines.append(_("{place}. **{names}** · {chips}", place=places[seats[0]], names=names, chips=chips))
        if by_deal := [_gain(deal, seats) for deal in observation.settled[-_SHOWN_DEALS:]]:
            lines.append(_("-# Latest deals: {gains}", gains=" ".join(by_deal)))
    return "\n".join(lines)


def unwon(observation: Observation) -> str:
    """Return the chips that are still in the pots at the end; empty if there are none."""
    left = observation.chips.main + observation.chips.side
    return _("Nobody won the last {chips} in the pots.", chips=chips_in_words(left)) if left else ""


def highlights(table: Table, observation: Observation) -> str:
    """Return up to three sentences about the game: the biggest pot, the black tens, the decisive deal.

    Above them, four sides fill the screen of a phone, so there is no room for the black tens.
    """
    if not observation.settled:
        return ""
    tens = _worst_tens(table, observation) if len(sides(table)) < _MOST_SIDES else ""
    return "\n".join(paragraphs(_biggest_pot(table, observation), tens, _decisive_deal(table, observation)))


def _biggest_pot(table: Table, observation: Observation) -> str:
    pots = [(deal.deal, shares) for deal in observation.settled for shares in (deal.from_main, deal.from_side)]
    deal, shares = max(pots, key=lambda pot: sum(pot[1]))
    names = listed([names for names, seats in sides(table) if _sum(shares, seats)])
    if not sum(shares):
        return ""
    return _(
        "Biggest pot: {chips} to {names} in deal {deal}.", chips=chips_in_words(sum(shares)), names=names, deal=deal
    )


def _most_expensive(table: Table, deal: DealSettled) -> str:
    return _(
        "Most expensive black ten: it kept {names} from a side pot of {chips} in deal {deal}.",
        names=next(names for names, seats in sides(table) if deal.winners[0] in seats),
        chips=chips_in_words(deal.chips.side),
        deal=deal.deal,
    )


def _worst_tens(table: Table, observation: Observation) -> str:
    """Return the black ten that cost its side the biggest side pot; without one, who took most black tens."""
    if observation.deal > len(observation.settled):
        return ""
    spoilt = [deal for deal in observation.settled if set(deal.winners) & set(deal.ten_takers)]
    if spoilt and observation.setup.form == "partnership":
        return _most_expensive(table, max(spoilt, key=lambda deal: deal.chips.side))
    taken = [sum(_tens_of(deal, seat) for deal in observation.settled) for seat in range(observation.setup.players)]
    most = max(taken)
    seats = [seat for seat, tens in enumerate(taken) if tens == most]
    if len(seats) > 1:
        return ""
    return _("{name} took the most black tens: {n}.", name=name_of(table, seats[0]), n=most)


def _decisive_deal(table: Table, observation: Observation) -> str:
    """Return the deal in which the winner took the lead for good; empty if the chips didn't decide."""
    outcome = observation.outcome
    if outcome is None or outcome.is_conceded:
        return ""
    ahead = [side for side in sides(table) if outcome.places[side[1][0]] == 1]
    if len(ahead) != 1:
        return ""
    (names, seats) = ahead[0]
    led = [_leads(table, deal, seats) for deal in observation.settled]
    if not led[-1]:
        return ""
    if all(led):
        return _("{names} led from the first deal to the last.", names=names)
    deal = observation.settled[len(led) - led[::-1].index(False)]
    gain = _gain(deal, seats)
    return _("Deal {deal} decided it: {names} made {gain} and stayed ahead.", deal=deal.deal, names=names, gain=gain)


def _leads(table: Table, deal: DealSettled, seats: tuple[Seat, ...]) -> bool:
    """Whether the side had more chips than every other after the deal."""
    others = [_sum(deal.chips.stacks, other) for _names, other in sides(table) if other != seats]
    return _sum(deal.chips.stacks, seats) > max(others)


def _sum(numbers: Sequence[int], seats: Sequence[Seat]) -> int:
    return sum(numbers[seat] for seat in seats)


def _gain(deal: DealSettled, seats: Sequence[Seat]) -> str:
    return signed(_sum(deal.gains, seats)) if _sum(deal.gains, seats) else "±0"


def _tens_of(deal: DealSettled, seat: Seat) -> int:
    """Return the number of black tens that a seat took. Both fall in every deal."""
    return 2 // len(deal.ten_takers) if seat in deal.ten_takers else 0


def chips_in_words(points: int) -> str:
    """Return a number of chips, which are the points of this game: ``1 chip``."""
    return ngettext("{n} chip", "{n} chips", points)


# ---- why


def why(
    table: Table,
    observation: Observation,
    events: Sequence[Event],  # noqa: ARG001 - as in all games
) -> tuple[str, str] | None:
    """Return why the last trick, or the deal that was settled after it, brought or cost what it did, and the ruling."""
    trick = observation.last_trick
    if trick is None:
        return None
    if not observation.tricks and observation.settled:
        deal = observation.settled[-1]
        return "\n".join((account(table, deal), reasons(table, observation))), "BK-10" if deal.winners else "BK-12"
    name, card = name_of(table, trick.taker), trick.cards[trick.seats.index(trick.taker)]
    if card[1] == trick.cards[0][1]:
        said = _("**{name}** took the trick: {card} is the highest of the suit led.", name=name, card=face(card))
    else:
        said = _("**{name}** took the trick: {card} is the highest trump.", name=name, card=face(card))
    tens = [ten for ten in trick.cards if ten in BLACK_TENS]
    if not tens:
        return f"{said} {_('It counts 1.')}", "BK-04"
    cost = ngettext(
        "{tens} costs them {n} chip, and the trick counts for nobody.",
        "{tens} cost them {n} chips, and the trick counts for nobody.",
        observation.setup.penalty * len(tens),
        tens=faces(tens),
    )
    return f"{said} {cost}", "BK-07" if len(tens) > 1 else "BK-06"
