"""A plain player for Pond · frogs, the yardstick of the strong one: alpha-beta to a fixed depth that counts points.

It shares no code with the strong player: its boards are those of `tests.computer.frogs_bitboard`. It looks at moves
that score first, and has no table, no reductions and no idea of repetition.
"""

import random
from typing import Final

from bot.games.frogs.position import Position
from bot.games.frogs.state import Observation
from bot.games.game import Move
from tests.computer.frogs_bitboard import Board, Squares, actions, board_of, play, pond_of

PLIES: Final = 6
WIN: Final = 10_000
"""The value of a win; more if it is sooner."""
_PIECE: Final = 10


def choose(seen: Observation, rng: random.Random, plies: int = PLIES) -> Move:
    """Return a move with the highest value ``plies`` ahead. ``rng`` decides between equal ones."""
    pond, goal = pond_of(seen.setup.size), seen.setup.goal
    position = Position(seen.turn, seen.pieces, seen.spawns, seen.scores)
    board = board_of(position)
    found = actions(board, pond)
    rng.shuffle(found)
    found.sort(key=lambda action: _gain(board, play(board, action)), reverse=True)
    best, chosen = -2 * WIN, found[0]
    for action in found:
        value = -value_of(play(board, action), plies - 1, pond, goal, -2 * WIN, -best)
        if value > best:
            best, chosen = value, action
    return chosen.move


def value_of(  # noqa: PLR0913, PLR0917 - a node of a search
    board: Board, depth: int, pond: Squares, goal: int, low: int = -2 * WIN, high: int = 2 * WIN
) -> int:
    """Return the value of the board to its mover."""
    if board.score >= goal or board.rival_score >= goal:
        return ((board.score > board.rival_score) - (board.score < board.rival_score)) * (WIN + depth)
    if depth == 0:
        return _points(board)
    after = [play(board, action) for action in actions(board, pond)]
    if not after:
        return -WIN - depth
    if depth > 1:
        after.sort(key=lambda child: _gain(board, child), reverse=True)
    for child in after:
        low = max(low, -value_of(child, depth - 1, pond, goal, -high, -low))
        if low >= high:
            break
    return low


def _gain(before: Board, after: Board) -> int:
    """Return what a move scores for its side, less what it scores for the other."""
    return after.rival_score - before.score - after.score + before.rival_score


def _points(board: Board) -> int:
    """Scored pieces count most, then frogs, then tadpoles."""
    tadpoles = (board.tadpoles & board.mover).bit_count() - (board.tadpoles & board.rival).bit_count()
    frogs = (board.frogs & board.mover).bit_count() - (board.frogs & board.rival).bit_count()
    return _PIECE * (board.score - board.rival_score) + tadpoles + 2 * frogs
