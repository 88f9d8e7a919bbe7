"""Whole games of Pond · cards, from the lobby to the transcript, through every door at random."""

import random
from typing import Any

import pytest

from tests.discord.guests import ended_right, play_out
from tests.discord.play import World, started


@pytest.mark.parametrize(
    ("people", "options"),
    [
        pytest.param(2, {"rounds": 4}, id="two people, four rounds"),
        pytest.param(2, {"rounds": 2, "tie": "first", "history": "last"}, id="two people, other options"),
        pytest.param(1, {"rounds": 2, "computers": 1}, id="one against a computer"),
        pytest.param(4, {"players": 4, "rounds": 2}, id="four people"),
        pytest.param(2, {"players": 4, "rounds": 2, "computers": 2}, id="two people and two computers"),
    ],
)
async def test_a_whole_game_is_played_through_every_door(world: World, people: int, options: dict[str, Any]) -> None:
    rng = random.Random(f"{people} {options}")
    players = world.people(people)
    await started(players[0], players[1:], **options)
    await play_out(world, players, rng)
    await ended_right(world, players)
