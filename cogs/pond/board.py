"""The table of Pond · cards in words: the prompt, the pond, the trick, earlier tricks, and each side's points."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import CardPlayed
from bot.games.cards import SUIT_SYMBOLS, Card
from bot.games.cards import face as face_of
from bot.games.game import Event, Seat
from bot.games.pond.moves import TrickTaken
from bot.games.pond.observation import FACE_DOWN, Observation
from bot.games.pond.scoring import position
from bot.games.pond.state import Laid, Taken
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.texts.lists import listed
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import number
from cogs.card_texts import face_down, faces

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
            return _("Set a card aside: its profit ranks score +15 for you. The card itself is out of the round.")
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
    return " · ".join(f"{name_of(table, seat)} {faces((card,))}" for seat, card in laid)


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
    return face_down(n, ngettext("{n} trap face down", "{n} traps face down", n)) if n else ""


def trick(table: Table, observation: Observation) -> str:
    """Return the cards played to the trick; empty before its lead."""
    return _("**Trick**: {cards}", cards=_laid(table, observation.trick)) if observation.trick else ""


def last_trick(table: Table, observation: Observation) -> str:
    """Return the last trick of this round; empty before there is one."""
    if not observation.taken:
        return ""
    last = observation.taken[-1]
    return _trick_taken(table, last.trick, last.taker, len(last.laid))


def last_of_round(table: Table, observation: Observation, events: Sequence[Event]) -> str:
    """Return the last trick of the round that was scored last; empty if that's too long ago."""
    at = max((at for at, event in enumerate(events) if isinstance(event, TrickTaken)), default=0)
    played = [Laid(event.seat, event.card) for event in events[:at] if isinstance(event, CardPlayed)]
    trick, taken = played[-observation.setup.players :], events[at] if events else None
    if not isinstance(taken, TrickTaken) or len(trick) < observation.setup.players:
        return ""
    return _trick_taken(table, trick, taken.seat, taken.cards)


def _trick_taken(table: Table, trick: Sequence[Laid], taker: Seat, n: int) -> str:
    return ngettext(
        "-# Last trick: {cards}; {name} took {n} card",
        "-# Last trick: {cards}; {name} took {n} cards",
        n,
        cards=_laid(table, trick),
        name=name_of(table, taker),
    )


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
    turned = _turned(observation)
    return _("-# Out of play: {cards}", cards=faces(turned)) if turned else ""


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
    turned = _turned(observation)
    return _("-# In hand: {held} each · turned for poison, not in play: {cards}", held=held, cards=faces(turned))
