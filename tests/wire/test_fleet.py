"""Processes with several shards, on PostgreSQL: killed at random and replaced, or upgraded one after the other.

The database's server is killed, too. ``make fleet-trials KILLS=50`` kills more, with more tables.
"""

import asyncio
import json
import random
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import pytest

from bot.ui.posts.custom_id import Press
from tests.databases import Database, PostgresDatabase
from tests.doses import SEED, amount, dose, on_demand
from tests.postgres_server import PostgresServer, running_server
from tests.waiting import until
from tests.windows import most_within
from tests.wire.discord_server import GLOBAL_LIMIT, Discord
from tests.wire.fleet import PARTS, SHARDS, Fleet, fleet, open_tables, play_through
from tests.wire.objects import Message
from tests.wire.people import Person, presses
from tests.wire.playing import DOORS, all_know, boards, hands, open_table, see_the_end

KILLS: Final = amount("KILLS", test=2, full=20)
TABLES: Final = dose(test=2, full=10)
DEADLINE_S: Final = 300.0
MOVES_A_KILL: Final = 8
"""The number of presses between two kills."""
IDLE_CHANNELS: Final = (SHARDS + 4, 2 * SHARDS - 1)
"""The channels of tables at which nobody moves. Different processes remind their players."""
REMINDERS_S: Final = tuple(30 + 12 * number for number in range(dose(test=1, full=max(2, KILLS // len(IDLE_CHANNELS)))))
"""When players are reminded there. The first time is after these tables have been shown.

A reminder that becomes due before the last one could be sent would be sent with it. Kills delay them by a few seconds.
"""
UNREACHABLE: Final = ("bot.errors.Unreachable: ", "was lost while saving. Look whether the change was saved")
"""Errors that may be logged while the database's server is down for longer than the bot repeats what it does."""
_RECORD: Final = re.compile(r"^(?=\d{4}-\d\d-\d\d \S+ [A-Z]+ )", re.MULTILINE)
"""Where a record of the log begins."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """The server of the database, which keeps what it has acknowledged."""
    with running_server(is_durable=True) as server:
        server.sql("CREATE DATABASE lilypad")
        yield server


@pytest.fixture
def database(server: PostgresServer) -> Database:
    """The database."""
    return PostgresDatabase(server.url("lilypad"))


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """A Discord with a server on each shard. However busy the machine is, no process gives up a request."""
    monkeypatch.setenv("REQUEST_S", "60")
    async with Discord(SHARDS, servers=SHARDS) as discord:
        discord.gateway.heartbeat_s = 1.0  # so that no connection is silent for as long as a lost one
        yield discord


class Killer:
    """Kills processes of the bot and the database's server, and checks that the database keeps what it had.

    ``kept`` are the entries that were committed, ``shown`` the newest version that people saw of each table, by its
    number and server.
    """

    def __init__(self, processes: Fleet, database: Database, server: PostgresServer) -> None:
        self._processes = processes
        self._discord = processes.discord
        self._database = database
        self._server = server
        self.kept: set[tuple[Any, ...]] = set()
        self.shown: dict[tuple[int, int], int] = {}
        self.killed: list[str] = []

    async def kill_at_random(self, rng: random.Random, are_over: Callable[[], bool]) -> None:
        """Kill something and replace it, again and again, each after some presses unless all games are over."""
        victims = [self._kill_process, self._kill_server, self._kill_both]
        for number in range(KILLS):
            count = len(self._discord.interactions) + rng.randrange(2 * MOVES_A_KILL)
            await self._discord.until(lambda count=count: len(self._discord.interactions) >= count or are_over())  # type: ignore[misc]  # its default
            self.kept |= await self.entries()
            await victims[-1 - number % len(victims)](rng)  # the small trial, too, kills the server
            await self.check()

    async def entries(self) -> set[tuple[Any, ...]]:
        """Return all entries of the database."""
        return set(await self._database.rows("SELECT table_id, ply, seat, move, by_user, at FROM entries"))

    async def check(self) -> None:
        """Check that all that was committed or shown is in the database."""
        self._see()
        assert self.kept - await self.entries() == set()
        rows = await self._database.rows("SELECT number, coalesce(guild_id, channel_id), version FROM tables")
        versions = {(number, scope): version for number, scope, version in rows}
        assert [(table, version) for table, version in self.shown.items() if versions[table] < version] == []

    async def _kill_process(self, rng: random.Random) -> None:
        part = rng.randrange(len(PARTS))
        self.killed.append("process")
        await self._processes.kill(part)
        await self._processes.start(part)

    async def _kill_server(self, rng: random.Random) -> None:
        await self._stop_server(rng)
        await self._start_server()

    async def _kill_both(self, rng: random.Random) -> None:
        part = rng.randrange(len(PARTS))
        await self._stop_server(rng)
        self.killed.append("process")
        await self._processes.kill(part)
        await self._start_server()
        await self._processes.start(part)

    async def _stop_server(self, rng: random.Random) -> None:
        """Kill all processes of the server, or stop it immediately, without a checkpoint."""
        self.killed.append("server")
        stop = rng.choice((self._server.kill, partial(self._server.stop, signal.SIGQUIT)))
        await asyncio.to_thread(stop)

    async def _start_server(self) -> None:
        """Start the server again, and check what it has kept."""
        self._see()
        await asyncio.to_thread(self._server.start)
        await self.check()

    def _see(self) -> None:
        """Note the newest version of each table that a message on Discord has in its buttons."""
        for models in self._discord.backend.messages.values():
            for model in list(models.values()):
                for custom_id, _ in presses(Message(self._discord.backend, model)):
                    press = Press.parse(custom_id)
                    if press is not None and press.key:
                        number, _tag, scope = press.key.split("-")
                        table = int(number), int(scope, 16)
                        self.shown[table] = max(self.shown.get(table, 0), press.version)


class IdleTable:
    """A table at which nobody moves, so that its players are reminded. ``pings`` counts the pings of each."""

    def __init__(self, discord: Discord, database: Database, channel: int) -> None:
        self._discord = discord
        self._database = database
        self.people = [Person(discord, name, channel) for name in ("Cleo", "Dan")]
        self.pings = {person.id: 0 for person in self.people}
        self._earlier: dict[str, int] = {}
        discord.backend.subscribers.append(self._note)

    async def open(self) -> None:
        """Open the table, and wait until its players know that it's their turn."""
        await open_table(self.people, players=2, clock="three-days")
        await until(self._are_notified)
        self._earlier = dict(self.pings)
        assert await self._steps() == 0

    async def check(self) -> None:
        """Wait for the last reminder, and check that each player got each reminder once."""
        await until(self._are_reminded)
        await until(self._are_notified)
        assert {user: self.pings[user] - self._earlier[user] for user in self.pings} == dict.fromkeys(
            self.pings, len(REMINDERS_S)
        )

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE":
            for user in self.pings:
                self.pings[user] += f"<@{user}>" in json.dumps(payload)

    async def _steps(self) -> int:
        query = "SELECT steps FROM waits WHERE table_id = (SELECT max(id) FROM tables WHERE channel_id = {})"
        rows = await self._database.rows(query.format(int(self.people[0].channel_id)))
        return int(rows[0][0]) if rows else 0

    async def _are_reminded(self) -> bool:
        return await self._steps() == len(REMINDERS_S)

    async def _are_notified(self) -> bool:
        """Whether the players have been pinged since the last reminder was counted."""
        query = (
            "SELECT notified FROM messages WHERE channel_id = {} AND stage = 'live' AND reminders ="
            " coalesce((SELECT reminders FROM waits WHERE waits.table_id = messages.table_id), 0)"
        )
        rows = await self._database.rows(query.format(int(self.people[0].channel_id)))
        notified = {str(user) for (users,) in rows for user in json.loads(users or "[]")}
        return notified >= self.pings.keys()


def check_limit(discord: Discord) -> None:
    """Check that no second had more requests than Discord allows, by its own clock."""
    most = most_within(GLOBAL_LIMIT[1], discord.arrived_at)
    sys.stdout.write(f"{len(discord.arrived_at)} counted requests, at most {most} in a second\n")
    assert most <= GLOBAL_LIMIT[0]


def check_logs(processes: Fleet, *, may_be_unreachable: bool = False) -> None:
    """Check that no process has logged an error, except perhaps that the database was unreachable."""
    records = [record for said in processes.said for record in _RECORD.split(said)]
    errors = [record for record in records if " ERROR " in record or "Traceback" in record]
    if may_be_unreachable:
        errors = [record for record in errors if not any(each in record for each in UNREACHABLE)]
    assert errors == []


async def is_settled(people: list[Person], database: Database) -> None:
    """Check that the game was shown to its end, and that its log has no gap and no move twice."""
    await see_the_end(people)
    assert len(boards(people[0])) == 1
    assert [len(hands(person)) for person in people] == [1] * len(people)
    channel = int(people[0].channel_id)
    query = f"SELECT ply FROM entries WHERE table_id = (SELECT max(id) FROM tables WHERE channel_id = {channel})"  # noqa: S608 - a number
    plies = [ply for (ply,) in await database.rows(f"{query} ORDER BY ply")]
    assert plies == list(range(len(plies)))


async def test_kills_lose_double_and_block_nothing(
    discord: Discord, database: Database, server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(SEED)
    sys.stdout.write(f"SEED={SEED}\n")
    monkeypatch.setenv("REMINDERS_S", " ".join(map(str, REMINDERS_S)))
    async with fleet(discord, database) as processes:
        groups = await open_tables(discord, TABLES)
        idle_tables = [IdleTable(discord, database, channel) for channel in IDLE_CHANNELS]
        for idle in idle_tables:
            await idle.open()
        killer = Killer(processes, database, server)
        async with asyncio.timeout(DEADLINE_S + 60 * KILLS), asyncio.TaskGroup() as tasks:
            for people in groups:
                tasks.create_task(play_through(people, DOORS, random.Random(rng.random())))
            tasks.create_task(killer.kill_at_random(rng, lambda: all(map(all_know, groups))))
        for people in groups:
            await is_settled(people, database)
        for idle in idle_tables:
            await idle.check()
        await killer.check()
        sys.stdout.write(
            f"{killer.killed.count('process')} kills of processes, {killer.killed.count('server')} of the server, "
            f"{len(await killer.entries())} entries, {len(REMINDERS_S) * len(idle_tables)} reminders\n"
        )
    check_limit(discord)
    check_logs(processes, may_be_unreachable="server" in killer.killed)


@on_demand  # `make test` upgrades one of two processes
async def test_an_upgrade_of_each_process_in_turn_loses_and_doubles_nothing(
    discord: Discord, database: Database
) -> None:
    rng = random.Random(SEED)
    async with fleet(discord, database) as processes:
        groups = await open_tables(discord, 2)
        async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as tasks:
            for people in groups:
                tasks.create_task(play_through(people, DOORS, random.Random(rng.random())))
            for part in range(len(PARTS)):
                await processes.upgrade(part)
        for people in groups:
            await is_settled(people, database)
    check_limit(discord)
    check_logs(processes)
