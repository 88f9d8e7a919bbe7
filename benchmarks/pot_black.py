"""How fast Pot Black is played at random, against OpenSpiel's spades, in whole deals, dealing included.

    python -m benchmarks.pot_black

Once through the public rulebook (`to_act`, `legal`, `apply`), once by the playouts that searches use. See
`benchmarks.yardstick`.
"""

from typing import Final

from benchmarks.yardstick import Contestant, Luck, measure, rng
from bot.computer.pot_black_playout import Playout
from bot.games.card_table import Dealer
from bot.games.pot_black import PotBlack, State
from bot.games.tricks import BIT, CARDS

_GAME: Final = PotBlack()
_OPTIONS: Final = _GAME.settle({})
_WAITING: Final = _GAME.apply(_GAME.start(_OPTIONS), None, Dealer(3)).state.position
_LUCK: Final = Luck()
_BITS: Final = [BIT[card] for card in CARDS]
_choice: Final = rng.choice


def rulebook() -> int:
    """The deals of a game through the rulebook."""
    state = _GAME.start(_OPTIONS)
    while to_act := _GAME.to_act(state):
        (seat,) = to_act
        move = _GAME.chance(state, _LUCK) if seat is None else _choice(_GAME.legal(state, seat))
        state = _GAME.apply(state, seat, move).state
    return state.position.deal


def search() -> int:
    """A deal by playouts, the hands made up anew."""
    rng.shuffle(_BITS)
    hands = tuple(sum(_BITS[at : at + 13]) for at in (0, 13, 26, 39))
    playout = Playout(State(_WAITING._replace(hands=hands, order=(0, 1, 2, 3))))
    while not playout.over:
        playout.play(_choice(playout.legal()))
    playout.settled()
    return 1


def main() -> None:
    """Measures and prints."""
    measure("spades", "deals", {"rulebook": Contestant(rulebook, 1.1), "search": Contestant(search, 2.2)}, deals=True)


if __name__ == "__main__":
    main()
