"""The hand of a player of Pontis: every bridge with its arithmetic, its points and what it asks of the next player."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

from bot.games.card_table import Play
from bot.games.cards import JOKER, SUIT_SYMBOLS, Card, face
from bot.games.game import Move, Seat
from bot.games.pontis import OUT_BONUS, Observation, Required, Sum, arithmetic, equal, required, value
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import label_of
from cogs.faces.cards import emoji, faces

_SUITS: Final = "SHDCX"


def held(observation: Observation) -> list[str]:
    """Return the cards by value; on the seat's turn those that it can play first."""
    playable = {card for move in observation.legal for card in _cards(move)}
    hand = sorted(observation.hand, key=_order)
    first = [card for card in hand if card in playable]
    if not first:
        return [ngettext("Your card: {cards}", "Your {n} cards: {cards}", len(hand), cards=faces(hand))] if hand else []
    rest = [card for card in hand if card not in playable]
    lines = [_("Playable: **{cards}**", cards=faces(first))]
    return ["\n".join([*lines, _("Others: {cards}", cards=faces(rest))] if rest else lines)]


def bridges(table: Table, observation: Observation) -> list[Choices]:
    """Return the bridges that the seat may play: single cards, and pairs for the sum ability."""
    singles = sorted((move for move in observation.legal if isinstance(move, Play)), key=lambda move: _order(move.card))
    pairs = sorted((move for move in observation.legal if isinstance(move, Sum)), key=_order_of_pair)
    groups = []
    if singles:
        prompt = _("Play {cards}", cards=worth(observation.required))
        groups.append(Choices(prompt, tuple(bridge(table, observation, move) for move in singles)))
    if pairs:
        prompt = _("Pairs that make {numbers}", numbers=numbers(observation.required))
        groups.append(Choices(prompt, tuple(bridge(table, observation, move) for move in pairs)))
    return groups


def bridge(table: Table, observation: Observation, move: Play | Sum) -> Choice:
    """Return a bridge with the points it scores; the hint says how, and what it asks of the next player."""
    cards, setup, top = _cards(move), observation.setup, top_of(move)
    is_match, is_last = matches(observation, top), len(cards) == len(observation.hand)
    points = len(cards) + is_match + (OUT_BONUS if is_last and setup.counts_going_out else 0)
    named = face(top)
    hints = []
    if isinstance(move, Sum):
        named = _("{under}, then {top} on top", under=face(move.under), top=named)
        hints.append(arithmetic(move.under, move.top, observation.required)[0])
    if is_match:
        hints.append(_("+1 for matching {suit}", suit=SUIT_SYMBOLS[top[1]]))
    hints.append(_("your last card ends the game") if is_last else _then(table, observation, top))
    label = ngettext("{cards} · +{n} point", "{cards} · +{n} points", points, cards=named)
    return Choice(str(move), label, " · ".join(hints), emoji=emoji(top))


def top_of(move: Play | Sum) -> Card:
    """Return the card that ends on top."""
    return _cards(move)[-1]


def matches(observation: Observation, top: Card) -> bool:
    """Whether the card on top would score a suit point (PT-12, PT-14)."""
    return top != JOKER and top[1] == affecter(observation)[1]


def affecter(observation: Observation) -> Card:
    """Return the top of the bank before that of the turn."""
    return observation.banks[(observation.bank or 0) - 1][-1]


def worth(asked: Required) -> str:
    """Return the cards that are worth what is asked for: ``a 3 or a 10``; empty for 0, which no card is worth."""
    return either(_card_worth(number) for number in asked if number)


def numbers(asked: Required) -> str:
    """Return the numbers that are asked for: ``3 or 10``."""
    return either(map(str, asked))


def either(words: Iterable[str]) -> str:
    """Join alternatives: ``a``, ``a or b``; empty without any."""
    every = list(words)
    return reduce(lambda one, other: _("{one} or {other}", one=one, other=other), every) if every else ""


def lacks(observation: Observation, seat: Seat, asked: Required) -> bool:
    """Whether the seat has missed, in this game, every number that is asked for and that a card can be worth."""
    missed = {number for earlier in observation.missed[seat] for number in earlier}
    return missed.issuperset(number for number in asked if number)


def _then(table: Table, observation: Observation, top: Card) -> str:
    """Return what the next turn asks for if this card is on top."""
    setup, banks, bank = observation.setup, observation.banks, observation.bank or 0
    seat = setup.owners[(observation.slot + 1) % setup.lap]
    name = label_of(table, seat)
    following = banks[(bank + 1) % len(banks)]
    others = [cards for at, cards in enumerate(banks) if at != bank]
    if setup.curdle == "instant" and all(cards and equal(cards[-1], top) for cards in others):
        return _("a complete curdle, which ends the game")
    if not following:
        return _("then {name} turns up a card", name=name)
    asked = required(following[-1], top)
    if 0 in asked:
        return _curdle(observation, seat, name, asked)
    if seat == observation.seat:
        return _("then you need {numbers}", numbers=numbers(asked))
    if not lacks(observation, seat, asked):
        return _("then {name} needs {numbers}", name=name, numbers=numbers(asked))
    if setup.fake == "on":
        return _("then {name} needs {numbers}, and has missed that", name=name, numbers=numbers(asked))
    return _("then {name} needs {numbers}, but has none (missed before)", name=name, numbers=numbers(asked))


def _curdle(observation: Observation, seat: Seat, name: str, asked: Required) -> str:
    """Return what a curdle with the next bank means for its player."""
    if seat == observation.seat:
        return _("a curdle: you'd need 0 next")
    king = len(asked) > 1 and not (observation.setup.fake == "off" and lacks(observation, seat, asked))
    if observation.setup.lap > 2:
        if king:
            return _("a curdle (same values): {name} needs a king", name=name)
        return _("a curdle (same values): {name} can't play", name=name)
    if king:
        return _("a curdle: without a king, {name} misses and you may play a pair", name=name)
    return _("a curdle: {name} misses and you may play a pair", name=name)


def _card_worth(number: int) -> str:
    return (
        "",
        _("a 1 (ace or joker)"),
        _("a 2"),
        _("a 3"),
        _("a 4"),
        _("a 5"),
        _("a 6"),
        _("a 7"),
        _("an 8"),
        _("a 9"),
        _("a 10"),
        _("an 11 (jack)"),
        _("a 12 (queen)"),
        _("a 13 (king)"),
    )[number]


def _cards(move: Move) -> Sequence[Card]:
    match move:
        case Play(card):
            return (card,)
        case Sum(under, top):
            return (under, top)
        case _:
            return ()


def _order(card: Card) -> tuple[int, int]:
    return value(card), _SUITS.index(card[1])


def _order_of_pair(move: Sum) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Sort pairs by their cards, and the two orders of each side by side."""
    return sorted((_order(move.under), _order(move.top)), reverse=True), _order(move.top)
