"""The computer players for Pond · frogs.

Easy looks at the effects of its own move alone, fair three plies ahead: an alpha-beta search that counts scored pieces
and pieces on the pond. The rulebook plays the first move of each line, so that repetitions and other ends of the game
are seen there; the search below it uses the engine. Strong searches as deep as its budget allows.
"""

import math
import random
from collections.abc import Sequence
from typing import Final

from bot.computer.frogs.engine import Action, Board, Engine, engine_of
from bot.computer.frogs.evaluation import WEIGHTS, WIN, Rules, estimate_of
from bot.computer.frogs.reasons import Pond
from bot.computer.frogs.search import DECIDED, Found, Other, Search, Start
from bot.computer.frogs.why import FrogsWhy
from bot.computer.thoughts import (
    ALTERNATIVES,
    DOUBT,
    REVIEWED,
    Cause,
    Facts,
    Rated,
    Reason,
    Thought,
    Verdict,
    Why,
    named,
    only,
    reasons,
    strongest,
)
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import Observation, state_of
from bot.games.game import Move, Outcome, Seat

_Worth = tuple[Action, float | None]
"""An action, and by how much it is worse than the chosen one, as in `Rated`."""

BUDGET: Final = 310_000
"""Nodes for each move: at most 2 s on one core."""
DEPTH: Final = 3
"""The depth of the search in plies, including the computer's own move."""

_EVEN: Final = 0.25
"""The difference in points that doesn't count."""
_LAST: Final = 0.1
"""The share of the actions that seemed the worst."""
_WON: Final = 1000
"""The value of a win; `_search` adds a little for a sooner one."""
_TOP: Final = _WON + DEPTH + 1
_PIECE: Final = 10
_TADPOLE: Final = 1
_FROG: Final = 2
_RULEBOOK: Final = Frogs()


def easy(observation: Observation, rng: random.Random) -> Move:
    """Return the legal move whose own effects are best. ``rng`` decides between equal ones."""
    return fair(observation, rng, depth=1)


def fair(observation: Observation, rng: random.Random, depth: int = DEPTH) -> Move:
    """Return the best legal move of the observing seat, whose turn it is. ``rng`` decides between equal ones."""
    state = state_of(observation)
    engine, goal = engine_of(observation.setup.size), observation.setup.goal
    best, chosen = -_TOP, observation.legal[0]
    for move in rng.sample(observation.legal, len(observation.legal)):
        after = _RULEBOOK.apply(state, observation.seat, move).state
        if after.outcome is not None:
            value = _value_of(after.outcome, observation.seat or 0)
        else:
            value = -_Shallow(engine, goal).value(engine.board_of(after.position), depth - 1, -_TOP, -best)
        if value > best:
            best, chosen = value, move
    return chosen


def _value_of(outcome: Outcome, seat: Seat) -> int:
    """Return the value of a game that the seat's own move ends: a win, a draw or a loss."""
    return (outcome.places[1 - seat] - outcome.places[seat]) * (_WON + DEPTH)


class _Shallow:
    """Alpha-beta search on one pond."""

    def __init__(self, engine: Engine, goal: int) -> None:
        self._engine = engine
        self._goal = goal

    def value(self, board: Board, depth: int, low: int, high: int) -> int:
        """Return the value of the board to the mover. It is exact between ``low`` and ``high``."""
        *_, score, rival_score = board
        if score >= self._goal or rival_score >= self._goal:
            return ((score > rival_score) - (score < rival_score)) * (_WON + depth)
        if depth == 0:
            return self._estimate(board)
        found = self._engine.actions(board)
        if not found:
            return -_WON - depth
        for action in found:
            low = max(low, -self.value(self._engine.play(board, action), depth - 1, -high, -low))
            if low >= high:
                break
        return low

    def _estimate(self, board: Board) -> int:
        """Estimate the value of a board: scored pieces count most, then frogs, then tadpoles."""
        pieces, own, rival, _, _, score, rival_score = board
        tadpoles, frogs = pieces >> self._engine.lane, pieces >> 2 * self._engine.lane
        return (
            _PIECE * (score - rival_score)
            + _TADPOLE * ((tadpoles & own).bit_count() - (tadpoles & rival).bit_count())
            + _FROG * ((frogs & own).bit_count() - (frogs & rival).bit_count())
        )


