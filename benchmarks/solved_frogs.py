"""Solve a small Pond · frogs exactly, and record the result beside its rules page, in docs/rules/frogs.json.

python -m benchmarks.solved_frogs --eggs 3 --goal 3

All positions that can come up are looked at from the end backwards, by the moves of the rulebook. A ply is a turn of
one player. Who can win does so in as few plies as possible, and who loses holds out as long as possible. Where nobody
can force a win, the game is a draw: repetition ends it (PD-23).
"""

import argparse
import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.rules_numbers import EXACT, FOLDER, recorded
from bot.games.frogs.moves import squares
from bot.games.frogs.position import Pair, Piece, Position, actions, play

SIZE: Final = 3
_SQUARES: Final = squares(SIZE)
_ROWS: Final = range(SIZE)


def _symmetries() -> Iterator[dict[str, str]]:
    """Yield the eight ways to turn and mirror the pond, as where each square comes to lie."""
    for mirrored in (False, True):
        for turns in range(4):
            places = {}
            for x in _ROWS:
                for y in _ROWS:
                    right, down = (y, x) if mirrored else (x, y)
                    for _ in range(turns):
                        right, down = SIZE - 1 - down, right
                    places[_SQUARES[SIZE * x + y]] = _SQUARES[SIZE * right + down]
            yield places


_TURNED: Final = tuple(_symmetries())


class Solved(NamedTuple):
    """What perfect play leads to: who wins (1: who begins, -1: the other, 0: nobody) after how many plies."""

    winner: int
    plies: int
    positions: int


class _Graph(NamedTuple):
    """All positions that can come up, by number, that of the start first.

    ``values`` are known of ends alone. ``left`` counts the positions that follow, ``before`` has those that lead there.
    """

    values: list[int]
    left: list[int]
    before: list[list[int]]


def solve(eggs: int, goal: int) -> Solved:
    """Solve a pond of 3×3 with so many eggs for each player."""
    values, left, before = _graph(Position(0, (), (eggs, eggs), (0, 0)), goal)
    plies = [0] * len(values)
    ready = deque(number for number, value in enumerate(values) if value)
    while ready:  # the shortest ends come first
        number = ready.popleft()
        for each in before[number]:
            left[each] -= 1
            if values[each] == 0 and (values[number] < 0 or left[each] == 0):
                values[each], plies[each] = (1 if values[number] < 0 else -1), plies[number] + 1
                ready.append(each)
    return Solved(values[0], plies[0], len(values))


def _graph(start: Position, goal: int) -> _Graph:
    positions, graph = [_alike(start)], _Graph([], [], [[]])
    numbers = {positions[0]: 0}
    for number, position in enumerate(positions):  # which grow on the way
        value, is_over = _ended(position, goal)
        following = set() if is_over else {_alike(play(position, 0, each).position) for each in actions(position, SIZE)}
        graph.values.append(value if is_over or following else -1)  # who can't act loses (PD-20)
        graph.left.append(len(following))
        for each in following:
            if each not in numbers:
                numbers[each] = len(positions)
                positions.append(each)
                graph.before.append([])
            graph.before[numbers[each]].append(number)
    return graph


def _ended(position: Position, goal: int) -> tuple[int, bool]:
    """Return who wins, seen by the player to move, and whether the goal was reached."""
    own, other = position.scores
    is_over = max(own, other) >= goal
    return ((own > other) - (own < other) if is_over else 0), is_over


def _alike(position: Position) -> Position:
    """Return the position with the player to move as seat 0, turned and mirrored to the first of its kind."""
    is_swapped = position.turn == 1
    pieces = [piece._replace(owner=piece.owner ^ is_swapped) for piece in position.pieces]
    turned = min(sorted((places[square], owner, stage) for square, owner, stage in pieces) for places in _TURNED)
    return Position(
        0,
        tuple(Piece(*each) for each in turned),
        _swapped(position.spawns, is_swapped=is_swapped),
        _swapped(position.scores, is_swapped=is_swapped),
    )


def _swapped(pair: Pair, *, is_swapped: bool) -> Pair:
    return (pair[1], pair[0]) if is_swapped else pair


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER) -> None:
    """Solve a small pond, and write the result into the file of the rules page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solved_frogs", description="Solve a pond of 3×3.")
    parser.add_argument("--eggs", type=int, default=3, help="eggs of each player (default: 3)")
    parser.add_argument("--goal", type=int, default=3, help="points to win (default: 3)")
    given = parser.parse_args(arguments)
    solved = solve(given.eggs, given.goal)
    sys.stdout.write(f"{solved}\n")
    git = ("git", "rev-parse", "--short", "HEAD")
    commit = subprocess.run(git, check=True, capture_output=True, text=True, cwd=FOLDER).stdout.strip()  # noqa: S603 - constant
    records, options = recorded("frogs", folder), [f"size={SIZE}", f"eggs={given.eggs}", f"goal={given.goal}"]
    key = " ".join(("solved", *options))
    records[key] = {
        "what": "plies until the player who begins has won, by perfect play of both",
        "options": options,
        "level": EXACT,
        "winner": solved.winner,
        "commit": commit,
        "samples": solved.positions,
        "is_share": False,
        "value": solved.plies,
        "said": records.get(key, {}).get("said", {}),
    }
    (folder / "frogs.json").write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
