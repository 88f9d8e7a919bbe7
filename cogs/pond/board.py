"""The table of Pond · cards in words: the prompt, the pond, the trick, earlier tricks, and each side's points."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, Card, face as face_of
from bot.games.game import Seat
from bot.games.pond.scoring import CardClass, group_of, is_trump, points, position
from bot.games.pond.state import FACE_DOWN, Laid, Observation, Taken
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.card_texts import faces, played

_GAME: Final = GAMES["pond"]


def prompt(table: Table, observation: Observation) -> str:
    """Return the prompt: who is to decide what, and for that seat, what its decision is for."""
    if observation.seat in observation.to_act:
        return _purpose(table, observation)
    seats = sorted(seat for seat in observation.to_act if seat is not None)
    names = listed([f"**{name_of(table, seat)}**" for seat in seats])
    if observation.seat is None:
        return _("{names}: {task}", names=names, task=_task(observation))
    return _("Waiting for {names}: {task}", names=names, task=_task(observation))


def _purpose(table: Table, observation: Observation) -> str:
    """Return the purpose of the decision of the seat to act."""
    match observation.phase:
        case "profit":
            task = _("Set a card aside: its profit ranks score +15 for you. The card itself is out of the round.")
            return "\n".join((task, *_first_choice(observation)))
        case "bait":
            return _("Add a bait, face up. Whoever wins the trick takes the pond.")
        case "trap":
            return _("Lay a trap, a card face down? Everyone else must too.")
        case "traps":
            name = name_of(table, observation.starter or 0)
            return _("{name} laid a trap. Lay one too: any card, face down.", name=name)
        case "award":
            return _("A tie, and you led: who takes all the cards?")
        case _:
            return _("Win the trick to take the pond, or lose it to avoid it.")


def _first_choice(observation: Observation) -> Iterator[str]:
    """Yield, in the first round, why the menu lacks cards, and that there are two packs."""
    if observation.round:
        return
    if any(group_of(card) is None for card in observation.hand):
        yield _("-# A 4 has two groups, J Q K none.")
    if observation.setup.players > 2:
        yield _("-# Two packs: each card comes twice.")


def _task(observation: Observation) -> str:
    """Return the task, to stand after the names."""
    match observation.phase:
        case "profit":
            return _("set a card aside.")
        case "bait":
            return _("add a bait to the pond.")
        case "trap":
            return _("trap or no trap?")
        case "traps":
            return _("lay a trap too, face down.")
        case "award":
            return _("choose who takes the tied trick.")
        case _:
            return _("play a card to the trick.") if observation.trick else _("lead a card.")


def pond(table: Table, observation: Observation) -> str:
    """Return the baits, and the traps in the number and detail that the reader may know."""
    cards = _laid(table, observation.baits) or _("empty so far")
    if traps := _traps(observation):
        return _("**Pond**: {cards} · {traps}", cards=cards, traps=traps)
    return _("**Pond**: {cards}", cards=cards)


def _laid(table: Table, laid: Sequence[Laid]) -> str:
    return " · ".join(played(name_of(table, seat), card) for seat, card in laid)


def _traps(observation: Observation) -> str:
    """Return the number of traps, and the seat's own.

    While they are being laid, a seat sees only its own, so that its hand needn't be edited for each.
    """
    n = len(observation.traps)
    own = [face_of(card) for seat, card in observation.traps if seat == observation.seat]
    if observation.seat is not None and observation.phase == "traps":
        return _("your trap {card}", card=own[0]) if own else ""
    if own:
        return ngettext("{n} trap (yours {card})", "{n} traps (yours {card})", n, card=own[0])
    return ngettext("{n} trap face down", "{n} traps face down", n) if n else ""


def trick(table: Table, observation: Observation) -> str:
    """Return the cards played to the trick; empty before its lead."""
    return _("**Trick**: {cards}", cards=_laid(table, observation.trick)) if observation.trick else ""


def latest(observation: Observation) -> Taken | None:
    """Return the last trick that is news. One of the round before is until the first bait of this round."""
    return None if _is_of_round_before(observation) and observation.baits else observation.last_trick


def _is_of_round_before(observation: Observation) -> bool:
    """Whether no trick of this round has been taken yet. After the last round it stays the same."""
    return not observation.taken and observation.phase != "over"


def last_trick(table: Table, observation: Observation) -> str:
    """Return the cards of the last trick, and its round if that is the one before; empty before there is one."""
    trick = latest(observation)
    if trick is None:
        return ""
    cards = _laid(table, trick.trick)
    if _is_of_round_before(observation):
        pond = faces(laid.card for laid in trick.baits + trick.traps)
        return _("Last trick of round {n}: {cards} · its pond: {pond}", n=observation.round, cards=cards, pond=pond)
    return _("Last trick: {cards}", cards=cards)


def payoff(table: Table, observation: Observation) -> str:
    """Return what the last trick brought its taker, as far as the reader may know; empty before there is one."""
    trick = latest(observation)
    if trick is None:
        return ""
    said = _payoff(table, observation, trick)
    if _is_of_round_before(observation):
        return _("Round {n}, last trick: {payoff}", n=observation.round, payoff=said)
    return said


def _payoff(table: Table, observation: Observation, trick: Taken) -> str:
    taker, seat = trick.taker, observation.seat
    if taker == seat:
        return _own_payoff(table, observation, trick)
    if seat is not None and (seat - taker) % 2 == 0:
        return _partners_payoff(table, observation, trick)
    return _opponents_payoff(table, observation, trick)


def _opponents_payoff(table: Table, observation: Observation, trick: Taken) -> str:
    """Return what a trick brought a taker whose profit isn't known."""
    taker, seat = trick.taker, observation.seat
    poison, _group = _scoring(observation, taker)
    own = next((laid.card for laid in trick.traps if laid.seat == seat), None)
    open_cards = [laid.card for laid in trick.baits + trick.trick]
    n = sum(card[1] == poison for card in open_cards)
    name = name_of(table, taker)
    if own is None or own[1] != poison:
        return _open_payoff(name, len(open_cards), n, len(trick.traps))
    card, points = face_of(own), signed(CardClass.POISON * (n + 1))
    if not n:
        return _("**{name} took your {card}: {points} for them**", name=name, card=card, points=points)
    return ngettext(
        "**{name} took your {card} and {n} more poison card: {points} for them**",
        "**{name} took your {card} and {n} more poison cards: {points} for them**",
        n,
        name=name,
        card=card,
        points=points,
    )


