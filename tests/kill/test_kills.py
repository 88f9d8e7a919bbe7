"""A process that plays at full speed is killed at random moments. Nothing is lost or doubled, and every log folds.

It plays, undoes, joins, leaves, resigns and lets clocks run out. ``make kill-trials KILLS=1000 SEED=7`` does more
trials, or repeats some. A trial takes about half a second.
"""

import asyncio
import os
import random
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from bot.store.sqlite import SqliteStore
from bot.tables import Tables
from bot.transcript import replay
from tests.kill.playing import digest_of

ROOT: Final = Path(__file__).parents[2]
KILLS: Final = int(os.environ.get("KILLS", "24"))
SEED: Final = os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))
KILLS_A_FILE: Final = 8
"""Start with a new file after this many trials, so that creating it is killed, too."""
DAY_S: Final = 86_400.0


class Move(NamedTuple):
    """A user's move in the log or among undone moves. ``at`` is the time of its change."""

    table: int
    at: float
    seat: int
    move: str


@dataclass
class Account:
    """The acknowledged or stored facts.

    ``changes`` are the times of all changes with entries or undos, by table. ``moves`` are those of users. ``latest``
    has the version of each table with its digest.
    """

    changes: dict[int, set[float]] = field(default_factory=dict)
    moves: Counter[Move] = field(default_factory=Counter)
    latest: dict[int, tuple[int, str]] = field(default_factory=dict)


async def killed(path: Path, rng: random.Random, start: float) -> Account:
    """Return what the process had acknowledged when it was killed."""
    arguments = ("-m", "tests.kill.playing", str(path), str(rng.random()), str(start))
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=PIPE, stderr=PIPE, cwd=ROOT)
    assert process.stdout is not None
    said = b""
    if rng.random() < 0.8:  # otherwise it may not have started
        while said.count(b"moved") < 3 and (heard := await process.stdout.readline()):
            said += heard
    await asyncio.sleep(rng.random() * 0.4)
    assert process.returncode is None, await process.communicate()
    os.kill(process.pid, signal.SIGKILL)
    rest, errors = await process.communicate()
    assert errors == b"", errors.decode()
    account = Account()
    for line in (said + rest).decode().split("\n")[:-1]:
        what, table_id, at, word, *words = line.split(" ")
        table = int(table_id)
        if what == "moved":
            account.moves[Move(table, float(at), int(word), " ".join(words))] += 1
        else:
            account.changes.setdefault(table, set()).add(float(at))
            account.latest[table] = max(account.latest.get(table, (0, "")), (int(word), words[0]))
    return account


async def written(path: Path) -> Account:
    """Return what the database contains. Every log has to fold to the recorded state of its table."""
    account = Account()
    async with await SqliteStore.open(path) as store:
        tables = Tables(store)
        for table in await store.tables():
            account.latest[table.id] = table.version, digest_of(table)
            if table.is_full and table.status in {"playing", "over"}:
                replay(await tables.transcript(table.id, unfinished=True))
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT table_id, at, seat, move, by_user FROM entries UNION ALL"
        for table_id, at, seat, move, by_user in connection.execute(
            f"{query} SELECT table_id, at, seat, move, by_user FROM taken_back"  # noqa: S608 - fixed names
        ):
            account.changes.setdefault(table_id, set()).add(at)
            if by_user is not None:
                account.moves[Move(table_id, at, seat, move)] += 1
        for table_id, at in connection.execute("SELECT DISTINCT table_id, taken_at FROM taken_back"):
            account.changes.setdefault(table_id, set()).add(at)
        for table_id, at in connection.execute("SELECT id, changed_at FROM tables"):
            account.changes.setdefault(table_id, set()).add(at)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return account


def compare(before: Account, said: Account, after: Account) -> None:
    """Check that nothing acknowledged is missing or doubled. At most one change per table is unacknowledged."""
    assert max(after.moves.values(), default=1) == 1, "a move was doubled"
    assert not (before.moves + said.moves) - after.moves, "a move was lost"
    for table in before.latest.keys() | said.latest.keys() | after.latest.keys():
        known = before.changes.get(table, set()) | said.changes.get(table, set())
        there = after.changes.get(table, set())
        assert len(there - known) <= 1, f"table {table}: more was done than the one change under way"
        (version, digest), now = max(before.latest.get(table, (0, "")), said.latest.get(table, (0, ""))), after.latest
        assert now[table][0] >= version, f"table {table}: a change was lost"
        assert now[table][0] > version or now[table][1] == digest, f"table {table} is not what it was said to be"


async def test_nothing_acknowledged_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    sys.stdout.write(f"SEED={SEED}\n")
    rng = random.Random(SEED)
    moves = changes = 0
    for number in range(KILLS):
        path = tmp_path / f"{number // KILLS_A_FILE}.db"
        before = await written(path) if path.exists() and not is_empty(path) else Account()
        said = await killed(path, rng, number * DAY_S)
        after = await written(path)
        try:
            compare(before, said, after)
        except AssertionError:
            sys.stdout.write(f"trial {number}\n")
            raise
        moves += said.moves.total()
        changes += sum(map(len, said.changes.values()))
    sys.stdout.write(f"{KILLS} kills, {changes} changes acknowledged, {moves} moves, none lost, none doubled\n")
    assert moves > KILLS


def is_empty(path: Path) -> bool:
    """Return whether the process was killed before it had written anything."""
    return path.stat().st_size == 0
