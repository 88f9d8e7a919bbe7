"""The table of Pot Black in words: the prompt, the trick, the black tens, the chips, and earlier tricks."""

from collections.abc import Sequence

from bot.games.cards import SUIT_SYMBOLS, SUITS, face
from bot.games.game import Seat
from bot.games.pot_black.state import BLACK_TENS, Observation, Trick
from bot.games.pot_black.tricks import winner
from bot.records.table import Table
from bot.texts import either, gettext as _, listed, ngettext
from bot.ui.posts.names import name_of
from cogs.card_texts import faces, mark, played, suit_name
from cogs.pot_black.hand import price_of, unseen_by
from cogs.pot_black.payments import sides
from cogs.pot_black.picture import black_tens
from cogs.pot_black.scores import stacks_of


def prompt(table: Table, observation: Observation) -> str:
    """Return the prompt: who is to play, and for that seat, its playable cards and the worth of the trick."""
    turn = observation.turn
    if turn is None:
        return ""
    name = name_of(table, turn)
    if observation.seat == turn:
        return f"{_which_card(observation)}\n{_stakes(observation)}"
    if observation.seat is not None:
        waiting = _("Waiting for **{name}**.", name=name)
        is_out = bool(observation.out[observation.seat])
        return f"{waiting}\n{_('You have no chips left and are out.')}" if is_out else waiting
    return _("**{name}**: play a card.", name=name) if observation.trick else _("**{name}**: lead a card.", name=name)


def _which_card(observation: Observation) -> str:
    if not observation.trick:
        trumps = sum(card[1] == observation.trumps for card in unseen_by(observation))
        if not trumps:
            return _("**Your lead**: play any card.")
        return ngettext(
            "**Your lead**: play any card. The others have {n} trump.",
            "**Your lead**: play any card. The others have {n} trumps.",
            trumps,
        )
    led = observation.trick[0][1]
    if any(card[1] == led for card in observation.hand):
        return _("**Your turn**: follow with {suit}.", suit=_suit(led))
    return _("**Your turn**: you have no {suit}, so play any card.", suit=_suit(led))


def _suit(suit: str) -> str:
    return f"{SUIT_SYMBOLS[suit]} {suit_name(suit)}"


def _stakes(observation: Observation) -> str:
    """Return the payment for taking the trick, or the tricks so far and the pots to win."""
    if price := price_of(observation, observation.trick):
        tens = listed([face(card) for card in observation.trick if card in BLACK_TENS])
        return _("Taking {tens} costs {n} chips, and the trick counts for nobody.", tens=tens, n=price)
    mine, rival = _tally(observation)
    if observation.tricks or observation.deal > 1:
        return _in_brief(observation, mine, rival)
    values = {
        "mine": mine,
        "rival": rival,
        "main": observation.chips.main,
        "side": observation.chips.side,
        "tens": either([face(ten) for ten in BLACK_TENS]),
    }
    match observation.setup.form:
        case "partnership":
            pots = _(
                "Most tricks win the main pot ({main}), and without {tens} the side pot too ({side} so far).",
                **values,
            )
            return _("Tricks: you {mine}, they {rival}. {pots}", pots=pots, **values)
        case "individual":
            pots = _(
                "Most tricks win the main pot ({main}). Everyone without {tens} shares the side pot ({side} so far).",
                **values,
            )
        case _:
            pots = _("Most tricks win the pot ({main}).", **values)
    return _("Tricks: you {mine}, best rival {rival}. {pots}", pots=pots, **values)


def _in_brief(observation: Observation, mine: int, rival: int) -> str:
    """Return the tricks and the pots without their rule, which the first trick of the game has."""
    is_paired = observation.setup.form == "partnership"
    tricks = (
        _("Tricks {mine}–{rival}", mine=mine, rival=rival)
        if is_paired
        else _("Tricks {mine}, best rival {rival}", mine=mine, rival=rival)
    )
    main = str(observation.chips.main)
    if not observation.tricks:  # the antes have just left the stacks
        main = _("{chips} (antes paid)", chips=main)
    if observation.setup.form == "classic":
        return _("{tricks} · pot {main}", tricks=tricks, main=main)
    return _("{tricks} · pot {main} · side pot {side}", tricks=tricks, main=main, side=observation.chips.side)


def _tally(observation: Observation) -> tuple[int, int]:
    """Return the counted tricks of the seat's side, and the most of any other side."""
    sides = observation.setup.sides
    tricks = dict.fromkeys(sides, 0)
    for side, counted in zip(sides, observation.counted, strict=True):
        tricks[side] += counted
    mine = tricks.pop(sides[observation.seat or 0])
    return mine, max(tricks.values())


def trick(table: Table, observation: Observation) -> str:
    """Return the trick on the table, the black tens of this deal and the last trick."""
    lines = []
    if observation.order and observation.outcome is None:
        names = [name_of(table, seat) for seat in range(table.seats)]
        lines = [_current_trick(table, observation), black_tens(observation, names)]
    if observation.seat is None and (last := last_trick(table, observation)):  # a hand has it among its news
        lines.append(f"-# {last}")
    return "\n".join(lines)


def last_trick(table: Table, observation: Observation) -> str:
    """Return the last trick; empty before there is one.

    That of the deal before is named as such, and only shown until a card of the new deal is played (BK-30).
    """
    if observation.tricks:
        return _("Last trick: {cards}", cards=_taken(table, observation.tricks[-1]))
    if observation.last_trick is None or observation.trick:
        return ""
    cards = _taken(table, observation.last_trick)
    return _("Last trick of deal {deal}: {cards}", deal=observation.deal - 1, cards=cards)


