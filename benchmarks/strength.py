"""Tournaments between computers for the card games, with duplicate deals and 95 % intervals.

python -m benchmarks.strength pot_black strong:800 fair --matches 100

A match has the same deals once for each side of the table: the first player has one side, the second all others, and
they change sides between the repetitions. With two sides, the match goes to the player with more points (chips) in all
repetitions together. With more sides, its score is how often the first player ends in the upper half of the table.

Players are the levels. ``strong:800`` is the strong level with a budget of 800 for each move. ``playouts:2000`` is a
plain player, `benchmarks.playouts`. The matches are played on all cores.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from multiprocessing import Pool
from typing import Any, Final, NamedTuple

from benchmarks import playouts
from benchmarks.frogs_strength import interval
from bot import computer
from bot.games import GAMES
from bot.games.game import CHANCE, Event, Game, Move, Seat, Value, places_of

Player = Callable[[Any, random.Random], Move]

CARD_GAMES: Final = ("pond", "pontis", "pot_black")


class Luck:
    """Chance that deals the same cards whatever was played before. ``number`` counts the entries of chance."""

    def __init__(self, seed: str, number: int) -> None:
        rng = random.Random(f"{seed} {number}")  # noqa: S311 - a tournament needs no secrets
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


def player_of(key: str, name: str) -> Player:
    """Return the player of this name for a game."""
    level, _, budget = name.partition(":")
    if level == "playouts":
        return lambda seen, rng: playouts.choose(key, seen, rng, int(budget))
    if budget:
        choose = getattr(import_module(f"bot.computer.{key}.players"), level)
        return lambda seen, rng: choose(seen, rng, int(budget))
    return lambda seen, rng: computer.choose(key, seen, rng, level)


class Table(NamedTuple):
    """A game with its options, and the number of deals of a match."""

    game: Game[Any, Any]
    options: dict[str, Value]
    deals: int


def options_of(game: Game[Any, Any], given: list[str], deals: int) -> dict[str, Value]:
    """Return the options of a match. Where a table has a number of games, that is by default the number of deals."""
    options = dict(option.split("=") for option in given)
    if any(option.key == "games" for option in game.options):
        options.setdefault("games", str(deals))
    return game.settle(options)


def whole_game(
    game: Game[Any, Any], options: Mapping[str, Value], players: Sequence[Player], seed: str
) -> tuple[list[Event], Any]:
    """Play a game to its end. Return what happened, and the last state. ``players`` are those of the seats."""
    state = game.start(options)
    rng = random.Random(seed)  # noqa: S311 - a tournament needs no secrets
    entries = 0
    events: list[Event] = []
    while actors := game.to_act(state):
        if CHANCE in actors:
            step = game.apply(state, CHANCE, game.chance(state, Luck(seed, entries)))
            entries += 1
        else:
            seat = min(actor for actor in actors if isinstance(actor, int))
            step = game.apply(state, seat, players[seat](game.observe(state, seat), rng))
        events += step.events
        state = step.state
    return events, state


def played(table: Table, players: list[Player], seed: str) -> tuple[int, ...]:
    """Play the first deals of a game, or to its end if that is sooner. Return the points of each seat.

    ``players`` are those of the seats.
    """
    game, state = table.game, table.game.start(table.options)
    rng = random.Random(seed)  # noqa: S311 - a tournament needs no secrets
    entries = dealt = 0
    while actors := game.to_act(state):
        if CHANCE in actors:
            move = game.chance(state, Luck(seed, entries))
            entries += 1
            dealt += str(move).startswith("deal ")
            if dealt > table.deals:
                break
            state = game.apply(state, CHANCE, move).state
            continue
        seat: Seat = min(actor for actor in actors if isinstance(actor, int))
        state = game.apply(state, seat, players[seat](game.observe(state, seat), rng)).state
    return game.standing(state)


class Tournament(NamedTuple):
    """Matches between two players, given by their names."""

    key: str
    first: str
    second: str
    options: dict[str, Value]
    deals: int
    seed: str

    def match(self, number: int) -> float:
        """Play the match with this number. Return the score of the first player, from 0 to 1."""
        game = GAMES[self.key]
        sides = game.sides(self.options)
        first, second = player_of(self.key, self.first), player_of(self.key, self.second)
        tables = []
        for side in sorted({*sides}):
            players = [first if each == side else second for each in sides]
            tables.append((side, played(Table(game, self.options, self.deals), players, f"{self.seed} {number}")))
        return score(tables, sides)


def score(tables: list[tuple[int, tuple[int, ...]]], sides: tuple[int, ...]) -> float:
    """Return the score of a match: for each repetition, the first player's side and the points of all seats."""
    if len(tables) == 2:
        margin = sum(
            points[sides.index(side)] - points[next(seat for seat, each in enumerate(sides) if each != side)]
            for side, points in tables
        )
        return (margin > 0) + (margin == 0) / 2
    return sum(upper(side, points, sides) for side, points in tables) / len(tables)


def upper(side: int, points: tuple[int, ...], sides: tuple[int, ...]) -> float:
    """Return whether a side ends in the upper half: 1, 0, or ½ in the middle."""
    places = places_of(points, sides)
    own = places[sides.index(side)]
    behind = len({each for each, place in zip(sides, places, strict=True) if place > own})
    ahead = len({each for each, place in zip(sides, places, strict=True) if place < own})
    return (behind > ahead) + (behind == ahead) / 2


def summary(scores: list[float]) -> str:
    """Return the result of a tournament in words."""
    share, drawn = sum(scores) / len(scores), scores.count(0.5)
    low, high = interval(sum(scores), len(scores))
    text = f"{len(scores)} matches: {100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    decided = len(scores) - drawn
    if not drawn or not decided or {*scores} - {0.0, 0.5, 1.0}:
        return text
    low, high = interval(scores.count(1.0), decided)
    share = scores.count(1.0) / decided
    return f"{text}; {decided} decided: {100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    """Play a tournament and print its result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description="Play a tournament.")
    parser.add_argument("game", choices=CARD_GAMES)
    parser.add_argument("first", help="a level, or level:BUDGET")
    parser.add_argument("second", help="likewise")
    parser.add_argument("options", nargs="*", help="options of the game: players=3 form=classic")
    parser.add_argument("--matches", type=int, default=50, help="number of matches (default: 50)")
    parser.add_argument("--deals", type=int, default=4, help="deals of a match (default: 4)")
    parser.add_argument("--seed", default="1", help="the seed of deals and choices (default: 1)")
    given = parser.parse_args()
    game = GAMES[given.game]
    options = options_of(game, given.options, given.deals)
    tournament = Tournament(given.game, given.first, given.second, options, given.deals, given.seed)
    what = " ".join([given.game, *given.options, given.first, "against", given.second])
    scores: list[float] = []
    start = time.perf_counter()
    with Pool() as pool:
        for found in pool.imap(tournament.match, range(given.matches)):
            scores.append(found)
            if len(scores) % 10 == 0 or len(scores) == given.matches:
                sys.stdout.write(f"{what}, {time.perf_counter() - start:.0f} s, {summary(scores)}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
