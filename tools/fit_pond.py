"""Fit the weights of `bot.computer.pond.thumb` by self-play.

python -m tools.fit_pond --players 4 --trials 500

Each trial changes a few weights at random. It keeps the change if it does better against several rivals, on the same
deals with the sides swapped, first on a few, then on many. The weights printed are to be copied by hand.
"""

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bot.computer.pond.engine import CARDS, GROUP, OVER, Round
from bot.computer.pond.thumb import WEIGHTS, Heuristic, Weights

QUICK: Final = 200
"""Deals of the first comparison. It has to come out even at least."""
ERRORS: Final = 1.2
"""Standard errors by which a change has to win the second comparison."""
RIVALS: Final[tuple[dict[str, float], ...]] = (
    {},
    {"foe": -11, "own": 4, "opens": -10, "trump": 21, "trump_step": 1, "anti": 6, "anti_step": 1, "span": 6},
    {"foe": -8, "own": 6, "opens": 8, "trump": 21, "trump_step": 1, "anti": 6, "anti_step": 1, "span": 6},
    {"foe": -8, "own": 6, "opens": 12, "trump": 8, "trump_step": 1, "anti": 5, "anti_step": 1, "span": 6},
)
"""Differences of rivals from the weights in use. Weights that are fitted against themselves alone can be exploited."""
LIMITS: Final = {
    "foe": (-16.0, -4.0),
    "own": (-2.0, 8.0),
    "opens": (-15.0, 10.0),
    "span": (0.5, 30.0),
    "bait": (0.05, 0.95),
    "trap": (0.05, 0.95),
    "against": (0.2, 2.0),
}


def deals(players: int, rng: random.Random) -> Iterator[Round]:
    """Yield rounds before profit is chosen, without an end."""
    while True:
        pack = [*range(len(CARDS))] * (players // 2)
        rng.shuffle(pack)
        poisons = "".join(rng.choices("HDC", k=2)) * (players // 2)
        state = Round(poisons, rng.randrange(players))
        state.hands = [pack[16 * seat : 16 * seat + 11] for seat in range(players)]
        state.hidden = [pack[16 * seat + 11 : 16 * seat + 16] for seat in range(players)]
        if all(any(GROUP[card] >= 0 for card in hand) for hand in state.hands):
            yield state


def leads(weights: Weights, rivals: Sequence[Heuristic], dealt: Sequence[Round]) -> list[float]:
    """Return the lead over the rivals in turn, in points a round, for each of the deals."""
    mine = Heuristic(weights)
    found = []
    for at, deal in enumerate(dealt):
        rival = rivals[at % len(rivals)]
        found.append((played(deal.copy(), (mine, rival)) - played(deal.copy(), (rival, mine))) / 2)
    return found


def played(state: Round, sides: tuple[Heuristic, Heuristic]) -> float:
    """Play a round between two sides. Return its score."""
    while state.phase != OVER:
        state.play(sides[state.turn & 1].action(state))
    return state.score


def changed(weights: Weights, rng: random.Random) -> Weights:
    """Return the weights with up to three changes, within the limits."""
    new = weights._asdict()
    for name in rng.sample([*new], rng.randint(1, 3)):
        low, high = LIMITS.get(name, (-math.inf, math.inf))
        new[name] = min(high, max(low, new[name] + rng.gauss(0, max(abs(new[name]) * 0.4, 0.15))))
    return Weights(**new)


def fit(players: int, trials: int, number: int) -> Iterator[tuple[int, float, Weights]]:
    """Yield each improvement: the number of the trial, the points a round it gains, and the weights."""
    rng = random.Random(players)  # noqa: S311 - fitting needs no secrets
    best = WEIGHTS[players]
    rivals = [Heuristic(best._replace(**changes)) for changes in RIVALS]
    for trial in range(trials):
        new = changed(best, rng)
        dealt = [*islice(deals(players, rng), number)]
        if sum(leads(new, rivals, dealt[:QUICK])) < sum(leads(best, rivals, dealt[:QUICK])):
            continue
        gains = [a - b for a, b in zip(leads(new, rivals, dealt), leads(best, rivals, dealt), strict=True)]
        gain = sum(gains) / number
        if gain > ERRORS * math.sqrt(sum((one - gain) ** 2 for one in gains)) / number:
            best = new
            yield trial, gain, new


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.fit_pond", description="Fit the rule of thumb.")
    parser.add_argument("--players", type=int, choices=(2, 4), default=2)
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--deals", type=int, default=1200, help="deals of the second comparison (default: 1200)")
    given = parser.parse_args()
    for trial, gain, weights in fit(given.players, given.trials, given.deals):
        sys.stdout.write(f"{trial}: {gain:+.1f} points a round, {weights}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
