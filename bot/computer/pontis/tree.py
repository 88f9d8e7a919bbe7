"""Search of an open deal of Pontis for two.

Near the end an alpha-beta search solves the deal exactly. Before, a tree of moves grows where they do well, and a rule
of thumb finishes the deal from its leaves (UCT).
"""

import contextlib
import math
import random
from typing import Final

from bot.computer.imagined_deals import Judged
from bot.computer.pontis.deals import Evaluation
from bot.computer.pontis.engine import VALUES, Deal, Move
from bot.computer.pontis.thumb import finish, pick, play
from bot.computer.thoughts import ALTERNATIVES

EXPLORE: Final = 2.0
"""Exploration weight of the tree search, in points."""
END: Final = 22
"""Cards in all hands from which an exact solution is tried."""
NODES: Final = 5
"""Nodes of that solution for each deal of the budget."""


def search(  # noqa: PLR0913 - what is searched, and how long
    deal: Deal, moves: list[Move], evaluate: Evaluation, rng: random.Random, budget: int, *, with_others: bool = False
) -> list[Judged[Move]]:
    """Return the best of the moves of the seat on turn and, if ``with_others``, others with their values.

    ``budget`` is a number of deals played to the end. Moves whose value is exact were played in no deal.
    """
    if sum(map(int.bit_count, deal.hands)) <= END:
        solver = _Solver(deal.seat, evaluate, NODES * budget)
        found = solver.best(deal, moves)
        if found is not None:
            return [found, *(solver.others(deal, moves, found.move, NODES * budget) if with_others else ())]
    tree = _Tree(deal, moves, evaluate, rng)
    tree.grow(budget)
    ordered = tree.tried()
    for other in ordered[1 : 1 + ALTERNATIVES] if with_others else ():
        tree.grow(budget // 4, other)  # the tree hardly looks at worse moves, so it doesn't know their values
    return [tree.judged(move) for move in ordered]


# ---- growing a tree


class _Node:
    """A position: its moves so far not tried, and the others with the positions they lead to.

    ``seat`` is the seat on turn, or -1 while the moves aren't listed.
    """

    __slots__ = ("after", "moves", "number", "seat", "squares", "total")

    def __init__(self) -> None:
        self.after: dict[Move, _Node] = {}
        self.moves: list[Move] = []
        self.number = 0
        self.total = 0.0
        self.squares = 0.0  # of the values, only below the root
        self.seat = -1

    def open(self, deal: Deal, moves: list[Move], rng: random.Random) -> None:
        """List the moves. That of the rule of thumb is tried first."""
        self.seat, self.moves = deal.seat, moves
        rng.shuffle(moves)
        first = pick(deal)
        if first in moves:
            moves.remove(first)
            moves.append(first)

    def next(self, me: int) -> "tuple[Move, _Node]":
        """Return the move to look at: one not tried so far, or the most promising one."""
        if self.moves:
            move = self.moves.pop()
            node = self.after[move] = _Node()
            return move, node
        sign = 1 if self.seat == me else -1
        explore = EXPLORE * math.sqrt(math.log(self.number + 1))
        values = {
            move: sign * node.total / node.number + explore / math.sqrt(node.number)
            for move, node in self.after.items()
        }
        move = max(values, key=values.__getitem__)
        return move, self.after[move]


class _Tree:
    """A tree of moves from a position, with the seat on turn as the one that evaluates."""

    def __init__(self, start: Deal, moves: list[Move], evaluate: Evaluation, rng: random.Random) -> None:
        self._start: Final = start
        self._evaluate: Final = evaluate
        self._rng: Final = rng
        self._root: Final = _Node()
        self._root.open(start, moves, rng)

    def grow(self, number: int, first: Move | None = None) -> None:
        """Play the deal to its end this many times; with ``first``, every time from that move on."""
        for _ in range(number):
            deal, node = self._start.copy(), self._root
            path = [node]
            if first is not None:
                play(deal, first)
                node = node.after[first]
                path.append(node)
            while not deal.ended:
                if node.seat < 0:
                    if not node.number:
                        break
                    node.open(deal, deal.moves(), self._rng)
                move, node = node.next(self._start.seat)
                play(deal, move)
                path.append(node)
            finish(deal)
            value = self._evaluate(deal)
            for node in path:
                node.number += 1
                node.total += value
            path[1].squares += value * value

    def tried(self) -> list[Move]:
        """Return the moves, those first that were played most."""
        return sorted(self._root.after, key=lambda move: self._root.after[move].number, reverse=True)

    def judged(self, move: Move) -> Judged[Move]:
        """Return the mean value of a move."""
        node = self._root.after[move]
        mean = node.total / node.number
        variance = node.squares / node.number - mean * mean
        error = math.sqrt(max(variance, 0.0) / (node.number - 1)) if node.number > 1 else math.inf
        return Judged(move, mean, node.number, error)


# ---- solving the end


class _OutOfNodesError(Exception):
    pass


class _Solver:
    """An alpha-beta search to the end of the deal, within a number of nodes."""

    def __init__(self, me: int, evaluate: Evaluation, nodes: int) -> None:
        self._me: Final = me
        self._evaluate: Final = evaluate
        self._nodes = nodes
        self._known: dict[tuple[object, ...], tuple[float, float]] = {}

    def best(self, deal: Deal, moves: list[Move]) -> Judged[Move] | None:
        """Return the best of the moves with its value, or ``None`` if there are too many nodes."""
        best, best_value = None, -math.inf
        try:
            for move in sorted(moves, key=_shed):
                after = deal.copy()
                play(after, move)
                value = self._value(after, best_value, math.inf)
                if value > best_value:
                    best, best_value = move, value
        except _OutOfNodesError:
            return None
        return None if best is None else Judged(best, best_value, 0)

    def others(self, deal: Deal, moves: list[Move], best: Move, nodes: int) -> list[Judged[Move]]:
        """Return the other moves with their values, the best first, as many as this number of nodes allows."""
        self._nodes = nodes
        found = []
        with contextlib.suppress(_OutOfNodesError):
            for move in moves:
                if move != best:
                    after = deal.copy()
                    play(after, move)
                    found.append(Judged(move, self._value(after, -math.inf, math.inf), 0))
        return sorted(found, key=lambda judged: judged.value, reverse=True)

    def _value(self, deal: Deal, low: float, high: float) -> float:
        """Return the value if it is between the bounds, else a bound of it."""
        if deal.ended:
            return self._evaluate(deal)
        self._nodes -= 1
        if not self._nodes:
            raise _OutOfNodesError
        key = (*deal.hands, *deal.tops, *deal.points, deal.slot, deal.idle)
        least, most = self._known.get(key, (-math.inf, math.inf))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        value = self._best_reply(deal, max(low, least), min(high, most))
        if value > low:
            least = max(least, value)
        if value < high:
            most = min(most, value)
        self._known[key] = (least, most)
        return value

    def _best_reply(self, deal: Deal, low: float, high: float) -> float:
        is_mine = deal.seat == self._me
        best = -math.inf if is_mine else math.inf
        for move in sorted(deal.moves(), key=_shed):
            after = deal.copy()
            play(after, move)
            value = self._value(after, low, high)
            if is_mine:
                best = max(best, value)
                low = max(low, value)
            else:
                best = min(best, value)
                high = min(high, value)
            if low >= high:
                break
        return best


def _shed(move: Move) -> int:
    """Order moves: those that shed more and higher cards first."""
    cards, top = move
    if not cards:
        return 0
    rest = cards & ~(1 << top)
    return -VALUES[top] - (13 + VALUES[rest.bit_length() - 1] if rest else 0)
