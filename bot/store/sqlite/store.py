"""`SqliteStore`: the tables and their logs, and the repositories beside them."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from bot.games.game import Entry, Seat
from bot.store.records import Changes, Log, Place, Quotas, Table
from bot.store.sqlite import turns
from bot.store.sqlite.connection import Connection, create_private, open_connection
from bot.store.sqlite.group_commit import Writer
from bot.store.sqlite.leases import SqliteLeases
from bot.store.sqlite.lists import SqliteLists
from bot.store.sqlite.messages import SqliteMessages
from bot.store.sqlite.personal import SqlitePersonal
from bot.store.sqlite.quotas import check
from bot.store.sqlite.schema import Migration, migrations, prepare
from bot.store.sqlite.servers import SqliteServers
from bot.store.sqlite.statements import TABLE, append, claim, copy_to, open_table, read_log, table_of
from bot.store.sqlite.undos import SqliteUndos
from bot.store.sqlite.users import SqliteUsers
from bot.store.sqlite.waits import SqliteWaits

_MAX_NAMESAKES: Final = 50
"""Tables of the same name considered in a search: each may cost a request to Discord."""


class SqliteStore:
    """`bot.store.Store` in one file. Open it with `SqliteStore.open`, or use that in ``async with``."""

    def __init__(self, path: Path, writing: Connection, reading: Connection) -> None:
        self._path = path
        self._writing = writing
        self._reading = reading
        self._writer = Writer(writing)
        self.leases = SqliteLeases(reading, self._writer)
        self.lists = SqliteLists(reading)
        self.messages = SqliteMessages(reading, self._writer)
        self.personal = SqlitePersonal(path, reading, self._writer)
        self.servers = SqliteServers(reading, self._writer)
        self.undos = SqliteUndos(reading, self._writer)
        self.users = SqliteUsers(reading, self._writer)
        self.waits = SqliteWaits(reading, self._writer)

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

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._writer.finish()
        await self._reading.close()
        await self._writing.close()

    async def backup(self, path: Path) -> None:
        source = await open_connection(self._path)
        try:
            await source.run(partial(copy_to, path))
        finally:
            await source.close()

    # ---- writing

    async def open_table(self, table: Table, seed: bytes, quotas: Quotas | None = None) -> Table:
        return await self._writer.write(partial(open_table, table, seed, quotas))

    async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> int:
        return await self._writer.write(partial(append, table_id, version, entries, changes))

    async def fill_in(self, table: Table, to_act: Iterable[Seat]) -> None:
        await self._writer.write(partial(turns.fill_in, table, tuple(to_act)))

    async def claim(self, interaction_id: int) -> bool:
        return await self._writer.write(partial(claim, interaction_id))

    # ---- reading

    async def check_quotas(self, quotas: Quotas, host_id: int, place: Place) -> None:
        await self._reading.run(partial(check, quotas, host_id, place))

    async def table(self, table_id: int) -> Table | None:
        rows = await self._reading.rows(TABLE + "WHERE id = ?", table_id)
        return table_of(rows[0]) if rows else None

    async def version(self, table_id: int) -> int | None:
        rows = await self._reading.rows("SELECT version FROM open_tables WHERE id = ?", table_id)
        return rows[0][0] if rows else None

    async def log(self, table_id: int) -> Log | None:
        return await self._reading.run(partial(read_log, table_id))

    async def seed(self, table_id: int) -> bytes:
        ((seed,),) = await self._reading.rows("SELECT seed FROM secrets WHERE table_id = ?", table_id)
        return bytes(seed)

    async def tables(self) -> tuple[Table, ...]:
        return await self._tables("ORDER BY id")

    async def named(self, name: str, *, user_id: int | None = None, guild_id: int | None = None) -> tuple[Table, ...]:
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
        found = await self._tables("WHERE rematch_of = ? AND status <> 'closed'", table_id)
        return found[0] if found else None

    async def open_names(self) -> frozenset[str]:
        return frozenset(name for (name,) in await self._reading.rows("SELECT name FROM open_tables"))

    async def played_by_other_rules(self, known: Collection[tuple[str, int]]) -> tuple[int, ...]:
        return await self._numbers(
            "SELECT id FROM open_tables WHERE status = 'playing'"
            " AND json_array(game, rules) NOT IN (SELECT json(value) FROM json_each(?)) ORDER BY id",
            msgspec.json.encode(list(known)).decode(),
        )

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        return await self._numbers(
            "SELECT id FROM open_tables WHERE status = 'lobby' AND changed_at < ? ORDER BY id", before
        )

    async def unknown_turns(self) -> tuple[int, ...]:
        return await self._numbers(turns.UNKNOWN)

    async def _numbers(self, query: str, *values: object) -> tuple[int, ...]:
        return tuple(number for (number,) in await self._reading.rows(query, *values))

    async def _tables(self, condition: str, *values: object) -> tuple[Table, ...]:
        return tuple(map(table_of, await self._reading.rows(TABLE + condition, *values)))