def _open_payoff(name: str, cards: int, n: int, traps: int) -> str:
    """Return how many cards a player took, and how many are poison as far as all have seen."""
    points = signed(CardClass.POISON * n)
    if traps and n:
        return _(
            "**{name} took {cards} cards face up, {n} of them poison ({points})**, and {traps} traps",
            name=name,
            cards=cards,
            n=n,
            points=points,
            traps=traps,
        )
    if traps:
        return _("**{name} took {cards} cards face up**, and {traps} traps", name=name, cards=cards, traps=traps)
    if n:
        return _(
            "**{name} took {cards} cards, {n} of them poison ({points})**", name=name, cards=cards, n=n, points=points
        )
    return _("**{name} took {cards} cards**", name=name, cards=cards)


def _own_payoff(table: Table, observation: Observation, trick: Taken) -> str:
    """Return what the trick brought the seat, and which traps the others had laid."""
    poison, group = _scoring(observation, trick.taker)
    total = sum(points(laid.card, poison, group) for laid in trick.laid)
    traps = [(laid, points(laid.card, poison, group)) for laid in trick.traps if laid.seat != trick.taker]
    costly = [(laid, worth) for laid, worth in traps if worth < 0]
    if costly:
        cost = -sum(worth for _laid, worth in costly)
        return ngettext(
            "**You took {rest}**, and {traps} cost {cost}: **{points} in all**",
            "**You took {rest}**, and {traps} cost {cost}: **{points} in all**",
            len(costly),
            rest=signed(total + cost),
            traps=listed([_trap(table, laid) for laid, _worth in costly]),
            cost=cost,
            points=signed(total),
        )
    if traps:
        found = [f"{_trap(table, laid)} ({signed(worth)})" for laid, worth in traps]
        return _("**You took {points}**, with {traps}", points=signed(total), traps=listed(found))
    return _("**You took {points}**", points=signed(total))


