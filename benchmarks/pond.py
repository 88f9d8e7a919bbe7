"""How fast Pond · cards is played at random, against OpenSpiel's crazy_eights, in moves of players.

    python -m benchmarks.pond

Once in whole games through the public rulebook (`to_act`, `legal`, `apply`), poison and deals included; once in rounds
by the playouts that searches use, dealing included. See `benchmarks.yardstick`.
"""

from typing import Final

from benchmarks.yardstick import Contestant, Luck, measure, rng
from bot.computer.pond_playout import CARDS, Playout
from bot.games.pond import Pond, State
from bot.games.pond.state import HIDDEN, VISIBLE

_POND: Final = Pond()
_OPTIONS: Final = _POND.settle({})
_LUCK: Final = Luck()
_choice: Final = rng.choice


def rulebook() -> int:
    """The moves of a game through the rulebook."""
    state, moves = _POND.start(_OPTIONS), 0
    while to_act := _POND.to_act(state):
        for seat in to_act:
            if seat is None:
                state = _POND.apply(state, None, _POND.chance(state, _LUCK)).state
            else:
                state = _POND.apply(state, seat, _choice(_POND.legal(state, seat))).state
                moves += 1
    return moves


def _to_deal() -> State:
    state = _POND.start(_OPTIONS)
    while not state.hands:
        state = _POND.apply(state, None, _POND.chance(state, _LUCK)).state
    return state


_DEALT: Final = _to_deal()


def search() -> int:
    """The moves of a round by playouts, the hands made up anew."""
    pack = rng.sample(CARDS, 2 * (VISIBLE + HIDDEN))
    seen, hidden = pack[: 2 * VISIBLE], pack[2 * VISIBLE :]
    hands, five = (tuple(seen[:VISIBLE]), tuple(seen[VISIBLE:])), (tuple(hidden[:HIDDEN]), tuple(hidden[HIDDEN:]))
    playout, moves = Playout(_DEALT._replace(hands=hands, hidden=five)), 0
    while not playout.over:
        playout.play(_choice(playout.legal()))
        moves += 1
    playout.points()
    return moves


def main() -> None:
    """Measures and prints."""
    measure("crazy_eights", "moves", {"rulebook": Contestant(rulebook, 0.75), "search": Contestant(search, 1.5)})


if __name__ == "__main__":
    main()
