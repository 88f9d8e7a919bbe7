"""Wrong outcomes, endings and resignations are found."""

import json
from collections.abc import Callable

import pytest

from bot import transcript
from bot.games import GAMES
from bot.games.game import Entry
from tests.transcripts.examples import (
    OPTIONS,
    Check,
    Thing,
    error_place,
    every_check,
    every_game,
    example,
    setting,
    without,
)

# ---- the outcome


def _outcome(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing["outcome"].update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        without("outcome"),
        setting(outcome=None),
        setting(outcome=[]),
        setting(outcome={}),
        setting(outcome=False),
        _outcome(scores=None),
        _outcome(places="12"),
        _outcome(reason=None),
        _outcome(reason="because"),
        _outcome(places=[1, 1]),
        _outcome(places=[True, 2]),
        lambda thing: thing["outcome"]["scores"].append(0),
        lambda thing: thing["outcome"]["scores"].pop(),
        lambda thing: thing["outcome"]["places"].append(1),
        lambda thing: thing["outcome"]["scores"].__setitem__(0, float(thing["outcome"]["scores"][0])),
        lambda thing: thing["outcome"]["scores"].__setitem__(0, thing["outcome"]["scores"][0] + 1),
        lambda thing: thing["outcome"].pop("reason"),
    ],
)
@every_check
def test_a_wrong_outcome_is_found(spoil: Callable[[Thing], object], check: Check) -> None:
    thing = example()
    spoil(thing)
    assert error_place(thing, check) == "outcome"


@every_game
def test_an_outcome_before_the_end_is_found(key: str) -> None:
    thing = example(key)
    thing["entries"].pop()
    assert error_place(thing) == "outcome"


# ---- tables that ended outside the rules


@every_game
@every_check
@pytest.mark.parametrize("ended", ["agreed", "closed", "abandoned"])
def test_a_table_that_ended_outside_the_rules_publishes_its_seed(key: str, check: Check, ended: str) -> None:
    thing = example(key) | {"outcome": None, "ended": ended}
    thing["entries"] = thing["entries"][:6]
    assert error_place(thing, check) == ""
    written = transcript.write(transcript.read(thing))
    assert json.loads(written)["ended"] == ended
    del thing["ended"]
    assert error_place(thing, transcript.verify) == "fairness"


@pytest.mark.parametrize(
    "spoil",
    [
        setting(ended="closed"),  # beside an outcome
        setting(ended="closed", outcome=None),  # after the entry that ended the game
        lambda thing: thing.update(ended="bored", outcome=None, entries=thing["entries"][:6]),
        lambda thing: thing.update(ended=["closed"], outcome=None, entries=thing["entries"][:6]),
    ],
)
@every_check
def test_an_impossible_ending_outside_the_rules_is_found(spoil: Callable[[Thing], object], check: Check) -> None:
    thing = example()
    spoil(thing)
    assert error_place(thing, check) == "outcome"


# ---- resigning


@every_game
def test_resigning_loses_with_two_sides_and_is_illegal_with_more(key: str) -> None:
    thing = example(key)
    game = GAMES[key]
    options = game.settle(OPTIONS.get(key, {}))
    sides = game.sides(options)
    entries = [*thing["entries"][:5], {"seat": 1, "move": "resign"}]
    spoilt: Thing = {**thing, "entries": entries, "outcome": None}
    if len(set(sides)) > 2:
        assert error_place(spoilt) == "entry 5"
        return
    assert error_place(spoilt) == "outcome"
    state = game.fold(options, [Entry(entry["seat"], entry["move"]) for entry in entries])
    spoilt["outcome"] = {
        "scores": list(state.outcome.scores),
        "places": [2 if side == sides[1] else 1 for side in sides],
        "reason": "resigned",
    }
    assert error_place(spoilt) == ""
