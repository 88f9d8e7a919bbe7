"""The minutes that a game is said to take."""

from typing import Any

import pytest

from bot.cli import selfplay
from bot.games import GAMES
from bot.games.game import CHANCE
from bot.ui.messages.duration import minutes
from tests.leaks.pairs import FACES

_GAMES = 4


def decisions(key: str, options: dict[str, Any]) -> float:
    """Return how often each player decides in a game of fair computers, on the average of a few."""
    game = GAMES[key]
    settled = game.settle(options)
    plan = selfplay.Plan(key, settled, "minutes", levels=("fair",))
    entries = [entry for number in range(_GAMES) for entry in selfplay.play(plan, number).entries]
    return sum(entry.seat is not CHANCE for entry in entries) / _GAMES / game.seats(settled)


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("pond", {"rounds": 2}),
        ("pond", {"players": 4}),
        ("frogs", {}),
        ("frogs", {"preset": "big"}),
        ("pontis", {"players": 2}),
        ("pontis", {"players": 4, "games": 3}),
        ("pot_black", {"deals": 2}),
        ("pot_black", {"players": 3, "deals": 5}),
    ],
)
def test_what_a_game_says_of_its_length_is_what_computers_play(key: str, options: dict[str, Any]) -> None:
    said = FACES[key].decisions(GAMES[key].settle(options))
    assert said == pytest.approx(decisions(key, options), rel=0.35)


def test_people_take_longer_than_computers() -> None:
    face = FACES["pond"]
    options = face.game.settle({"players": 4, "rounds": 2})
    assert [minutes(face, options, people) for people in range(1, 5)] == [8, 12, 16, 21]
