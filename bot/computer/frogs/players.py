"""The computer players for Pond · frogs.

Easy looks at the effects of its own move alone, fair three plies ahead: an alpha-beta search that counts scored pieces
and pieces on the pond. The rulebook plays the first move of each line, so that repetitions and other ends of the game
are seen there; the search below it uses the engine. Strong searches as deep as its budget allows.
"""

import math
import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from bot.computer.frogs.engine import Action, Board, Engine, Lanes, engine_of
from bot.computer.frogs.evaluation import WEIGHTS, WIN, Rules, estimate_of
from bot.computer.frogs.search import DECIDED, Found, Other, Search, Start
from bot.computer.frogs.why import FrogsWhy
from bot.computer.thoughts import (
    ALTERNATIVES,
    DOUBT,
    REVIEWED,
    Cause,
    Facts,
    Rated,
    Thought,
    Verdict,
    Why,
    named,
    only,
    reason,
)
from bot.games.frogs.moves import Place, Square
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import Observation, state_of
from bot.games.game import Move, Outcome, Seat

_PLIES: Final = 4
"""How far lines are looked at after an action."""
_FEWER: Final = 3
"""A clear difference between numbers of possible moves."""


class Pond(NamedTuple):
    """A board before the compared actions, the points that win, and the mover's rival."""

    engine: Engine
    board: Board
    goal: int
    rival: int
    line: Callable[[Board, int], list[Action]]
    """How both sides go on from a board."""

    def facts(self, move: Action, other: Action) -> Facts:
        """Return facts that tell an action from another one; their worth is in points."""
        found = [*self._points(move, other), *self._lines(move, other)]
        return dict([*found, *self._squares(move, other), *self._stages(move, other)])

    def winning_reply(self, action: Action) -> tuple[str, int] | None:
        """Return a reply that wins at once, and its points; ``None`` if there is none."""
        after = self.engine.play(self.board, action)
        for reply in self.engine.actions(after):
            *_, score, rival_score = self.engine.play(after, reply)
            if rival_score >= self.goal and rival_score > score:
                return self._name(reply), rival_score - after[5]
        return None

    # ---- points

    def _points(self, move: Action, other: Action) -> Iterator[tuple[Cause, float]]:
        engine, board = self.engine, self.board
        after, instead = engine.play(board, move), engine.play(board, other)
        gain, least = _gain(board, after), _gain(board, instead)
        if gain > max(0, least):
            yield Cause(FrogsWhy.SCORES, self.rival if after[5] > board[6] else -1, number=gain), 1.0 * (gain - least)
        reply, loss = self._best(instead)
        _, own_loss = self._best(after)
        if reply is not None and loss > max(0, own_loss):
            yield Cause(FrogsWhy.STOPS, self.rival, self._name(reply), loss), 0.9 * (loss - own_loss)
        forced, instead_forced = self._forced(after), self._forced(instead)
        if forced > max(0, instead_forced):
            yield Cause(FrogsWhy.FORCES, self.rival, number=forced), 0.8 * (forced - max(0, instead_forced))
        (threat, hoped), (_, instead_hoped) = self._best(_passed(after)), self._best(_passed(instead))
        if threat is not None and hoped > max(0, instead_hoped):
            yield Cause(FrogsWhy.THREATENS, self.rival, self._name(threat), hoped), 0.3 * (hoped - instead_hoped)

    def _best(self, board: Board) -> tuple[Action | None, int]:
        """Return the action that gains most at once, if there is any."""
        found = [(_gain(board, self.engine.play(board, action)), action) for action in self.engine.actions(board)]
        if not found:
            return None, 0
        gain, action = max(found, key=lambda each: each[0])
        return action, gain

    def _forced(self, board: Board) -> int:
        """Return what the side that moved last can gain next, whatever the other side does."""
        replies = self.engine.actions(board)
        return min([self._best(self.engine.play(board, reply))[1] for reply in replies], default=0)

    def _name(self, action: Action) -> str:
        """Return the squares of an action: ``b2``, ``b2 → b4``."""
        move = self.engine.moves[action]
        return move.square if isinstance(move, Place) else f"{move.origin} → {move.landing}"

    # ---- lines

    def _lines(self, move: Action, other: Action) -> Iterator[tuple[Cause, float]]:
        """Yield a line that gains points or, after the other action, one that loses points."""
        (line, gains), (other_line, instead) = self._played(move), self._played(other)
        for ply in range(2, len(gains), 2):
            gain = gains[ply]
            if gain > max(0, *gains[:ply], *instead[: ply + 1]):
                yield Cause(FrogsWhy.PLAN, self.rival, self._names(line[: ply + 1]), gain), 0.5 * gain
                break
        for ply in range(3, len(instead), 2):
            loss = -instead[ply]
            if loss > max(0, *(-gain for gain in instead[:ply]), *(-gain for gain in gains[: ply + 1])):
                yield Cause(FrogsWhy.AVOIDS, self.rival, self._names(other_line[: ply + 1]), loss), 0.5 * loss
                break

    def _played(self, action: Action) -> tuple[list[Action], list[int]]:
        """Return how both sides go on with an action, and the mover's gain after each ply."""
        line = [action, *self.line(self.engine.play(self.board, action), _PLIES)]
        board, sign, gain, gains = self.board, 1, 0, []
        for each in line:
            after = self.engine.play(board, each)
            gain += sign * _gain(board, after)
            gains.append(gain)
            board, sign = after, -sign
        return line, gains

    def _names(self, line: list[Action]) -> str:
        return ", ".join(map(self._name, line))

    # ---- squares

    def _squares(self, move: Action, other: Action) -> Iterator[tuple[Cause, float]]:
        engine, weights = self.engine, WEIGHTS[self.engine.size]
        if move.eggs > other.eggs:
            yield Cause(FrogsWhy.PIECE), weights.piece / weights.point
        square, instead = self._landing(move), self._landing(other)
        bit, bit_instead = engine.bit[square], engine.bit[instead]
        if bit & engine.centre and not bit_instead & engine.centre:
            yield Cause(FrogsWhy.CENTRE, what=square), weights.centre / weights.point
        if bit_instead & engine.corners and not bit & engine.corners:
            yield Cause(FrogsWhy.NO_CORNER, what=instead), -weights.corner / weights.point

    def _landing(self, action: Action) -> Square:
        move = self.engine.moves[action]
        return move.square if isinstance(move, Place) else move.landing

    # ---- stages

    def _stages(self, move: Action, other: Action) -> Iterator[tuple[Cause, float]]:
        engine = self.engine
        (grown, shrunk), (grown_instead, shrunk_instead) = self._developed(move), self._developed(other)
        if grown > grown_instead:
            yield Cause(FrogsWhy.GROWS, number=grown), 0.12 * (grown - grown_instead)
        if shrunk > shrunk_instead:
            yield Cause(FrogsWhy.SHRINKS, self.rival, number=shrunk), 0.15 * (shrunk - shrunk_instead)
        free, instead = (len(engine.actions(engine.play(self.board, action))) for action in (move, other))
        if instead - free >= _FEWER:
            yield Cause(FrogsWhy.FREER, self.rival, number=free), 0.02 * (instead - free)

    def _developed(self, action: Action) -> tuple[int, int]:
        """Return how many of the mover's tadpoles become frogs, and of the rival's frogs eggs."""
        pieces, own, rival = self.board[:3]
        lane = self.engine.lane
        tadpoles, frogs = self._lane(pieces & action.near, lane), self._lane(pieces & action.near, 2 * lane)
        return (tadpoles & own & ~action.own).bit_count(), (frogs & rival).bit_count()

    def _lane(self, pieces: Lanes, shift: int) -> int:
        return pieces >> shift & self.engine.all


