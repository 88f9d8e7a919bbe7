"""Record games between the levels of computers, one against all others, from which the numbers of the levels are made.

python -m benchmarks.levels pontis easy fair players=4 --games 200 >> tests/levels.jsonl

Each game has one side of the first level and all others of the second one; the side goes round. A line of the output
has the form, the levels, the number of games, and for each possible number of half points how many games ended so: the
first side has two half points for each other side that it beat, and one for a tie.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from benchmarks.strength import options_of, player_of, whole_game
from bot.games import GAMES
from bot.games.game import AnyGame, Value
from bot.ratings import FAIR, UNIT, form_of


class Plan(NamedTuple):
    """Games of one side of the first level against all others of the second one."""

    game: AnyGame
    options: Mapping[str, Value]
    first: str
    second: str
    seed: str

    def half_points(self, number: int) -> int:
        """Return the half points of the first level's side in the game with this number."""
        sides = self.game.sides(self.options)
        own = number % len({*sides})
        players = [player_of(self.game.key, self.first if side == own else self.second) for side in sides]
        _events, state = whole_game(self.game, self.options, players, f"{self.seed} {number}")
        found = dict(zip(sides, state.outcome.places, strict=True))
        return sum((found[own] <= place) + (found[own] < place) for side, place in found.items() if side != own)


def numbers(lines: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the numbers of the levels in each form, in the unit of the ratings.

    A level is so far from its neighbour that the games between them are most probable. One more win for each side keeps
    that finite. Partners add up.
    """
    wins: dict[str, Counter[tuple[str, str]]] = {}
    for line in lines:
        first, second = (str(line[which]).partition(":")[0] for which in ("first", "second"))
        most = len(line["half_points"]) - 1
        won = sum(points * count for points, count in enumerate(line["half_points"])) / most
        counts = wins.setdefault(line["form"], Counter())
        counts[first, second] += won
        counts[second, first] += line["games"] - won
    return {form: _numbers(form, counts) for form, counts in wins.items()}


def _numbers(form: str, wins: Mapping[tuple[str, str], float]) -> dict[str, float]:
    _game, seats, *teams = form.split()
    members = int(seats) // int(teams[-1]) if teams else 1
    found = {"fair": FAIR}
    for level in ("easy", "strong"):
        if (level, "fair") in wins:
            odds = (wins[level, "fair"] + 1) / (wins["fair", level] + 1)
            found[level] = round(FAIR + UNIT * math.log(odds) / members, 1)
    return dict(sorted(found.items()))


def main() -> None:
    """Record games and print their line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description="Record games of two levels.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("first", help="the level of one side, or level:BUDGET")
    parser.add_argument("second", help="the level of the others")
    parser.add_argument("options", nargs="*", help="options of the game: players=3")
    parser.add_argument("--games", type=int, default=200, help="number of games (default: 200)")
    parser.add_argument("--seed", default="1", help="the seed of deals and choices (default: 1)")
    given = parser.parse_args()
    game = GAMES[given.game]
    options = options_of(game, given.options, 1)
    plan = Plan(game, options, given.first, given.second, given.seed)
    counts = Counter(map(plan.half_points, range(given.games)))
    most = 2 * (len({*game.sides(options)}) - 1)
    line = {
        "form": form_of(game.key, game.sides(options)),
        "first": given.first,
        "second": given.second,
        "games": given.games,
        "half_points": [counts[points] for points in range(most + 1)],
    }
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