def last_trick_in_brief(table: Table, observation: Observation) -> str:
    """Return the cards of the last trick; empty before there is one. That of the deal before has its players, too."""
    tricks = observation.tricks
    return _("Last trick: {cards}", cards=faces(tricks[-1].cards)) if tricks else last_trick(table, observation)


def payoff(table: Table, observation: Observation) -> str:
    """Return the taker of the last trick of this deal, and what it won or cost; empty before there is one.

    Between two deals, it is that of the last deal.
    """
    trick, seat, sides = observation.last_trick, observation.seat, observation.setup.sides
    if trick is None or (observation.order and not observation.tricks):
        return ""
    name = name_of(table, trick.taker)
    is_ours = seat is not None and sides[seat] == sides[trick.taker]
    if not trick.counts:
        return _penalty(observation, trick, name, is_ours=is_ours)
    if trick.taker == seat:
        return _("**You took the trick: +1**")
    if is_ours:
        return _("**{name} took the trick for you both: +1**", name=name)
    return _("**{name} took the trick**", name=name)


def _penalty(observation: Observation, trick: Trick, name: str, *, is_ours: bool) -> str:
    """Return what the taker, or to the others that side, paid for black tens: it can't win the side pot (BK-10)."""
    price = trick.paid[trick.taker]
    tens, form = listed([face(card) for card in trick.cards if card in BLACK_TENS]), observation.setup.form
    if trick.taker == observation.seat:
        if form == "classic":
            return _("**You took {tens}: −{n} for you**", tens=tens, n=price)
        return _("**You took {tens}: −{n} for you**, and no side pot in this deal", tens=tens, n=price)
    if form == "classic":
        return _("**{name} took {tens}: −{n} for {name}**", name=name, tens=tens, n=price)
    if form == "individual" or observation.seat is None:
        return _("**{name} took {tens}: −{n} for {name}**, and no side pot in this deal", name=name, tens=tens, n=price)
    price = sum(trick.paid)
    if is_ours:
        return _(
            "**{name} took {tens}: −{n} for your side**, and no side pot in this deal", name=name, tens=tens, n=price
        )
    return _(
        "**{name} took {tens}: −{n} for the other side**, and no side pot in this deal", name=name, tens=tens, n=price
    )


def _current_trick(table: Table, observation: Observation) -> str:
    order, cards, number = observation.order, observation.trick, len(observation.tricks) + 1
    if not cards:
        return _("**Trick {n}**: {name} leads", n=number, name=name_of(table, order[0]))
    laid = [played(name_of(table, seat), card) for seat, card in zip(order, cards, strict=False)]
    best = winner(cards, observation.trumps)
    if len(cards) > 1:
        laid[best] = _("**{card} ahead**", card=laid[best])
    return _("**Trick {n}**: {cards}", n=number, cards=" · ".join(laid))


def _taken(table: Table, trick: Trick) -> str:
    """Return a trick: who played what, and whose card took it."""
    cards = [played(name_of(table, s), c) for s, c in zip(trick.seats, trick.cards, strict=True)]
    best = trick.seats.index(trick.taker)
    cards[best] = _("**{card} takes it**", card=cards[best])
    return " · ".join(cards)


def earlier(table: Table, observation: Observation) -> str:
    """Return the tricks of this deal under a heading; empty before there is one."""
    lines = [f"{number}. {_taken(table, trick)}" for number, trick in enumerate(observation.tricks, 1)]
    return "\n".join((_("**Tricks of this deal**"), *lines)) if lines else ""


def chips(table: Table, observation: Observation) -> str:
    """Return the chips and counted tricks of each side, and the pots."""
    lines = [_side(observation, names, seats) for names, seats in sides(table)]
    main, side = observation.chips.main, observation.chips.side
    if observation.setup.form == "classic":
        pots = _("Pot **{chips}**", chips=main)
    else:
        pots = _("Main pot **{main}** · side pot **{side}**", main=main, side=side)
    return "\n".join((*lines, mark("chip", pots)))


def limit(observation: Observation) -> str:
    """Return how a game of so many deals is won, in small print; empty without such a limit."""
    deals = observation.setup.deals
    return "-# " + _("Most chips after deal {n} win.", n=deals) if deals else ""


def _side(observation: Observation, names: str, seats: Sequence[Seat]) -> str:
    if deal := observation.out[seats[0]]:
        return _("**{names}** · out since deal {deal}", names=names, deal=deal)
    chips = stacks_of(observation.chips, seats)
    if observation.outcome is not None:  # the tricks would be those of the last deal alone
        return _("**{names}** · chips {chips}", names=names, chips=chips)
    tricks = sum(observation.counted[seat] for seat in seats)
    return _("**{names}** · chips {chips} · tricks {tricks}", names=names, chips=chips, tricks=tricks)


def voids(table: Table, observation: Observation) -> str:
    """Return the suits that players have failed to follow, and so don't have."""
    out = [
        f"{name_of(table, seat)} {' '.join(SUIT_SYMBOLS[suit] for suit in SUITS if suit in suits)}"
        for seat, suits in enumerate(observation.voids)
        if suits
    ]
    return _("Out of a suit: {players}", players=" · ".join(out)) if out else ""