def _gain(before: Board, after: Board) -> int:
    """Return by how much the lead of the side that moved grew."""
    return after[6] - before[5] - (after[5] - before[6])


def _passed(board: Board) -> Board:
    """Return the board as the other side sees it, without a move."""
    pieces, own, rival, spawn, rival_spawn, score, rival_score = board
    return pieces, rival, own, rival_spawn, spawn, rival_score, score


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
    pond, point = _pond(observation, start, search), WEIGHTS[engine.size].point
    others = _others(search, start, found, chosen, budget // 2)
    rated = [(other.action, _worse_by(other, found, point)) for other in others]
    cause, against = _reason(pond, found, chosen, rated)
    if cause is None:  # nothing plain tells it from the best of the rest, but from those that seemed the worst?
        left = set(search.last_of_root(_LAST)) - {action for action, _worse in rated}
        others = search.others(start, found, 1, budget // 2, left)
        rated += [(other.action, _worse_by(other, found, point)) for other in others]
        cause, against = _reason(pond, found, chosen, rated)
    if cause is None:
        cause, against = _unreasoned(rated)
    alternatives = named([Rated(engine.moves[action], worse_by) for action, worse_by in rated])
    return Thought(engine.moves[chosen], alternatives, cause, engine.moves[against] if against else None)


def _reason(
    pond: Pond, found: Found, chosen: Action, rated: list[tuple[Action, float | None]]
) -> tuple[Cause | None, Action | None]:
    """Return why the chosen action and its equals are better than the first worse one that a cause tells from them."""
    equals = [chosen, *(action for action, worse_by in rated if worse_by == 0)][: ALTERNATIVES + 1]
    worse = [each for each in rated if each[1] != 0]
    if not worse:
        return _cause(pond, found, equals, None), None
    comparable = worse[:1] + [each for each in worse[1:] if each[1] != math.inf]  # others that lose are no reason
    causes = ((_cause(pond, found, equals, against), against[0]) for against in comparable)
    return next((each for each in causes if each[0]), (None, None))


def _unreasoned(rated: list[tuple[Action, float | None]]) -> tuple[Cause, Action | None]:
    """Return by how much the chosen action is better than the next one, or that it makes no difference."""
    worse = [(action, worse_by) for action, worse_by in rated if worse_by and worse_by < math.inf]
    return (Cause(Why.BEST, number=round(worse[0][1])), worse[0][0]) if worse else (Cause(Why.SAME), None)


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
    return reason([known[move]], known[other], _pond(observation, start, search).facts)


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


def _cause(pond: Pond, found: Found, equals: list[Action], against: tuple[Action, float | None] | None) -> Cause | None:
    if found.value > DECIDED:
        return Cause(FrogsWhy.WINS, number=(WIN - found.value + 1) // 2)
    if found.value < -DECIDED:
        return Cause(Why.LOSES)
    if against is None:
        return None
    other, worse_by = against
    if worse_by is not None and math.isinf(worse_by):
        what, number = pond.winning_reply(other) or ("", None)
        return Cause(FrogsWhy.SAVES, pond.rival, what, number)
    return reason(equals, other, pond.facts)
