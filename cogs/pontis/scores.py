"""Scores of Pontis in words: each game, and a match."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS
from bot.games.game import Event, Seat
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Bridged, GameScored, LiarCalled, Result, Score
from bot.games.pontis.state import OUT_BONUS, STUCK_PENALTY, Observation
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.card_texts import faces

_CLOSE: Final = 3
"""A player with at most this many cards left came close to going out."""
_MAX_NAMES: Final = 2


def in_brief(table: Table, game: int, result: Result) -> str:
    """Return a game's points in one line."""
    scores = zip(_names(table), result.scores, strict=True)
    points = " · ".join(f"{names} {signed(score.total)}" for names, score in scores)
    return _("**Game {game}**: {points}", game=game + 1, points=points)


def in_full(table: Table, observation: Observation, game: int) -> str:
    """Return the end of a game and the sources of each side's points, the best side first."""
    result, is_honest = observation.results[game], observation.setup.fake == "off"
    counts = observation.hand_counts if observation.setup.games == 1 else ()  # later games have dealt new hands
    ends = {
        "out": _("{name} went out", name=_ender(table, result, counts)),
        "complete_curdle": _("complete curdle"),
        "stuck": _("nobody could play any more") if is_honest else _("nobody played any more"),
    }
    heading = _("**Game {game}**: {end}", game=game + 1, end=ends[result.reason])
    return f"{heading}\n{_sides_of(table, result)}"


def _ender(table: Table, result: Result, hand_counts: Sequence[int] = ()) -> str:
    """Return the name of the player who went out or missed first. If only their team is known, return its names."""
    out = [name_of(table, seat) for seat, count in enumerate(hand_counts) if not count]
    if result.reason == "out" and len(out) == 1:
        return out[0]
    scores = zip(_names(table), result.scores, strict=True)
    return next((names for names, score in scores if score.bonus or score.penalty), _("someone"))


def ended_by(table: Table, observation: Observation) -> str:
    """Return who ended the last game and what it brought or cost them; empty if nobody did."""
    outcome = observation.outcome
    if outcome is None or outcome.is_conceded or not observation.results:
        return ""
    last = observation.results[-1]
    name = _ender(table, last, observation.hand_counts)
    if last.reason == "stuck" and observation.setup.fake == "off":
        return _("Nobody could play any more. {name} missed first: −{points}.", name=name, points=-STUCK_PENALTY)
    if last.reason == "stuck":  # where misses may be faked, somebody may have had a right card
        return _("Nobody played any more. {name} missed first: −{points}.", name=name, points=-STUCK_PENALTY)
    if last.reason != "out":
        return ""
    if any(score.bonus for score in last.scores):
        return _("{name} played their last card: +{points}.", name=name, points=OUT_BONUS)
    return _("{name} played their last card.", name=name)


def ended_in_full(table: Table, observation: Observation) -> str:
    """Return how the last game ended, and its points; empty if there was no other."""
    results = observation.results
    if len(results) < 2:
        return ""
    why = ended_by(table, observation) or _(GAMES["pontis"].reasons[results[-1].reason])
    return f"{why}\n{in_brief(table, len(results) - 1, results[-1])}"


def reasons(table: Table, observation: Observation) -> str:
    """Return the sources of the points of the seat's side in the last game, and what its end brought or cost them.

    The result of a single game has the sources already.
    """
    if not observation.results or observation.seat is None:
        return ""
    last, side = observation.results[-1], observation.setup.sides[observation.seat]
    own = last.scores[side]
    if observation.outcome is not None and len(observation.results) == 1:
        return "\n".join(_dearest(table, last, side))
    said = _("You **{points}** = {parts}", points=number(own.total), parts=parts_of(own))
    why = "\n".join((*_dearest(table, last, side), said))
    if observation.outcome is None:
        return why
    return f"{_('**Game {game}**', game=len(observation.results))}: {why}"


def _dearest(table: Table, result: Result, side: int) -> list[str]:
    """Return a sentence on the most points that a side didn't get by laying cards, or another one got by going out."""
    own, others = result.scores[side], max(score.bonus for score in result.scores)
    name = _ender(table, result) if others and not own.bonus else ""
    causes = (
        (own.bonus, _("Going out brought you {points}.", points=own.bonus)),
        (others - own.bonus, _("{name} went out before you: +{points}.", name=name, points=OUT_BONUS)),
        (abs(own.calls), _liar_calls(own.calls)),
        (-own.penalty, _("The first miss cost you {points}.", points=-own.penalty)),
    )
    most, sentence = max(causes, key=lambda cause: cause[0])
    return [sentence] if most else []


def _liar_calls(points: int) -> str:
    if points < 0:
        return _("Liar calls cost you {points}.", points=-points)
    return _("Liar calls brought you {points}.", points=points)


def points_in(events: Iterable[Event]) -> Mapping[Seat, int]:
    """Return the points of each seat in these events: for cards, suits and liar calls."""
    points: Counter[Seat] = Counter()
    for event in events:
        match event:
            case Bridged(seat):
                points[seat] += len(event.cards) + event.suit_point
            case LiarCalled(caller, accused):
                points[caller] += event.points if event.right else -event.points
                points[accused] -= event.points if event.right else 0
            case _:
                pass
    return points


def settlement(table: Table, observation: Observation) -> str:
    """Return the score of the last game, and the totals after several; empty if no game is finished."""
    results = observation.results
    if not results:
        return ""
    last = in_full(table, observation, len(results) - 1)
    return f"{last}\n{totals(table, observation)}" if len(results) > 1 else last


