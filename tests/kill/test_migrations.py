"""A migration that is killed is finished by the next start.

The process kills itself at every step in turn, and is killed from outside at random moments. A migration is done
completely or not at all. Then the bot of the later version takes over all boards and hands of the earlier one.
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

from bot.errors import DatabaseTooNew
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.connection import connect
from bot.store.sqlite.sqlite_schema import migrations, prepare
from tests.doses import ARE_TRIALS
from tests.forking import forked
from tests.kill.evening import opened
from tests.kill.migrating import LATER, NEVER, bring_up_to_date
from tests.kill.power import Power
from tests.kill.scenes import OPTIONS, SCENES, before_the_end, stand

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


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this version with a long game in it."""
    path = tmp_path_factory.mktemp("played") / "played.db"
    scene = SCENES["end"]
    assert scene.stop is before_the_end
    asyncio.run(stand(path, scene, "pontis"))
    return path


@pytest.fixture(scope="module")
def stages(played: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Contents]:
    """The contents of the file before, between and after the migrations."""
    found = []
    for count in range(len(migrations()), len(LATER) + 1):
        path = tmp_path_factory.mktemp("stages") / "stage.db"
        shutil.copy(played, path)
        with closing(connect(path)) as connection:
            prepare(path, LATER[:count], connection)
        found.append(contents(path))
    return found


async def killed(path: Path, dies_at: int, after_s: float | None = None) -> None:
    """Migrate the file in a process that dies at this step, or after this time."""
    arguments = ("tests.kill.migrating", str(path), str(dies_at))
    process = await forked(arguments, os.environ)
    if after_s is not None:
        await process.stdout.readline()
        await asyncio.sleep(after_s)
        with suppress(ProcessLookupError):  # `process.kill` would lose the status of a process that has just ended
            os.kill(process.pid, signal.SIGKILL)
    await process.communicate()
    assert process.returncode in ({-signal.SIGKILL} if after_s is None else {0, -signal.SIGKILL})


async def is_whole(path: Path, stages: list[Contents]) -> int:
    """Return the stage of the file, which must be one of the known ones.

    The later version has to start from it. The earlier version has to start only if nothing was done yet.
    """
    left = contents(path)
    assert left in stages, "something is half done"
    stage = stages.index(left)
    if stage > 0:
        with pytest.raises(DatabaseTooNew):
            await SqliteStore.open(path)
        assert contents(path) == left
    async with await SqliteStore.open(path, LATER) as store:
        assert len(await store.lists.all()) == 1
    assert contents(path) == stages[-1]
    return stage


async def test_a_migration_killed_at_any_step_is_all_or_nothing(
    played: Path, stages: list[Contents], tmp_path: Path
) -> None:
    path = tmp_path / "whole.db"
    shutil.copy(played, path)
    steps = bring_up_to_date(path, NEVER)
    assert contents(path) == stages[-1]
    every = range(steps)
    found = set()
    for step in every if steps <= KILLS else random.Random(SEED).sample(every, KILLS):
        path = tmp_path / f"{step}.db"
        shutil.copy(played, path)
        await killed(path, step)
        found.add(await is_whole(path, stages))
    assert found <= set(range(len(stages)))


async def test_a_migration_killed_at_any_moment_is_all_or_nothing(
    played: Path, stages: list[Contents], tmp_path: Path
) -> None:
    rng = random.Random(SEED)
    for number in range(KILLS):
        path = tmp_path / f"{number}.db"
        shutil.copy(played, path)
        await killed(path, NEVER, rng.random() * 0.02)
        await is_whole(path, stages)


@pytest.mark.parametrize("game", OPTIONS if ARE_TRIALS else ("pond", "frogs"))
async def test_a_later_version_takes_over_after_a_killed_migration(game: str, tmp_path: Path) -> None:
    path, rng, power = tmp_path / "lilypad.db", random.Random(f"{SEED} {game}"), Power()
    scene = SCENES["turns"]
    next_move = await stand(path, scene, game)
    async with opened(path, power, game, scene.people_in(game), next_move) as evening:
        await evening.plays()
        await evening.sleep()
        posted = len([seen for player in evening.people for seen in (*player.messages(), *player.dms)])
        power.migrations = LATER
        await evening.world.crash(lambda: killed(path, rng.randrange(20)))
        await evening.world.env.settle()
        await evening.check()
        assert posted == len([seen for player in evening.people for seen in (*player.messages(), *player.dms)])
        await evening.plays()
        if ARE_TRIALS or game == "frogs":  # in trials after each game
            await evening.press_everything()
