"""Perft: the number of ways to play Pond · frogs for some plies, compared with recorded counts by first move.

A wrong rule shows as a wrong count, and the first move of that count tells where to look.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.computer.frogs.engine import Board as LaneBoard, engine_of
from bot.games.frogs.state import State
from tests.computer.frogs_bitboard import Board, actions, board_of, play, pond_of
from tests.doses import dose
from tests.games.frog_ponds import FROGS, opened, pond

STARTS: Final = {
    "empty": opened(),
    "empty-big": opened("big"),
    "middle": pond("a2 Lf, b3 Dt, c1 Lt, c3 Le, d2 Df, d4 De", (5, 6), (3, 2)),
    "middle-big": pond("a1 Df, b4 Lf, c2 Lt, c3 De, d5 Lt, e3 Df", (9, 9), (3, 3), preset="big"),
    "last-eggs": pond("a1 Lf, a4 Dt, b2 De, c3 Lt, d1 Df, d3 Le", (2, 2), (9, 9), preset="small14"),
    "no-eggs": pond("a1 Lt, b3 Le, c1 Le, d4 Lf, a3 De, b2 Dt, c4 De, d2 Df", (0, 0), (9, 9), preset="small13"),
}


class Count(NamedTuple):
    """The number of ways to play ``depth`` plies from a start when the first is ``move``."""

    start: str
    depth: int
    move: str
    ways: int


def recorded() -> Iterator[Count]:
    """Yield the counts in ``frogs.txt``. A line is ``start depth move ways``."""
    for line in (Path(__file__).parent / "frogs.txt").read_text(encoding="utf-8").splitlines():
        start, depth, *move, ways = line.split()
        yield Count(start, int(depth), " ".join(move), int(ways))


COUNTS: Final = tuple(recorded())


def ways(state: State, depth: int) -> int:
    """Count the ways to play ``depth`` plies with the rulebook."""
    if depth == 0:
        return 1
    turn = state.turn or 0
    return sum(ways(FROGS.apply(state, turn, move).state, depth - 1) for move in FROGS.legal(state, turn))


def bitboard_ways(state: State, depth: int) -> int:
    """Count them with bitboards. These don't know repetitions, but the counts are too short for one."""
    pond = pond_of(state.setup.size)

    def count(board: Board, left: int) -> int:
        if left == 0:
            return 1
        if max(board.score, board.rival_score) >= state.setup.goal:
            return 0
        return sum(count(play(board, action), left - 1) for action in actions(board, pond))

    return count(board_of(state.position), depth)


def engine_ways(state: State, depth: int) -> int:
    """Count them with the engine of the computers."""
    engine = engine_of(state.setup.size)

    def count(board: LaneBoard, left: int) -> int:
        if left == 0:
            return 1
        if max(board[5:]) >= state.setup.goal:
            return 0
        return sum(count(engine.play(board, action), left - 1) for action in engine.actions(board))

    return count(engine.board_of(state.position), depth)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("count", [ways, bitboard_ways, engine_ways])
def test_counts_by_first_move_match_the_recorded_ones(start: str, count: Callable[[State, int], int]) -> None:
    state = STARTS[start]
    lines = [line for line in COUNTS if line.start == start]
    assert [line.move for line in lines] == [str(move) for move in FROGS.legal(state, 0)]
    lines = lines[:: dose(check=8, test=1)]
    found = [
        line._replace(ways=count(FROGS.apply(state, 0, FROGS.parse(line.move)).state, line.depth - 1)) for line in lines
    ]
    assert found == lines
