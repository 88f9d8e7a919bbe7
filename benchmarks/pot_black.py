"""How fast Pot Black is played at random, against OpenSpiel's spades driven from Python, in whole deals.

    python -m benchmarks.pot_black

Prints deals a second, dealing included, and how many times OpenSpiel's rate ours is: once through the public rulebook
(`to_act`, `legal`, `apply`) and once by the playouts that searches use. OpenSpiel's chance is drawn by the outcomes'
probabilities, as its own examples do; the rate is also told for chance drawn evenly, which is quicker. The loops have
the same shape, take turns, and the best of their runs counts, so that a busy machine spoils no ratio. OpenSpiel is no
dependency: ``pip install open_spiel`` where it is wanted.
"""

import importlib
import importlib.util
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from bot.computer.pot_black_playout import Playout
from bot.games.card_table import Dealer
from bot.games.pot_black import PotBlack, State
from bot.games.tricks import BIT, CARDS

T = TypeVar("T")

ROUNDS: Final = 20
DEALS: Final = 200
TARGETS: Final = {"rulebook": 1.1, "search": 2.2}

_rng: Final = random.Random(0)  # noqa: S311 - nothing is at stake
_choice: Final = _rng.choice


class Luck:
    """Chance as quick as the library has it."""

    below = _rng.randrange

    @staticmethod
    def shuffle(pack: Sequence[T]) -> list[T]:
        """The pack in random order."""
        cards = list(pack)
        _rng.shuffle(cards)
        return cards


def rulebook() -> None:
    """Whole deals through the rulebook, as many games as they take."""
    game, luck = PotBlack(), Luck()
    options = game.settle({})
    state, deals = game.start(options), 0
    while deals <= DEALS:
        to_act = game.to_act(state)
        if not to_act:
            state = game.start(options)
            continue
        (seat,) = to_act
        if seat is None:
            move = game.chance(state, luck)
            deals += state.position.deal > 0
        else:
            move = _choice(game.legal(state, seat))
        state = game.apply(state, seat, move).state


def search() -> None:
    """Whole deals by the playouts that searches use, the hands made up anew for each."""
    game = PotBlack()
    waiting = game.apply(game.start(game.settle({})), None, Dealer(3)).state.position
    bits = [BIT[card] for card in CARDS]
    for _ in range(DEALS):
        _rng.shuffle(bits)
        hands = tuple(sum(bits[at : at + 13]) for at in (0, 13, 26, 39))
        playout = Playout(State(waiting._replace(hands=hands, order=(0, 1, 2, 3))))
        while not playout.over:
            playout.play(_choice(playout.legal()))
        playout.settled()


def open_spiel(spades: Any, *, evenly: bool) -> None:
    """Whole deals of OpenSpiel's spades, with a bid of each player."""
    for _ in range(DEALS):
        state = spades.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                state.apply_action(_choice(state.legal_actions()))
            elif evenly:
                state.apply_action(_choice(state.chance_outcomes())[0])
            else:
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(_rng.choices(outcomes, chances)[0])


def rate(deals: Callable[[], None]) -> float:
    """Deals a second in one run."""
    start = time.perf_counter()
    deals()
    return DEALS / (time.perf_counter() - start)


def main() -> None:
    """Measures and prints, one line each."""
    if importlib.util.find_spec("pyspiel") is None:
        sys.stdout.write("skipped: OpenSpiel is not installed here (pip install open_spiel)\n")
        return
    spades = importlib.import_module("pyspiel").load_game("spades")
    runs: dict[str, Callable[[], None]] = {
        "open_spiel": lambda: open_spiel(spades, evenly=False),
        "open_spiel, chance drawn evenly": lambda: open_spiel(spades, evenly=True),
        "rulebook": rulebook,
        "search": search,
    }
    best = dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            best[name] = max(best[name], rate(run))
    for name, deals in best.items():
        ratio = deals / best["open_spiel"]
        target = f"; the target is {TARGETS[name]}" if name in TARGETS else ""
        sys.stdout.write(f"{name}: {deals:,.0f} deals a second, {ratio:.2f} times OpenSpiel's{target}\n")


if __name__ == "__main__":
    main()
