"""Pontis on Discord: whole games of every form."""

import random
from typing import Any

import pytest

from tests.discord.guests import ended_right, play_out
from tests.discord.play import World, started_in


@pytest.mark.parametrize(
    ("people", "options", "restart_at"),
    [
        pytest.param(2, {"players": 2}, 12, id="two people, the bot starts anew in mid-game"),
        pytest.param(2, {"players": 2, "games": 3, "curdle": "instant"}, None, id="three games"),
        pytest.param(3, {"players": 3, "banks": 6, "jokers": 4}, None, id="three people, two banks each"),
        pytest.param(4, {"players": 4, "banks": 2, "teams": "on", "fake": "on", "liar": "on"}, None, id="teams"),
        pytest.param(4, {"players": 4, "banks": 2, "out_bonus": "match"}, None, id="two to a bank, no teams"),
        pytest.param(6, {"players": 6, "fake": "on", "liar": "on"}, None, id="six people and liars"),
        pytest.param(8, {"players": 8}, None, id="eight people"),
        pytest.param(3, {"players": 13, "computers": 10, "fake": "on", "liar": "on"}, None, id="thirteen seats"),
    ],
)
async def test_a_whole_game_is_played_through_every_door(
    world: World, people: int, options: dict[str, Any], restart_at: int | None
) -> None:
    players = world.people(people)
    await started_in("pontis", players[0], players[1:], **options)
    await play_out(world, players, random.Random(str(options)), restart_at)
    transcript = await ended_right(world, players)
    assert len(transcript.seats) == options["players"]
