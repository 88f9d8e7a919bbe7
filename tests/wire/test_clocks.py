"""The bot as a process on a host whose clock and Discord's differ by minutes."""

import random
import signal
import sqlite3
from pathlib import Path

import pytest

from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
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
            assert len(boards(people[0])) == 1
            await play_on(people, [by_board, by_direct_message], random.Random(5))
            await see_the_end(people)
        assert discord.unanswered == []
