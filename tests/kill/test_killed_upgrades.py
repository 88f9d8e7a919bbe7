"""An upgrade that is killed is finished by the next start.

The process kills itself at every step in turn, and is killed from outside at random moments. The upgrade is done
completely or not at all. Then the bot goes on with the tables and events of the version before.
"""

import asyncio
import os
import random
import shutil
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.store.sqlite import SqliteStore
from tests.discord.play import Player, World
from tests.discord.running import quick_starts
from tests.forking import forked
from tests.kill.upgrading import NEVER, upgrade
from tests.version_48 import old_file

KILLS: Final = int(os.environ.get("KILLS", "12"))
SEED: Final = os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))


class Contents(NamedTuple):
    """The contents of a file: its schema, and the rows of each table."""

    schema: list[tuple[str, str]]
    rows: dict[str, list[tuple[object, ...]]]


def contents(path: Path) -> Contents:
    """Return the contents of the file. Of migrations, return only the numbers, as the rest has their times."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        schema = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}  # noqa: S608 - our own names
    rows["migrations"] = [row[:1] for row in rows["migrations"]]
    return Contents(schema, rows)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file of the version before."""
    return old_file(tmp_path / "old.db")


@pytest.fixture
def upgraded(old: Path, tmp_path: Path) -> Contents:
    """The contents of the file after the upgrade."""
    path = tmp_path / "upgraded.db"
    shutil.copy(old, path)
    upgrade(path, NEVER)
    return contents(path)


async def killed(path: Path, dies_at: int, after_s: float | None = None) -> None:
    """Upgrade the file in a process that dies at this step, or after this time."""
    process = await forked(("tests.kill.upgrading", str(path), str(dies_at)), os.environ)
    if after_s is not None:
        await process.stdout.readline()
        await asyncio.sleep(after_s)
        with suppress(ProcessLookupError):  # `process.kill` would lose the status of a process that has just ended
            os.kill(process.pid, signal.SIGKILL)
    await process.communicate()
    assert process.returncode in ({-signal.SIGKILL} if after_s is None else {0, -signal.SIGKILL})


async def is_whole(path: Path, old: Contents, upgraded: Contents) -> bool:
    """Return whether the upgrade was done. It must be finished by the next start if it wasn't."""
    left = contents(path)
    assert left in (old, upgraded), "something is half done"
    async with await SqliteStore.open(path) as store:
        assert len(await store.lists.all()) == 6
    assert contents(path) == upgraded
    return left == upgraded


async def test_an_upgrade_killed_at_any_step_is_all_or_nothing(old: Path, upgraded: Contents, tmp_path: Path) -> None:
    before = contents(old)
    shutil.copy(old, tmp_path / "whole.db")
    every = range(upgrade(tmp_path / "whole.db", NEVER))
    for step in every if len(every) <= KILLS else random.Random(SEED).sample(every, KILLS):
        path = tmp_path / f"{step}.db"
        shutil.copy(old, path)
        await killed(path, step)
        await is_whole(path, before, upgraded)


async def test_an_upgrade_killed_at_any_moment_is_all_or_nothing(old: Path, upgraded: Contents, tmp_path: Path) -> None:
    before, rng = contents(old), random.Random(SEED)
    for number in range(KILLS):
        path = tmp_path / f"{number}.db"
        shutil.copy(old, path)
        await killed(path, NEVER, rng.random() * 0.02)
        await is_whole(path, before, upgraded)


async def test_the_bot_goes_on_after_a_killed_upgrade(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.tables.events.FIELD", ("easy", "easy"))  # those of the dump, or the bot plays for seconds
    world = World(old)
    ann, ben, cleo = world.people(3)
    assert all(player.dm for player in (ann, ben, cleo))  # they exist before the bot starts
    world.env.backend.advance_clock(120)  # the dump is from the first minutes of this world
    await killed(old, random.Random(SEED).randrange(10))
    with quick_starts():
        await world.start()
        try:
            for number, people in ((1, (ann, ben)), (3, (ann, ben, cleo))):
                for _ in range(4):
                    await plays(world, people, number)
            assert "Your game is in your direct messages" in (await ann.types("daily")).text
            shown = "\n".join(seen.text for seen in ann.messages())
            assert [shown.count(f"### Table {name} ") for name in ("Oak", "Catkin", "Crayfish")] == [1, 1, 1]
        finally:
            await world.bot.close()
            await world.env.shutdown()
    world.env.raise_errors()


async def plays(world: World, people: tuple[Player, ...], number: int) -> None:
    """Let a player to move play by a command."""
    table = await world.tables.table(number)
    while not (users := await world.tables.whose_turn(table)):
        await world.wait(1)  # for computers
        table = await world.tables.table(number)
    user = users[0]
    (player,) = [each for each in people if each.id == user]
    move = (await world.tables.look(number, user)).observation.legal[0]
    await player.types(f"{table.game} move", move=str(move), table=str(table.number))
    assert (await world.tables.table(number)).version > table.version
