"""Pond · frogs on Discord: whole games on every pond, and choosing a piece, a square and a preview."""

import random
from typing import Any

import pytest

from bot.games.frogs import Frogs, Observation
from cogs.faces.frogs import FrogsFace
from tests.discord.guests import ended_right, open_squares, pieces, play_out
from tests.discord.play import Player, World, started_in
from tests.discord.seen import Seen


@pytest.mark.parametrize(
    ("people", "options", "restart_at"),
    [
        pytest.param(2, {"preset": "standard"}, 9, id="standard, with a restart"),
        pytest.param(2, {"preset": "big", "repetition": "off"}, None, id="big, without repetition"),
        pytest.param(1, {"preset": "small13", "computers": 1}, None, id="small13 against a computer"),
        pytest.param(2, {"preset": "small14"}, None, id="small14"),
    ],
)
async def test_a_whole_game_is_played_by_every_route(
    world: World, people: int, options: dict[str, Any], restart_at: int | None
) -> None:
    players = world.people(people)
    await started_in("frogs", players[0], players[1:], **options)
    await play_out(world, players, random.Random(str(options)), restart_at)
    transcript = await ended_right(world, players)
    assert transcript.options["preset"] == options["preset"]


async def test_a_choice_from_before_a_move_shows_the_current_hand(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    page = await chooses(mover, await mover.clicks(mover.board, "My hand"), "egg")
    there = open_squares(page)["b2"]
    preview = await mover.clicks(await chooses(mover, mover.hand, "egg"), there)
    squares = page.use(there), page.use("Another piece"), preview.use("Do it"), preview.use("Another square")
    await mover.types("frogs place", square="c3")
    await other.types("frogs place", square="a1")
    before = await version(world)
    for use in squares:
        (answer,) = await world.at_once((mover, use))
        assert answer is not None
        assert "Place an egg, or move a piece" in repr(answer.components)
        assert answer.moves == {}
    assert await version(world) == before


async def test_the_preview_and_then_the_board_show_what_develops(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    one, two = await in_turn(world, *players)
    for player, square in ((one, "a1"), (two, "d1"), (one, "a3"), (two, "d3")):
        await player.types("frogs place", square=square)
    squares = await chooses(one, await one.clicks(one.board, "Play"), "egg")
    preview = await one.clicks(squares, open_squares(squares)["a2"])
    name = one.member.user.global_name
    for stage in ("a1", "a3"):
        assert f"{name}'s egg on {stage} becomes a tadpole." in preview.text
    after = await one.clicks(preview, "Do it")
    assert f"Last move: {name} placed an egg on a2." in after.text
    assert f"{name}'s egg on a1 becomes a tadpole." in one.board.text
    assert "[Le]" in one.board.text


async def test_the_preview_of_the_last_move_names_the_winner(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    rng, face, rulebook = random.Random(3), FrogsFace(), Frogs()
    while True:
        mover, _ = await in_turn(world, *players)
        sight = await world.tables.look(1, mover.id)
        table, seen = sight.table, sight.observation
        assert isinstance(seen, Observation)
        ends = [move for move in seen.legal if rulebook.preview(seen, move).outcome is not None]
        if ends:
            break
        await world.tables.play(1, mover.id, str(rng.choice(seen.legal)))
    outcome = rulebook.preview(seen, ends[0]).outcome
    assert outcome is not None
    winner = table.sitters[outcome.places.index(1)].name
    assert f"The game ends, and {winner} wins: " in face.confirm(table, seen, ends[0]).paragraphs[0]


@pytest.mark.parametrize(
    ("command", "options", "ruling"),
    [
        ("frogs place", {"square": "a1"}, "PD-07"),
        ("frogs place", {"square": "e5"}, "PD-06"),
        ("frogs move-piece", {"from": "a1", "to": "a2"}, "PD-10"),
        ("frogs move-piece", {"from": "b2", "to": "a2"}, "PD-11"),
    ],
)
async def test_a_refusal_names_its_ruling(world: World, command: str, options: dict[str, Any], ruling: str) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    await mover.types("frogs place", square="a1")
    refused = await other.types("frogs place", square="a1")
    assert "(PD-07)" in refused.text
    await other.types("frogs place", square="d4")
    assert f"({ruling})" in (await mover.types(command, **options)).text


async def chooses(player: Player, page: Seen, piece: str) -> Seen:
    """Pick a piece or an egg and return the page with its squares."""
    return await player.picks(page, pieces(page)[piece])


async def in_turn(world: World, one: Player, other: Player) -> tuple[Player, Player]:
    """Return the player to move, and the other."""
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    return (one, other) if turn == one.id else (other, one)


async def version(world: World) -> int:
    """Return the version of the table."""
    return (await world.tables.table(1)).version
