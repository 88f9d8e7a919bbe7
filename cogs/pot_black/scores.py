"""Results of deals of Pot Black: settlements, scores and the final result."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, face
from bot.games.game import Event, Outcome, Seat
from bot.games.pot_black.moves import Chips, DealSettled
from bot.games.pot_black.state import BLACK_TENS, Observation, trumps
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext
from bot.ui.posts.names import name_of
from bot.ui.posts.text import signed
from cogs.card_texts import faces, paragraphs, suit_name
from cogs.pot_black.payments import (
    added_up,
    all_paid,
    antes,
    black_tens,
    paid_for_tens,
    pot_name,
    sides,
    tens_of,
    total,
)

_MOST_SIDES: Final = 4
_SHOWN_DEALS: Final = 5
"""Deals in the final table, the last ones."""


def trumps_of(suit: str | None) -> str:
    """Return the trumps of a deal in words."""
    return _("trumps {suit}", suit=f"{SUIT_SYMBOLS[suit]} {suit_name(suit)}") if suit else _("no trumps")


def gains(table: Table, deal: DealSettled) -> str:
    """Return the gains and losses of a deal: ``Ann & Cleo +10 · Ben & Dan −10``."""
    changed = [f"{names} {_gain(deal, seats)}" for names, seats in sides(table) if total(deal.gains, seats)]
    return " · ".join(changed) or _("no change")


def account(table: Table, observation: Observation, deal: DealSettled) -> str:
    """Return the settlement of a deal: a line for each side that isn't out, then all payments and the pots."""
    heading = _("**Deal {deal}** · {trumps}", deal=deal.deal, trumps=trumps_of(trumps(deal.deal)))
    lines = [
        ngettext(
            "{names} **{gain}** · {n} trick · now {chips} chips",
            "{names} **{gain}** · {n} tricks · now {chips} chips",
            total(deal.counted, seats),
            names=names,
            gain=_gain(deal, seats),
            chips=stacks_of(deal.chips, seats),
        )
        for names, seats in sides(table)
        if total(deal.gains, seats) or total(deal.chips.stacks, seats)
    ]
    return "\n".join((heading, *lines, *(f"-# {item}" for item in _items(table, observation, deal))))


def settlement(table: Table, observation: Observation) -> str:
    """Return the settlement of the last deal; empty before there is one."""
    return account(table, observation, observation.settled[-1]) if observation.settled else ""


def reasons(table: Table, observation: Observation) -> str:
    """Return to a seat what its side won or lost by most in the last deal, the tricks, and the sum of its chips."""
    if not observation.settled or observation.seat is None:
        return ""
    deal, own = observation.settled[-1], _side_of(observation, observation.seat)
    tricks = " · ".join(f"{names} {total(deal.counted, seats)}" for names, seats in sides(table))
    has_parts = any(tens_of(deal, each) or deal.from_main[each] or deal.from_side[each] for each in own)
    added = added_up(observation, deal, own) if has_parts else ""
    lines = (
        f"{_('Tricks: {sides}', sides=tricks)} · {black_tens(table, observation, deal)}",
        f"{added} = {_gain(deal, own)}" if " · " in added else added,
        " · ".join(paragraphs(_main_pot(table, deal), _side_pot(table, deal))),
    )
    dearest = paragraphs(_dearest(observation, deal, own))
    return "\n".join((*dearest, *(f"-# {line}" for line in lines if line)))


