"""How long a game takes, from how much there is to decide."""

from collections.abc import Mapping
from typing import Any, Final

from bot.games.game import Value
from bot.texts import gettext as _
from bot.ui.posts.face import Face

PERSON_S: Final = 12
COMPUTER_S: Final = 2
"""The time for a decision, as players are told."""


def minutes(face: Face[Any], options: Mapping[str, Value], people: int) -> int:
    """Return about how many minutes a game of these settled options takes, with computers on all other seats."""
    decisions = face.decisions(options)
    seconds = decisions * (people * PERSON_S + (face.game.seats(options) - people) * COMPUTER_S)
    return max(1, round(seconds / 60))


def about(face: Face[Any], options: Mapping[str, Value], people: int) -> str:
    """Return a game in a line: its kind and idea, for how many players it is, how long it takes."""
    n = minutes(face, options, people)
    return _("{pitch} {players}, about {n} min", pitch=face.pitch(), players=face.players(), n=n)
