"""Pond · frogs on Discord: whole games by taps on the board, previews, and menus."""

import random
from typing import Any

import pytest

from bot.games.frogs.moves import squares
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import Observation
from bot.records.live_message import Kind
from cogs.frogs.face import FrogsFace
from tests.discord.guests import ended_right, in_turn, play_out
from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.discord.tables import board_in_words, legal, started_in
from tests.doses import on_demand
from tests.posts import explains, paragraphs_of
from tests.waiting import until

MAX_TAPS = 3


@pytest.mark.parametrize(
    ("people", "options", "restart_at"),
    [
        pytest.param(2, {"preset": "standard"}, 9, id="standard, with a restart"),
        pytest.param(2, {"preset": "big", "repetition": "off"}, None, id="big, without repetition", marks=on_demand),
        pytest.param(1, {"preset": "small13", "computers": 1}, None, id="small13 against a computer", marks=on_demand),
        pytest.param(2, {"preset": "small14"}, None, id="small14", marks=on_demand),
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


# ---- taps on the board


@pytest.mark.parametrize("preset", ["standard", pytest.param("big", marks=on_demand)])
async def test_a_whole_game_is_played_on_the_board_with_at_most_three_taps_a_turn(world: World, preset: str) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:], preset=preset)
    rng, taps = random.Random(preset), set()
    while (await world.tables.table(1)).status == "playing":
        mover, other = await in_turn(world, *players)
        move = rng.choice(await legal(world, mover))
        path = [move, move] if move.startswith("place") else [move.split()[1], move, move]
        taps.add(len(path))
        page = mover.board
        for step in path[:-1]:
            page = await mover.taps(page, step)
            assert page.is_private
        await mover.picks(page, path[-1])
        assert mover.board.id == other.board.id
    assert max(taps) == MAX_TAPS
    await ended_right(world, players)


