"""What goes wrong on servers and in the database: play goes on where it can, and says what is wrong where it can't."""

import logging
import sqlite3
from contextlib import closing

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.store.sqlite import connection
from tests.discord.play import Player, World, legal, play_on, started
from tests.discord.seen import Seen


async def pair(world: World) -> tuple[Player, Player]:
    """Ann and Ben at a table that has started."""
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    return ann, ben


async def moves(world: World, player: Player) -> None:
    """The player's first legal move, from the hand that he got."""
    await player.picks(player.hand, (await legal(world, player))[0])


async def is_present(world: World, player: Player) -> bool:
    """Whether the board in the channel is the present one."""
    post = await world.bot.live.drawings.board(await world.tables.table(1))
    return player.board.text.startswith("\n".join(post.paragraphs))


def boards(player: Player) -> list[Seen]:
    """The boards in the channel, live ones only."""
    return [seen for seen in player.messages() if not seen.is_private and seen.text.startswith("### Table")]


# ---- messages and channels


async def test_a_board_that_is_deleted_while_nobody_plays_is_posted_anew_without_a_ping(world: World) -> None:
    ann, _ = await pair(world)
    await world.wait(100)
    world.deletes(ann.board)
    await world.env.settle()
    (board,) = boards(ann)
    assert board.pinged == ()
    assert await is_present(world, ann)
    assert (await ann.clicks(board, "My hand")).is_private


async def test_the_board_of_a_finished_game_that_is_deleted_stays_away(world: World) -> None:
    ann, ben = await pair(world)
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)
    world.deletes(ann.board)
    await world.env.settle()
    assert boards(ann) == []


@pytest.mark.parametrize("code", [50083, 30046])
async def test_a_board_that_must_not_be_edited_is_posted_anew(world: World, code: int) -> None:
    ann, _ = await pair(world)
    old = ann.board
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{old.id}", 400, code)
    await moves(world, ann)
    assert ann.board.id != old.id
    assert await is_present(world, ann)


async def test_a_channel_that_is_deleted_is_told_of_in_the_hands_and_play_goes_on_there(world: World) -> None:
    ann, ben = await pair(world)
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert "its channel is gone" in ann.hand.text
    for player in (ann, ben):
        await moves(world, player)
    turn = await world.tables.whose_turn(await world.tables.table(1))
    await moves(world, ann if ann.id in turn else ben)
    assert "Your profit" in ann.hand.text


# ---- permissions


def permits(world: World, **permissions: bool) -> None:
    """A moderator changes what the bot may do in the channel."""
    denied = discord.Permissions(**{name: not granted for name, granted in permissions.items()}).value
    bot = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(world.channel.id, Overwrite(bot, OverwriteType.MEMBER, deny=denied))


async def test_a_permission_that_is_withdrawn_is_named_in_the_hands_until_it_is_given_back(world: World) -> None:
    ann, ben = await pair(world)
    permits(world, send_messages=False)
    world.deletes(ann.board)
    await world.env.settle()
    sentence = f"The board can't be posted in <#{world.channel.id}>: the bot lacks Send Messages"
    assert sentence in ann.hand.text
    assert sentence in ben.hand.text
    await moves(world, ann)
    assert boards(ann) == []
    permits(world, send_messages=True)
    await world.env.settle()
    assert await is_present(world, ann)
    assert sentence not in ann.hand.text
    assert sentence not in ben.hand.text


async def test_a_board_that_can_not_be_posted_is_tried_again_with_growing_pauses(world: World) -> None:
    ann, _ = await pair(world)
    world.breaks("*", f"/channels/{world.channel.id}/messages*", 403, 50013, times=None)
    await moves(world, ann)
    told = len(world.env.http_requests)
    await world.wait(4000)
    tries = {r.method for r in world.env.http_requests[told:] if r.path.startswith(f"/channels/{world.channel.id}")}
    assert tries
    assert len(world.env.http_requests) - told < 40
    world.mends()
    await world.wait(7300)
    assert await is_present(world, ann)


async def test_a_player_who_leaves_the_server_stops_nobody(world: World) -> None:
    ann, ben = await pair(world)
    world.server.remove_member(ben.member)
    world.breaks("*", f"/channels/{ben.dm.id}/messages*", 403, 50278, times=None)
    await moves(world, ann)
    assert await is_present(world, ann)
    assert "Your profit" in ann.hand.text
    assert await world.tables.users.dm_closed(ben.id)


# ---- the database


async def test_a_database_that_is_locked_by_another_program_is_said_and_nothing_is_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_S", 0.05)
    world.was_broken = True
    ann, _ = await pair(world)
    await world.restart()
    before = ann.hand
    with closing(sqlite3.connect(world.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = await ann.types("pond move", move=(await legal(world, ann))[0])
        assert "is locked by another program; try again in a moment." in answer.text
        assert (await ann.clicks(ann.board, "My hand")).moves.keys() == before.moves.keys()
        other.execute("ROLLBACK")
    await moves(world, ann)
    assert await is_present(world, ann)


async def test_a_read_only_database_shows_every_hand_and_refuses_every_move(world: World) -> None:
    world.was_broken = True
    ann, ben = await pair(world)
    await world.set_read_only(is_read_only=True)
    answer = await ann.types("pond move", move=(await legal(world, ann))[0])
    assert "can't be written to; it is read-only." in answer.text
    assert (await ben.clicks(ben.board, "My hand")).moves
    await world.set_read_only(is_read_only=False)
    await moves(world, ann)
    assert await is_present(world, ann)


# ---- the clock


@pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0])
async def test_a_clock_that_jumps_loses_nothing_and_pings_nobody_twice(world: World, jump_s: float) -> None:
    ann, ben = await pair(world)
    world.jump_s = jump_s
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    assert await is_present(world, ann)
    assert len(boards(ann)) == 1
    assert len([seen for seen in ann.messages() if seen.pinged]) <= 1


@pytest.mark.parametrize("clock", ["none", "live", "day"])
async def test_a_clock_that_jumps_back_and_forth_takes_nobodys_turn(world: World, clock: str) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], clock=clock)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    before = await world.tables.table(1)
    turn = await world.tables.whose_turn(before)
    other = next(player for player in (ann, ben) if player.id not in turn)
    for jump_s in (86_400.0, 0.0, -86_400.0, 0.0):
        world.jump_s = jump_s
        assert "One vote isn't enough" in (await other.types("away", do="seat")).text
        await world.wait(10)
        assert await world.tables.table(1) == before
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    assert await is_present(world, ann)


async def test_nothing_but_warnings_is_logged_for_what_discord_refuses(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    ann, _ = await pair(world)
    world.breaks("*", f"/channels/{world.channel.id}/messages*", 403, 50001, times=None)
    await moves(world, ann)
    assert "the bot lacks View Channel" in ann.hand.text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
