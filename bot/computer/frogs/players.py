"""The computer players for Pond · frogs.

Easy looks at the effects of its own move alone, fair three plies ahead: an alpha-beta search that counts scored pieces
and pieces on the pond. The rulebook plays the first move of each line, so that repetitions and other ends of the game
are seen there; the search below it uses the engine. Strong searches as deep as its budget allows.
"""

import math
import random
from typing import Final

from bot.computer.frogs.endings import WIN, Rules
from bot.computer.frogs.engine import Action, Board, Engine, engine_of
from bot.computer.frogs.evaluation import WEIGHTS, estimate_of
from bot.computer.frogs.search import DECIDED, Found, Other, Search, Start
from bot.computer.thoughts import ALTERNATIVES, Cause, Rated, Thought, Why, only
from bot.games.frogs.observation import Observation, state_of
from bot.games.frogs.rulebook import Frogs
from bot.games.game import Move, Outcome, Seat

BUDGET: Final = 400_000
"""Nodes for each move: about a second on one core."""
DEPTH: Final = 3
"""The depth of the search in plies, including the computer's own move."""

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
    equal = [Other(action, found.value, found.value) for action in found.actions if action != chosen]
    missing = ALTERNATIVES - len(equal)
    others = [*equal, *(search.others(start, found, missing, budget // 2) if missing > 0 else ())][:ALTERNATIVES]
    point = WEIGHTS[engine.size].point
    alternatives = tuple([Rated(engine.moves[other.action], _worse_by(other, found, point)) for other in others])
    return Thought(engine.moves[chosen], alternatives, _cause(engine, start, chosen, found, others))


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
    return None if found.value > DECIDED else max(0.0, (other.best - other.value) / point)


def _cause(engine: Engine, start: Start, chosen: Action, found: Found, others: list[Other]) -> Cause:
    if found.value > DECIDED:
        return Cause(Why.WINS, number=(WIN - found.value + 1) // 2)
    if found.value < -DECIDED:
        return Cause(Why.LOSES)
    if others and all(other.value < -DECIDED for other in others):
        return Cause(Why.SAVES)
    gained = engine.play(start.board, chosen)[6] - start.board[5]
    return Cause(Why.SCORES, number=gained) if gained else Cause(Why.AHEAD, number=max(1, found.depth // 2))