async def test_the_preview_names_the_move_and_what_it_develops(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    one, two = await in_turn(world, *players)
    for player, square in ((one, "a1"), (two, "d1"), (one, "a3"), (two, "d3")):
        await player.types("frogs place", square=square)
    preview = await one.taps(one.board, "place a2")
    name = one.member.user.global_name
    for square in ("a1", "a3"):
        assert f"Your egg on {square} becomes a tadpole." in preview.text
    assert "**Place an egg on a2?**" in preview.text
    ((file, alt),) = preview.pictures.items()
    assert file.startswith("move-")
    assert "a1" in alt
    after = await one.clicks(preview, "Place egg on a2")
    assert after.id == preview.id
    assert f"Waiting for **{two.member.user.global_name}**." in after.text
    assert f"**{name}** places an egg on a2." in await board_in_words(world)
    assert "Just developed: a1\xa0△\ufe0e tadpole, a3\xa0△\ufe0e tadpole" in one.board.text
    await two.types("frogs place", square="d4")
    squares = await one.taps(one.board, "a1")
    assert set(squares.squares) == {"move a1 b1"}
    preview = await one.taps(squares, "move a1 b1")
    assert preview.id == squares.id
    await one.clicks(preview, "Move tadpole a1 → b1")
    assert f"**{name}** moves a tadpole a1 → b1." in await board_in_words(world)


async def test_a_tap_of_somebody_who_is_not_to_move_names_the_player_to_move(world: World) -> None:
    players = world.people(2)
    visitor = world.person("Zoe")
    board = await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    answer = await other.taps(board, "place b2")
    assert answer.is_private
    assert answer.text == f"Waiting for **{mover.member.user.global_name}**."
    refused = await visitor.taps(board, "place b2")
    assert refused.is_private
    assert not refused.squares
    assert await legal(world, mover) == [f"place {square}" for square in squares(4)]


async def test_a_stale_press_on_the_board_previews_the_current_position(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    use = mover.board.squares["place b2"]
    await mover.types("frogs place", square="b1")
    await other.types("frogs place", square="d4")
    before = await version(world)
    (answer,) = await world.at_once((mover, use))
    assert answer is not None
    assert answer.is_private
    assert list(answer.moves) == ["place b2"]
    assert "Your egg on b1 becomes a tadpole." in answer.text
    assert await version(world) == before


async def test_the_choices_of_a_past_turn_say_how_the_game_stands(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    await mover.types("settings", tips="off")
    preview = await mover.taps(mover.board, "place b2")
    uses = preview.use("Place egg on b2"), preview.use("Back")
    await world.restart()  # so that the preview isn't deleted
    await mover.types("frogs place", square="c3")
    await other.types("frogs place", square="a1")
    before = await version(world)
    for use in uses:
        (answer,) = await world.at_once((mover, use))
        assert answer is not None
        assert answer.is_private
        assert answer.squares, "their board, as it is now"
        assert "**Your turn**" in answer.text
        assert "places an egg on a1." in answer.text
    assert await version(world) == before


async def test_private_messages_beside_the_board_are_small_and_go_with_the_next_move(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    await mover.clicks(await mover.taps(mover.board, "place b2"), "Place egg on b2")
    (note,) = private(mover)
    assert "places an egg on b2." in note.text
    assert f"Waiting for **{other.member.user.global_name}**." in note.text
    assert note.labels == ["Undo"]
    abandoned = await other.taps(other.board, "place c3")
    await other.types("frogs place", square="a1")
    await world.env.settle()
    assert abandoned.id not in {seen.id for seen in other.messages()}
    assert private(mover) == []
    assert len(private(other)) == 1
    again = await mover.clicks(await mover.taps(mover.board, "place a2"), "Back")
    assert "**Your turn**" in again.text
    assert private(mover) == [again]


async def test_against_a_computer_each_turn_is_played_in_one_private_message(world: World) -> None:
    (ann,) = world.people(1)
    await started_in("frogs", ann, [], computers=1)
    await until(lambda: "**Ann**: tap" in ann.board.text)
    own = await ann.clicks(await ann.taps(ann.board, "place b2"), "Place egg on b2")
    for _ in range(2):
        assert "**Your turn**" in own.text
        assert "💡" in own.text, "the advice for newcomers"
        assert own.squares
        assert {"Hint", "Rules"} <= set(own.labels)
        (*_, move) = [move for move in await legal(world, ann) if move.startswith("place ")]
        preview = await ann.taps(own, move)
        assert preview.id == own.id
        own = await ann.clicks(preview, f"Place egg on {move.removeprefix('place ')}")
        assert own.id == preview.id
    assert private(ann) == [own]


def private(player: Player) -> list[Seen]:
    """Return the messages in the channel that only the player sees."""
    return [seen for seen in player.messages() if seen.is_private]


async def test_a_second_tap_on_the_board_replaces_the_first_preview(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, _ = await in_turn(world, *players)
    first = await mover.taps(mover.board, "place b2")
    second = await mover.taps(mover.board, "place c2")
    await world.env.settle()
    assert first.id not in {seen.id for seen in mover.messages()}
    assert "Place egg on c2" in mover.now(second).labels


async def test_a_turn_that_scores_is_told_from_the_move_to_the_points(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    rng = random.Random(4)
    seen = await observed(world)
    while len(seen.gone) < 3:
        mover, _ = await in_turn(world, *players)
        await world.tables.play(1, mover.id, rng.choice(await legal(world, mover)))
        seen = await observed(world)
    await world.env.settle()
    mover, _ = await in_turn(world, *players)
    history = await mover.clicks_through(mover.board, "More", "What happened")
    for text in (await board_in_words(world), history.text):
        lines = text.splitlines()
        latest = max(at for at, line in enumerate(lines) if " places an egg on " in line or " moves a " in line)
        told = "\n".join(lines[latest : latest + 3])
        assert all(square in told for square in (piece.square for piece in seen.gone))
        assert told.splitlines()[1].startswith("-# Just developed: ")
        assert f"+{len(seen.gone)}" in told or " · **" in told


async def observed(world: World) -> Observation:
    """Return what everybody sees."""
    seen = (await world.tables.look(1)).observation
    assert isinstance(seen, Observation)
    return seen


async def test_a_tap_on_a_board_in_direct_messages_leaves_the_board_as_it_is(world: World) -> None:
    ann = world.person("Ann")
    ann.home = ann.dm
    await started_in("frogs", ann, computers=1)
    board = next(seen for seen in ann.dms if seen.text.startswith("### Table"))
    await until(lambda: "**Ann**: tap an empty square" in ann.now(board).text)  # the computer may begin
    board = ann.now(board)
    move = (await legal(world, ann))[0]
    preview = await ann.taps(board, move)
    assert preview.id != board.id
    assert ann.now(board) == board
    await ann.picks(preview, move)
    assert len(ann.now(board).squares) > 0


async def test_a_move_during_drawing_is_in_the_board_and_in_its_buttons(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, _ = await in_turn(world, *players)
    snapshot = await world.tables.snapshot(1)
    await mover.types("frogs place", square="b2")
    drawing = await world.bot.live.drawings.draw(snapshot, None)
    assert drawing is not None
    assert drawing.table.version == await version(world) > snapshot.table.version
    (board,) = [wanted for wanted in drawing.desired.messages if wanted.kind is Kind.BOARD]
    assert any("b2" in paragraph for paragraph in paragraphs_of(board.post))


async def test_the_menu_has_all_moves_and_the_board_in_words(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    await mover.types("frogs place", square="a1")
    page = await other.clicks(other.board, "Board in words")
    assert sorted(page.moves) == await legal(world, other)
    assert f"a1 {mover.member.user.global_name}'s egg, b1 empty" in page.text
    after = await other.picks(page, "place b1")
    assert after.id == page.id
    waiting = await other.clicks(other.board, "Board in words")
    assert not waiting.options
    assert "a1 " in waiting.text


async def test_a_notice_leaves_room_for_the_board(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:], preset="big", clock="day")
    mover, other = await in_turn(world, *players)
    await world.wait(3 * 86400)
    board = other.board
    assert board.labels[-3:] == ["Board in words", "More", "Away?"]
    assert "Computer plays this turn" in (await other.clicks(board, "Away?")).labels
    assert (await mover.taps(board, "place b2")).moves


async def test_the_preview_of_the_last_move_says_who_wins(world: World) -> None:
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
    wins = outcome.places[seen.seat or 0] == 1
    assert f"This {'wins' if wins else 'loses'} the game." in paragraphs_of(face.confirm(table, seen, ends[0]))[0]


async def test_scores_list_the_turns_that_scored(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    rng = random.Random(2)
    while (await world.tables.table(1)).status == "playing":
        mover, _ = await in_turn(world, ann, ben)
        await mover.types("frogs move", move=rng.choice(await legal(world, mover)))
    sight = await world.tables.look(1)
    assert isinstance(sight.observation, Observation)
    gains = sight.observation.gains
    board = ann.board
    (page,) = await world.at_once((ann, Use(board.id, board.channel_id, "lily:scores:1:1:")))  # of an old page
    assert page is not None
    told = page.text
    while "Older" in page.labels:
        page = await ann.clicks(page, "Older")
        told += page.text
    assert told.count(" for Ann") + told.count(" for Ben") == sum(bool(n) for g in gains for n in g.points)


@pytest.mark.parametrize(
    ("command", "options", "ruling"),
    [
        ("frogs place", {"square": "a1"}, "PD-10"),
        ("frogs place", {"square": "e5"}, "PD-06"),
        ("frogs move-piece", {"from": "a1", "to": "a2"}, "PD-10"),
        ("frogs move-piece", {"from": "b2", "to": "a2"}, "PD-11"),
    ],
)
async def test_a_refusal_leads_to_its_ruling(world: World, command: str, options: dict[str, Any], ruling: str) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, other = await in_turn(world, *players)
    await mover.types("frogs place", square="a1")
    refused = await other.types("frogs place", square="a1")
    assert explains((await other.clicks(refused, "Why?")).text, "PD-10")
    await other.types("frogs place", square="d4")
    refused = await mover.types(command, **options)
    assert ruling not in refused.text
    assert explains((await mover.clicks(refused, "Why?")).text, ruling)


async def version(world: World) -> int:
    """Return the version of the table."""
    return (await world.tables.table(1)).version


# ---- menus by setting


async def test_players_who_want_menus_get_the_board_in_words(world: World) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    mover, _ = await in_turn(world, *players)
    assert mover.hand.squares
    page = await mover.types("settings", frogs="menu")
    assert "**Pond · frogs** menus, and the board in words" in page.text
    await until(lambda: not mover.hand.squares)
    hand = mover.hand
    assert "a1 empty" in hand.text
    assert sorted(hand.moves) == await legal(world, mover)
    assert hand.labels == ["Hint", "Rules", "More"]
    assert mover.board.squares, "the public board has buttons"
    played = await mover.picks(hand, "place b2")
    assert played.id == hand.id
    assert not played.squares
    assert "Undo" in played.labels
    page = await mover.clicks(page, "Frogs by buttons")
    assert "**Pond · frogs** buttons" in page.text
