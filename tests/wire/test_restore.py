"""An older copy of the database is put in place, as OPERATIONS says, and the bot starts again."""

import random
import shutil
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands import ended, python
from tests.doses import IS_COMPLETE, on_demand
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.objects import Message
from tests.wire.people import Person, button, presses
from tests.wire.playing import (
    DOORS,
    Door,
    boards,
    by_board,
    by_direct_message,
    hands,
    open_table,
    play_on,
    see_the_end,
)


def versions(message: Message) -> set[int]:
    """Return the versions of its table that the buttons of a message have."""
    return {int(custom_id.split(":")[3]) for custom_id, _ in presses(message)}


def shown(people: Sequence[Person]) -> set[int]:
    """Return the versions of the table that the latest board and each player's latest hand show."""
    return set[int]().union(*map(versions, (boards(people[0])[-1], *(hands(person)[-1] for person in people))))


def on(database: Path, *arguments: str) -> str:
    """Run a command on the database, and return what it prints."""
    status, printed, said = ended(python("-m", "bot", *arguments, DATABASE_URL=f"sqlite:///{database}"))
    assert status == 0, said
    return printed


def version_in(database: Path) -> int:
    """Return the version of the first table."""
    with closing(sqlite3.connect(database)) as db:
        ((version,),) = db.execute("SELECT version FROM tables WHERE id = 1").fetchall()
    return int(version)


def copy_stopped(database: Path, copy: Path) -> None:
    """Copy the database of a bot that is stopped without the bot's help, with what is still in its log."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def put_in_place(copy: Path, database: Path) -> None:
    """Replace a database as OPERATIONS says."""
    shutil.copy(copy, database)
    for rest in ("-wal", "-shm"):
        database.with_name(f"{database.name}{rest}").unlink(missing_ok=True)


def strays(people: Sequence[Person], database: Path, since: int) -> list[Message]:
    """Return the public and direct messages later than ``since`` that aren't recorded."""
    with closing(sqlite3.connect(database)) as db:
        recorded = {str(number) for (number,) in db.execute("SELECT message_id FROM messages").fetchall()}
    messages = {message for person in people for message in person.seen if message.only_for is None}
    return [message for message in messages if int(message.id) > since and message.id not in recorded]


async def play_further(
    people: Sequence[Person], database: Path, moves: int | None, doors: Sequence[Door] = (by_board, by_direct_message)
) -> None:
    """Play about that many moves, or to the end, until board or hands show them."""
    version = version_in(database)
    rng = random.Random(5)
    while moves is not None and version_in(database) < version + moves:
        await play_on(people, doors, rng, rounds=1)
    if moves is None:
        await play_on(people, doors, rng)
    await people[0].discord.until(lambda: max(shown(people)) > version)


async def play_on_after_it(people: Sequence[Person], database: Path, *, to_the_end: bool = IS_COMPLETE) -> None:
    """Play to the end, or some moves; there is one board, which shows them, and one hand for each player."""
    if to_the_end:
        await play_on(people, DOORS, random.Random(6))
        await see_the_end(people)
        return
    await play_further(people, database, 6, DOORS)
    await until(lambda: versions(boards(people[0])[-1]) == {version_in(database)})
    await until(lambda: [len(boards(people[0])), *(len(hands(person)) for person in people)] == [1, 1, 1])


@pytest.mark.parametrize(
    ("command", "lost_moves"), [("backup", 3), pytest.param("backup", None, marks=on_demand), ("redraw", 15)]
)
async def test_boards_and_hands_are_posted_again_after_a_restore(
    tmp_path: Path, command: str, lost_moves: int | None
) -> None:
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    async with Discord() as discord:
        ann, ben = people = [Person(discord, name, 0) for name in ("Ann", "Ben")]
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await open_table(people, players=2, rounds=2)
            await play_on(people, [by_board, by_direct_message], random.Random(4), rounds=4)
            if command == "backup":
                on(database, "backup", str(copy))
            else:
                await bot.end(signal.SIGTERM)
                copy_stopped(database, copy)
            newest = max(int(message.id) for person in people for message in person.seen)
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await play_further(people, database, lost_moves)
            await ben.type("frogs open")
            lost = *boards(ann), hands(ann)[-1], hands(ben)[-1]
            assert len(lost) > 3
            await bot.end(signal.SIGKILL)
        put_in_place(copy, database)
        if command == "redraw":
            assert "1 open tables" in on(database, "redraw")
        version = version_in(database)
        async with running(discord.url, database):
            await discord.gateway.until_ready()
            await discord.until(lambda: all(message.is_deleted for message in lost))
            await discord.until(lambda: shown(people) == {version})
            await until(lambda: not strays(people, database, newest))
            assert len(boards(ann)) == len(hands(ann)) == len(hands(ben)) == 1
            await play_on_after_it(people, database, to_the_end=IS_COMPLETE or command == "redraw")
        assert discord.unanswered == []


@pytest.mark.parametrize("is_connected", [True, False])
async def test_a_start_notices_that_boards_show_later_moves(tmp_path: Path, *, is_connected: bool) -> None:
    """It does so before it changes a board, also while it isn't connected to the gateway yet."""
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    async with Discord() as discord:
        people = [Person(discord, name, 0) for name in ("Ann", "Ben")]
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await open_table(people, players=2, rounds=2)
            await discord.until(lambda: all(map(hands, people)))
            await bot.end(signal.SIGTERM)
        copy_stopped(database, copy)
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await play_further(people, database, 4)
            await discord.until(lambda: max(versions(boards(people[0])[-1])) > version_in(copy))
            await bot.end(signal.SIGKILL)
        put_in_place(copy, database)
        discord.gateway.outage = "" if is_connected else "silent"
        async with running(discord.url, database):
            await discord.until(lambda: shown(people) == {version_in(database)})
            discord.gateway.outage = ""
            await discord.gateway.until_ready()
            await play_on_after_it(people, database)
        assert discord.unanswered == []


async def test_buttons_of_what_a_restore_has_lost_are_refused(tmp_path: Path) -> None:
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    async with Discord() as discord:
        people = [Person(discord, name, 0) for name in ("Ann", "Ben")]
        ann, (cleo, dan) = people[0], (Person(discord, name, 1) for name in ("Cleo", "Dan"))
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await open_table(people, players=2, rounds=2)
            on(database, "backup", str(copy))
            await play_on(people, [by_board, by_direct_message], random.Random(5), rounds=2)
            lost = (await cleo.type("pond open", players=2)).original
            assert lost is not None
            private = await ann.opens(boards(ann)[-1], "My hand")
            await bot.end(signal.SIGKILL)
        newest = max(int(message.id) for person in people for message in person.seen)
        put_in_place(copy, database)
        async with running(discord.url, database) as bot:
            await discord.gateway.until_ready()
            await discord.until(lambda: shown(people) == {version_in(database)})
            await until(lambda: not strays(people, database, newest))
            refused = (await ann.press(private, *presses(private)[0])).original
            assert refused is not None
            assert "This message doesn't fit the game as I have it" in refused.text
            assert boards(ann)[-1].id in refused.text
            new = (await dan.type("frogs open")).original
            assert new is not None
            answer = (await cleo.press_label(lost, "Join")).original
            assert answer is not None
            assert "I don't know this game" in answer.text
            assert (await cleo.press_label(lost, "Join")).original is not None
            assert button(new, "Join")
            await play_on_after_it(people, database)
            assert "another bot" not in (await bot.end(signal.SIGTERM))[1]
        assert discord.unanswered == []
