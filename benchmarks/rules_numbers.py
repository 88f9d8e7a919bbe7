"""Measure the numbers on the rules pages, and record them beside the pages, in docs/rules/<game>.json.

python -m benchmarks.rules_numbers pontis --games 400

Fair computers play whole games against their equals. A record has what was counted, its value, and how to repeat it:
options, level, games, seed, and the commit of the program that played. ``said`` are the words of the page about it, by
language: after a new measurement, tests/test_rules_numbers.py names those that have to change.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from multiprocessing import Pool
from pathlib import Path
from statistics import mean, median
from typing import Any, Final, NamedTuple, TypeVar

from benchmarks.strength import options_of, player_of, whole_game
from bot.games import GAMES
from bot.games.frogs.moves import Began
from bot.games.game import Event, Outcome, Value
from bot.games.pond.moves import PoisonTurned, RoundScored
from bot.games.pontis.moves import Bridged, Missed
from bot.games.pot_black.moves import DealSettled

FOLDER: Final = Path(__file__).parents[1] / "docs" / "rules"
LEVEL: Final = "fair"
EXACT: Final = "exact"
"""In place of a level, where a position was solved (`benchmarks.solved_frogs`)."""
E = TypeVar("E", bound=Event)


class Whole(NamedTuple):
    """A game that was played to its end."""

    events: tuple[Event, ...]
    outcome: Outcome

    def of(self, kind: type[E]) -> Iterator[E]:
        """Yield the events of this type."""
        return (event for event in self.events if isinstance(event, kind))


class Number(NamedTuple):
    """A number on a page. ``samples`` yields what a game adds to it, ``summary`` is a mean or median of all that."""

    what: str
    samples: Callable[[Whole], Iterable[float]]
    summary: Callable[[Iterable[float]], float] = mean
    is_share: bool = True


class Plan(NamedTuple):
    """Games with the same options, and the numbers that come from them, by their keys in the file."""

    game: str
    options: tuple[str, ...]
    numbers: Mapping[str, Number]

    @property
    def settled(self) -> dict[str, Value]:
        """All options."""
        return options_of(GAMES[self.game], [*self.options], 1)

    def samples(self, seed: str, number: int) -> dict[str, list[float]]:
        """Play the game with this number. Return what it adds to each number."""
        players = [player_of(self.game, LEVEL)] * GAMES[self.game].seats(self.settled)
        events, state = whole_game(GAMES[self.game], self.settled, players, f"{seed} {number}")
        whole = Whole(tuple(events), state.outcome)
        return {key: [*map(float, counted.samples(whole))] for key, counted in self.numbers.items()}


# ---- Pond · frogs


def _place_of_light(whole: Whole) -> tuple[int, bool]:
    """Return the place of the player who began, and whether the game is a draw."""
    (began,) = whole.of(Began)
    return whole.outcome.places[began.seat], {*whole.outcome.places} == {1}


def _light_wins(whole: Whole) -> Iterator[float]:
    place, is_draw = _place_of_light(whole)
    yield place == 1 and not is_draw


def _dark_wins(whole: Whole) -> Iterator[float]:
    yield _place_of_light(whole)[0] == 2


def _goes_on_for_ever(whole: Whole) -> Iterator[float]:
    yield whole.outcome.reason in {"repetition", "no_progress"}


# ---- Pontis


def _asked(value: int, whole: Whole) -> Iterator[float]:
    """Yield for each turn for a single card whether this value fits."""
    for event in whole.events:
        if isinstance(event, Bridged) and not event.made:
            yield str(value) in {each.rpartition("= ")[2] for each in event.asked}
        elif isinstance(event, Missed):
            yield value in event.required


def _goes_out(whole: Whole) -> Iterator[float]:
    yield whole.outcome.reason == "out"


def _sums(whole: Whole) -> Iterator[float]:
    yield sum(bool(event.made) for event in whole.of(Bridged))


def _bonus_decides(whole: Whole) -> Iterator[float]:
    """Yield for each game in which somebody went out whether they would have shared or lost the win without it."""
    if whole.outcome.reason == "out":
        last = [*whole.of(Bridged)][-1]
        scores = whole.outcome.scores
        others = max(score for seat, score in enumerate(scores) if seat != last.seat)
        yield scores[last.seat] - 4 <= others


# ---- Pot Black


def _deals(whole: Whole) -> Iterator[float]:
    yield len([*whole.of(DealSettled)])


def _is_tied(whole: Whole) -> Iterator[float]:
    yield from (not deal.winners for deal in whole.of(DealSettled))


def _six_win(whole: Whole) -> Iterator[float]:
    """Yield for each deal whether the black tens fell in two tricks, so that six of the others are most of them."""
    yield from (sum(deal.counted) == 11 for deal in whole.of(DealSettled))


# ---- Pond · cards


def _same_poison(whole: Whole) -> Iterator[float]:
    yield from (len({cards[-1][-1] for cards in event.turned}) == 1 for event in whole.of(PoisonTurned))


def _dealer_behind(whole: Whole) -> Iterator[float]:
    """Yield for each round how much less than the other player the dealer scored."""
    yield from (
        event.score.points[1 - event.score.dealer] - event.score.points[event.score.dealer]
        for event in whole.of(RoundScored)
    )


def _leader_loses(whole: Whole) -> Iterator[float]:
    """Yield for each game with a leader before the last round whether they lost it."""
    before = [*whole.of(RoundScored)][-2].totals
    if before[0] != before[1]:
        yield whole.outcome.places[before.index(max(before))] == 2


_FROGS: Final = {
    "first_wins": Number("games won by the player who begins", _light_wins),
    "second_wins": Number("games won by the other player", _dark_wins),
    "endless": Number("games drawn by repetition or without progress", _goes_on_for_ever),
}
_OUT_AND_SUMS: Final = {
    "goes_out": Number("games in which somebody goes out", _goes_out),
    "sums": Number("plays of two cards in a game", _sums, mean, is_share=False),
}
_DEALS: Final = {"deals": Number("deals of a game, the median", _deals, median, is_share=False)}
_TIED: Final = {"tied": Number("deals tied for most tricks", _is_tied)}
PLANS: Final = (
    Plan("frogs", (), _FROGS),
    Plan("frogs", ("preset=big",), _FROGS),
    Plan(
        "pontis",
        (),
        _OUT_AND_SUMS
        | {
            "asks_for_1": Number("turns for a single card that ask for a 1", partial(_asked, 1)),
            "asks_for_13": Number("turns for a single card that ask for a 13", partial(_asked, 13)),
            "bonus_decides": Number("games won by going out that the four points decide", _bonus_decides),
        },
    ),
    Plan("pontis", ("players=2",), _OUT_AND_SUMS),
    Plan("pontis", ("players=13",), _OUT_AND_SUMS),
    Plan("pot_black", (), _DEALS | _TIED | {"six_win": Number("deals whose tens fall in two tricks", _six_win)}),
    Plan("pot_black", ("form=individual",), _DEALS | _TIED),
    Plan("pot_black", ("form=individual", "end=knock_out"), _DEALS),
    Plan("pot_black", ("form=classic",), _DEALS),
    Plan(
        "pond",
        (),
        {
            "same_poison": Number("rounds in which both players have the same poison", _same_poison),
            "dealer_behind": Number("points that the dealer of a round scores less", _dealer_behind, is_share=False),
            "leader_loses": Number("games lost by the leader before the last round", _leader_loses),
        },
    ),
)


def measured(plan: Plan, games: int, seed: str, commit: str) -> dict[str, dict[str, Any]]:
    """Play the games of a plan on all cores. Return their records."""
    with Pool() as pool:
        played = pool.map(partial(plan.samples, seed), range(games), chunksize=1)
    name = "".join(f" {option}" for option in plan.options)
    return {
        key + name: {
            "what": number.what,
            "options": [*plan.options],
            "level": LEVEL,
            "games": games,
            "seed": seed,
            "commit": commit,
            "samples": sum(len(each[key]) for each in played),
            "is_share": number.is_share,
            "value": round(number.summary([*chain(*(each[key] for each in played))]), 4),
        }
        for key, number in plan.numbers.items()
    }


def recorded(game: str, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return the records of a game."""
    path = folder / f"{game}.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER) -> None:
    """Measure the numbers of a game, and write them into its file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules_numbers", description="Measure a rules page.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=400, help="number of games of each form (default: 400)")
    parser.add_argument("--seed", default="1", help="the seed of deals and choices (default: 1)")
    given = parser.parse_args(arguments)
    git = ("git", "rev-parse", "--short", "HEAD")
    commit = subprocess.run(git, check=True, capture_output=True, text=True, cwd=FOLDER).stdout.strip()  # noqa: S603 - constant
    before = recorded(given.game, folder)
    solved = {key: record for key, record in before.items() if record["level"] == EXACT}
    records: dict[str, dict[str, Any]] = {}
    for plan in PLANS:
        if plan.game == given.game:
            for key, record in measured(plan, given.games, given.seed, commit).items():
                records[key] = record | {"said": before.get(key, {}).get("said", {})}
                sys.stdout.write(f"{key}: {record['value']}\n")
                sys.stdout.flush()
    (folder / f"{given.game}.json").write_text(
        json.dumps(records | solved, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
