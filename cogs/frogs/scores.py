"""The points of Pond · frogs: each side's total, the turns that scored, and the result."""

from collections.abc import Iterator, Sequence

from bot.games.frogs.moves import Scored, Shift, landing_of
from bot.games.frogs.state import Gain, Observation
from bot.games.game import Event, Outcome, Seat
from bot.records.table import Table
from bot.texts import gettext as _, ngettext, number
from bot.ui.posts.names import name_of
from bot.ui.posts.text import signed
from cogs.frogs.board import egg_sign


def points_of(table: Table, observation: Observation) -> str:
    """Return a line for each side: its egg's sign, its points and the eggs in its spawn."""
    return "\n".join(
        ngettext(
            "{sign} **{name}**: **{points}** of {goal} points, {n} egg left",
            "{sign} **{name}**: **{points}** of {goal} points, {n} eggs left",
            observation.spawns[seat],
            sign=egg_sign(observation, seat),
            name=name_of(table, seat),
            points=number(observation.scores[seat]),
            goal=observation.setup.goal,
        )
        for seat in (0, 1)
    )


def scored(table: Table, event: Scored) -> str:
    """Return a score in words: ``**Ann** scores +3: a1 a2 a3``."""
    return _(
        "**{name}** scores {points}: {squares}",
        name=name_of(table, event.owner),
        points=signed(len(event.squares)),
        squares=" ".join(event.squares),
    )


def own_score(event: Scored) -> str:
    """Return a player's own score in words: ``You score +3: a1 a2 a3``."""
    return _("**You** score {points}: {squares}", points=signed(len(event.squares)), squares=" ".join(event.squares))


def scored_by_both(table: Table, events: Sequence[Scored]) -> str:
    """Return the scores of a turn on one line: ``**Ann** +2: a1 a2 · **Ben** +1: a3``. Empty if nobody scored."""
    if len(events) == 1:
        return scored(table, events[0])
    return " · ".join(
        f"**{name_of(table, event.owner)}** {signed(len(event.squares))}: {' '.join(event.squares)}" for event in events
    )


def points_for(table: Table, seat: Seat, points: int) -> str:
    """Return points in words: ``+2 for Ann``."""
    return _("{points} for {name}", points=signed(points), name=name_of(table, seat))


def turn_in_words(table: Table, gain: Gain) -> str:
    """Return a turn that scored: ``Ann's egg on b1 (+2 for Ann, +1 for Ben)``."""
    name = name_of(table, gain.seat)
    points = ", ".join(points_for(table, seat, points) for seat, points in enumerate(gain.points) if points)
    if isinstance(gain.move, Shift):
        origin, landing = gain.move.origin, gain.move.landing
        return _("{name}'s {origin} → {landing} ({points})", name=name, origin=origin, landing=landing, points=points)
    return _("{name}'s egg on {square} ({points})", name=name, square=landing_of(gain.move), points=points)


def final(table: Table, observation: Observation) -> str:
    """Return the sides with the signs of their eggs and their points, a line each."""
    return "\n".join(
        f"{egg_sign(observation, seat)} {name_of(table, seat)} **{number(observation.scores[seat])}**"
        for seat in (0, 1)
    )


def facts(table: Table, observation: Observation, *, is_decided: bool) -> Iterator[str]:
    """Yield sentences about the game: its last and best turns unless another decided, and points for the rival."""
    gains = observation.gains
    if not gains:
        return
    if not is_decided:
        yield from _last_and_best(table, observation)
    given = [sum(gain.points[1 - seat] for gain in gains if gain.seat == seat) for seat in (0, 1)]
    giver = given.index(max(given))
    if given[giver]:
        names = {"giver": name_of(table, giver), "name": name_of(table, 1 - giver)}
        yield ngettext(
            "{giver}'s turns gave {name} {n} point.", "{giver}'s turns gave {name} {n} points.", given[giver], **names
        )


def _last_and_best(table: Table, observation: Observation) -> Iterator[str]:
    """Yield the turn that reached the goal, and the only turn with the most points for its own player."""
    gains, outcome = observation.gains, observation.outcome
    points = [gain.points[gain.seat] for gain in gains]
    most = max(points)
    best = points.index(most) if most and points.count(most) == 1 else None
    last = len(gains) - 1 if outcome is not None and outcome.reason in {"goal", "draw"} else None
    if last is not None and last == best:
        yield _("The last turn was the best: {turn}.", turn=turn_in_words(table, gains[last]))
        return
    if last is not None:
        yield _("Last turn: {turn}.", turn=turn_in_words(table, gains[last]))
    if best is not None:
        yield _("Best turn: {turn}.", turn=turn_in_words(table, gains[best]))


def why(table: Table, observation: Observation, events: Sequence[Event]) -> tuple[str, str] | None:
    """Return who got how many points from the last turn that scored, and the ruling; ``None`` before one has."""
    if not observation.gains:
        return None
    last = [at for at, event in enumerate(events) if isinstance(event, Scored)]
    sets = [event for event in events[last[-1] - 1 :] if isinstance(event, Scored)] if last else []
    rule = _("Three or more alike in a line score, and each piece counts 1 for its owner, whoever moved.")
    return "\n".join(
        filter(None, (turn_in_words(table, observation.gains[-1]), scored_by_both(table, sets) if sets else "", rule))
    ), "PD-16"


def why_over(table: Table, outcome: Outcome, goal: int) -> str:
    """Return why the game is over, or would be after a move, with names and points; empty for other reasons."""
    first = name_of(table, outcome.places.index(1))
    match outcome.reason:
        case "draw":
            return _("Both have {n} points, and the goal is {goal}.", n=number(outcome.scores[0]), goal=goal)
        case "goal" if min(outcome.scores) >= goal:
            return _("Both have at least {goal} points, the goal, but {name} has more.", goal=goal, name=first)
        case "goal":
            points = number(max(outcome.scores))
            return _("{name} has {n} points, and the goal is {goal}.", name=first, n=points, goal=goal)
        case "elimination":
            last = name_of(table, outcome.places.index(2))
            return _("{name} can't place an egg or move anything.", name=last)
        case _:
            return ""
