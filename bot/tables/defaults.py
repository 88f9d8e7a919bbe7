"""The options of tables: what a new one begins with where its host leaves something open, and what can be chosen."""

import contextlib
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from bot.errors import InvalidOption
from bot.games.game import AnyGame, Option, Value
from bot.records.preference import OptionSet, Server


class Wanted(NamedTuple):
    """Options, a clock and a level of computers, as far as somebody wants certain ones."""

    options: Mapping[str, object] = {}
    clock: str | None = None
    level: str | None = None


class Beginning(NamedTuple):
    """What a table begins with. `Game.settle` fills in the other options."""

    options: Mapping[str, object]
    clock: str
    level: str


def proposed_to(game: AnyGame, *, is_learner: bool) -> Mapping[str, Value]:
    """Return the options that a game proposes: a shorter one to those who play their first or second one."""
    return {**game.proposed, **(game.proposed_to_learners if is_learner else {})}


def merged(
    game: AnyGame, wanted: Wanted, saved: OptionSet | None, server: Server, *, is_learner: bool = False
) -> Beginning:
    """Return what a new table begins with. Each of these gives what the ones before it leave open:

    1. what is wanted for this table,
    2. the saved set of options that was picked,
    3. the server's clock and level (without a setting: `DEFAULT_CLOCK` and `DEFAULT_LEVEL`),
    4. the options that the game proposes to people (`proposed_to`), above all to those who are new to it,
    5. the defaults of its rules, when `Game.settle` reads the options.

    Dailies, challenges and duplicates choose all options themselves, in `events.WEEK` and `matches.FORMS`. A
    rematch and a table that plays on have those of their table.
    """
    kept = Wanted() if saved is None else Wanted(saved.options, saved.clock, saved.level)
    return Beginning(
        {**proposed_to(game, is_learner=is_learner), **kept.options, **wanted.options},
        wanted.clock or kept.clock or server.clock,
        wanted.level or kept.level or server.level,
    )


def choose(game: AnyGame, options: Mapping[str, Value], given: Mapping[str, object]) -> dict[str, Value]:
    """Return settled options after a choice: what it needs comes along, and what it excludes is default again.

    All else stays, the number of players in any case. Raises `InvalidOption` for a choice that can't be.
    """
    needed = {**game.needs(options, given), **given}
    others = {key: value for key, value in game.chosen(options).items() if key not in needed}
    may_go = [key for key in others if key != "players"]
    for n in range(len(may_go) + 1):
        for gone in combinations(may_go, n):
            kept = {key: value for key, value in others.items() if key not in gone}
            with contextlib.suppress(InvalidOption):
                return game.settle({**kept, **needed})
    return game.settle({**others, **given})


def possible(game: AnyGame, options: Mapping[str, Value], key: str) -> dict[Value, dict[str, Value]]:
    """Return the values of an option that can be chosen, each with all options after that."""
    found = {}
    for value in next(option.choices for option in game.options if option.key == key):
        with contextlib.suppress(InvalidOption):
            found[value] = choose(game, options, {key: value})
    return found


def beginner_option(game: AnyGame) -> Option | None:
    """Return the option that says who begins, if the game has one."""
    return next((option for option in game.options if option.sets_first), None)
