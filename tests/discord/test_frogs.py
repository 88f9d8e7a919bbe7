"""Pond · frogs on Discord: whole games on every pond, and the way from a piece to a square to the preview."""

import random
from typing import Any

import pytest

from tests.discord.guests import ended_right, play_out
from tests.discord.play import World, started_in


@pytest.mark.parametrize(
    ("people", "options", "restart_at"),
    [
        pytest.param(2, {"preset": "standard"}, 9, id="standard, the bot starts anew in mid-game"),
        pytest.param(2, {"preset": "big", "repetition": "off"}, None, id="big, without repetition"),
        pytest.param(1, {"preset": "small13", "computers": 1}, None, id="small13 against a computer"),
        pytest.param(2, {"preset": "small14"}, None, id="small14"),
    ],
)
async def test_a_whole_game_is_played_through_every_door(
    world: World, people: int, options: dict[str, Any], restart_at: int | None
) -> None:
    players = world.people(people)
    await started_in("frogs", players[0], players[1:], **options)
    await play_out(world, players, random.Random(str(options)), restart_at)
    transcript = await ended_right(world, players)
    assert transcript.options["preset"] == options["preset"]
