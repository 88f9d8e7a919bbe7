"""Deleted data is gone from every column of the database and from the bytes of its files."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.records.preference import UserSettings
from tests.discord.play import Player, World
from tests.discord.tables import fast_forward, legal, play_on, started

NAME = "Zoe the Unmistakable"
DAY = 24 * 60 * 60.0


def cells(database: Path) -> Iterator[tuple[str, str, object]]:
    """Yield every value in the database with its table and column."""
    with closing(sqlite3.connect(database)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            found = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name from the schema
            names = [column[0] for column in found.description]
            for row in found:
                yield from ((table, name, value) for name, value in zip(names, row, strict=True))


def traces(database: Path, *of: int | str) -> list[str]:
    """Return where any of these occurs: in columns of the database, or in the bytes of its files."""
    found = [
        f"{table}.{column}: {value!r}"
        for table, column, value in cells(database)
        if any(str(each) in str(value) for each in of)
    ]
    texts = [str(each).encode() for each in of]
    ids = [each for each in of if isinstance(each, int)]
    numbers = [form for each in ids for form in (each.to_bytes(8), varint(each))]
    for file in database.parent.glob(f"{database.name}*"):
        content = file.read_bytes()
        found += [f"{file.name}: {each!r}" for each in (*texts, *numbers) if each in content]
    return found


def varint(number: int) -> bytes:
    """Encode a rowid as SQLite does: seven bits per byte, with the high bit set in all but the last."""
    if number >= 1 << 56:  # the last of nine bytes has eight bits
        return bytes(0x80 | (number >> shift) & 0x7F for shift in range(57, 7, -7)) + bytes([number & 0xFF])
    sevens = [(number >> shift) & 0x7F for shift in range(49, -1, -7)]
    return bytes(0x80 | each for each in sevens[:-1]) + bytes(sevens[-1:])


async def plays_everywhere(world: World, zoe: Player, ben: Player) -> None:
    """Let Zoe play on the server and in direct messages: a finished table, one in play, and a lobby."""
    await started(zoe, [ben])
    await play_on(world, [zoe, ben], lambda seen: seen.phase == "trap")
    await ben.clicks(await ben.types("pond resign", table="1"), "Resign")
    await started(ben, [zoe])
    for player in (zoe, ben):
        await player.types("pond move", move=(await legal(world, player, 2))[0], table="2")
    for player in (zoe, ben):
        await player.types("pond undo", table="2")
    await world.wait(2 * DAY)
    for player in (zoe, ben):
        await player.at_table("Someone's away", number=2)
    for number in (1, 2, 3):  # direct messages count their own tables
        await zoe.types("pond open", at=zoe.dm, computers=1)
        if number < 3:
            await zoe.types("pond start", at=zoe.dm, table=str(number))
    for _ in range(3):
        await zoe.types("pond move", at=zoe.dm, move=(await legal(world, zoe, 3))[0], table="1")
    await zoe.clicks(await zoe.types("pond resign", at=zoe.dm, table="1"), "Resign")
    await world.tables.users.set_settings(zoe.id, UserSettings(pings=False))


@pytest.mark.parametrize("where", ["home", "dm"])
async def test_nothing_identifies_players_who_delete_their_data(world: World, where: str) -> None:
    zoe, ben = world.person(NAME), world.person("Ben")
    await plays_everywhere(world, zoe, ben)
    database, identifying = world.database, (zoe.id, NAME, zoe.dm.id)
    assert {trace.partition(":")[0] for trace in traces(database, *identifying)} >= {
        "tables.channel_id",
        "tables.host_id",
        "tables.record",
        "entries.by_user",
        "messages.user_id",
        "lilypad.db-wal",
    }
    place = {"home": zoe.home, "dm": zoe.dm}[where]
    asked = await zoe.clicks(await zoe.types("privacy", at=place), "Delete")
    assert "Your data is deleted" in (await zoe.clicks(asked, "Delete all")).text
    assert traces(database, *identifying) == []
    await world.restart()
    assert traces(database, *identifying) == []

    assert (await world.tables.table(1)).names == ("Player 1", "Ben")
    await fast_forward(world, lambda seen: seen.outcome is not None or seen.phase == "bait", 2)
    assert ben.board.text


async def test_tables_are_deleted_a_year_after_their_end(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.types("pond open", at=ann.dm, computers=1)
    await ann.types("pond start", at=ann.dm, table="1")
    for place in (world.channel, ann.dm):
        await ann.clicks(await ann.types("pond resign", at=place, table="1"), "Resign")
    board = ben.board
    await ann.types("pond open", at=ann.dm, computers=1)
    await ann.types("pond start", at=ann.dm, table="2")
    assert "deleted 365 days after they end" in (await ann.types("privacy")).text
    world.jump_s = 364 * DAY
    await world.restart()
    assert {table for table, _, _ in cells(world.database)} >= {"entries", "secrets"}
    world.jump_s = 366 * DAY
    await world.restart()
    await world.env.settle()
    assert {value for table, column, value in cells(world.database) if (table, column) == ("tables", "id")} == {3}
    assert "I don't know this game" in (await ben.clicks(board, "Rematch")).text


async def test_privacy_links_to_the_texts_of_the_host(world: World) -> None:
    (ann,) = world.people(1)
    assert "policy" not in (await ann.types("privacy")).text
    world.bot.settings = replace(world.bot.settings, privacy_url="https://a.example/p", terms_url="https://a.example/t")
    said = (await ann.types("privacy")).text
    assert "[Privacy policy](<https://a.example/p>)" in said
    assert "[Terms of service](<https://a.example/t>)" in said
