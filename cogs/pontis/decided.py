"""What decided a game of Pontis: how it ended, suits, calls or cards; or in a match, one of its games."""

from collections.abc import Iterator, Sequence

from bot.games import GAMES
from bot.games.cards import face
from bot.games.pontis.moves import Result, Score
from bot.games.pontis.state import Observation
from bot.records.table import Table
from bot.texts import gettext as _, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.causes import Cause, decided as decided_by, first_two


def decided(table: Table, observation: Observation) -> str:
    """Return what decided the only game, or the game that decided a match; empty if nothing did."""
    results = observation.results
    if len(results) == 1:
        causes = _parts(table, observation, results[0])
    else:
        causes = (_game(table, observation, n, result) for n, result in enumerate(results, 1))
    return decided_by(observation.outcome, observation.setup.sides, causes)


def _game(table: Table, observation: Observation, played: int, result: Result) -> Cause:
    points = [score.total for score in result.scores]
    sides = _compared(table, observation, [signed(each) for each in points])
    return Cause(_by_seat(observation, points), _("Decided in game {game}: {sides}.", game=played, sides=sides))


def _parts(table: Table, observation: Observation, result: Result) -> Iterator[Cause]:
    """Yield where the points of a game came from, each with the side that had most or least of it."""
    scores = result.scores
    yield _end(table, observation, scores)
    for at, score in enumerate(scores):
        if score.penalty:
            name, points = _names(table)[at], number(-score.penalty)
            sentence = _("Decided at the end: {name} was the first to miss, −{points}.", name=name, points=points)
            yield Cause(_by_seat(observation, [each.penalty for each in scores]), sentence)
    suits = [score.suit_points for score in scores]
    yield Cause(
        _by_seat(observation, suits),
        _("Decided by suits: {sides}.", sides=_compared(table, observation, [signed(each) for each in suits])),
    )
    calls = [score.calls for score in scores]
    yield Cause(
        _by_seat(observation, calls),
        _("Decided by liar calls: {sides}.", sides=_compared(table, observation, [signed(each) for each in calls])),
    )
    laid = [score.cards for score in scores]
    sides = _compared(table, observation, [number(each) for each in laid])
    yield Cause(_by_seat(observation, laid), _("Decided by the cards laid: {sides}.", sides=sides))


def _end(table: Table, observation: Observation, scores: Sequence[Score]) -> Cause:
    """Return what going out brought, with the last card if it is known who played it, and on which bank."""
    bonus = [score.bonus for score in scores]
    side = next((at for at, points in enumerate(bonus) if points), 0)
    out = [seat for seat, count in enumerate(observation.hand_counts) if not count]
    values = {"name": _names(table)[side], "points": signed(bonus[side])}
    card = _last_card(observation) if len(out) == 1 else ""
    if not card:
        return Cause(_by_seat(observation, bonus), _("Decided at the end: {name} went out, {points}.", **values))
    values["name"] = name_of(table, out[0])
    text = _("Decided at the end: {name} went out with {card}, {points}.", card=card, **values)
    return Cause(_by_seat(observation, bonus), text)


def _last_card(observation: Observation) -> str:
    """Return the last card that was played; empty where players have several banks."""
    setup = observation.setup
    bank = (observation.slot - 1) % setup.lap % setup.banks
    return face(observation.banks[bank][-1]) if setup.banks <= setup.players and observation.banks[bank] else ""


def _compared(table: Table, observation: Observation, of_sides: Sequence[str]) -> str:
    """Return what the winners and the next best had of something: ``Cleo +4 · Ben +1``."""
    shown = first_two(observation.outcome, observation.setup.sides)
    return " · ".join(
        f"{names} {had}" for at, (names, had) in enumerate(zip(_names(table), of_sides, strict=True)) if at in shown
    )


def _names(table: Table) -> list[str]:
    return [names for names, _seats in side_names(table, GAMES["pontis"])]


def _by_seat(observation: Observation, by_side: Sequence[int]) -> tuple[int, ...]:
    return tuple(by_side[side] for side in observation.setup.sides)