def _trap(table: Table, laid: Laid) -> str:
    return _("{name}'s trap {card}", name=name_of(table, laid.seat), card=face_of(laid.card))


def _partners_payoff(table: Table, observation: Observation, trick: Taken) -> str:
    """Return what the trick brought the seat's partner, without the traps that the seat can't see."""
    poison, group = _scoring(observation, trick.taker)
    seen = [laid.card for laid in trick.laid if laid.card != FACE_DOWN]
    name, total = name_of(table, trick.taker), signed(sum(points(card, poison, group) for card in seen))
    if hidden := len(trick.laid) - len(seen):
        return ngettext(
            "**{name} took {points} for you both**, plus {n} hidden trap",
            "**{name} took {points} for you both**, plus {n} hidden traps",
            hidden,
            name=name,
            points=total,
        )
    return _("**{name} took {points} for you both**", name=name, points=total)


def _scoring(observation: Observation, seat: Seat) -> tuple[str, str]:
    """Return the seat's poison and profit ranks at the time of the last trick. Unknown ranks are empty."""
    if not observation.taken and observation.rounds:
        tally = observation.rounds[-1].tallies[seat]
        return tally.poison, tally.group
    return observation.poison(seat), observation.profit(seat)


def earlier(table: Table, observation: Observation) -> list[str]:
    """Return the visible tricks of this round under a heading (PC-21)."""
    lines = [
        _one_earlier(table, count, taken)
        for count, taken in enumerate(observation.taken, 1)
        if any(laid.card != FACE_DOWN for laid in taken.laid)
    ]
    return ["\n".join((_("**Earlier this round**"), *lines))] if lines else []


def _one_earlier(table: Table, count: int, taken: Taken) -> str:
    parts = [_("pond {cards}", cards=_laid(table, taken.baits))]
    if taken.traps:
        parts.append(_("traps {cards}", cards=_laid(table, taken.traps)))
    parts.append(_("trick {cards}", cards=_laid(table, taken.trick)))
    return _("{n}. {parts}; {name} took it", n=count, parts="; ".join(parts), name=name_of(table, taken.taker))


def out_of_play(observation: Observation) -> str:
    """Return the cards turned for poison, which nobody can play; empty before they are turned."""
    cards = faces(_turned(observation))
    if cards and observation.seat is None and observation.setup.players > 2:
        return _("-# Out of play (of two packs): {cards}", cards=cards)
    return _("-# Out of play: {cards}", cards=cards) if cards else ""


def has_turned_trump(observation: Observation) -> bool:
    """Whether a trump was turned for poison."""
    return any(is_trump(card) for card in _turned(observation))


def _turned(observation: Observation) -> Sequence[Card]:
    return sorted((card for cards in observation.turned for card in cards), key=position)


def standings(table: Table, observation: Observation) -> str:
    """Return each side's points, poison and cards taken, and the cards that nobody can play."""
    if not observation.turned:
        return ""
    sides = [_side(observation, names, seats) for names, seats in side_names(table, _GAME)]
    return "\n".join((*sides, _cards(observation)))


def _side(observation: Observation, names: str, seats: Sequence[Seat]) -> str:
    """Return a side's points, its poison and how many cards each of its players has taken."""
    total, suit = number(observation.totals[seats[0]]), SUIT_SYMBOLS[observation.poison(seats[0])]
    piles = [observation.pile_counts[seat] for seat in seats if observation.pile_counts]
    if not any(piles):
        return _("{names} **{total}** · poison {suit}", names=names, total=total, suit=suit)
    taken = " + ".join(map(str, piles))
    return _("{names} **{total}** · poison {suit} · taken {taken}", names=names, total=total, suit=suit, taken=taken)


def _cards(observation: Observation) -> str:
    """Return the number of cards that everyone holds, and the cards turned for poison."""
    few, many = min(observation.hand_counts, default=0), max(observation.hand_counts, default=0)
    held = str(many) if few == many else _("{few} or {many}", few=few, many=many)
    cards = faces(_turned(observation))
    if observation.setup.players > 2:
        return _("-# Everyone holds {held} cards · not in play (of two packs): {cards}", held=held, cards=cards)
    return _("-# Everyone holds {held} cards · turned for poison, not in play: {cards}", held=held, cards=cards)
