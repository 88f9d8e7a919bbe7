"""`SqliteStore`: the tables and their logs, and the repositories beside them."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Final, Self

from bot.games.game import Entry, Seat
from bot.store.records import Changes, Log, Place, Quotas, Table
from bot.store.snapshot import Snapshot
from bot.store.sqlite import statements
from bot.store.sqlite.bot_processes import BotProcesses
from bot.store.sqlite.connection import Connection, create_private, open_connection, run_apart
from bot.store.sqlite.group_commit import Writer
from bot.store.sqlite.languages import Languages
from bot.store.sqlite.leases import LeaseStore
from bot.store.sqlite.lists import Lists
from bot.store.sqlite.messages import Messages
from bot.store.sqlite.option_sets import OptionSets
from bot.store.sqlite.privacy import Personal
from bot.store.sqlite.schema import Migration, migrations, prepare
from bot.store.sqlite.servers import Servers
from bot.store.sqlite.snapshots import read_snapshot
from bot.store.sqlite.statements import TABLE, table_of
from bot.store.sqlite.undos import Undos
from bot.store.sqlite.users import Users
from bot.store.sqlite.waits import Waits

_MAX_NAMESAKES: Final = 50
"""Tables of the same name considered in a search: each may cost a request to Discord."""

RECENT_NAMES: Final = """
SELECT name FROM tables WHERE coalesce(guild_id, channel_id) = ?1 AND opened_at >= ?2 ORDER BY opened_at DESC LIMIT 1000
"""


class SqliteStore(AbstractAsyncContextManager["SqliteStore"]):
    """A database of tables in one file. Open it with `SqliteStore.open`, or use that in ``async with``.

    Every method may raise `StoreError`, and then has stored nothing. A method that writes returns when its data would
    survive a power cut.
    """

    def __init__(self, path: Path, writing: Connection, reading: Connection) -> None:
        self._path = path
        self._writing = writing
        self._reading = reading
        self._writer = Writer(writing)
        self.bot_processes = BotProcesses(reading, self._writer)
        self.languages = Languages(reading, self._writer)
        self.leases = LeaseStore(reading, self._writer)
        self.lists = Lists(reading, self._writer)
        self.messages = Messages(reading, self._writer)
        self.option_sets = OptionSets(reading, self._writer)
        self.personal = Personal(path, reading, self._writer)
        self.servers = Servers(reading, self._writer)
        self.undos = Undos(reading, self._writer)
        self.users = Users(reading, self._writer)
        self.waits = Waits(reading, self._writer)

    @classmethod
    async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> Self:
        """Open the store in this file, which is created or migrated as needed.

        Raises `DatabaseTooNew`, or `StoreError` if the file isn't a database of ours or can't be written to.
        """
        create_private(path)
        writing = await open_connection(path)
        try:
            await writing.run(partial(prepare, path, known or migrations()))
            reading = await open_connection(path)
        except BaseException:
            await writing.close()
            raise
        return cls(path, writing, reading)

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish writing, and close the database."""
        await self._writer.finish()
        await self._reading.close()
        await self._writing.close()

    async def backup(self, path: Path) -> None:
        """Copy everything to a new file, while play goes on. Raises `StoreError` if the file exists."""
        await run_apart(self._path, partial(statements.copy_to, path))

    # ---- writing

    async def open_table(self, table: Table, seed: bytes, quotas: Quotas | None = None) -> Table:
        """Store a new table and its seed, and return it with its id.

        Raises `Conflict` if an open table has its name, `TooManyTables` if that would exceed the quotas.
        """
        return await self._writer.write(partial(statements.open_table, table, seed, quotas))

    async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> Table:
        """Append entries to the log and make the changes, all or nothing; return the table after that.

        The version grows by the number of entries, or by 1 if there are none. Raises `Conflict` if the table isn't at
        ``version``.
        """
        return await self._writer.write(partial(statements.append, table_id, version, entries, changes))

    async def fill_in_turns(self, table: Table, to_act: Iterable[Seat]) -> None:
        """Store the users to move at this version of the table. Raises `Conflict` if it has moved on."""
        await self._writer.write(partial(statements.fill_in_turns, table, tuple(to_act)))

    async def claim(self, interaction_id: int) -> bool:
        """Claim an interaction; return false if any process has claimed it before."""
        return await self._writer.write(partial(statements.claim, interaction_id))

    async def note_hint(self, table_id: int, ply: int, seat: Seat) -> None:
        """Note that a hint was shown to a seat, before the entry of this number."""
        await self._writer.execute("INSERT OR IGNORE INTO hints VALUES (?, ?, ?)", (table_id, ply, seat))

    # ---- reading

    async def check_quotas(self, quotas: Quotas, host_id: int, place: Place) -> None:
        """Raise `TooManyTables` if one more table would exceed the quotas now."""
        await self._reading.run(partial(statements.check_quotas, quotas, host_id, place))

    async def table(self, table_id: int, known: Table | None = None) -> Table | None:
        """Return the table with this number. It isn't read again if ``known`` is an open table at its version."""
        return await self._reading.run(partial(statements.read_table, table_id, known))

    async def snapshot(self, table_id: int, known: Table | None = None) -> Snapshot | None:
        """Return the table with everything that its messages depend on; ``known`` as for `table`."""
        await self.messages.written(table_id)
        return await self._reading.run(partial(read_snapshot, table_id, known))

    async def log(self, table_id: int) -> Log | None:
        """Return the table with all its entries."""
        return await self._reading.run(partial(statements.read_log, table_id))

    async def seed(self, table_id: int) -> bytes:
        """Return the secret seed of the table's deals, 32 bytes."""
        ((seed,),) = await self._reading.rows("SELECT seed FROM secrets WHERE table_id = ?", table_id)
        return bytes(seed)

    async def tables(self) -> tuple[Table, ...]:
        """Return all tables, open and ended, by number."""
        return await self._tables("ORDER BY id")

    async def named(self, name: str, *, user_id: int | None = None, guild_id: int | None = None) -> tuple[Table, ...]:
        """Return the tables with this name, ignoring case: the open one first, then the latest.

        If a user is given, return only tables where they sit and those of the server. The number is bounded.
        """
        return await self._tables(
            "WHERE name = ?1 AND (?2 IS NULL OR guild_id = ?3"
            " OR id IN (SELECT table_id FROM seats WHERE user_id = ?2 OR held_for = ?2))"
            " ORDER BY status IN ('lobby', 'playing') DESC, id DESC LIMIT ?4",
            name,
            user_id,
            guild_id,
            _MAX_NAMESAKES,
        )

    async def rematch(self, table_id: int) -> Table | None:
        """Return the rematch of the table, unless that was closed."""
        return next(iter(await self._tables("WHERE rematch_of = ? AND status <> 'closed'", table_id)), None)

    async def open_names(self) -> frozenset[str]:
        """Return the names of the open tables."""
        return frozenset(name for (name,) in await self._reading.rows("SELECT name FROM open_tables"))

    async def taken_names(self, place: Place, since: float) -> frozenset[str]:
        """Return the names of all open tables, and of those opened since then on this server or in these messages."""
        where = place.channel_id if place.guild_id is None else place.guild_id
        return await self.open_names() | {name for (name,) in await self._reading.rows(RECENT_NAMES, where, since)}

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        """Return the numbers of the lobbies that haven't changed since ``before``."""
        return await self._reading.numbers(
            "SELECT id FROM open_tables WHERE status = 'lobby' AND changed_at < ? ORDER BY id", before
        )

    async def unknown_turns(self) -> tuple[int, ...]:
        """Return the numbers of the tables in play whose turns aren't stored: an older version wrote them."""
        return await self._reading.numbers(
            "SELECT DISTINCT table_id FROM seats WHERE owes IS NULL AND since IS NOT NULL"
        )

    async def _tables(self, condition: str, *values: object) -> tuple[Table, ...]:
        return tuple(map(table_of, await self._reading.rows(TABLE + condition, *values)))
