"""The hand of a player of Pontis: every bridge with its arithmetic, its points and what it asks of the next player."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games.cards import JOKER, SUIT_SYMBOLS, Card, Play, face
from bot.games.game import Seat
from bot.games.pontis.bridges import Required, arithmetic, equal, missed_values, position, required, value
from bot.games.pontis.moves import Sum, cards_of, playable
from bot.games.pontis.state import OUT_BONUS, Observation
from bot.records.table import Table
from bot.texts import either, gettext as _, ngettext
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Button, Choice, Choices, Post
from cogs.card_texts import emoji, faces, only

TOP: Final = "pontis-top"
"""The verb of the menu of cards that may end on top of a pair."""
_SMALL: Final = 3
"""The highest value that is needed all the time."""
_FEW_PAIRS: Final = 24
"""With at most this many pairs of cards in all hands together, it is likely that nobody can play."""


def may_get_stuck(observation: Observation) -> bool:
    """Whether it is likely that nobody can play soon, as far as everybody knows."""
    return sum(count * (count - 1) // 2 for count in observation.hand_counts) <= _FEW_PAIRS


def open_hand(table: Table, observation: Observation) -> str:  # noqa: ARG001 - as in all games
    """Return the cards of a seat in a line, as others may read them afterwards."""
    return faces(sorted(observation.hand, key=position))


def hand(table: Table, observation: Observation) -> list[str]:  # noqa: ARG001 - as in all games
    """Return the cards by value; on the seat's turn those that it can play first."""
    can_play, held = playable(observation.legal), sorted(observation.hand, key=position)
    first = [card for card in held if card in can_play]
    if not first:
        return [ngettext("Your card: {cards}", "Your {n} cards: {cards}", len(held), cards=faces(held))] if held else []
    rest = [card for card in held if card not in can_play]
    lines = [_("Playable: **{cards}**", cards=faces(first))]
    return ["\n".join([*lines, _("Others: {cards}", cards=faces(rest))] if rest else lines)]


def bridges(table: Table, observation: Observation) -> list[Choices]:
    """Return the bridges that the seat may play: single cards, and pairs for the sum ability."""
    singles = sorted(
        (move for move in observation.legal if isinstance(move, Play)), key=lambda move: position(move.card)
    )
    pairs = _pairs(observation)
    groups = []
    every: tuple[Play | Sum, ...] = (*singles, *pairs)
    if len(every) == 1:
        return [only(bridge(table, observation, every[0]))]
    if singles:
        groups.append(Choices(_("Play a card"), tuple(bridge(table, observation, move) for move in singles)))
    if len(pairs) > MAX_OPTIONS:
        groups.append(_tops(table, observation, pairs))
    elif pairs:
        prompt = _("Pairs that make {numbers}", numbers=numbers(observation.required))
        groups.append(Choices(prompt, tuple(bridge(table, observation, move) for move in pairs)))
    return groups


def pairs_below(table: Table, observation: Observation, top: Card) -> Post | None:
    """Return a page with the pairs that have this card on top; ``None`` if there are none."""
    pairs = [move for move in _pairs(observation) if move.top == top]
    if not pairs:
        return None
    asked = _(
        "**{top} on top**: pick the pair that makes {numbers}.", top=face(top), numbers=numbers(observation.required)
    )
    menu = Choices(_("Pairs"), tuple(bridge(table, observation, move) for move in pairs))
    return Post((asked,), (menu,), ((Button("hand", _("Back")),),))


def _tops(table: Table, observation: Observation, pairs: Sequence[Sum]) -> Choices:
    """Return a menu of the cards on top of pairs, for hands with so many pairs that nobody would read them all."""
    below: dict[Card, list[Card]] = {}
    for pair in sorted(pairs, key=lambda pair: (not matches(observation, pair.top), position(pair.top))):
        below.setdefault(pair.top, []).append(pair.under)
    choices = []
    for top, cards in below.items():
        number = ngettext("{n} pair", "{n} pairs", len(cards))
        hints = [_("+1 for matching {suit}", suit=SUIT_SYMBOLS[top[1]])] if matches(observation, top) else []
        hints.append(_then(table, observation, top))
        choices.append(Choice(top, _("{top} on top", top=face(top)), " · ".join(hints), emoji=emoji(top), worth=number))
    prompt = _("Pairs that make {numbers}: top card", numbers=numbers(observation.required))
    return Choices(prompt, tuple(choices), verb=TOP)


