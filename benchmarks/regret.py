"""What the strong computer's choices lose against its own search with 50 times the budget.

python -m benchmarks.regret pot_black players=4 --positions 50

A position is a random one of a game that fair computers play. The large search judges all moves. The regret is how much
worse the chosen move is than the best, as a share of the range from the best move to the worst. In Pond · frogs the
range is that from a sure win to a sure loss. Where hardly anything is at stake, chance decides the share; so the sum of
all losses is compared with the sum of all ranges as well.
"""

import argparse
import math
import random
import sys
import time
from multiprocessing import Pool
from typing import Any, Final, NamedTuple

from benchmarks.strength import Luck
from bot import computer
from bot.computer.frogs import players as frogs
from bot.computer.frogs.engine import engine_of
from bot.computer.frogs.search import DECIDED
from bot.computer.imagined_deals import View
from bot.computer.pond import players as pond
from bot.computer.pontis import players as pontis
from bot.computer.pot_black import players as pot_black
from bot.games import GAMES
from bot.games.game import CHANCE, Game, Move, Seat, Value
from bot.games.pond.state import Observation as PondObservation
from bot.games.pontis.state import Observation as PontisObservation

TIMES: Final = 50
"""The budget of the large search, in budgets of the strong computer."""
OPENING: Final = 4
"""Random moves at the start of Pond · frogs."""
LIMIT: Final = 0.05
"""The regret from which on a choice counts as a mistake."""
_LEAST_RANGE: Final = 1e-6
"""Values that are nearer to each other are equal, but for rounding."""


class Regret(NamedTuple):
    """What a choice loses, and the range that it could lose at most, in points, chips or chances to win."""

    loss: float
    range: float

    @property
    def share(self) -> float:
        """The loss as a share of the range."""
        return self.loss / self.range if self.range > _LEAST_RANGE else 0.0


class Position(NamedTuple):
    """A state of a game in which a seat has a choice."""

    game: Game[Any, Any]
    state: Any
    seat: Seat

    @property
    def seen(self) -> Any:
        """What the seat observes."""
        return self.game.observe(self.state, self.seat)


def position(game: Game[Any, Any], options: dict[str, Value], seed: str) -> Position:
    """Return a position of a game in which a seat has a choice. The seed decides which."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark needs no secrets
    state, choices, entries = game.start(options), list[Position](), 0
    while actors := game.to_act(state):
        if CHANCE in actors:
            state = game.apply(state, CHANCE, game.chance(state, Luck(seed, entries))).state
            entries += 1
            continue
        seat: Seat = min(actor for actor in actors if isinstance(actor, int))
        here = Position(game, state, seat)
        legal = here.seen.legal
        if len(legal) > 1:
            choices.append(here)
        is_opening = game.key == "frogs" and len(choices) <= OPENING
        move = rng.choice(legal) if is_opening else computer.choose(game.key, here.seen, rng, "fair")
        state = game.apply(state, seat, move).state
    return rng.choice(choices)


# ---- the large search of each game


def regret_in_frogs(position: Position, chosen: Move, _rng: random.Random) -> Regret:
    """Return how much less likely the chosen move wins than the best, by a large search after each of them.

    That search may find that the chosen move is better.
    """
    moves = engine_of(position.seen.setup.size).moves
    best = [moves[action] for action in frogs.think(position.seen, TIMES * frogs.BUDGET).actions]
    return Regret(0.0 if chosen in best else _chance_after(position, best[0]) - _chance_after(position, chosen), 1.0)


def _chance_after(position: Position, move: Move) -> float:
    after = position.game.apply(position.state, position.seat, move).state
    seen = position.game.observe(after, 1 - position.seat)
    if seen.outcome is not None:
        places: tuple[int, ...] = seen.outcome.places
        return (1 + places[1 - position.seat] - places[position.seat]) / 2
    return 1 - chance(frogs.think(seen, TIMES * frogs.BUDGET).value)


def chance(value: int) -> float:
    """Return the chance to win of a value of the search, which is a hundredth of the logarithm of the odds."""
    return float(value > 0) if abs(value) > DECIDED else 1 / (1 + math.exp(-value / 100))


def regret_in_cards(position: Position, chosen: Move, rng: random.Random) -> Regret:
    """Return how much worse the chosen move is than the best, and how much worse the worst is."""
    view, budget = _view(position.seen, rng)
    values = {view.named(move): value for move, value, *_ in view.think(rng, TIMES * budget)}
    best, worst = max(values.values()), min(values.values())
    # Moves that the search leaves out are never chosen. Of a deal that it solves, it values only the best few.
    return Regret(best - values.get(chosen, worst), best - worst)


def _view(seen: Any, rng: random.Random) -> tuple[View[Any, Any], int]:
    """Return what strong makes of an observation, and its budget."""
    match seen:
        case PondObservation():
            return pond.Actions(seen, rng), pond.BUDGET[seen.setup.players]
        case PontisObservation():
            return pontis.Bridges(seen), pontis.BUDGET
        case _:
            return pot_black.Cards(seen), pot_black.BUDGET


def summary(found: list[Regret]) -> str:
    """Return the regrets of all positions in words."""
    shares = [one.share for one in found]
    mean = sum(shares) / len(shares)
    error = 1.96 * math.sqrt(sum((share - mean) ** 2 for share in shares)) / len(shares)
    mistakes = sum(share > LIMIT for share in shares)
    in_all = Regret(sum(one.loss for one in found), sum(one.range for one in found)).share
    return (
        f"{len(found)} positions: regret {100 * mean:.2f} % (± {100 * error:.2f}), {100 * in_all:.2f} % of all ranges, "
        f"{mistakes} above {LIMIT:.0%}"
    )


class Measurement(NamedTuple):
    """Regrets in positions of one form of a game."""

    key: str
    options: dict[str, Value]
    seed: str

    def regret(self, number: int) -> Regret:
        """Return the regret of strong in the position with this number."""
        seed = f"{self.seed} {number}"
        rng = random.Random(seed)  # noqa: S311 - a benchmark needs no secrets
        here = position(GAMES[self.key], self.options, seed)
        chosen = computer.choose(self.key, here.seen, rng, "strong")
        return (regret_in_frogs if self.key == "frogs" else regret_in_cards)(here, chosen, rng)


def main() -> None:
    """Measure the regret in positions of one game on all cores, and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regret", description="Measure the regret of strong.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("options", nargs="*", help="options of the game: players=3 form=classic")
    parser.add_argument("--positions", type=int, default=20, help="number of positions (default: 20)")
    parser.add_argument("--seed", default="1", help="the seed of positions and choices (default: 1)")
    given = parser.parse_args()
    options = GAMES[given.game].settle(dict(option.split("=") for option in given.options))
    measurement = Measurement(given.game, options, given.seed)
    found: list[Regret] = []
    start = time.perf_counter()
    with Pool() as pool:
        for one in pool.imap(measurement.regret, range(given.positions)):
            found.append(one)
            sys.stdout.write(f"{' '.join([given.game, *given.options])}, {time.perf_counter() - start:.0f} s, ")
            sys.stdout.write(f"this {100 * one.share:.1f} %, {summary(found)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
