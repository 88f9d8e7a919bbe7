"""Time in which the bot is stopped or Discord can't be reached, and what a restart doesn't repeat."""

import asyncio

import pytest

from tests.discord.play import World
from tests.discord.tables import absent_and_others, pings
from tests.waiting import until

HOUR = 3600.0
DAY = 24 * HOUR


@pytest.mark.parametrize("clock", ["none", "day"])
async def test_time_while_the_bot_is_stopped_does_not_count_against_players(world: World, clock: str) -> None:
    players = 4 if clock == "none" else 2  # without a clock, the only other player needn't wait for a day
    _, (other, *_others) = await absent_and_others(world, world.people(players), clock=clock, players=players)
    await world.wait(20 * HOUR)
    await world.restart(away_s=3 * DAY)
    assert "Any player can move the table on" not in other.board.text
    await world.wait(3 * HOUR)
    assert "Any player can move the table on" not in other.board.text
    await world.wait(2 * HOUR)
    assert "Any player can move the table on" in other.board.text


async def test_clocks_stop_while_discord_is_unreachable(world: World) -> None:
    await absent_and_others(world, world.people(2), clock="live")
    before = (await world.tables.table(1)).version
    await world.wait(30)
    await world.bot.shards[0].disconnect()
    await world.wait(1000)
    await world.bot.shards[0].reconnect()
    await world.wait(45)
    assert (await world.tables.table(1)).version == before
    await world.wait(75)
    assert (await world.tables.table(1)).version > before


async def test_a_board_that_offered_a_table_before_an_outage_does_so_no_more(world: World) -> None:
    """Time without a session doesn't count. The board may say before that is known that its players waited enough."""
    _, (other, *_) = await absent_and_others(world, world.people(2))
    await world.wait(50)
    await world.bot.shards[0].disconnect()
    await world.wait(2 * HOUR)
    await world.bot.shards[0].reconnect()
    await world.wait(60)
    assert "Any player can move the table on" not in other.board.text
    await world.wait(2 * HOUR)
    assert "Any player can move the table on" in other.board.text


async def test_stopping_twice_at_once_closes_the_database_once_for_all(world: World) -> None:
    """A host may stop the bot at the moment at which Discord ends its session for good."""
    await world.people(1)[0].types("pond open")
    log = world.database.with_name(f"{world.database.name}-wal")
    assert log.exists()
    closing = [asyncio.ensure_future(world.bot.close()) for _ in range(2)]
    await asyncio.wait(closing, return_when=asyncio.FIRST_COMPLETED)
    assert not log.exists()
    await asyncio.wait(closing)


async def test_an_answer_that_takes_too_long_is_given_up_before_the_connection_closes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its request would fail in the middle, with an error in the log."""
    working = asyncio.Event()
    was_closed: list[bool] = []

    async def never(_user_id: int) -> None:
        working.set()
        try:
            await world.env.external_wait(asyncio.Event().wait(), reason="the database is slow")
        finally:
            was_closed.append(world.bot.is_closed())

    monkeypatch.setattr("bot.ui.interactions.respond.DEFER_AFTER_S", 0.0)
    monkeypatch.setattr("bot.running.client._ANSWERS_WITHIN_S", 0.0)
    monkeypatch.setattr(world.tables.users, "settings", never)
    typing = asyncio.ensure_future(world.people(1)[0].types("settings"))
    await working.wait()
    await until(lambda: world.audit() == [])  # it is deferred
    await world.bot.close()
    assert was_closed == [False]
    typing.cancel()


async def test_a_restart_does_not_repeat_reminders(world: World) -> None:
    await absent_and_others(world, world.people(2))
    await world.wait(5 * HOUR)
    assert len(pings(world)) == 1
    await world.restart()
    await world.wait(2 * HOUR)
    assert len(pings(world)) == 1


async def test_a_process_leaves_the_tables_of_other_shards_alone(world: World) -> None:
    await absent_and_others(world, world.people(2))
    leases = world.bot.leases
    theirs = ((await world.tables.table(1)).place.guild_id or 0) >> 22 & 1
    world.execute("UPDATE messages SET version = version - 1")
    before = await world.tables.messages.of(1)
    await leases.release()
    await leases.take({1 - theirs}, 2)
    leases.begin()
    await until(
        lambda: not any(task.get_name().startswith(("showing", "the messages")) for task in asyncio.all_tasks())
    )
    assert leases.held == {1 - theirs}
    assert await world.store.leases.requests() == ()
    assert await world.tables.messages.of(1) == before


async def test_a_restart_does_not_repost_an_old_board(world: World) -> None:
    absent, _ = await absent_and_others(world, world.people(2))
    await world.wait(2 * HOUR)
    board = absent.board
    await world.restart()
    assert absent.board == board
