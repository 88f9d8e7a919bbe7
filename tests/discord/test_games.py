"""Games by random routes: Pond · cards, and all games in direct messages and threads."""

import random
from typing import Any

import pytest

from tests.discord.guests import ended_right, play_in_part, play_out
from tests.discord.play import World
from tests.discord.tables import started, started_in
from tests.doses import on_demand


@pytest.mark.parametrize(
    ("people", "options"),
    [
        pytest.param(2, {"rounds": 4}, id="two people, four rounds", marks=on_demand),
        pytest.param(
            2, {"rounds": 2, "tie": "first", "history": "last"}, id="two people, other options", marks=on_demand
        ),
        pytest.param(1, {"rounds": 2, "computers": 1}, id="one against a computer", marks=on_demand),
        pytest.param(4, {"players": 4, "rounds": 2}, id="four people", marks=on_demand),
        pytest.param(2, {"players": 4, "rounds": 2, "computers": 2}, id="two people and two computers"),
    ],
)
async def test_a_whole_game_is_played_by_every_route(world: World, people: int, options: dict[str, Any]) -> None:
    rng = random.Random(f"{people} {options}")
    players = world.people(people)
    await started(players[0], players[1:], **options)
    await play_out(world, players, rng)
    await ended_right(world, players)


IN_OTHER_PLACES = [
    ("pond", {"rounds": 2}),
    ("frogs", {}),
    ("pontis", {"players": 4, "fake": "on", "liar": "on"}),
    ("potblack", {"players": 4, "deals": 5}),
]


@pytest.mark.parametrize(("group", "options"), IN_OTHER_PLACES)
async def test_a_game_against_computers_is_played_in_direct_messages(
    world: World, group: str, options: dict[str, Any]
) -> None:
    ann = world.person("Ann")
    ann.home = ann.dm
    computers = options.get("players", 2) - 1
    await started_in(group, ann, computers=computers, **options)
    rng = random.Random(group)
    if group != "potblack":
        await play_in_part(world, [ann], rng)
        return
    await play_out(world, [ann], rng)
    await ended_right(world, [ann])


async def test_a_game_is_played_in_a_thread(world: World) -> None:
    players = world.people(2)
    thread = world.thread(players[0])
    for player in players:
        player.home = thread
    await started_in("pontis", players[0], players[1:], players=3, computers=1)
    await play_in_part(world, players, random.Random("thread"))
