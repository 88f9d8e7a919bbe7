"""The store in one SQLite file: every query there is."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from bot.games.game import Entry, Seat
from bot.store import former, turns, undone, waiting
from bot.store.glance import Glance
from bot.store.leases import SqliteLeases
from bot.store.listing import SqliteLists
from bot.store.messages import SqliteMessages
from bot.store.personal import SqlitePersonal
from bot.store.quotas import check
from bot.store.records import Changes, Habits, Log, Place, Quotas, Server, Table, TakenBack, Wait
from bot.store.rows import (
    TABLE,
    Row,
    append,
    claim,
    copy_to,
    open_table,
    read_log,
    server_of,
    table_of,
)
from bot.store.schema import Migration, migrations, prepare
from bot.store.wire import Wire, Writer, create_private, open_wire

_MOST_NAMESAKES: Final = 50
"""Tables of the same name considered in a search: each may cost a request to Discord."""


class SqliteStore:
    """A `Store` in one file. Open it with `SqliteStore.open`, or use that in ``async with``."""

    def __init__(self, path: Path, writing: Wire, reading: Wire) -> None:
        self._path = path
        self._glance = Glance(path, reading)
        self._writing = writing
        self._reading = reading
        self._writer = Writer(writing)
        self.messages = SqliteMessages(self._glance, reading, self._writer)
        self.leases = SqliteLeases(self._glance, self._writer)
        self.personal = SqlitePersonal(path, reading, self._writer)
        self.lists = SqliteLists(reading)

    @classmethod
    async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> Self:
        """The store in this file, made or migrated as needed.

        Raises `DatabaseTooNew`, or `StoreError` where the file is no database of ours or can't be written to.
        """
        create_private(path)
        writing = await open_wire(path)
        try:
            await writing.run(partial(prepare, path, known or migrations()))
            reading = await open_wire(path)
        except BaseException:
            await writing.close()
            raise
        return cls(path, writing, reading)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Finishes what is being written and lets go of the file."""
        await self._writer.finish()
        self._glance.close()
        await self._reading.close()
        await self._writing.close()

    async def backup(self, path: Path) -> None:
        """Copies everything to a new file, while play goes on."""
        source = await open_wire(self._path)
        try:
            await source.run(partial(copy_to, path))
        finally:
            await source.close()

    # ---- tables

    async def open_table(self, table: Table, seed: bytes, quotas: Quotas | None = None) -> Table:
        """Keeps a new table and its seed, unless that exceeds the quotas; gives the table its id."""
        return await self._writer.write(partial(open_table, table, seed, quotas))

    async def check(self, quotas: Quotas, host_id: int, place: Place) -> None:
        """Raises `TooManyTables` if one more table would exceed the quotas now."""
        await self._reading.run(partial(check, quotas, host_id, place))

    async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> int:
        """Adds entries to the log and makes the changes; gives the version after it."""
        return await self._writer.write(partial(append, table_id, version, entries, changes))

    async def table(self, table_id: int) -> Table | None:
        """The table with this number."""
        rows = await self._few(TABLE + "WHERE id = ?", table_id)
        return table_of(rows[0]) if rows else None

    async def version(self, table_id: int) -> int | None:
        """The version of the table, if it is open."""
        rows = await self._few("SELECT version FROM open_tables WHERE id = ?", table_id)
        return rows[0][0] if rows else None

    async def named(self, name: str, *, user_id: int | None = None, guild_id: int | None = None) -> tuple[Table, ...]:
        """Return the tables with this name, the open one first, then the latest."""
        return await self._tables(
            "WHERE name = ?1 AND (?2 IS NULL OR guild_id = ?3"
            " OR id IN (SELECT table_id FROM seats WHERE user_id = ?2 OR held_for = ?2))"
            " ORDER BY status IN ('lobby', 'playing') DESC, id DESC LIMIT ?4",
            name,
            user_id,
            guild_id,
            _MOST_NAMESAKES,
        )

    async def log(self, table_id: int) -> Log | None:
        """The table with all its entries, from one snapshot."""
        return await self._reading.run(partial(read_log, table_id))

    async def seed(self, table_id: int) -> bytes:
        """The secret of the table's deals."""
        ((seed,),) = await self._few("SELECT seed FROM secrets WHERE table_id = ?", table_id)
        return bytes(seed)

    async def tables(self) -> tuple[Table, ...]:
        """Every table there ever was, by number."""
        return await self._tables("ORDER BY id")

    async def open_tables(self, *, user_id: int | None = None, channel_id: int | None = None) -> tuple[Table, ...]:
        """The open tables by number, of the user or of the channel if given."""
        return await self._tables(
            "WHERE id IN (SELECT id FROM open_tables)"
            " AND (?1 IS NULL OR id IN (SELECT table_id FROM seats WHERE user_id = ?1 OR held_for = ?1))"
            " AND (?2 IS NULL OR channel_id = ?2) ORDER BY id",
            user_id,
            channel_id,
        )

    async def open_counts(self) -> dict[tuple[str, str], int]:
        """How many open tables there are of each game and status."""
        rows = await self._rows("SELECT game, status, count(*) FROM open_tables GROUP BY game, status")
        return {(game, status): count for game, status, count in rows}

    async def open_numbers(self) -> tuple[int, ...]:
        """The number of every open table, the one changed last first."""
        return await self._numbers("SELECT id FROM open_tables ORDER BY changed_at DESC")

    async def open_names(self) -> frozenset[str]:
        """The names of the open tables."""
        return frozenset(name for (name,) in await self._rows("SELECT name FROM open_tables"))

    async def tables_with_computers(self) -> tuple[int, ...]:
        """The numbers of the tables being played where a computer has a seat."""
        return await self._numbers(
            "SELECT id FROM open_tables WHERE status = 'playing'"
            " AND EXISTS (SELECT 1 FROM seats WHERE table_id = id AND user_id IS NULL) ORDER BY id"
        )

    async def played_by_other_rules(self, known: Collection[tuple[str, int]]) -> tuple[int, ...]:
        """The numbers of the tables being played by other rules than these."""
        return await self._numbers(
            "SELECT id FROM open_tables WHERE status = 'playing'"
            " AND json_array(game, rules) NOT IN (SELECT json(value) FROM json_each(?)) ORDER BY id",
            msgspec.json.encode(list(known)).decode(),
        )

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        """The numbers of the lobbies where nothing has changed since then."""
        return await self._numbers(
            "SELECT id FROM open_tables WHERE status = 'lobby' AND changed_at < ? ORDER BY id", before
        )

    async def unknown_turns(self) -> tuple[int, ...]:
        """The tables being played of which it isn't recorded whose turn it is."""
        return await self._numbers(turns.UNKNOWN)

    async def fill_in(self, table: Table, to_act: Iterable[Seat]) -> None:
        """Records whose turn it is at this version of the table."""
        await self._writer.write(partial(turns.fill_in, table, tuple(to_act)))

    async def rematch(self, table_id: int) -> Table | None:
        """The rematch of the table that was not closed."""
        return _first(await self._tables("WHERE rematch_of = ? AND status <> 'closed'", table_id))

    # ---- waiting

    async def playing(self) -> tuple[tuple[int, float, str], ...]:
        """Number, time of the last change and clock of every table that is being played."""
        rows = await self._rows("SELECT id, changed_at, clock FROM open_tables WHERE status = 'playing' ORDER BY id")
        return tuple((table_id, changed_at, clock) for table_id, changed_at, clock in rows)

    async def wait(self, table: Table, now: float) -> Wait:
        """How far the waiting at the table has come."""
        return await self._glance.run(partial(waiting.wait, table, now))

    async def record_wait(self, table: Table, since: float, steps: int) -> None:
        """Remembers since when the waiting counts at this version of the table, and how many of its steps are done."""
        await self._writer.write(partial(waiting.record_wait, table, since, steps))

    async def claim_step(self, table: Table, since: float, steps: int) -> bool:
        """Notes that so many steps are done at this version; whether nobody else has noted it before."""
        return await self._writer.write(partial(waiting.claim_step, table, since, steps))

    async def record_vote(self, table: Table, user_id: int, remedy: str) -> None:
        """Remembers what the user wants done about who is absent."""
        await self._writer.write(partial(waiting.record_vote, table, user_id, remedy))

    async def has_votes(self, table: Table) -> bool:
        """Return whether there are votes at this version of the table."""
        return await self._glance.run(partial(waiting.has_votes, table))

    async def moves_s(self, table_id: int) -> tuple[float, ...]:
        """Return how long people took for each of their moves."""
        return await self._reading.run(partial(waiting.moves_s, table_id))

    async def forget_votes(self, table_id: int) -> None:
        """Forget what anybody wanted done about an absence."""
        await self._writer.write(partial(waiting.forget_votes, table_id))

    async def is_missed(self, table: Table) -> bool:
        """Whether somebody's coming is news at the table, if he is waited for."""
        return await self._glance.run(partial(waiting.is_missed, table))

    async def beat(self, now: float, patience_s: float) -> None:
        """Notes that the program runs, and that it was away if the last note is older than ``patience_s``."""
        await self._writer.write(partial(waiting.beat, now, patience_s))

    # ---- moves taken back

    async def taken_back(self, table_id: int) -> tuple[TakenBack, ...]:
        """The entries of the table that stand no more."""
        return await self._reading.run(partial(undone.taken_back, table_id))

    async def agree(self, table_id: int, version: int, asker_id: int, user_id: int) -> None:
        """Notes that the user agrees that the asker takes his move back."""
        await self._writer.write(partial(undone.agree, table_id, version, asker_id, user_id))

    async def agreed(self, table_id: int, version: int, asker_id: int) -> frozenset[int]:
        """Who agrees at this version, the asker among them."""
        query = "SELECT user_id FROM undo_votes WHERE table_id = ? AND version = ? AND asker_id = ?"
        return frozenset(user_id for (user_id,) in await self._few(query, table_id, version, asker_id))

    async def undo_questions(self, table_id: int, version: int) -> dict[int, frozenset[int]]:
        """Return who asks for an undo at this version, each with the users who have answered."""
        return await self._glance.run(partial(undone.questions, table_id, version))

    async def forget_asked(self, table_id: int, asker_id: int) -> None:
        """The asker asks no more."""
        await self._write("DELETE FROM undo_votes WHERE table_id = ? AND asker_id = ?", table_id, asker_id)

    # ---- servers

    async def server(self, guild_id: int) -> Server:
        """What is set for the server."""
        rows = await self._few("SELECT channels, threads, role_id, clock FROM servers WHERE guild_id = ?", guild_id)
        return server_of(guild_id, rows[0]) if rows else Server(guild_id)

    async def set_server(self, server: Server) -> None:
        """Keeps what is set for a server."""
        channels = msgspec.json.encode(server.channels).decode()
        row = (server.guild_id, channels, int(server.threads), server.role_id, server.clock)
        await self._write(
            "INSERT OR REPLACE INTO servers (guild_id, channels, threads, role_id, clock) VALUES (?, ?, ?, ?, ?)", *row
        )

    # ---- interactions

    async def claim(self, interaction_id: int) -> bool:
        """Whether nobody has claimed the interaction before."""
        return await self._writer.write(partial(claim, interaction_id))

    # ---- users

    async def dm_closed(self, user_id: int) -> bool:
        """Whether direct messages failed to reach the user."""
        return bool(await self._few("SELECT 1 FROM users WHERE id = ? AND dm_closed", user_id))

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Remembers whether direct messages reach the user."""
        await self._write(
            "INSERT INTO users (id, dm_closed) VALUES (?, ?)"
            " ON CONFLICT (id) DO UPDATE SET dm_closed = excluded.dm_closed",
            user_id,
            int(closed),
        )

    async def habits(self, user_id: int) -> Habits:
        """When the user wants to be pinged."""
        rows = await self._few("SELECT pings, quiet_from, quiet_until, utc_offset FROM users WHERE id = ?", user_id)
        if not rows:
            return Habits()
        ((pings, quiet_from, quiet_until, utc_offset),) = rows
        return Habits(bool(pings), None if quiet_from is None else (quiet_from, quiet_until), utc_offset)

    async def set_habits(self, user_id: int, habits: Habits) -> None:
        """Remembers when the user wants to be pinged."""
        quiet = habits.quiet or (None, None)
        await self._write(
            "INSERT INTO users (id, pings, quiet_from, quiet_until, utc_offset) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET pings = excluded.pings, quiet_from = excluded.quiet_from,"
            " quiet_until = excluded.quiet_until, utc_offset = excluded.utc_offset",
            user_id,
            int(habits.pings),
            *quiet,
            habits.utc_offset,
        )

    async def last_move(self, table_id: int, user_id: int) -> float | None:
        """When the user last moved at the table; it is among the last entries that this is found."""
        query = "SELECT at FROM entries WHERE table_id = ? AND by_user = ? ORDER BY ply DESC LIMIT 1"
        rows = await self._few(query, table_id, user_id)
        return rows[0][0] if rows else None

    async def has_left(self, table_id: int, user_id: int) -> bool:
        """Return whether the user had a seat of this table in play and left it."""
        return await self._glance.run(partial(former.has_left, table_id, user_id))

    async def last_ping(self, table_id: int, user_id: int) -> float | None:
        """When the user was last pinged at the table."""
        rows = await self._few("SELECT at FROM pings WHERE table_id = ? AND user_id = ?", table_id, user_id)
        return rows[0][0] if rows else None

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Remember that these users were pinged at the table."""
        await self._write(
            "INSERT OR REPLACE INTO pings (table_id, user_id, at) SELECT ?, value, ? FROM json_each(?)",
            table_id,
            at,
            msgspec.json.encode(list(users)).decode(),
        )

    # ---- asking

    async def _few(self, query: str, *values: object) -> list[Row]:
        """Rows that are found by their key; see `bot.store.glance`."""
        return await self._glance.run(lambda connection: connection.execute(query, values).fetchall())

    async def _rows(self, query: str, *values: object) -> list[Row]:
        return await self._reading.run(lambda connection: connection.execute(query, values).fetchall())

    async def _numbers(self, query: str, *values: object) -> tuple[int, ...]:
        return tuple(number for (number,) in await self._rows(query, *values))

    async def _tables(self, condition: str, *values: object) -> tuple[Table, ...]:
        return tuple(map(table_of, await self._rows(TABLE + condition, *values)))

    async def _write(self, statement: str, *values: object) -> None:
        await self._writer.write(lambda connection: connection.execute(statement, values).close())


def _first(tables: tuple[Table, ...]) -> Table | None:
    return tables[0] if tables else None
