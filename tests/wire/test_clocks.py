"""The bot as a process on a host whose clock and Discord's differ by minutes."""

import asyncio
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.records.table import Person as Sitter, Place
from bot.store.sqlite import SqliteStore
from bot.tables.tables import Tables
from tests.doses import IS_COMPLETE
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.objects import CHANNEL_IDS, GUILD_ID
from tests.wire.people import Person
from tests.wire.playing import boards, by_board, by_direct_message, open_table, play_on, see_the_end


def forget_the_receipt_of_the_board(database: Path) -> None:
    """Leave the database as a crash does between Discord's answer to a new board and its record."""
    with sqlite3.connect(database) as db:
        db.execute("UPDATE messages SET stage = 'noted', message_id = NULL, content = NULL WHERE kind = 'board'")


@pytest.mark.parametrize("ahead_s", [-600, 600])
async def test_a_board_that_arrived_before_a_crash_is_found_whatever_the_clocks_say(
    tmp_path: Path, ahead_s: float
) -> None:
    database = tmp_path / "tables.db"
    async with Discord() as discord:
        discord.clock.ahead_s = ahead_s
        people = [Person(discord, name, 0) for name in ("Ann", "Ben")]
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await open_table(people, players=2, rounds=2)
            await play_on(people, [by_board], random.Random(4), rounds=6)
            await bot.end(signal.SIGKILL)
        forget_the_receipt_of_the_board(database)
        assert len(boards(people[0])) == 1
        async with running(discord.url, database):
            await discord.gateway.until_ready()
            await play_on(people, [by_board, by_direct_message], random.Random(5), rounds=4)
            # If the crash lost who had been notified, the board is posted again, and the old one removed after it.
            await discord.until(lambda: len(boards(people[0])) == 1)
            await play_on(people, [by_board, by_direct_message], random.Random(5), None if IS_COMPLETE else 4)
            if IS_COMPLETE:
                await see_the_end(people)
            await discord.until(lambda: len(boards(people[0])) == 1)
        assert discord.unanswered == []


DAY = 24 * 60 * 60
YEARS_AHEAD = (
    "import sys, time; host = time.time; time.time = lambda: host() + 10 * 365 * 24 * 60 * 60; "
    "from bot.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


async def store_tables(database: Path, at: float) -> None:
    """Store tables of that time: one that ended, one on a server that the bot left then, and a lobby."""
    async with await SqliteStore.open(database) as store:
        tables = Tables(store, now=lambda: at)
        for guild_id in (int(GUILD_ID), 77):
            opened = await tables.lobbies.open("pond", {}, Sitter(1, "Ann"), Place(guild_id, int(CHANNEL_IDS[0])))
            await tables.close(opened.table.id, 1)
        await tables.lobbies.open("pond", {}, Sitter(1, "Ann"), Place(int(GUILD_ID), int(CHANNEL_IDS[0])))
        await store.personal_data.note_left(77, at)


def statuses(database: Path) -> list[str]:
    """Return the status of each table."""
    with closing(sqlite3.connect(database)) as db:
        return [status for (status,) in db.execute("SELECT status FROM tables ORDER BY id")]


async def test_old_tables_are_deleted_and_old_lobbies_closed(tmp_path: Path) -> None:
    await store_tables(tmp_path / "tables.db", time.time() - 400 * DAY)
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db"):
        while statuses(tmp_path / "tables.db") != ["closed"]:  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(0.1)


async def test_a_host_clock_that_is_years_ahead_deletes_and_closes_nothing(tmp_path: Path) -> None:
    await store_tables(tmp_path / "tables.db", time.time())
    shifted = ("-c", YEARS_AHEAD, "run")
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=shifted) as bot:
        await bot.line_with("nothing is done by date")
    assert statuses(tmp_path / "tables.db") == ["closed", "closed", "lobby"]
