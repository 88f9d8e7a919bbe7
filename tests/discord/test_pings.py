"""Pings: at most one per minute, user and table, and due pings aren't lost."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.store.sqlite import SqliteStore
from bot.tables.tables import Tables
from tests.discord import play
from tests.discord.play import Player, World
from tests.discord.running import running_world
from tests.discord.tables import legal, started_in


async def frogs(world: World) -> tuple[Player, Player]:
    """Start Pond · frogs and wait until both players count as away. Return the player to move, and the other."""
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    await world.wait(200)
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    return (ann, ben) if turn == ann.id else (ben, ann)


async def moves(world: World, player: Player) -> None:
    """Make the player's first legal move."""
    await player.types("frogs move", move=(await legal(world, player))[0])


def pings(world: World, player: Player) -> list[str]:
    """Return when the player was pinged."""
    messages = world.env.backend.transcript
    sent = [body for kind, name, body in messages if (kind, name) == ("GATEWAY", "MESSAGE_CREATE")]
    return [body["timestamp"] for body in sent if str(player.id) in [user["id"] for user in body["mentions"]]]


def standing(player: Player) -> list[tuple[int, ...]]:
    """Return the users pinged by each public message that is still in the channel."""
    return [seen.pinged for seen in player.messages() if not seen.is_private and seen.pinged]


@pytest.mark.parametrize("is_buried", [False, True], ids=["board in place", "board buried each time"])
async def test_repeated_moves_and_undos_ping_once_per_minute(world: World, *, is_buried: bool) -> None:
    mover, other = await frogs(world)
    before = len(pings(world, other))
    for _ in range(5):
        await moves(world, mover)
        if is_buried:
            await mover.says("hm")
        await world.wait(5)
        assert len(pings(world, other)) == before + 1
        await mover.types("frogs undo")
    await moves(world, mover)
    since_s = (world.env.now() - datetime.fromisoformat(pings(world, other)[-1])).total_seconds()
    assert since_s < 30  # so the next one has to wait
    await world.wait(59 - since_s)
    assert len(pings(world, other)) == before + 1
    await world.wait(2)
    assert len(pings(world, other)) == before + 2
    assert standing(mover) == [(other.id,)]
    await world.wait(3600)
    assert len(pings(world, other)) == before + 2


async def test_a_due_ping_is_dropped_when_the_move_is_undone(world: World) -> None:
    mover, other = await frogs(world)
    for _ in range(2):
        await moves(world, mover)
        await world.wait(5)
        await mover.types("frogs undo")
    await world.wait(300)
    assert len(pings(world, other)) == 1