def strong(observation: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat, whose turn it is. ``rng`` decides between equal ones.

    ``budget`` is a number of nodes, by default `BUDGET`.
    """
    return explain(observation, rng, budget, with_reasons=False).move


def explain(
    observation: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True
) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false.

    The alternatives take half of the budget once more.
    """
    if len(observation.legal) == 1:
        return only(observation.legal[0])
    budget = budget or BUDGET
    engine, (start, search) = engine_of(observation.setup.size), _search(observation)
    found = search.run(start, budget)
    chosen = rng.choice(_with_mirrored(engine, start, found.actions))
    if not with_reasons:
        return Thought(engine.moves[chosen])
    rated = _rated(search, start, found, chosen, budget // 2)
    alternatives = named([Rated(engine.moves[action], worse_by) for action, worse_by in rated])
    shown = {other.move for other in alternatives}
    rated = [each for each in rated if engine.moves[each[0]] in shown]
    return Thought(
        engine.moves[chosen], alternatives, _reasons(_pond(observation, start, search), found, chosen, rated)
    )


def _rated(search: Search, start: Start, found: Found, chosen: Action, budget: int) -> list[_Worth]:
    """Return the next best actions, and if all are as good, some that seem to be the worst."""
    point = WEIGHTS[search.engine.size].point
    rated = [(each.action, _worse_by(each, found, point)) for each in _others(search, start, found, chosen, budget)]
    if _certain(found) is None and not any(worse_by != 0 for _action, worse_by in rated):
        left = {*search.last_of_root(_LAST)} - {chosen, *(action for action, _worse_by in rated)}
        rated += [(each.action, _worse_by(each, found, point)) for each in search.others(start, found, 1, budget, left)]
    return rated


def _reasons(pond: Pond, found: Found, chosen: Action, rated: Sequence[_Worth]) -> tuple[Reason, ...]:
    """Return why the chosen action and its equals are better than the others."""
    named = pond.engine.moves.__getitem__
    equals = [chosen, *(action for action, worse_by in rated if worse_by == 0)]
    worse = {action: worse_by for action, worse_by in rated if worse_by != 0}
    if (cause := _certain(found)) is not None:
        return (Reason(cause, tuple(map(named, equals))),)

    def facts(move: Action, other: Action) -> Facts:
        return {pond.saved(other): 1.0} if worse[other] == math.inf else pond.facts(move, other)

    given = [block.reason(named) for block in reasons(equals, [*worse], facts)]
    return tuple(given) or (Reason(Cause(Why.SAME), tuple(map(named, equals))),)


def alike(observation: Observation, move: Move, other: Move) -> bool:
    """Whether two moves count as one: on a pond that looks the same from both sides, one is the image of the other."""
    engine, (start, _search_after) = engine_of(observation.setup.size), _search(observation)
    families = engine.families(start.board, engine.actions(start.board))
    return any({move, other} <= {engine.moves[action] for action in family} for family in families)


def judge(observation: Observation, played: Move, rng: random.Random, budget: int | None = None) -> Verdict:  # noqa: ARG001 - as in all games
    """Return the best legal move, and by how much the one that was played is worse, as in a `Thought`."""
    budget = budget or BUDGET // REVIEWED
    engine, (start, search) = engine_of(observation.setup.size), _search(observation)
    found = search.run(start, budget)
    best = engine.moves[found.actions[0]]
    families = engine.families(start.board, engine.actions(start.board))
    alike = next(family for family in families if any(engine.moves[action] == played for action in family))
    if not {*found.actions}.isdisjoint(alike):
        return Verdict(played)
    others, point = search.others(start, found, 1, budget, alike), WEIGHTS[engine.size].point
    worse_by = _worse_by(others[0], found, point) if others else 0.0
    if not others or max(abs(found.value), abs(others[0].value)) > DECIDED:
        return Verdict(best, worse_by)
    loss, error = (others[0].best - others[0].value) / point, others[0].drift / point
    return Verdict(best, worse_by if loss > DOUBT * error else 0.0, loss, error)


def why(observation: Observation, move: Move, other: Move, rng: random.Random, number: int = 0) -> Cause | None:  # noqa: ARG001 - as in all games
    """Return the fact of most worth that tells a legal move from another one, if there is any."""
    (start, search), engine = _search(observation), engine_of(observation.setup.size)
    search.run(start, BUDGET // 100)
    known: dict[Move, Action] = {engine.moves[action]: action for action in engine.actions(start.board)}
    return strongest(_pond(observation, start, search).facts(known[move], known[other]))


def think(observation: Observation, budget: int) -> Found:
    """Search for the best actions of the side to move."""
    start, search = _search(observation)
    return search.run(start, budget)


def _search(observation: Observation) -> tuple[Start, Search]:
    setup = observation.setup
    engine = engine_of(setup.size)
    *earlier, board = (engine.board_of(position) for position in observation.positions)
    search = Search(engine, Rules(setup.goal, setup.repetition == "draw"), estimate_of(engine, setup.goal))
    return Start(board, tuple(earlier)), search


def _pond(observation: Observation, start: Start, search: Search) -> Pond:
    setup = observation.setup
    return Pond(engine_of(setup.size), start.board, setup.goal, 1 - (observation.seat or 0), search.line)


def _others(search: Search, start: Start, found: Found, chosen: Action, budget: int) -> list[Other]:
    """Return the alternatives to the chosen action: those that are as good, then the best of the rest."""
    equal = [Other(action, found.value, found.value) for action in found.actions if action != chosen]
    return [*equal, *search.others(start, found, max(1, ALTERNATIVES - len(equal)), budget)]


def _with_mirrored(engine: Engine, start: Start, best: tuple[Action, ...]) -> list[Action]:
    """Return the best actions and, on a symmetric pond, their mirror images, sorted."""
    families = engine.families(start.board, engine.actions(start.board))
    return sorted(action for family in families for action in family if not {*best}.isdisjoint(family))


def _worse_by(other: Other, found: Found, point: int) -> float | None:
    """Return by how many points another action is worse than those that were found."""
    if found.value < -DECIDED or other.value > DECIDED:
        return 0.0
    if other.value < -DECIDED:
        return math.inf
    if found.value > DECIDED:
        return None
    lead = (other.best - other.value) / point
    return lead if lead >= _EVEN else 0.0


def _certain(found: Found) -> Cause | None:
    """Return that the game is won or lost whatever the other side does, if it is."""
    if found.value > DECIDED:
        return Cause(FrogsWhy.WINS, number=(WIN - found.value + 1) // 2)
    if found.value < -DECIDED:
        return Cause(Why.LOSES)
    return None