def _side_of(observation: Observation, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats on the side of a seat."""
    of = observation.setup.sides
    return tuple(other for other in range(observation.setup.players) if of[other] == of[seat])


def _dearest(observation: Observation, deal: DealSettled, own: Sequence[Seat]) -> str:
    """Return what brought or cost the reader's side most in a deal."""
    tens = sum(tens_of(deal, seat) for seat in own)
    has_partner = len(own) > 1
    if tens and (paid := all_paid(observation, deal, own)):
        chips = chips_in_words(paid)
        return _("Your side paid its last {chips}.", chips=chips) if has_partner else _last_paid(chips)
    won = total(deal.from_main, own) + total(deal.from_side, own)
    kept = deal.chips.side if has_partner and tens and {*deal.winners} & {*own} else 0
    cost = paid_for_tens(observation, deal, own)
    lost = 0 if total(deal.from_main, own) else won - cost - total(deal.gains, own)
    causes = (
        (cost + kept, _tens_cost(tens, cost, kept, has_partner=has_partner)),
        (won, _pots_brought(won, has_partner=has_partner)),
        (lost, _antes_lost(deal, lost, tens, has_partner=has_partner)),
    )
    most, sentence = max(causes, key=lambda cause: cause[0])
    return sentence if most > 0 else ""


def _last_paid(chips: str) -> str:
    return _("You paid your last {chips}.", chips=chips)


def _tens_cost(tens: int, cost: int, kept: int, *, has_partner: bool) -> str:
    """Return what black tens cost a side, or what they kept it from."""
    chips = chips_in_words(cost)
    if kept:
        return _("A black ten kept your side from the side pot of {chips}.", chips=chips_in_words(kept))
    if has_partner:
        return ngettext(
            "A black ten cost your side {chips}.", "{n} black tens cost your side {chips}.", tens, chips=chips
        )
    return ngettext("A black ten cost you {chips}.", "{n} black tens cost you {chips}.", tens, chips=chips)


def _pots_brought(won: int, *, has_partner: bool) -> str:
    chips = chips_in_words(won)
    if has_partner:
        return _("The pots brought your side {chips}.", chips=chips)
    return _("The pots brought you {chips}.", chips=chips)


def _antes_lost(deal: DealSettled, lost: int, tens: int, *, has_partner: bool) -> str:
    """Return that a side has lost its antes, as others won the pot or nobody did."""
    chips = chips_in_words(lost)
    if not deal.winners:
        return _("A tie left your antes in the pot: {chips}.", chips=chips)
    if tens:
        return _("The others won your antes: {chips}.", chips=chips)
    if has_partner:
        return _("Your side took no black ten, so the deal only cost the antes: {chips}.", chips=chips)
    return _("You took no black ten, so the deal only cost you the ante: {chips}.", chips=chips)


def ended_by(table: Table, observation: Observation) -> str:
    """Return who ran out of chips or is left, or that the last deal was played, and the chips that nobody won."""
    outcome = observation.outcome
    return "" if outcome is None else " ".join(paragraphs(_reason(table, observation, outcome), unwon(observation)))


def ended_in_full(table: Table, observation: Observation) -> str:
    """Return `ended_by`, who won the main pot of the last deal, and why chips are left; empty if no deal was ended."""
    outcome, deal = observation.outcome, observation.settled[-1] if observation.settled else None
    if outcome is None or deal is None or deal.deal < observation.deal:
        return ""
    left = unwon(observation)
    if left and _is_spoilt(observation.setup.form, deal):
        chips = chips_in_words(deal.chips.main + deal.chips.side)
        left = _("A black ten kept them from the last {chips}.", chips=chips)
    # "The last deal was played" would add nothing to how it went.
    why = "" if outcome.reason == "deals" else _reason(table, observation, outcome)
    return " ".join(paragraphs(why, _won(table, observation, deal), left))


def _reason(table: Table, observation: Observation, outcome: Outcome) -> str:
    """Return why the game ended; empty after a resignation."""
    if why := _left(table, observation, outcome):
        return why
    return _(GAMES["pot_black"].reasons[outcome.reason]) if outcome.reason in GAMES["pot_black"].reasons else ""


def _won(table: Table, observation: Observation, deal: DealSettled) -> str:
    """Return who won the main pot of the last deal, and by how many tricks."""
    if not deal.winners:
        return _("The last deal was a tie.")
    tricks = {names: total(deal.counted, seats) for names, seats in sides(table)}
    names = next(names for names, seats in sides(table) if deal.winners[0] in seats)
    won, main, side = tricks.pop(names), sum(deal.from_main), sum(deal.from_side)
    if observation.setup.form == "partnership":
        (lost,) = tricks.values()
        values = {"names": names, "n": won, "lost": lost, "main": main, "side": side}
        if side:
            return _("Last deal: {names} won both pots ({main} + {side}), {n} tricks to {lost}.", **values)
        return _("Last deal: {names} won the main pot ({main}), {n} tricks to {lost}.", **values)
    if observation.setup.form == "classic":
        return ngettext(
            "Last deal: {name} won the pot ({main}) with {n} trick.",
            "Last deal: {name} won the pot ({main}) with {n} tricks.",
            won,
            name=names,
            main=main,
        )
    return ngettext(
        "Last deal: {name} won the main pot ({main}) with {n} trick.",
        "Last deal: {name} won the main pot ({main}) with {n} tricks.",
        won,
        name=names,
        main=main,
    )


def _left(table: Table, observation: Observation, outcome: Outcome) -> str:
    """Return who ran out of chips, or who is left; empty if something else ended the game."""
    stacks = observation.chips.stacks
    if outcome.reason == "broke":
        broke = [names for names, seats in sides(table) if not total(stacks, seats)]
        return _("{names}: no chips left.", names=listed(broke)) if broke else ""
    if outcome.reason == "knock_out":
        left = [name_of(table, seat) for seat, chips in enumerate(stacks) if chips]
        return _("Only {names} still have chips.", names=listed(left)) if len(left) > 1 else ""
    return ""


def stacks_of(chips: Chips, seats: Sequence[Seat]) -> str:
    """Return the chips of a side, with each partner's chips: ``28 + 30 = **58**``."""
    together = f"**{total(chips.stacks, seats)}**"
    return f"{' + '.join(str(chips.stacks[seat]) for seat in seats)} = {together}" if len(seats) > 1 else together


def _items(table: Table, observation: Observation, deal: DealSettled) -> list[str]:
    """Return the antes, the black tens and the pots. They add up to the gain of each side."""
    return paragraphs(
        antes(table, observation, deal),
        black_tens(table, observation, deal),
        _main_pot(table, deal),
        _side_pot(table, deal),
    )


def _is_spoilt(form: object, deal: DealSettled) -> bool:
    """Whether the winners of the main pot are partners who took a black ten, and so left the side pot (BK-10)."""
    return form == "partnership" and bool(set(deal.winners) & set(deal.ten_takers))


def _main_pot(table: Table, deal: DealSettled) -> str:
    why = _("too few to share") if deal.winners else _("tie")
    return _pot(table, pot_name(table.options["form"]), deal.from_main, deal.chips.main, why)


def _side_pot(table: Table, deal: DealSettled) -> str:
    options, why = table.options, _("too few to share")
    if _is_spoilt(options["form"], deal):
        why = _("the winners took a black ten")
    elif not deal.winners and (options["form"] == "partnership" or options["tied_side_pot"] == "stays"):
        why = _("tie")
    return _pot(table, _("Side pot"), deal.from_side, deal.chips.side, why)


def _pot(table: Table, pot: str, shares: Sequence[int], left: int, why: str) -> str:
    """Return the winners of a pot, or the reason why it stays."""
    won = [f"{names} {signed(chips)}" for names, seats in sides(table) if (chips := total(shares, seats))]
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
        chips = chips_in_words(total(observation.chips.stacks, seats))
        lines.append(_("{place}. **{names}** · {chips}", place=places[seats[0]], names=names, chips=chips))
        if by_deal := [_gain(deal, seats) for deal in observation.settled[-_SHOWN_DEALS:]]:
            lines.append(_("-# Latest deals: {gains}", gains=" ".join(by_deal)))
    return "\n".join(lines)


def unwon(observation: Observation) -> str:
    """Return the chips that are still in the pots at the end; empty if there are none."""
    left = observation.chips.main + observation.chips.side
    return _("Nobody won the last {chips} in the pots.", chips=chips_in_words(left)) if left else ""


def highlights(table: Table, observation: Observation) -> str:
    """Return up to three sentences about the game: the biggest pot, the black tens, who led.

    Above them, four sides fill the screen of a phone, so there is no room for the black tens.
    """
    if not observation.settled:
        return ""
    tens = _worst_tens(table, observation) if len(sides(table)) < _MOST_SIDES else ""
    return "\n".join(paragraphs(_biggest_pot(table, observation), tens, _ahead_for_good(table, observation)))


def _biggest_pot(table: Table, observation: Observation) -> str:
    pots = [(deal.deal, shares) for deal in observation.settled for shares in (deal.from_main, deal.from_side)]
    deal, shares = max(pots, key=lambda pot: sum(pot[1]))
    names = listed([names for names, seats in sides(table) if total(shares, seats)])
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
    taken = [sum(tens_of(deal, seat) for deal in observation.settled) for seat in range(observation.setup.players)]
    most = max(taken)
    seats = [seat for seat, tens in enumerate(taken) if tens == most]
    if len(seats) > 1:
        return ""
    return _("{name} took the most black tens: {n}.", name=name_of(table, seats[0]), n=most)


def _ahead_for_good(table: Table, observation: Observation) -> str:
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
    return _("Deal {deal} put {names} ahead for good ({gain}).", deal=deal.deal, names=names, gain=gain)


def _leads(table: Table, deal: DealSettled, seats: tuple[Seat, ...]) -> bool:
    """Whether the side had more chips than every other after the deal."""
    others = [total(deal.chips.stacks, other) for _names, other in sides(table) if other != seats]
    return total(deal.chips.stacks, seats) > max(others)


def _gain(deal: DealSettled, seats: Sequence[Seat]) -> str:
    return signed(total(deal.gains, seats)) if total(deal.gains, seats) else "±0"


def chips_in_words(points: int) -> str:
    """Return a number of chips, which are the points of this game: ``1 chip``."""
    return ngettext("{n} chip", "{n} chips", points)


# ---- why


def _just_settled(observation: Observation) -> DealSettled | None:
    """Return the last deal if no trick has been taken since."""
    deal = observation.settled[-1] if observation.settled else None
    return None if deal is None or (observation.tricks and deal.deal < observation.deal) else deal


def why(
    table: Table,
    observation: Observation,
    events: Sequence[Event],  # noqa: ARG001 - as in all games
) -> tuple[str, str] | None:
    """Return why the last trick, or the deal that was settled after it, brought or cost what it did, and the ruling."""
    trick = observation.last_trick
    if trick is None:
        return None
    deal, seat = _just_settled(observation), observation.seat
    if deal is not None:
        dearest = "" if seat is None else _dearest(observation, deal, _side_of(observation, seat))
        said = "\n".join(paragraphs(dearest, account(table, observation, deal)))
        if observation.setup.form != "partnership":
            return said, "BK-20"
        return said, "BK-10" if deal.winners else "BK-12"
    name, card = name_of(table, trick.taker), trick.cards[trick.seats.index(trick.taker)]
    if card[1] == trick.cards[0][1]:
        said = _("**{name}** took the trick: {card} is the highest of the suit led.", name=name, card=face(card))
    else:
        said = _("**{name}** took the trick: {card} is the highest trump.", name=name, card=face(card))
    tens = [ten for ten in trick.cards if ten in BLACK_TENS]
    if not tens:
        return f"{said} {_('It counts 1.')}", "BK-04"
    cost = _(
        "{tens} cost {name} {chips}, and the trick counts for nobody.",
        tens=faces(tens),
        name=name,
        chips=chips_in_words(trick.paid[trick.taker]),
    )
    return f"{said} {cost}", "BK-07" if len(tens) > 1 else "BK-06"
