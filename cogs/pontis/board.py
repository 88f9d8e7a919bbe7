"""The table of Pontis in words: the banks, the bridge to play, and the costs of a miss or a call."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, Card, Play, face
from bot.games.game import Event, Seat
from bot.games.pontis.bridges import Required, equal, missed_values, value
from bot.games.pontis.moves import Liar, Missed, Score, Sum, cards_of
from bot.games.pontis.state import STUCK_PENALTY, Observation
from bot.games.pontis.turns import CALL_POINTS
from bot.records.table import Table
from bot.texts import either, gettext as _, ngettext, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.card_texts import BACK_SIGN, faces
from cogs.pontis.hand import affecter, matches, may_get_stuck, numbers, worth
from cogs.pontis.scores import parts_of, points_in

_TOPS_BESIDE_A_NAME: Final = 2
"""The tops of more banks have a line of their own."""
_TOTALS: Final = 4
"""Points of more sides have no room below a picture."""
_NOTHING: Final[Mapping[Seat, int]] = {}
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def prompt(table: Table, observation: Observation) -> str:
    """Return the prompt: who is to play, and the arithmetic of the tops."""
    if observation.bank is None:
        return _("The cards are being dealt.")
    turn, sums = observation.order[0], _sums(table, observation)
    if observation.seat == turn:
        return f"{sums}\n{_own_task(observation)}"
    name, task = name_of(table, turn), _task(observation)
    if observation.seat is None:
        return _("**{name}**: {task}.\n{sums}", name=name, task=task, sums=sums)
    return _("Waiting for **{name}**: {task}.\n{sums}", name=name, task=task, sums=sums)


def _sums(table: Table, observation: Observation) -> str:
    """Return the two tops, whose bank is the one before, and the bridges between them."""
    split = [sentence.rpartition(" ") for sentence in observation.asked]
    sums = either([f"{terms} **{difference}**".replace(" ", _NO_BREAK) for terms, _space, difference in split])
    own, before = _with_value(observation.banks[observation.bank or 0][-1]), _with_value(affecter(observation))
    turn, setup = observation.order[0], observation.setup
    owners = setup.owners_of(((observation.bank or 0) - 1) % setup.banks)
    name = " & ".join(name_of(table, seat) for seat in owners)
    if observation.seat == turn:
        if turn in owners:
            return _("Your {own}, after your {before}: {sums}", own=own, before=before, sums=sums)
        return _("Your {own}, after {before} on {name}'s bank: {sums}", own=own, name=name, before=before, sums=sums)
    return _("{own} on top, after {before} on {name}'s bank: {sums}", own=own, name=name, before=before, sums=sums)


def _with_value(card: Card) -> str:
    """Return a card and, unless it shows a number, its value."""
    if card[0] == "A":
        return _("**{card}** (1 or 14)", card=face(card))
    return f"**{face(card)}** ({value(card)})" if card[0] in "JQKX" else f"**{face(card)}**"


def _task(observation: Observation) -> str:
    """Return the options of the seat on turn, in a few words."""
    cards, fakes = worth(observation.required), observation.setup.fake == "on"
    if observation.ability:
        pair = _pair(observation)
        return _("{pair}, or pass", pair=pair) if fakes else pair
    if not cards:
        return _("miss, as no card is worth 0")
    return _("play {cards}, or miss", cards=cards) if fakes else _("play {cards}", cards=cards)


def _pair(observation: Observation) -> str:
    if observation.required == (0,):
        return _("two equal cards")
    return _("two cards that make {numbers}", numbers=numbers(observation.required))


def _own_task(observation: Observation) -> str:
    """Return the seat's options, their purpose, and their possible cost."""
    plays = [move for move in observation.legal if isinstance(move, Play | Sum)]
    if observation.setup.fake == "on":
        choice = _own_choice_of_ability(observation) if observation.ability else _own_choice(observation)
        parts = [choice, _cost_of_miss(observation, is_able=bool(plays))]
    else:
        parts = [_own_duty(observation)]
        if any(matches(observation, cards_of(move)[-1]) for move in plays):
            suit = SUIT_SYMBOLS[affecter(observation)[1]]
            has_pair = any(isinstance(move, Sum) for move in plays)
            parts.append(
                _("With {suit} on top, it scores 1 more.", suit=suit)
                if has_pair
                else _("Match {suit} for 1 more.", suit=suit)
            )
    return " ".join(part for part in parts if part)


