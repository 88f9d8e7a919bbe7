"""Pot Black on Discord: whole games of every form."""

import random
from typing import Any

import pytest

from tests.discord.guests import ended_right, play_out
from tests.discord.play import World, started_in


@pytest.mark.parametrize(
    ("people", "options", "reasons", "restart_at"),
    [
        pytest.param(2, {"deals": 5, "computers": 2}, {"deals", "draw"}, 40, id="partners, the bot starts anew"),
        pytest.param(1, {"short": "strict", "deals": 5, "computers": 3}, {"deals", "draw"}, None, id="strict partners"),
        pytest.param(
            4, {"form": "individual", "end": "deals", "deals": 5}, {"deals", "draw"}, None, id="four, each for himself"
        ),
        pytest.param(
            3,
            {"players": 3, "deals": 5, "tied_side_pot": "stays"},
            {"deals", "draw"},
            None,
            id="three people with 39 cards",
        ),
        pytest.param(1, {"form": "classic", "computers": 3}, {"knock_out"}, None, id="classic, down to three and on"),
    ],
)
async def test_a_whole_game_is_played_through_every_door(
    world: World, people: int, options: dict[str, Any], reasons: set[str], restart_at: int | None
) -> None:
    players = world.people(people)
    await started_in("potblack", players[0], players[1:], **options)
    await play_out(world, players, random.Random(str(options)), restart_at)
    transcript = await ended_right(world, players)
    assert transcript.outcome is not None
    assert transcript.outcome.reason in reasons