def _pairs(observation: Observation) -> list[Sum]:
    """Return the legal pairs: pairs with a suit point for the top card first, and pairs of the same cards together."""
    pairs = (move for move in observation.legal if isinstance(move, Sum))
    return sorted(pairs, key=lambda move: (not matches(observation, move.top), _order_of_pair(move)))


def bridge(table: Table, observation: Observation, move: Play | Sum) -> Choice:
    """Return a bridge with the points it scores; the hint says how, and what it asks of the next player."""
    cards, setup = cards_of(move), observation.setup
    top = cards[-1]
    is_match, is_last = matches(observation, top), len(cards) == len(observation.hand)
    points = len(cards) + is_match + (OUT_BONUS if is_last and setup.counts_going_out else 0)
    named = face(top)
    hints = []
    if isinstance(move, Sum):
        named = _("{under}, then {top} on top", under=face(move.under), top=named)
        hints.append(arithmetic(move.under, move.top, observation.required)[0])
    if is_match and isinstance(move, Sum):
        hints.append(_("+1 for {suit} on top", suit=SUIT_SYMBOLS[top[1]]))
    elif is_match:
        hints.append(_("+1 for matching {suit}", suit=SUIT_SYMBOLS[top[1]]))
    hints.append(_("your last card ends the game") if is_last else _then(table, observation, top))
    worth = ngettext("+{n} point", "+{n} points", points)
    return Choice(str(move), named, " · ".join(hints), emoji=emoji(top), worth=worth)


def has_choice(observation: Observation, number: int) -> bool:
    """Whether the seat has the choice that a line of the first advice is about."""
    moves = [move for move in observation.legal if isinstance(move, Play | Sum)]
    tops = [cards_of(move)[-1] for move in moves]
    fits: Mapping[int, list[bool]] = {
        0: [matches(observation, top) for top in tops],
        1: [value(top) <= _SMALL for top in tops],
        2: [not {card[0] for card in cards_of(move)}.isdisjoint("KQ") for move in moves],
        4: [top[0] == "A" for top in tops],
    }
    return len(moves) > 1 if number not in fits else len({*fits[number]}) > 1


def matches(observation: Observation, top: Card) -> bool:
    """Whether the card on top would score a suit point (PT-12, PT-14)."""
    return top != JOKER and top[1] == affecter(observation)[1]


def affecter(observation: Observation) -> Card:
    """Return the top of the bank before the bank of the turn."""
    return observation.banks[(observation.bank or 0) - 1][-1]


def worth(asked: Required) -> str:
    """Return the cards that are worth what is asked for: ``a 3 or a 10``; empty for 0, which no card is worth."""
    return either([_card_worth(number) for number in asked if number])


def numbers(asked: Required) -> str:
    """Return the numbers that are asked for: ``3 or 10``."""
    return either([str(number) for number in asked])


def lacks(observation: Observation, seat: Seat, asked: Required) -> bool:
    """Whether the seat has missed, in this game, every number that is asked for and that a card can be worth."""
    return missed_values(observation.missed[seat]).issuperset(number for number in asked if number)


def _then(table: Table, observation: Observation, top: Card) -> str:
    """Return the bridge that the next turn asks for if this card is on top."""
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
    return _needs(observation, seat, name, asked)


def _needs(observation: Observation, seat: Seat, name: str, asked: Required) -> str:
    """Return what another seat needs, and whether it is known to have none."""
    setup = observation.setup
    if setup.liar == "on" or not lacks(observation, seat, asked):
        return _("then {name} needs {numbers}", name=name, numbers=numbers(asked))
    if setup.fake == "on":
        return _("then {name} needs {numbers}, and has missed that", name=name, numbers=numbers(asked))
    return _("then {name} needs {numbers}, but has none (missed before)", name=name, numbers=numbers(asked))


def _curdle(observation: Observation, seat: Seat, name: str, asked: Required) -> str:
    """Return the consequence of a curdle with the next bank for its player."""
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


def _order_of_pair(move: Sum) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Sort pairs by their cards, and the two orders of each side by side."""
    return sorted((position(move.under), position(move.top)), reverse=True), position(move.top)