def _own_duty(observation: Observation) -> str:
    """Return the task of the seat where misses can't be faked."""
    has_single, has_pair = _has(observation)
    if not has_pair:
        return _("Play {cards} for a point.", cards=worth(observation.required))
    if has_single:
        return _(
            "**Sum ability**: play {cards}, or {pair}.", cards=worth(observation.required), pair=_pair(observation)
        )
    if observation.required == (0,):
        return _("**Sum ability**: play two equal cards.")
    return _("**Sum ability**: add or subtract two cards to make {numbers}.", numbers=numbers(observation.required))


def _has(observation: Observation) -> tuple[bool, bool]:
    """Return whether the seat may play a card, and whether it may play two (PT-20)."""
    kinds = {type(move) for move in observation.legal}
    return Play in kinds, Sum in kinds


def _own_choice(observation: Observation) -> str:
    """Return the options of the seat where misses may be faked."""
    cards = worth(observation.required)
    if any(_has(observation)):
        return _("Play {cards}, or miss.", cards=cards)
    return (
        _("You don't have {cards}: press **Miss**.", cards=cards) if cards else _("No card is worth 0: press **Miss**.")
    )


def _own_choice_of_ability(observation: Observation) -> str:
    """Return the options of the seat with the sum ability where it may be passed on."""
    cards, pair = worth(observation.required), _pair(observation)
    match _has(observation):
        case True, True:
            return _("**Sum ability**: play {cards} or {pair}, or pass it on.", cards=cards, pair=pair)
        case True, False:
            return _("**Sum ability**: play {cards}, or pass it on.", cards=cards)
        case False, True:
            return _("**Sum ability**: play {pair}, or pass it on.", pair=pair)
        case _:
            return _("You don't have {pair}: pass the sum ability on.", pair=pair)


def _cost_of_miss(observation: Observation, *, is_able: bool) -> str:
    """Return the possible cost of a miss."""
    if observation.ability:
        return ""
    if is_able and observation.setup.liar == "on":
        return _("Faking a miss can cost you {points} points.", points=CALL_POINTS)
    if observation.idle or _is_complete(observation) or not may_get_stuck(observation):
        return ""
    return _("The first miss costs {points} points if the game gets stuck.", points=-STUCK_PENALTY)


def _is_complete(observation: Observation) -> bool:
    """Whether the banks show a complete curdle: then a game that gets stuck costs nobody points (PT-30)."""
    return all(cards and equal(cards[-1], observation.banks[0][-1]) for cards in observation.banks)


def banks(table: Table, observation: Observation) -> str:
    """Return the banks, with points and hands where each player has banks of their own."""
    setup = observation.setup
    if not observation.scores:
        return ""
    heading, legend = _("**Banks** (turn order ↓)"), ""
    if setup.banks < setup.players and setup.teams == "off":
        heading = _("**Banks** (turn order ↓): cards")
    elif setup.liar == "on":
        legend = _("top · points: cards + suit points ± calls · hand")
    else:
        legend = _("top · points: cards + suit points · hand")
    if setup.banks < setup.players:
        lines = [_shared_bank(table, observation, bank) for bank in range(setup.banks)]
    else:
        lines = [_banks_of(table, observation, seat) for seat in range(setup.players)]
    return "\n".join([heading, *([f"-# {legend}"] if legend else []), *lines])


