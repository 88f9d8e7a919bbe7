"""The form of transcripts: round trips, unknown keys, and errors before the entries."""

import json
from collections.abc import Callable

import pytest

from bot import transcript
from bot.games import GAMES
from tests.transcripts.examples import (
    Check,
    Thing,
    error_place,
    every_check,
    every_game,
    example,
    example_line,
    setting,
    unfinished,
    without,
)

# ---- the form


@every_game
def test_reading_and_writing_gives_the_same_text(key: str) -> None:
    line = example_line(key)
    assert "\n" not in line
    assert transcript.write(transcript.read(json.loads(line))) == line


def test_keys_have_a_fixed_order() -> None:
    thing = example()
    assert list(thing) == ["format", "game", "rules", "options", "seats", "entries", "outcome", "fairness"]
    assert list(thing["outcome"]) == ["scores", "places", "reason"]
    assert list(thing["fairness"]) == ["commitment", "seed", "cuts"]
    assert list(thing["entries"][-1]) == ["seat", "move", "legal"]
    assert list(thing["options"]) == [option.key for option in GAMES["pond"].options]


def test_names_are_written_unescaped() -> None:
    thing = example()
    thing["seats"] = ["Åsa 🐸", 'Ben "B"']
    assert '"seats": ["Åsa 🐸", "Ben \\"B\\""]' in transcript.write(transcript.read(thing))


def test_unknown_keys_are_ignored() -> None:
    thing = example()
    thing["comment"] = {"by": "Ann"}
    thing["entries"][3]["clock"] = 1.5
    thing["outcome"]["note"] = None
    thing["fairness"]["note"] = []
    assert error_place(thing, transcript.verify) == ""


@every_game
@every_check
def test_played_games_are_correct(key: str, check: Check) -> None:
    for number in range(3):
        assert error_place(example(key, number), check) == ""


@every_game
def test_unfinished_games_may_end_after_any_entry(key: str) -> None:
    for entries in (0, 1, 2, 3, 7):
        assert error_place(unfinished(example(key), entries)) == ""


# ---- before the entries


def _option(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing["options"].update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        *map(without, ["format", "game", "rules", "options", "seats", "entries"]),
        setting(format="transcript/2"),
        setting(format=1),
        setting(game="poker"),
        setting(game=["pond"]),
        setting(game=None),
        setting(rules=2),
        setting(rules=True),
        setting(rules=1.0),
        setting(rules="1"),
        setting(options=[]),
        setting(options={}),
        setting(seats=["Ann"]),
        setting(seats=["Ann", "Ben", "Cleo"]),
        setting(seats=["Ann", ""]),
        setting(seats=["Ann", 1]),
        setting(seats="AB"),
        setting(entries={}),
        setting(entries=None),
        lambda thing: thing["options"].pop("tie"),
        _option(tie="last"),
        _option(tie=None),
        _option(tie=["leader"]),
        _option(colour="green"),
        _option(players="2"),
        _option(players=2.0),
        _option(players=3),
        _option(players=4),
        _option(rounds=True),
        _option(rounds=10**300),
    ],
)
def test_an_error_before_the_entries_is_found(spoil: Callable[[Thing], object]) -> None:
    thing = example()
    spoil(thing)
    assert error_place(thing) == "options"
