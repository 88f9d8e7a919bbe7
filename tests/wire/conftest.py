"""A Discord and a bot for all tests of a module. Each test plays in its own channel.

``make all-tests`` runs most tests with tables in PostgreSQL, too.
"""

import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from tests.databases import Database, PostgresDatabase, SqliteDatabase
from tests.doses import dose
from tests.postgres_server import running_server
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.people import Person

IMPATIENT = ("-m", "tests.wire.impatient")


@dataclass
class World:
    """The Discord, the bot, and its database."""

    discord: Discord
    bot: BotProcess
    database: Database
    shares_limits: bool = False
    """Whether others use the same rate limits, so that the bot can't know how much is left."""
    _expected: list[str] = field(default_factory=list)
    _forgiven: set[str] = field(default_factory=set)
    _channels: "itertools.count[int]" = field(default_factory=itertools.count)

    def people(self, *names: str) -> list[Person]:
        """Return people in a new channel: Ann and Ben, unless other names are given."""
        channel = next(self._channels)
        return [Person(self.discord, name, channel) for name in names or ("Ann", "Ben")]

    def expects(self, code: str) -> None:
        """Expect Discord to refuse a request with this code in this test."""
        self._expected.append(code)

    def forgives(self, code: str) -> None:
        """Allow Discord to refuse requests with this code in all tests."""
        self._forgiven.add(f" {code} ")

    def surprises(self) -> list[str]:
        """Return unexpected errors since the last call, and expected errors that didn't happen."""
        discord, codes = self.discord, [f" {code} " for code in self._expected]
        self._forgiven.update(codes)  # a table that can't be shown is retried later
        found = [each for each in discord.refused if not any(code in each for code in self._forgiven)]
        every = discord.refused + discord.repeated
        found += [f"expected:{code}" for code in codes if not any(code in each for each in every)]
        found += [f"did not happen: {fault}" for fault in discord.faults if fault.times]
        found += [each for each in discord.slowed_down if not (self.shares_limits or "(global)" in each)]
        found += discord.unanswered
        found += [path for _, path, body in discord.requests if "Something went wrong" in json.dumps(body)]
        for each in (
            self._expected,
            discord.refused,
            discord.repeated,
            discord.faults,
            discord.slowed_down,
            discord.unanswered,
        ):
            each.clear()
        discord.went_wrong.clear()
        discord.requests.clear()
        return found

    def log(self, person: Person) -> list[tuple[int, int | None, str]]:
        """Return ply, seat and move of every entry at the table in this person's channel, from the database."""
        query = (
            "SELECT ply, seat, move FROM entries"
            " WHERE table_id = (SELECT max(id) FROM tables WHERE channel_id = {}) ORDER BY ply"
        )
        return self.database.rows_at_once(query.format(int(person.channel_id)))

    def told(self, person: Person) -> set[str]:
        """Return the ids of the users who know of their turn at the table in this person's channel, as recorded."""
        query = "SELECT notified FROM messages WHERE channel_id = {} AND stage = 'live'"
        rows = self.database.rows_at_once(query.format(int(person.channel_id)))
        return {str(user) for (users,) in rows for user in json.loads(users or "[]")}

    def moves(self, person: Person) -> int:
        """Return the number of moves by people and computers at the table in this person's channel."""
        return len([seat for _, seat, _ in self.log(person) if seat is not None])


KINDS = dose(test=["sqlite"], full=["sqlite", "postgres"])


@contextmanager
def new_database(kind: str, folder: Path) -> Iterator[Database]:
    """An empty database of this kind."""
    if kind == "sqlite":
        yield SqliteDatabase(folder / "tables.db")
        return
    with running_server() as server:
        server.sql("CREATE DATABASE lilypad")
        yield PostgresDatabase(server.url("lilypad"))


@pytest.fixture(scope="module", params=KINDS)
def shared_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The database of a module's tests, which is empty at first."""
    with new_database(request.param, tmp_path_factory.mktemp("wire")) as database:
        yield database


@pytest.fixture(scope="module", params=KINDS)
def patient_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The database of the `patient` bot: only one bot may run on a file."""
    with new_database(request.param, tmp_path_factory.mktemp("patient")) as database:
        yield database


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(shared_database: Database) -> AsyncIterator[World]:
    """A running bot with timeouts of a few seconds."""
    async with Discord() as discord, running(discord.url, shared_database.address, arguments=IMPATIENT) as bot:
        discord.gateway.heartbeat_s = 0.5
        await discord.gateway.until_ready()
        yield World(discord, bot, shared_database)


@pytest_asyncio.fixture(loop_scope="module")
async def town(world: World) -> AsyncIterator[World]:
    """The world. At the end, all injected errors must have happened, and no others."""
    yield world
    assert world.surprises() == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def patient(patient_database: Database) -> AsyncIterator[World]:
    """A running bot with its ordinary timeouts, which are longer than a test."""
    async with Discord() as discord, running(discord.url, patient_database.address) as bot:
        await discord.gateway.until_ready()
        yield World(discord, bot, patient_database)