def _shared_bank(table: Table, observation: Observation, bank: int) -> str:
    """Return a bank with its team's points or, without teams, its number of cards."""
    setup = observation.setup
    names = " & ".join(_name(table, observation, seat) for seat in range(bank, setup.players, setup.banks))
    points = _sum_of(observation.scores[bank]) if setup.teams == "on" else len(observation.banks[bank])
    return f"{_top(observation, bank)} {names} · {points}"


def _banks_of(table: Table, observation: Observation, seat: Seat) -> str:
    """Return a player's banks, points and hand."""
    setup, points, hand = observation.setup, _sum_of(observation.scores[seat]), observation.hand_counts[seat]
    name, each = _name(table, observation, seat), setup.banks // setup.players
    tops = " ".join(_top(observation, bank) for bank in range(seat * each, (seat + 1) * each))
    if each <= _TOPS_BESIDE_A_NAME:
        return _("{tops} {name} · {points} · {n} left", tops=tops, name=name, points=points, n=hand)
    return _("{name} · {points} · {n} left\n{tops}", tops=tops, name=name, points=points, n=hand)


def _top(observation: Observation, bank: int) -> str:
    cards, mark = observation.banks[bank], "→ " if bank == observation.bank else ""
    return f"{mark}**{face(cards[-1])}**" if cards else f"{mark}{BACK_SIGN}"


def _name(table: Table, observation: Observation, seat: Seat) -> str:
    return _("**You**") if seat == observation.seat else name_of(table, seat)


def in_words(table: Table, observation: Observation) -> str:
    """Return the banks, points and hands in full words, for screen-reader users."""
    setup, lines = observation.setup, []
    for bank, cards in enumerate(observation.banks):
        names = " & ".join(name_of(table, seat) for seat in setup.owners_of(bank))
        top = _("{card} on top", card=face(cards[-1])) if cards else _("face down")
        lines.append(_("Bank {bank} of {names}: {top}.", bank=bank + 1, names=names, top=top))
    sides = [names for names, _seats in side_names(table, GAMES["pontis"])]
    for names, score in zip(sides, observation.scores, strict=bool(observation.scores)):
        lines.append(_("{names}: {points}.", names=names, points=parts_of(score)))
    hands = " · ".join(f"{name_of(table, seat)} {count}" for seat, count in enumerate(observation.hand_counts))
    return "\n".join([*lines, _("In hand: {hands}", hands=hands)])


def _sum_of(score: Score) -> str:
    """Return a side's points so far: ``10 = 8 + 2``."""
    calls = f" {'+' if score.calls > 0 else '−'} {abs(score.calls)}" if score.calls else ""
    return f"{number(score.total)} = {score.cards} + {score.suit_points}{calls}"


def misses(table: Table, observation: Observation) -> str:
    """Return the consequences of the misses in a row."""
    setup = observation.setup
    if observation.bank is None or observation.outcome is not None or not observation.idle:
        return ""
    if _is_complete(observation):
        return _("Complete curdle: if nobody can play, the game ends without a penalty.")
    if not may_get_stuck(observation):
        return ""
    first, points = setup.owners[(observation.slot - observation.idle) % setup.lap], -STUCK_PENALTY
    if first == observation.seat:
        return _("You lose {points} points if nobody can play.", points=points)
    name = name_of(table, first)
    return _("{name} loses {points} points if nobody can play.", name=name, points=points)


def call(table: Table, observation: Observation) -> str:
    """Return a line on who may be called a liar, by this seat or anybody. What they missed is for players to remember.

    It looks the same whether or not the call would be right.
    """
    window = observation.window
    if window is None or observation.outcome is not None:
        return ""
    if observation.seat is not None and Liar(window.seat) not in observation.legal:
        return ""
    name, played = name_of(table, window.seat), faces(window.cards)
    return _(
        "Liar? {name} played {cards}. Right +{points}, wrong −{points}.", name=name, cards=played, points=CALL_POINTS
    )


