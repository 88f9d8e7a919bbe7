"""Reasons for moves of Pond · frogs: facts that are true of an action, and false of another one."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from bot.computer.frogs.engine import Action, Board, Engine, Lanes
from bot.computer.frogs.evaluation import WEIGHTS
from bot.computer.frogs.why import FrogsWhy
from bot.computer.thoughts import Cause, Facts
from bot.games.frogs.moves import Place, Square

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
        found += [*self._squares(move, other), *self._stages(move, other)]
        return dict(found or self._differing(move, other))

    def saved(self, other: Action) -> Cause:
        """Return that the other action loses, and how if a single reply wins."""
        what, number = self.winning_reply(other) or ("", None)
        return Cause(FrogsWhy.SAVES, self.rival, what, number)

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

    def _differing(self, move: Action, other: Action) -> Iterator[tuple[Cause, float]]:
        """Yield what differs, for want of anything better: how many moves each side has then, or what is beside it."""
        engine = self.engine
        after, instead = (engine.play(self.board, action) for action in (move, other))
        free, own = len(engine.actions(after)), len(engine.actions(_passed(after)))
        if free < len(engine.actions(instead)):
            yield Cause(FrogsWhy.FREER, self.rival, number=free), 0.01
        elif own > len(engine.actions(_passed(instead))):
            yield Cause(FrogsWhy.OWN_MOVES, number=own), 0.01
        else:
            yield from self._replies(after, instead)

    def _replies(self, after: Board, instead: Board) -> Iterator[tuple[Cause, float]]:
        """Yield how the rival probably replies, if that isn't the reply to the other action."""
        reply, other_reply = self.line(after, 1)[:1], self.line(instead, 1)[:1]
        if reply and reply != other_reply:
            yield Cause(FrogsWhy.REPLY, self.rival, self._name(reply[0])), 0.01

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
