"""A process that plays at full speed is killed at random moments. Nothing is lost or doubled, and every log folds.

It plays, undoes, joins, leaves, resigns and lets clocks run out. ``make kill-trials KILLS=1000 SEED=7`` does more
trials, or repeats some. A trial takes about half a second.
"""

import asyncio
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.fairness import event_seed
from bot.games import GAMES
from bot.records.event import day_of
from bot.records.table import Table
from bot.tables.folds import transcript_of
from bot.transcript import replay
from tests.databases import Database, PostgresDatabase, SqliteDatabase
from tests.doses import IS_COMPLETE, SEED, amount
from tests.forking import forked
from tests.kill.playing import digest_of

KILLS: Final = amount("KILLS", test=6, full=100)
KILLS_A_DATABASE: Final = 8 if IS_COMPLETE else 4
"""Start with a new database after this many trials, so that creating its tables is killed, too."""
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


@pytest.fixture(params=["sqlite", "postgres"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[int], Database]:
    """Make an empty database with a number, of SQLite and then of PostgreSQL."""
    if request.param == "sqlite":
        return lambda number: SqliteDatabase(tmp_path / f"{number}.db")
    server = request.getfixturevalue("postgres")

    def made(number: int) -> Database:
        server.sql(f"CREATE DATABASE kills_{number}")
        return PostgresDatabase(server.url(f"kills_{number}"))

    return made


async def killed(database: Database, rng: random.Random, start: float) -> Account:
    """Return what the process had acknowledged when it was killed."""
    arguments = ("tests.kill.playing", str(database.address), str(rng.random()), str(start))
    process = await forked(arguments, os.environ)
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


async def written(database: Database) -> Account:
    """Return what the database contains. Every log has to fold to the recorded state of its table."""
    account = Account()
    if "tables" not in await database.columns():  # the process was killed before it had written anything
        return account
    async with await database.open() as store:
        for table in await store.lists.all():
            account.latest[table.id] = table.version, digest_of(table)
            if table.is_full and table.status in {"playing", "over"}:
                log = await store.log(table.id)
                assert log is not None
                replay(transcript_of(log, GAMES[table.game]))
        await check_tries(database, {table.id: table for table in await store.lists.all()})
    query = "SELECT table_id, at, seat, move, by_user FROM entries UNION ALL"
    for table_id, at, seat, move, by_user in await database.rows(
        f"{query} SELECT table_id, at, seat, move, by_user FROM taken_back"  # noqa: S608 - fixed names
    ):
        account.changes.setdefault(table_id, set()).add(at)
        if by_user is not None:
            account.moves[Move(table_id, at, seat, move)] += 1
    for table_id, at in await database.rows("SELECT DISTINCT table_id, taken_at FROM taken_back"):
        account.changes.setdefault(table_id, set()).add(at)
    for table_id, at in await database.rows("SELECT id, changed_at FROM tables"):
        account.changes.setdefault(table_id, set()).add(at)
    if isinstance(database, SqliteDatabase):
        assert await database.rows("PRAGMA integrity_check") == [("ok",)]
    return account


async def check_tries(database: Database, tables: Mapping[int, Table]) -> None:
    """Check that each try of an event has its result with its end, and its seed once the event is over."""
    query = "SELECT event, played, score, streak, is_closed FROM event_results JOIN events USING (event)"
    tries = await database.rows(query)
    assert {played for _, played, *_ in tries} == {table.id for table in tables.values() if table.event is not None}
    for event, played, score, streak, is_closed in tries:
        table = tables[played]
        assert (table.status == "over") == (score is not None)
        assert streak == (score is not None and day_of(event) is not None)
        assert (table.seed is not None) == bool(is_closed and table.status in {"over", "closed"})
    seats = await database.rows("SELECT event, deal, side FROM event_results WHERE event LIKE 'match %'")
    assert max(Counter(seats).values(), default=0) <= 1, "a deal of a match was played twice by a side"
    over = "SELECT is_closed FROM matches JOIN events USING (event) WHERE status = 'over'"
    assert {is_closed for (is_closed,) in await database.rows(over)} <= {1}
    secrets = dict(await database.rows("SELECT event, secret FROM events WHERE is_closed = 1"))
    for table in tables.values():
        if table.event is not None and table.seed is not None:
            assert event_seed(bytes(secrets[table.event[0]]), table.game, table.event[1]).hex() == table.seed


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


async def test_nothing_acknowledged_is_lost_or_doubled_by_a_kill(new_database: Callable[[int], Database]) -> None:
    sys.stdout.write(f"SEED={SEED}\n")
    rng = random.Random(SEED)
    moves = changes = 0
    for number in range(KILLS):
        if number % KILLS_A_DATABASE == 0:
            database = new_database(number // KILLS_A_DATABASE)
        before = await written(database)
        said = await killed(database, rng, number * DAY_S)
        after = await written(database)
        try:
            compare(before, said, after)
        except AssertionError:
            sys.stdout.write(f"trial {number}\n")
            raise
        moves += said.moves.total()
        changes += sum(map(len, said.changes.values()))
    sys.stdout.write(f"{KILLS} kills, {changes} changes acknowledged, {moves} moves, none lost, none doubled\n")
    assert moves > KILLS
