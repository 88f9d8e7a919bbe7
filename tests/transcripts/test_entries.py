"""Malformed and illegal entries are found."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from bot import transcript
from bot.errors import TranscriptError
from tests.doses import dose
from tests.transcripts.examples import (
    Check,
    Thing,
    error_place,
    every_check,
    every_game,
    example,
    without,
)

STEP: Final = dose(check=40, test=5, full=1)
"""Every which entry of a game is spoilt."""


def test_an_unknown_rules_number_is_named() -> None:
    with pytest.raises(TranscriptError, match="played by rules 2 of pond; known here: 1"):
        transcript.read(example() | {"rules": 2})


def _entry(**changes: object) -> Callable[[Thing], object]:
    return lambda entry: entry.update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        without("seat"),
        without("move"),
        _entry(seat=True),
        _entry(seat=False),
        _entry(seat=-1),
        _entry(seat=2),
        _entry(seat=0.0),
        _entry(seat="0"),
        _entry(seat=[0]),
        _entry(seat=None),
        _entry(move=None),
        _entry(move=7),
        _entry(move=["play"]),
        _entry(move=""),
        _entry(move="resign now"),
        _entry(move="dealer 0"),
        _entry(move="nonsense\nwith a line break"),
        _entry(legal=None),
        _entry(legal="resign"),
        _entry(legal=[]),
        _entry(legal=[1]),
        lambda entry: entry["legal"].append("resign"),
        lambda entry: entry["legal"].append(entry["legal"][-1]),
        lambda entry: entry["legal"].pop(0),
        lambda entry: entry.update(move=f"{entry['move']} "),
        lambda entry: entry.update(move=f" {entry['move']}"),
        lambda entry: entry.update(move=f"{entry['move']}\n"),
        lambda entry: entry.update(move=entry["move"].replace(" ", "  ")),
        lambda entry: entry.update(move=entry["move"].replace(" ", "\t")),
        lambda entry: entry.update(move=entry["move"].replace(" ", "\u00a0")),
        lambda entry: entry.update(move=entry["move"].upper()),
        lambda entry: entry.update(move=entry["move"].swapcase()),
        lambda entry: entry.update(move=entry["move"].capitalize()),
        lambda entry: entry.update(move=f"{entry['move']} {entry['move'].split()[-1]}"),
        lambda entry: entry.update(move=entry["move"].split()[0]),
    ],
)
@every_game
@every_check
def test_a_malformed_or_illegal_entry_is_found(key: str, spoil: Callable[[Thing], object], check: Check) -> None:
    thing = example(key)
    number = next(
        number
        for number, entry in enumerate(thing["entries"])
        if number > 3 and len(entry.get("legal", ())) > 1 and " " in entry["move"] and entry["seat"] == 1
    )
    spoil(thing["entries"][number])
    assert error_place(thing, check) == f"entry {number}"


@every_game
@every_check
def test_an_entry_that_is_not_an_object_is_found(key: str, check: Check) -> None:
    thing = example(key)
    thing["entries"][2] = [0, "pass"]
    assert error_place(thing, check) == "entry 2"


@every_game
def test_an_illegal_move_is_found_at_any_entry(key: str) -> None:
    thing = example(key)
    texts = sorted({entry["move"] for entry in thing["entries"] if entry["seat"] is not None})
    for number, entry in list(enumerate(thing["entries"]))[::STEP]:
        wrong = [text for text in texts if text not in entry.get("legal", ())][:3]
        for text in wrong:
            spoilt = {**thing, "entries": [*thing["entries"][:number], {"seat": entry["seat"], "move": text}]}
            assert error_place(spoilt) == f"entry {number}"


@every_game
def test_an_unexpected_chance_entry_is_found(key: str) -> None:
    thing = example(key)
    chance = [entry for entry in thing["entries"] if entry["seat"] is None]
    for number in (3, len(thing["entries"]) // 2, len(thing["entries"]) - 1):
        if thing["entries"][number]["seat"] is not None:
            for entry in chance:
                assert error_place({**thing, "entries": [*thing["entries"][:number], entry]}) == f"entry {number}"


@every_game
def test_a_seat_can_not_move_instead_of_chance(key: str) -> None:
    thing = example(key)
    for number, entry in enumerate(thing["entries"]):
        if entry["seat"] is None:
            for move in (entry["move"], thing["entries"][-1]["move"], "resign"):
                spoilt = {**thing, "entries": [*thing["entries"][:number], {"seat": 0, "move": move}]}
                assert error_place(spoilt) == f"entry {number}"


def _wrong_hands(word: str, value: str) -> Iterator[str]:
    """Yield deals with a missing, extra, repeated, wrong or misplaced card."""
    if word == "deal":
        yield f"deal {value[2:]}"
        yield f"deal {value[:2]}{value}"
        yield f"deal {value[2:4]}{value[2:]}"
        yield f"deal XX{value[2:]}"
        yield f"deal {value.replace('/', '', 1)}"


@every_game
def test_a_malformed_deal_is_found(key: str) -> None:
    thing = example(key)
    for number, entry in enumerate(thing["entries"]):
        if entry["seat"] is None:
            text: str = entry["move"]
            word, value = text.split()
            for wrong in (
                word,
                f"{word} ",
                f"{word} 99",
                f"{word} -1",
                f"{word} 00",
                f"{word} ٠",
                f"{text}/",
                f"{text}+",
                f"{word} /{value}",
                text[:-1],
                text.swapcase(),
                f"{word} {value.replace('/', '')}/",
                f"{word} {value}X",
                *_wrong_hands(word, value),
            ):
                spoilt = {**thing, "entries": [*thing["entries"][:number], {"seat": None, "move": wrong}]}
                assert error_place(spoilt) == f"entry {number}", wrong


@every_game
def test_an_entry_after_the_end_is_found(key: str) -> None:
    thing = example(key)
    number = len(thing["entries"])
    for last in (thing["entries"][-1], thing["entries"][0], {"seat": 0, "move": "resign"}):
        assert error_place({**thing, "entries": [*thing["entries"], last]}) == f"entry {number}"


@every_game
def test_a_missing_or_repeated_entry_is_found(key: str) -> None:
    thing = example(key)
    entries = thing["entries"]
    for number in range(0, len(entries), STEP):
        assert error_place({**thing, "entries": [*entries[:number], *entries[number + 1 :]]})
        assert error_place({**thing, "entries": [*entries[: number + 1], *entries[number:]]})