async def test_a_player_who_has_just_moved_is_pinged_after_a_minute(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await world.wait(10)
    await moves(world, other)
    before = len(pings(world, mover))
    await world.wait(49)
    assert len(pings(world, mover)) == before
    await world.wait(2)
    assert len(pings(world, mover)) == before + 1
    assert standing(other) == [(mover.id,)]


async def test_a_player_among_computers_is_pinged_once_they_are_away_for_ten_minutes(world: World) -> None:
    (ann,) = world.people(1)
    await started_in("pond", ann, computers=1)
    await world.wait(300)
    assert pings(world, ann) == []
    await world.wait(301)
    assert len(pings(world, ann)) == 1


async def test_a_press_by_the_player_cancels_a_due_ping(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await moves(world, other)
    before = len(pings(world, mover))
    await world.wait(20)
    await mover.clicks(mover.board, "Board in words")
    await world.wait(3600)
    assert len(pings(world, mover)) == before


async def test_a_press_counts_while_others_who_are_to_move_as_well_move(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await ann.clicks(ann.board, "More")
    await ben.types("pond move", move=(await legal(world, ben))[0])
    await world.wait(200)
    assert await world.tables.whose_turn(await world.tables.table(1)) == (ann.id,)
    assert pings(world, ann) == []


async def test_a_player_who_moves_in_time_is_not_pinged(world: World) -> None:
    mover, other = await frogs(world)
    before = len(pings(world, mover))
    for _ in range(6):
        await moves(world, mover)
        await moves(world, other)
        await world.wait(40)
    assert len(pings(world, mover)) == before


@pytest.mark.parametrize("how", ["restart", "crash"])
async def test_a_restart_keeps_sent_and_due_pings(world: World, how: str) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    assert len(pings(world, other)) == 1
    await mover.types("frogs undo")
    await moves(world, mover)
    await world.wait(20)
    await (world.restart() if how == "restart" else world.crash())
    await world.wait(35)
    assert len(pings(world, other)) == 1
    await world.wait(10)
    assert len(pings(world, other)) == 2


async def test_a_restart_while_a_ping_is_due_does_not_repost_the_board(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await mover.types("frogs undo")
    await moves(world, mover)
    board = mover.board
    await other.says("what a day")
    await world.restart()
    assert mover.board == board
    await world.wait(70)
    assert mover.board.id != board.id
    assert mover.board.pinged == (other.id,)


async def test_a_reminder_counts_as_a_ping(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await world.wait(30)
    table = await world.tables.table(1)
    assert (due := await world.tables.waiting.next_due(table)) is not None
    assert await world.tables.waiting.claim_step(table, due, pings=True)
    world.bot.live.remind(1)
    assert len(pings(world, other)) == 1
    await world.restart()
    await world.wait(31)
    assert len(pings(world, other)) == 2


async def test_a_reminder_during_the_record_of_a_ping_is_sent(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await world.wait(70)
    table = await world.tables.table(1)
    due = await world.tables.waiting.next_due(table)
    assert due is not None
    claims: list[asyncio.Task[bool]] = []

    def claim_next(event: str, _: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE" and not claims:
            claims.append(asyncio.create_task(world.store.waits.claim_step(table, due.wait.since, 2, pings=True)))

    world.env.backend.subscribers.append(claim_next)
    before = len(pings(world, other))
    assert await world.store.waits.claim_step(table, due.wait.since, 1, pings=True)
    world.bot.live.remind(1)
    await world.bot.live.refresh(1)
    assert len(pings(world, other)) == before + 1
    assert await claims[0]
    await world.restart()
    await world.wait(61)
    assert len(pings(world, other)) == before + 2


async def test_a_due_ping_is_not_sent_in_quiet_hours(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await mover.types("frogs undo")
    await moves(world, mover)
    now = world.env.now()
    await other.types("settings", quiet=f"{now.hour}:{now.minute:02}-{(now.hour + 8) % 24}:00", timezone="0")
    await world.wait(3600)
    assert len(pings(world, other)) == 1


async def test_tables_of_one_user_ping_independently(world: World) -> None:
    ann, ben, cleo = world.people(3)
    for guest in (ben, cleo):
        lobby = await ann.types("frogs open")
        await guest.clicks(lobby, "Join")
    await world.wait(200)
    before = len(pings(world, ann))  # that her lobbies are full
    await ben.types("frogs start", table="1")
    await cleo.types("frogs start", table="2")
    turns = [await world.tables.whose_turn(await world.tables.table(number)) for number in (1, 2)]
    assert len(pings(world, ann)) - before == len([turn for turn in turns if ann.id in turn])


async def test_setting_the_clock_back_does_not_delay_pings(world: World) -> None:
    mover, other = await frogs(world)
    await moves(world, mover)
    await mover.types("frogs undo")
    world.jump_s = -24 * 3600
    await moves(world, mover)
    await world.wait(61)
    assert len(pings(world, other)) == 2


async def test_a_press_cancels_no_ping_of_a_turn_that_another_process_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "NEVER_S", 60.0)
    async with running_world(tmp_path / "lilypad.db") as world:
        mover, other = await frogs(world)
        await moves(world, mover)
        await world.wait(200)
        await mover.clicks(mover.board, "More")
        before = len(pings(world, mover))
        store = await SqliteStore.open(world.database)
        try:
            move = (await legal(world, other))[0]
            await Tables(store, now=lambda: world.env.now().timestamp()).play(1, other.id, move)
            await store.leases.request_update(1, None)
        finally:
            await store.close()
        await world.wait(61)
        assert len(pings(world, mover)) == before + 1
