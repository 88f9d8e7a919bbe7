"""A strong search for Pond · frogs: alpha-beta with iterative deepening and a transposition table.

The budget is a number of nodes, not a time, so that a move depends on the observation alone. A node is a board that the
search looks at. All values are from the view of the side to move.
"""

from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import Final, NamedTuple

from bot.computer.frogs.engine import Action, Board, Engine
from bot.computer.frogs.evaluation import WIN, Endings, Estimate, Key, Rules, key_of
from bot.games.frogs.rulebook import QUIET_PLIES

DECIDED: Final = WIN - 1000
"""Values above this are forced wins."""
MAX_DEPTH: Final = 60

SYMMETRIC: Final = 2
"""The largest number of pieces with which the search looks for symmetry."""

_EMPTY: Final = 0.75
"""The share of a budget that an empty pond gets."""

_EXACT, _AT_LEAST, _AT_MOST = range(3)


class Start(NamedTuple):
    """The start of a search: the board, and those since the last placing or score, the oldest first."""

    board: Board
    earlier: tuple[Board, ...] = ()


class Found(NamedTuple):
    """The result of a search: equally good actions, their value, the depth that was completed, the nodes."""

    actions: tuple[Action, ...]
    value: int
    depth: int
    nodes: int


class Other(NamedTuple):
    """An action that isn't the best, its value at some depth, and the best value at that depth.

    ``drift`` is by how much its distance to the best was another one at the depth before.
    """

    action: Action
    value: int
    best: int
    drift: int = 0


class _Child(NamedTuple):
    """A board after an action. ``value`` is the value of a game that ends there, else ``None``."""

    order: int
    action: Action
    board: Board
    quiet: int
    value: int | None


class _Known(NamedTuple):
    """A known board: its value or a bound of it, seen from there, at a depth, and the best action."""

    value: int
    kind: int
    depth: int
    action: Action | None


def _with_first(best: Iterable[tuple[_Child, int]], children: Iterable[_Child]) -> list[_Child]:
    """Return the children, the best ones at the front."""
    front = [child for child, _value in best]
    return front + [child for child in children if child not in front]


def _kind(value: int, low: int, high: int) -> int:
    """Return what the value of a board is that was searched between these bounds."""
    if value >= high:
        return _AT_LEAST
    return _AT_MOST if value <= low else _EXACT


class _OutOfBudgetError(Exception):
    pass


