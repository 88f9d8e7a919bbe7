"""Faults on servers and in the database: deleted messages, missing permissions, locks, clocks that jump."""

import logging
import sqlite3
from contextlib import closing

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.errors import NotAllowed
from bot.store.sqlite import connection
from bot.ui.live.failures import PAUSES_S
from bot.ui.live.plan import TIDY_S
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, is_up_to_date, legal, play_on, started
from tests.outage import cut_off


async def pair(world: World) -> tuple[Player, Player]:
    """Start a table with Ann and Ben."""
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    world.expire_tokens()
    return ann, ben


async def moves(world: World, player: Player) -> None:
    """Make the player's first legal move from their hand."""
    await player.picks(player.hand, (await legal(world, player))[0])


def boards(player: Player) -> list[Seen]:
    """Return the live boards in the channel."""
    return [seen for seen in player.messages() if not seen.is_private and seen.text.startswith("### Table")]


# ---- messages and channels


async def test_a_deleted_board_is_reposted_without_a_ping(world: World) -> None:
    ann, _ = await pair(world)
    await world.wait(100)
    world.deletes(ann.board)
    await world.env.settle()
    (board,) = boards(ann)
    assert board.pinged == ()
    assert await is_up_to_date(world, ann)
    assert (await ann.clicks(board, "My hand")).is_private


async def test_a_board_that_is_deleted_in_an_outage_of_the_database_is_reposted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ben = await pair(world)
    failures = [True]
    cut_off(monkeypatch, world.tables.messages, "among", lambda: bool(failures) and failures.pop())
    world.deletes(ann.board)
    await world.env.settle()
    assert boards(ann)
    assert not failures


async def test_a_board_deleted_while_disconnected_is_missed_later_if_a_proxy_answers_first(world: World) -> None:
    ann, _ben = await pair(world)
    await world.bot.shards[0].disconnect()
    world.deletes(ann.board)
    world.breaks("GET", f"/channels/{world.channel.id}/messages/*", 403, 0)
    await world.bot.shards[0].reconnect()
    await world.env.settle()
    assert not boards(ann)
    await world.wait(70)
    assert boards(ann)


async def test_the_deleted_board_of_a_finished_game_is_not_reposted(world: World) -> None:
    ann, _ben = await pair(world)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    world.deletes(ann.board)
    await world.env.settle()
    assert boards(ann) == []


@pytest.mark.parametrize("code", [50083, 30046])
async def test_a_board_that_cannot_be_edited_is_reposted(world: World, code: int) -> None:
    ann, _ = await pair(world)
    old = ann.board
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{old.id}", 400, code)
    await moves(world, ann)
    assert ann.board.id != old.id
    assert await is_up_to_date(world, ann)


