"""Seeds, commitments and cuts that don't match the deals are found."""

from collections.abc import Callable

import pytest

from bot import transcript
from tests.transcripts.examples import (
    Thing,
    error_place,
    every_game,
    example,
    setting,
    without,
)


@every_game
def test_a_chance_entry_that_does_not_match_the_seed_is_found(key: str) -> None:
    thing = example(key)
    other = example(key, 1)
    for number, entry in enumerate(thing["entries"]):
        if entry["seat"] is None:
            for text in {each["move"] for each in other["entries"] if each["seat"] is None} - {entry["move"]}:
                entries = [*thing["entries"][:number], {"seat": None, "move": text}]
                assert error_place({**thing, "entries": entries}, transcript.verify) == f"entry {number}"


def _fairness(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing["fairness"].update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        without("fairness"),
        setting(fairness=None),
        setting(fairness=[]),
        _fairness(seed=None),
        _fairness(seed=7),
        _fairness(seed="00" * 31),
        _fairness(seed="00" * 32),
        _fairness(commitment=None),
        _fairness(commitment="00" * 32),
        lambda thing: thing["fairness"].update(seed=thing["fairness"]["seed"].upper()),
        lambda thing: thing["fairness"].update(commitment=thing["fairness"]["commitment"].upper()),
        _fairness(cuts=None),
        _fairness(cuts=""),
        _fairness(cuts=[]),
        _fairness(cuts=["", "", ""]),
        _fairness(cuts=["", None]),
        _fairness(cuts=["a|b", ""]),
        _fairness(cuts=["", "a\nb"]),
        _fairness(cuts=["x" * 101, ""]),
        setting(outcome=None, entries=[]),
    ],
)
def test_unverifiable_fairness_is_found(spoil: Callable[[Thing], object]) -> None:
    thing = example()
    spoil(thing)
    assert error_place(thing, transcript.verify) == "fairness"


def test_a_changed_cut_changes_the_deals() -> None:
    thing = example()
    thing["fairness"]["cuts"][0] += "!"
    assert error_place(thing, transcript.verify).startswith("entry ")


@pytest.mark.parametrize("given", [None, 5, [], {}, {"commitment": "", "seed": 7, "cuts": []}, {"cuts": [None]}])
def test_replay_ignores_malformed_fairness(given: object) -> None:
    assert error_place(example() | {"fairness": given}) == ""


def test_replay_needs_no_fairness() -> None:
    thing = example()
    del thing["fairness"]
    assert error_place(thing) == ""


def test_the_first_of_several_errors_is_named() -> None:
    thing = example()
    thing["entries"][3]["move"] = "fly"
    thing["entries"][5] = None
    thing["outcome"] = []
    assert error_place(thing) == "entry 3"
    thing["entries"][3] = example()["entries"][3]
    assert error_place(thing) == "entry 5"
    thing["entries"][5] = example()["entries"][5]
    assert error_place(thing) == "outcome"
