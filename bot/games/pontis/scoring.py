"""The end of a game of Pontis, and its scores."""

from typing import Final

from bot.games.game import Event, Outcome, Seat, Step, places_of
from bot.games.pontis.moves import GameScored, Result, Score
from bot.games.pontis.setup import Setup
from bot.games.pontis.state import State, cleared

OUT_BONUS: Final = 4
STUCK_PENALTY: Final = -2


def finish(state: State, reason: str, seat: Seat, events: tuple[Event, ...]) -> Step[State]:
    """Score the game. Clear the table for the next one, or end the match.

    ``seat`` is the one that went out or, if the game is stuck, missed first.
    """
    setup = state.setup
    result = Result(reason, scored(state, reason, seat))
    results = (*state.results, result)
    scores = totals(setup, results)
    by_side = tuple([scores[members[0]] for members in setup.members])
    events = (*events, GameScored(len(state.results), result, by_side))
    if len(results) < setup.games:
        return Step(cleared(setup, "foundations", (state.dealer + 1) % setup.players, results), events)
    outcome = Outcome(scores, places_of(scores, setup.sides), reason)
    return Step(state._replace(results=results, window=None, outcome=outcome), events)


def scored(state: State, reason: str = "", seat: Seat = 0) -> tuple[Score, ...]:
    """Return the points of each side so far or, with the ``reason`` and seat of `finish`, at the end."""
    return tuple([_score(state, reason, seat, side) for side in range(len(state.setup.members))])


def _score(state: State, reason: str, seat: Seat, side: int) -> Score:
    members = state.setup.members[side]
    reason_of_side = reason if seat in members else ""
    return Score(
        cards=_cards(state, side),
        suit_points=sum([state.suit_points[member] for member in members]),
        bonus=OUT_BONUS if reason_of_side == "out" and state.setup.counts_going_out else 0,
        penalty=STUCK_PENALTY if reason_of_side == "stuck" else 0,
        calls=sum([state.calls[member] for member in members]),
    )


def _cards(state: State, side: int) -> int:
    """Count the cards of a side (T-12)."""
    setup = state.setup
    if setup.teams == "on":
        return len(state.banks[side])
    if setup.banks < setup.players:
        return setup.hand_size - len(state.hands[side])
    each = setup.banks // setup.players
    return sum(map(len, state.banks[side * each : (side + 1) * each]))


def totals(setup: Setup, results: tuple[Result, ...]) -> tuple[int, ...]:
    """Return the points of the finished games, by seat. Seats of a side have the same points (G-07)."""
    return tuple([sum([result.scores[side].total for result in results]) for side in setup.sides])
