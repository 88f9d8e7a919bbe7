"""Find positions with one clearly best move, for the puzzles in `cogs/<game>/lesson.py`.

python -m tools.puzzles pond players=2 --games 100

Beginners play. Of the first moves of each game, those are printed where the strong computer finds one move much better
than all others, and a beginner makes another one. In games of tricks, somebody else leads. What to say about them is
written by hand.
"""

import argparse
import math
import random
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

from bot import computer
from bot.computer.thoughts import Thought
from bot.errors import Text
from bot.games import GAMES
from bot.games.game import CHANCE, Observation, Value
from bot.records.preference import UserSettings
from bot.tables.lessons import LEARNER, Lesson, Step
from bot.ui.messages.lesson_pages import Shown, step_post

CLEAR: Final = {"pond": 8.0, "frogs": 1.0, "pontis": 0.7, "pot_black": 1.8}
"""By how many points or chips the best move of a puzzle is better than the next one at least."""
SCREENING: Final = 20
"""The part of the strong computer's budget for a first look at a position."""
MOVES: Final = {"pond": 20, "frogs": 14, "pontis": 14, "pot_black": 28}
"""The most entries before a puzzle, so that its log stays short."""


class Found(NamedTuple):
    """A position: the entries before it, and what the strong computer thinks of it."""

    before: str
    thought: Thought


def margin(thought: Thought) -> float:
    """Return by how much a move is better than all others; infinite if it alone wins, or doesn't lose, by force."""
    if not thought.alternatives:
        return 0.0
    return min(math.inf if other.worse_by is None else other.worse_by for other in thought.alternatives)


def positions(key: str, options: Mapping[str, Value], seed: str) -> Iterator[Found]:
    """Yield positions of one game."""
    game, rng, entries = GAMES[key], random.Random(seed), list[str]()  # noqa: S311 - puzzles need no secrets
    state: Any = game.start(game.settle(options))
    while (actors := game.to_act(state)) and len(entries) < MOVES[key]:
        if CHANCE in actors:
            seat, move = CHANCE, game.chance(state, _Luck(rng))
        else:
            seat = min(actor for actor in actors if isinstance(actor, int))
            seen = game.observe(state, seat)
            move = computer.choose(key, seen, rng, "easy")
            if seat == LEARNER and len(seen.legal) > 1 and (thought := _clear(key, seen, rng)) is not None:
                yield Found("; ".join(entries), thought)
        entries.append(f"{'-' if seat == CHANCE else seat} {move}")
        state = game.apply(state, seat, move).state


def _clear(key: str, seen: Observation, rng: random.Random) -> Thought | None:
    """Return the thought about a position where a beginner errs and one move is clearly best, else ``None``."""
    if not getattr(seen, "trick", True):
        return None
    beginner = computer.choose(key, seen, rng, "easy")
    for part in (SCREENING, 1):
        thought = thought_of(key, seen, rng, part)
        if thought.move == beginner or margin(thought) < CLEAR[key]:
            return None
    return thought


def thought_of(key: str, seen: Observation, rng: random.Random, part: int = 1) -> Thought:
    """Return what the strong computer thinks with a part of its budget."""
    players = import_module(f"bot.computer.{key}.players")
    budget = players.BUDGET
    thought: Thought = players.explain(seen, rng, (budget if isinstance(budget, int) else min(budget.values())) // part)
    return thought


class _Luck:
    """The random numbers of a deal."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


def main() -> None:
    """Print the positions that are found in some games."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description="Find puzzles.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("options", nargs="*", help="options of the game: players=3 form=classic")
    parser.add_argument("--games", type=int, default=20, help="number of games (default: 20)")
    parser.add_argument("--seed", default="1", help="the seed of the games (default: 1)")
    given = parser.parse_args()
    options = GAMES[given.game].settle(dict(option.split("=") for option in given.options))
    face = import_module(f"cogs.{given.game}.face").FACE
    for number in range(given.games):
        for found in positions(given.game, options, f"{given.seed} {number}"):
            step = Step(Text(""), str(found.thought.move), before=found.before, options=options)
            lesson = Lesson(given.game, (step,))
            post = step_post(Shown(face, UserSettings(hands="text", prefers_menus=True)), lesson, 0)
            effects = [f"{choice.move}: {choice.label}, {choice.hint}" for g in post.choices for choice in g.choices]
            thought = found.thought
            sys.stdout.write("\n".join((f"==== {number}", found.before, *post.paragraphs, *effects, "")))
            sys.stdout.write(f"{margin(thought):.1f} {thought.move} {thought.alternatives} {thought.cause}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
