"""``/verify`` says in three lines whether deals come from the seed and the cuts."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.cli import selfplay
from bot.games import GAMES
from bot.transcript import write
from bot.ui.actions.verify import MAX_BYTES
from tests.discord.play import World
from tests.discord.tables import started_in

Thing = dict[str, Any]
NO_SEED = "I can't check this file. A game that isn't over, or that plays on from another one, has no seed in it."


def transcript(key: str = "frogs") -> Thing:
    """Return a game between computers, as JSON."""
    plan = selfplay.Plan(key, GAMES[key].settle({}), "verify", levels=("easy",))
    thing: Thing = json.loads(write(selfplay.play(plan, 0)))
    return thing


async def says(world: World, content: bytes) -> list[str]:
    """Return the lines that a user reads about a file."""
    (ann,) = world.people(1)
    answer = await ann.types("verify", file=("game.jsonl", content))
    assert answer.is_private
    return answer.text.split("\n")


@pytest.mark.parametrize("key", GAMES)
async def test_an_honest_game_is_verified_in_three_lines(world: World, key: str) -> None:
    lines = await says(world, json.dumps(transcript(key)).encode())
    assert len(lines) == 3
    assert lines[0].startswith("✅")
    assert transcript(key)["fairness"]["commitment"][:16] in lines[1]
    assert "the result is right" in lines[2]


def other_deal(thing: Thing) -> Thing:
    first = thing["entries"][0]
    return thing | {"entries": [first | {"move": f"first {1 - int(first['move'][-1])}"}, *thing["entries"][1:]]}


def other_seed(thing: Thing) -> Thing:
    return thing | {"fairness": thing["fairness"] | {"seed": "0" * 64}}


def other_result(thing: Thing) -> Thing:
    return thing | {"outcome": thing["outcome"] | {"scores": [7, 7]}}


@pytest.mark.parametrize(
    ("forged", "where"), [(other_deal, "entry 0: "), (other_seed, "fairness: "), (other_result, "outcome: ")]
)
async def test_a_forged_game_is_not(world: World, forged: Callable[[Thing], Thing], where: str) -> None:
    lines = await says(world, json.dumps(forged(transcript())).encode())
    assert lines[0] == "❌ This isn't verified."
    assert lines[1].startswith(where)
    assert len(lines) == 3


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b"[]", b"null\n" * 9, b'{"format": "**@everyone**"}'])
async def test_what_is_no_transcript_is_said_in_a_sentence(world: World, content: bytes) -> None:
    lines = await says(world, content)
    assert lines[0] == "❌ This isn't verified."
    assert "**@" not in "".join(lines)


async def test_a_file_that_is_too_large_is_not_read(world: World) -> None:
    assert (await says(world, b" " * (MAX_BYTES + 1)))[0].startswith("This file is too large")


async def test_files_are_checked_in_a_process_for_thinking(world: World) -> None:
    assert world.bot.thinkers.pids == ()
    assert (await says(world, json.dumps(transcript()).encode()))[0].startswith("✅")
    assert len(world.bot.thinkers.pids) == 1


async def test_a_file_has_a_maximum_number_of_games(world: World) -> None:
    game = json.dumps(transcript())
    assert (await says(world, "\n".join([game] * 51).encode())) == ["A file may have at most 50 games."]


async def test_every_game_of_a_file_counts(world: World) -> None:
    games = [transcript(), other_seed(transcript())]
    lines = await says(world, "\n".join(map(json.dumps, games)).encode())
    assert lines[1].startswith("game 2, fairness: ")


async def test_a_table_is_verified_when_it_is_over_and_a_file_against_it(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    assert (await ann.types("verify", table="1")).text.startswith("You can check the deals of Table ")
    assert (await ann.types("verify")).text.startswith("Name a table, or attach a transcript.")
    await world.tables.resign(1, ann.id)
    table = await world.tables.table(1)
    lines = (await ben.types("verify", table="1")).text.split("\n")
    assert lines[0].startswith("✅")
    assert table.commitment[:16] in lines[1]
    content = write(await world.tables.transcript(1)).encode()
    assert (await ben.types("verify", file=("game.jsonl", content), table="1")).text.startswith("✅")
    another = await ben.types("verify", file=("game.jsonl", json.dumps(transcript()).encode()), table="1")
    assert "another table" in another.text


@pytest.mark.parametrize("change", [{"fairness": None}, {"fairness": {"seed": None}, "outcome": None}])
async def test_a_game_without_a_seed_is_not_called_false(world: World, change: Thing) -> None:
    thing = transcript() | change
    if change["fairness"]:
        thing["fairness"] = transcript()["fairness"] | change["fairness"]
    lines = await says(world, json.dumps({key: value for key, value in thing.items() if value is not None}).encode())
    assert lines == [NO_SEED]
    games = [transcript(), {key: value for key, value in thing.items() if value is not None}]
    assert await says(world, "\n".join(map(json.dumps, games)).encode()) == [f"game 2, fairness: {NO_SEED}"]


async def test_a_game_that_plays_on_is_checked_at_the_table_where_it_began(world: World) -> None:
    (ann,) = world.people(1)
    await started_in("frogs", ann, [], computers=1)
    await world.tables.resign(1, ann.id)
    page = await ann.picks(await ann.types("replay", table="1"), "seat0")
    await ann.clicks(page, "Play on from here")
    await world.tables.resign(2, ann.id)
    source, table = await world.tables.table(1), await world.tables.table(2)
    said = (await ann.types("verify", table=table.name)).text
    assert said.startswith(f"Table {table.name} plays on from Table {source.name}")
    content = write(await world.tables.transcript(2)).encode()
    assert (await ann.types("verify", file=("game.jsonl", content))).text == NO_SEED


async def test_a_closed_game_has_no_result_that_is_right(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await world.tables.close(1, 99, moderates=world.server.id)
    said = (await ben.types("verify", table="1")).text
    assert said.startswith("✅")
    assert said.endswith("All 0 moves follow the rules. There is no result.")