def calls(table: Table, observation: Observation) -> str:
    """Return the points won and lost by liar calls where `totals_so_far` doesn't; empty if there are none."""
    if totals_so_far(table, observation):
        return ""
    called = [f"{name_of(table, seat)} {signed(points)}" for seat, points in enumerate(observation.calls) if points]
    return _("-# Liar calls: {points}", points=" · ".join(called)) if called else ""


def totals_so_far(table: Table, observation: Observation, gained: Mapping[Seat, int] = _NOTHING) -> str:
    """Return the points of up to four sides with banks of their own in one line, for boards with pictures.

    ``gained`` are those that players have gained lately.
    """
    if not 0 < len(observation.scores) <= _TOTALS or observation.setup.banks < observation.setup.players:
        return ""
    said = " · ".join(
        f"{_called(table, observation, seat)} {_with_remarks(score, gained.get(seat, 0))}"
        for seat, score in enumerate(observation.scores)
    )
    return _("Points (since your turn): {sides}", sides=said) if gained else _("Points: {sides}", sides=said)


def _called(table: Table, observation: Observation, seat: Seat) -> str:
    return _("You") if seat == observation.seat else name_of(table, seat)


def _with_remarks(score: Score, gained: int) -> str:
    """Return a side's points so far, those it gained lately, and what liar calls added to them or took off."""
    parts = [signed(gained)] if gained else []
    parts += [_("calls {points}", points=signed(score.calls))] if score.calls else []
    return f"{number(score.total)} ({', '.join(parts)})" if parts else number(score.total)


def points_since(table: Table, observation: Observation, events: Sequence[Event], *, in_full: bool) -> str:
    """Return everybody's points in the events, and how often the seat missed if that was several times.

    If ``in_full``, the points stand beside those of `totals_so_far`.
    """
    gained, missed = points_in(events), _times_missed(observation, events)
    if in_full and (so_far := totals_so_far(table, observation, gained)):
        return " · ".join(filter(None, (so_far, missed)))
    said = [f"{_called(table, observation, seat)} {signed(n)}" for seat, n in sorted(gained.items()) if n]
    if not (said or missed):
        return ""
    return _("Since your turn: {points}", points=" · ".join(filter(None, (", ".join(said), missed))))


def _times_missed(observation: Observation, events: Sequence[Event]) -> str:
    """Return how often the seat missed, if it was more than once: it may have missed that."""
    own = [event for event in events if isinstance(event, Missed) and event.seat == observation.seat]
    n = len(own)
    return ngettext("you missed {n} time", "you missed {n} times", n) if n > 1 else ""


def points(table: Table, observation: Observation) -> str:
    """Return the points and hands that `banks` doesn't."""
    setup, hands = observation.setup, enumerate(observation.hand_counts)
    if setup.banks >= setup.players or not observation.scores:
        return ""
    if setup.teams == "on":
        return _("In hand: {hands}", hands=" · ".join(f"{name_of(table, seat)} {count}" for seat, count in hands))
    lines = [
        _("{name} {points} ({n})", name=name_of(table, seat), points=_sum_of(score), n=count)
        for (seat, count), score in zip(hands, observation.scores, strict=True)
    ]
    return _("Cards + suit points (hand): {points}", points=" · ".join(lines))


def missed(table: Table, observation: Observation) -> str:
    """Return the numbers that each player has missed. Without fakes, they have no such card.

    Where liars can be called, remembering them is part of the game.
    """
    if observation.setup.liar == "on":
        return ""
    by_seat = enumerate(map(_missed_numbers, observation.missed))
    said = [f"{name_of(table, seat)} {numbers}" for seat, numbers in by_seat if numbers]
    return _("Missed so far: {missed}", missed=" · ".join(said)) if said else ""


def _missed_numbers(missed: Sequence[Required]) -> str:
    return ", ".join(map(str, sorted(missed_values(missed) - {0})))