class Search:
    """One search. ``reductions`` lets it look less deep behind moves that seem worse."""

    def __init__(self, engine: Engine, rules: Rules, estimate: Estimate, *, reductions: bool = True) -> None:
        self.engine = engine
        self._endings = Endings(engine, rules)
        self._estimate = estimate
        self._reductions = reductions
        self._budget = 0
        self._values: list[int] = []
        """The best value by depth, from depth 1."""
        self._children_of_root: list[_Child] = []
        self.nodes = 0
        self._table: dict[Key, _Known] = {}

    def run(self, start: Start, budget: int, max_depth: int = MAX_DEPTH) -> Found:
        """Search deeper and deeper until the budget is used up, the game is decided, or ``max_depth`` is reached."""
        self._enter(start)
        quiet = len(start.earlier)
        children = self._children(start.board, 0, quiet, None)
        self._budget = self._shared(start, budget)
        found = Found(tuple(child.action for child in children), 0, 0, self.nodes)
        for depth in range(1, max_depth + 1):
            best, is_complete = self._root(children, depth)
            if best:
                found = Found(tuple(child.action for child, _ in best), best[0][1], depth, self.nodes)
                self._values[depth - 1 :] = [found.value]
                children = _with_first(best, children)
            if not is_complete or abs(found.value) > DECIDED:
                break
        self._children_of_root = children
        return found._replace(nodes=self.nodes)

    def others(
        self, start: Start, found: Found, number: int, budget: int, among: Collection[Action] | None = None
    ) -> list[Other]:
        """Return the best actions that `run` didn't find, if given, of those ``among``. Call this after `run`.

        They are searched with the same table and another budget, and compared with the best one at their depth.
        """
        self._budget = self.nodes + self._shared(start, budget)
        self._endings = Endings(self.engine, self._endings.rules)
        self._enter(start)
        every = (child for child in self._children_of_root if child.action not in found.actions)
        left = [child for child in every if among is None or child.action in among]
        others: list[Other] = []
        for depth, best_value in enumerate(self._values, 1):
            best, is_complete = self._first(left, depth, number)
            if not is_complete:
                break
            before = {other.action: other.best - other.value for other in others}
            others = [
                Other(child.action, value, best_value, abs(best_value - value - before.get(child.action, 0)))
                for child, value in best[:number]
            ]
            left = _with_first(best, left)
        return others

    def last_of_root(self, share: float) -> list[Action]:
        """Return this share of the actions, those that seemed the worst. Call this after `run`."""
        children = self._children_of_root
        return [child.action for child in children[-max(1, int(share * len(children))) :]]

    def line(self, board: Board, plies: int) -> list[Action]:
        """Return how both sides go on from a board at their best, as far as it is known. Call this after `run`."""
        found: list[Action] = []
        while len(found) < plies:
            known = self._table.get(key_of(board))
            if known is None or known.action is None or known.action not in self.engine.actions(board):
                break
            found.append(known.action)
            board = self.engine.play(board, known.action)
        return found

    def _shared(self, start: Start, budget: int) -> int:
        """Return the budget, or less on an empty pond, where few actions differ: it reaches the same depth sooner."""
        return budget if start.board[0] else round(_EMPTY * budget)

    def _first(self, children: list[_Child], depth: int, number: int) -> tuple[list[tuple[_Child, int]], bool]:
        """Return this number of children or more, the best first, and whether all were searched."""
        first: list[tuple[_Child, int]] = []
        left = children
        while left and len(first) < number:
            best, is_complete = self._root(left, depth)
            if not is_complete:
                return [], False
            first += best
            taken = [child for child, _ in best]
            left = [child for child in left if child not in taken]
        return first, True

    def _enter(self, start: Start) -> None:
        for back, board in enumerate(reversed(start.earlier), 1):
            self._endings.enter(key_of(board), back & 1)
        self._endings.enter(key_of(start.board), 0)

    def _root(self, children: list[_Child], depth: int) -> tuple[list[tuple[_Child, int]], bool]:
        """Return the best children and whether all were searched.

        If the budget ran out, the best are empty unless one of them is better than the first child.
        """
        best: list[tuple[_Child, int]] = []
        try:
            for child in children:
                low = best[0][1] - 1 if best else -WIN
                value = self._deepened(child, depth, low, low + 1) if best else low + 1
                if value > low:
                    value = self._deepened(child, depth, low, WIN)
                if not best or value > low + 1:
                    best = [(child, value)]
                elif value == low + 1:
                    best.append((child, value))
        except _OutOfBudgetError:
            return (best if best and best[0][0] is not children[0] else []), False
        return best, True

    def _deepened(self, child: _Child, depth: int, low: int, high: int) -> int:
        if child.value is not None:
            return child.value
        if depth == 1:
            return -self._estimate(child.board)
        return -self._value(child.board, depth - 1, 1, child.quiet, -high, -low)

    # ---- inside the tree

    def _value(self, board: Board, depth: int, ply: int, quiet: int, low: int, high: int) -> int:
        """Return the value of a board where the game goes on. It is exact between ``low`` and ``high``."""
        key = key_of(board)
        is_stored = quiet + depth < QUIET_PLIES  # near the limit of quiet plies, the line decides the value
        known = self._table.get(key) if is_stored else None
        if known and known.depth >= depth:
            value = _from(known.value, ply)
            if known.kind == _EXACT or (value >= high if known.kind == _AT_LEAST else value <= low):
                return value
        if depth == 1:
            value, action = self._last_ply(board, ply, quiet, high)
        else:
            if self.nodes >= self._budget:
                raise _OutOfBudgetError
            self._endings.enter(key, ply & 1)
            first = known.action if known else None
            value, action = self._inner(board, depth, ply, quiet, low, high, first)
            self._endings.leave(key, ply & 1)
        if is_stored:
            self._table[key] = _Known(_from(value, -ply), _kind(value, low, high), depth, action)
        return value

    def _inner(
        self, board: Board, depth: int, ply: int, quiet: int, low: int, high: int, first: Action | None
    ) -> tuple[int, Action | None]:
        best, chosen = -WIN, None
        for number, child in enumerate(self._children(board, ply, quiet, first)):
            value = child.value
            if value is None:
                value = self._child_value(child, number, depth, ply, low, high)
            if value > best:
                best, chosen = value, child.action
                if value > low:
                    low = value
                    if value >= high:
                        break
        return best, chosen

    def _child_value(self, child: _Child, number: int, depth: int, ply: int, low: int, high: int) -> int:
        """Search the first child fully; look at others only to see whether they are better."""
        board, quiet = child.board, child.quiet
        depth -= 1
        ply += 1
        if number == 0:
            return -self._value(board, depth, ply, quiet, -high, -low)
        if self._reductions and number >= 4 and depth >= 2:
            value = -self._value(board, depth - 1, ply, quiet, -low - 1, -low)
            if value <= low:
                return value
        value = -self._value(board, depth, ply, quiet, -low - 1, -low)
        if low < value < high:
            value = -self._value(board, depth, ply, quiet, -high, -low)
        return value

    def _children(self, board: Board, ply: int, quiet: int, first: Action | None) -> list[_Child]:
        """Return the boards after each action, the most promising first."""
        children = []
        play, estimate = self.engine.play, self._estimate
        before = board[5] + board[6]
        for action in self._different(board, quiet, self.engine.actions(board)):
            after = play(board, action)
            is_reversible = not action[3] and before == after[5] + after[6]
            quiet_after = quiet + 1 if is_reversible else 0
            value = self._endings.value(after, ply + 1, quiet_after)
            order = WIN if action == first else (value or 0) - estimate(after)
            children.append(_Child(order, action, after, quiet_after, value))
        self.nodes += len(children)
        children.sort(key=attrgetter("order"), reverse=True)
        return children

    def _different(self, board: Board, quiet: int, found: list[Action]) -> list[Action]:
        """Return one of the actions that lead to the same board but for a rotation or a reflection."""
        if quiet or (board[1] | board[2]).bit_count() > SYMMETRIC:
            return found
        return [alike[0] for alike in self.engine.families(board, found)]

    def _value_of_end(self, board: Board, action: Action, after: Board, ply: int, quiet: int) -> int:
        """Return the value to the mover of a board after an action, where the game may have ended."""
        is_reversible = not action[3] and after[5] + after[6] == board[5] + board[6]
        ended = self._endings.value(after, ply, quiet + 1 if is_reversible else 0)
        return -self._estimate(after) if ended is None else ended

    def _last_ply(self, board: Board, ply: int, quiet: int, high: int) -> tuple[int, Action | None]:
        """Search a node of depth 1. Its children are only estimated."""
        best, chosen = -WIN, None
        play, estimate, goal = self.engine.play, self._estimate, self._endings.goal
        ponds = self.engine.all
        may_draw = bool(self._endings.twice) or quiet + 1 >= QUIET_PLIES
        for action in self.engine.actions(board):
            after = play(board, action)
            self.nodes += 1
            if after[5] >= goal or after[6] >= goal or not after[3] or after[1] | after[2] == ponds or may_draw:
                value = self._value_of_end(board, action, after, ply + 1, quiet)
            else:
                value = -estimate(after)
            if value > best:
                best, chosen = value, action
                if value >= high:
                    break
        return best, chosen


def _from(value: int, plies: int) -> int:
    """Return a value as seen from ``plies`` earlier: wins and losses are that much further away."""
    if value > DECIDED:
        return value - plies
    return value + plies if value < -DECIDED else value