def _sides_of(table: Table, result: Result) -> str:
    scores = sorted(zip(_names(table), result.scores, strict=True), key=lambda side: -side[1].total)
    return "\n".join(f"{names} **{number(score.total)}** = {parts_of(score)}" for names, score in scores)


def totals(table: Table, observation: Observation) -> str:
    """Return the points of the finished games in one line; empty if there is none."""
    if not observation.results:
        return ""
    sides = zip(_names(table), _by_side(observation), strict=True)
    points = " · ".join(f"{names} {number(sum(games))}" for names, games in sides)
    games = len(observation.results)
    return ngettext("**After {n} game**: {points}", "**After {n} games**: {points}", games, points=points)


def table_of(table: Table, observation: Observation) -> str:
    """Return the final table: the points of each game or, if there was one game, where they came from."""
    results = observation.results
    if len(results) == 1:
        return _sides_of(table, results[0])
    sides = sorted(zip(_names(table), _by_side(observation), strict=True), key=lambda side: -sum(side[1]))
    return "\n".join(f"{names} **{number(sum(games))}** = {_summed(games)}" for names, games in sides if games)


def sentences(table: Table, observation: Observation) -> str:
    """Return facts about the match."""
    facts = (_closest(table, observation), _matched(table, observation), _longest(table, observation))
    return "\n".join(filter(None, facts))


def _names(table: Table) -> list[str]:
    return [names for names, _seats in side_names(table, GAMES["pontis"])]


def _by_side(observation: Observation) -> list[list[int]]:
    """Return each side's points by game."""
    sides = range(len(observation.setup.members))
    return [[result.scores[side].total for result in observation.results] for side in sides]


def parts_of(score: Score) -> str:
    """Return the sources of a side's points: ``13 cards + 2 suit points − 2 first miss``."""
    calls = abs(score.calls)
    parts = [
        (score.suit_points, ngettext("{n} suit point", "{n} suit points", score.suit_points)),
        (score.bonus, _("{points} going out", points=score.bonus)),
        (score.penalty, _("{points} first miss", points=-score.penalty)),
        (score.calls, _("{points} calls", points=calls)),
    ]
    signed_parts = (f" {'+' if points > 0 else '−'} {text}" for points, text in parts if points)
    return ngettext("{n} card", "{n} cards", score.cards) + "".join(signed_parts)


def _summed(points: Sequence[int]) -> str:
    return " + ".join(map(number, points)).replace("+ −", "− ")


def _closest(table: Table, observation: Observation) -> str:
    """Return the players who nearly went out in the last game."""
    outcome = observation.outcome
    left = [(-count, name_of(table, seat)) for seat, count in enumerate(observation.hand_counts) if count]
    names, fewest = _most(left)
    if not names or -fewest > _CLOSE or outcome is None or outcome.is_conceded:
        return ""
    return ngettext(
        "{names} came within {n} card of going out.",
        "{names} came within {n} cards of going out.",
        -fewest,
        names=names,
    )


def _matched(table: Table, observation: Observation) -> str:
    """Return the players with the most suit points."""
    results = observation.results
    names, most = _most(
        (sum(result.scores[side].suit_points for result in results), names) for side, names in enumerate(_names(table))
    )
    return _("{names} matched the most suits: {points} points.", names=names, points=most) if names and most > 1 else ""


def _longest(table: Table, observation: Observation) -> str:
    """Return the players who scored the most cards in a game."""
    every = {
        (result.scores[side].cards, names) for result in observation.results for side, names in enumerate(_names(table))
    }
    names, most = _most(every)
    if names and len(observation.results) == 1:
        return _("{names} laid the most cards: {n}.", names=names, n=most)
    return _("{names} laid the most cards in a game: {n}.", names=names, n=most) if names else ""


def _most(counted: Iterable[tuple[int, str]]) -> tuple[str, int]:
    """Return the names with the highest number, and that number. Too many names to stand out are left out."""
    every = sorted(counted)
    most = max((number for number, _name in every), default=0)
    names = [name for number, name in every if number == most]
    return (listed(names) if 0 < len(names) <= _MAX_NAMES else ""), most


def why(table: Table, observation: Observation, events: Sequence[Event]) -> tuple[str, str] | None:
    """Return the arithmetic and the points of the last bridge, or of the game it ended, and the ruling."""
    last = next((event for event in reversed(events) if isinstance(event, Bridged | GameScored)), None)
    if isinstance(last, Bridged):
        return _why_bridged(table, last)
    if last is None or not observation.results:
        return None
    ruling = {"out": "PT-33", "stuck": "PT-31"}.get(observation.results[-1].reason, "PT-30")
    lines = (in_full(table, observation, len(observation.results) - 1), ended_by(table, observation))
    return "\n".join(filter(None, lines)), ruling


def _why_bridged(table: Table, last: Bridged) -> tuple[str, str]:
    points = signed(len(last.cards) + last.suit_point)
    fitting = [asked for asked in last.asked if last.made or asked.endswith(f" {value(last.cards[-1])}")]
    sums = "; ".join((*fitting, *last.made))
    said = ngettext(
        "**{name}** played {cards} ({sums}): {points}, 1 for the card.",
        "**{name}** played {cards} ({sums}): {points}, 1 for each card.",
        len(last.cards),
        name=name_of(table, last.seat),
        cards=faces(last.cards),
        sums=sums,
        points=points,
    )
    if not last.suit_point:
        return said, "PT-17" if last.made else "PT-10"
    suit = SUIT_SYMBOLS[last.cards[-1][1]]
    return f"{said} {_('It includes 1 more, as {suit} matches the top of the bank before it.', suit=suit)}", "PT-12"
