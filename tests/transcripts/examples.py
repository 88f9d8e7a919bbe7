"""Transcripts to change in tests, and the errors that `read`, `replay` and `verify` find."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from bot import transcript
from bot.cli import selfplay
from bot.cli.selfplay import Plan
from bot.errors import TranscriptError
from bot.games import GAMES

Thing = dict[str, Any]
"""A transcript as JSON."""
Check = Callable[[transcript.Transcript], None]

OPTIONS = {"pot_black": {"deals": 5}}
"""Options of short games, as tests change each entry in turn."""
every_game = pytest.mark.parametrize("key", GAMES)
every_check = pytest.mark.parametrize("check", [transcript.replay, transcript.verify])


@cache
def example_line(key: str = "pond", number: int = 0, *, legal: bool = True) -> str:
    """Return the transcript of a game between computers."""
    options = GAMES[key].settle(OPTIONS.get(key, {}))
    return transcript.write(selfplay.play(Plan(key, options, "transcripts", legal=legal), number))


def example(key: str = "pond", number: int = 0) -> Thing:
    """Return the transcript of a game between computers as a JSON object."""
    thing: Thing = json.loads(example_line(key, number))
    return thing


def error_place(thing: Thing, check: Check = transcript.replay) -> str:
    """Return where the error is, or an empty string. The only error allowed is `TranscriptError`, on one line."""
    try:
        check(transcript.read(json.loads(json.dumps(thing))))
    except TranscriptError as caught:
        error = caught
    else:
        return ""
    assert error.why.endswith((".", ")"))
    assert "\n" not in error.sentence
    return error.where


def unfinished(thing: Thing, entries: int) -> Thing:
    """Return the transcript after some entries, with the seed still secret."""
    thing["entries"] = thing["entries"][:entries]
    thing["outcome"] = None
    thing["fairness"]["seed"] = None
    return thing


def without(key: str) -> Callable[[Thing], object]:
    """Return a change that removes a key."""
    return lambda thing: thing.pop(key)


def setting(**changes: object) -> Callable[[Thing], object]:
    """Return a change that sets keys."""
    return lambda thing: thing.update(changes)
