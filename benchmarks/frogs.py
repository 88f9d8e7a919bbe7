"""How fast Pond · frogs is played at random, against OpenSpiel's breakthrough on 4 by 4 squares, in moves.

    python -m benchmarks.frogs

Once through the public rulebook (`to_act`, `legal`, `apply`), once by the functions that searches use (`actions`,
`play`). See `benchmarks.yardstick`.
"""

from typing import Final

from benchmarks.yardstick import Contestant, measure, rng
from bot.games.frogs import Frogs
from bot.games.frogs.masks import actions, play

_FROGS: Final = Frogs()
_START: Final = _FROGS.apply(_FROGS.start(_FROGS.settle({})), None, _FROGS.parse("first 0")).state
_choice: Final = rng.choice


def rulebook() -> int:
    """The moves of a game through the rulebook."""
    state, moves = _START, 0
    while to_act := _FROGS.to_act(state):
        (seat,) = to_act
        state = _FROGS.apply(state, seat, _choice(_FROGS.legal(state, seat or 0))).state
        moves += 1
    return moves


def search() -> int:
    """The moves of a game by the functions that searches use."""
    board, goal = _START.terms.board, _START.terms.goal
    position, moves = _START.positions[-1], 0
    while position[5] < goal and position[6] < goal and (found := actions(position, board)):
        position = play(position, _choice(found))
        moves += 1
    return moves


def main() -> None:
    """Measures and prints."""
    ours = {"rulebook": Contestant(rulebook, 0.25), "search": Contestant(search, 0.5)}
    measure("breakthrough(rows=4,columns=4)", "moves", ours)


if __name__ == "__main__":
    main()