async def test_a_failed_edit_that_discord_may_have_carried_out_is_repeated_after_an_undo(world: World) -> None:
    ann, _ = await pair(world)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/*", 503, times=None)
    await moves(world, ann)
    await world.wait(20)
    await ann.types("pond undo")
    world.mends()
    sent = len(world.env.http_requests)
    await world.wait(60)
    paths = [each.path for each in world.env.http_requests[sent:] if each.method == "PATCH"]
    assert f"/channels/{world.channel.id}/messages/{ann.board.id}" in paths
    assert await is_up_to_date(world, ann)


async def test_play_goes_on_in_the_hands_when_the_channel_is_deleted(world: World) -> None:
    ann, ben = await pair(world)
    await ann.types("settings", tips="off")  # they would stand in place of the profit
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert "its channel is gone" in ann.hand.text
    for player in (ann, ben):
        await moves(world, player)
    turn = await world.tables.whose_turn(await world.tables.table(1))
    await moves(world, ann if ann.id in turn else ben)
    assert " · poison\N{NO-BREAK SPACE}" in ann.hand.text


# ---- permissions


def set_permissions(world: World, **permissions: bool) -> None:
    """Change the bot's permissions in the channel."""
    denied = discord.Permissions(**{name: not granted for name, granted in permissions.items()}).value
    bot = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(world.channel.id, Overwrite(bot, OverwriteType.MEMBER, deny=denied))


async def test_hands_name_a_missing_permission_until_it_is_restored(world: World) -> None:
    ann, ben = await pair(world)
    set_permissions(world, send_messages=False)
    world.deletes(ann.board)
    await world.env.settle()
    sentence = (
        f"I can't post the board in <#{world.channel.id}>. Ask a moderator to give me these permissions: Send Messages."
    )
    assert sentence in ann.hand.text
    assert sentence in ben.hand.text
    await moves(world, ann)
    assert boards(ann) == []
    set_permissions(world, send_messages=True)
    await world.env.settle()
    assert await is_up_to_date(world, ann)
    assert sentence not in ann.hand.text
    assert sentence not in ben.hand.text


@pytest.mark.parametrize("what", ["channel", "role", "server"])
async def test_a_refused_board_is_tried_again_at_once_after_a_change(world: World, what: str) -> None:
    ann, _ben = await pair(world)
    backend = world.env.backend
    for method, path in (("POST", "messages"), ("PATCH", "messages/*")):
        world.breaks(method, f"/channels/{world.channel.id}/{path}", 403, 50013, times=None)
    await moves(world, ann)
    assert "check my permissions" in ann.hand.text
    world.mends()
    assert not await is_up_to_date(world, ann)
    match what:
        case "channel":
            backend.announce_channel_update(world.channel.id)
        case "role":
            backend.edit_role(world.server.id, world.server.id, {"permissions": discord.Permissions.all().value})
        case _:
            backend.edit_guild(world.server.id, {"name": "Another"})
    await world.env.settle()
    assert await is_up_to_date(world, ann)


async def test_a_board_that_cannot_be_posted_again_is_edited_in_place(world: World) -> None:
    ann, ben = await pair(world)
    old = ann.board
    set_permissions(world, send_messages=False)
    await moves(world, ben)
    world.env.backend.set_overwrite(world.channel.id, Overwrite(ann.id, OverwriteType.MEMBER, deny=0))
    await ann.says("what a day")
    await moves(world, ann)
    assert ann.board.id == old.id
    assert await is_up_to_date(world, ann)
    assert "I can't post" not in ann.hand.text


async def test_posting_a_board_is_retried_with_growing_delays(world: World) -> None:
    ann, _ = await pair(world)
    world.breaks("*", f"/channels/{world.channel.id}/messages*", 403, 50013, times=None)
    await moves(world, ann)
    sent = len(world.env.http_requests)
    await world.wait(4000)
    methods = {r.method for r in world.env.http_requests[sent:] if r.path.startswith(f"/channels/{world.channel.id}")}
    assert methods
    assert len(world.env.http_requests) - sent < 40
    world.mends()
    await world.wait(7300)
    assert await is_up_to_date(world, ann)


async def test_the_game_goes_on_when_a_player_leaves_the_server(world: World) -> None:
    ann, ben = await pair(world)
    await moves(world, ben)
    world.server.remove_member(ben.member)
    world.breaks("*", f"/channels/{ben.dm.id}/messages*", 403, 50278, times=None)
    await moves(world, ann)
    assert await is_up_to_date(world, ann)
    assert " · poison\N{NO-BREAK SPACE}" in ann.hand.text
    await world.wait(TIDY_S)
    assert not (await world.tables.snapshot(1)).reader(ben.id).dm_closed, "an edit was refused, which says little"
    await fast_forward(world, lambda seen: seen.round == 1)
    await world.wait(PAUSES_S[1])
    assert (await world.tables.snapshot(1)).reader(ben.id).dm_closed


# ---- the database


async def test_a_locked_database_is_reported_and_loses_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_S", 0.05)
    world.was_broken = True
    ann, _ = await pair(world)
    await world.restart()
    before = ann.hand
    with closing(sqlite3.connect(world.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = await ann.types("pond move", move=(await legal(world, ann))[0])
        assert "I can't save or load games right now." in answer.text
        assert (await ann.clicks(ann.board, "My hand")).moves.keys() == before.moves.keys()
        other.execute("ROLLBACK")
    await moves(world, ann)
    assert await is_up_to_date(world, ann)


async def test_no_table_is_opened_that_nobody_would_see(world: World) -> None:
    (ann,) = world.people(1)
    world.was_broken = True
    world.execute("INSERT INTO users (id, dm_closed) VALUES (?, 1)", ann.id)
    world.execute("CREATE TRIGGER full BEFORE INSERT ON users BEGIN SELECT RAISE(FAIL, 'full'); END")
    assert "Table" not in (await ann.types("pond open")).text
    assert await world.store.lists.all() == ()
    world.execute("DROP TRIGGER full")
    assert (await ann.types("pond open")).text.startswith("### Table")


async def test_a_read_only_database_shows_hands_and_refuses_moves(world: World) -> None:
    world.was_broken = True
    ann, ben = await pair(world)
    await world.set_read_only(is_read_only=True)
    answer = await ann.types("pond move", move=(await legal(world, ann))[0])
    assert "I can't save or load games right now." in answer.text
    assert (await ben.clicks(ben.board, "My hand")).moves
    await world.set_read_only(is_read_only=False)
    await moves(world, ann)
    assert await is_up_to_date(world, ann)


# ---- the clock


@pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0])
async def test_a_jumping_clock_causes_no_second_ping(world: World, jump_s: float) -> None:
    ann, ben = await pair(world)
    world.jump_s = jump_s
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    assert await is_up_to_date(world, ann)
    assert len(boards(ann)) == 1
    assert len([seen for seen in ann.messages() if seen.pinged]) <= 1


@pytest.mark.parametrize("clock", ["none", "live", "day"])
async def test_a_jumping_clock_takes_no_turn_from_a_player(world: World, clock: str) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], clock=clock)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    before = await world.tables.table(1)
    turn = await world.tables.whose_turn(before)
    other = next(player for player in (ann, ben) if player.id not in turn)
    for jump_s in (86_400.0, 0.0, -86_400.0, 0.0):
        world.jump_s = jump_s
        assert "Computer takes the seat" in (await other.at_table("Someone's away")).disabled
        with pytest.raises(NotAllowed, match="One vote isn't enough"):
            await world.tables.waiting.move_on(1, other.id, "seat")
        await world.wait(10)
        assert await world.tables.table(1) == before
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    assert await is_up_to_date(world, ann)


async def test_refusals_of_discord_are_logged_as_warnings(world: World, caplog: pytest.LogCaptureFixture) -> None:
    ann, _ = await pair(world)
    world.breaks("*", f"/channels/{world.channel.id}/messages*", 403, 50001, times=None)
    await moves(world, ann)
    assert "these permissions: View Channel" in ann.hand.text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_session_that_begins_while_the_bot_stops_starts_no_work(world: World) -> None:
    await pair(world)
    stopped = world.bot
    await world.restart()
    await stopped.on_shard_ready(0)  # its boards would be looked up in a closed database, which is an error
    await world.wait(1)


async def test_a_post_that_seems_to_have_failed_is_repeated_with_its_nonce(world: World) -> None:
    ann, ben = world.people(2)
    place = f"/channels/{ben.dm.id}/messages"
    world.breaks("POST", place, 503)
    await started(ann, [ben])
    await world.wait(60)
    posts = [each.json or {} for each in world.env.http_requests if each.method == "POST" and each.path.endswith(place)]
    nonces = [post["nonce"] for post in posts]
    assert nonces[0] == nonces[1]
    assert len(set(nonces)) == len(ben.dms)
