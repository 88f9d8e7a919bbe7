"""`Store`: tables and their logs, and the repositories of everything else."""

from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Self

from bot.errors import damage_to
from bot.games.game import Actor, Seat
from bot.records.live_message import Snapshot
from bot.records.quota import Quotas
from bot.records.table import Change, Log, Place, Table
from bot.store import statements
from bot.store.alerts import Alerts
from bot.store.bot_processes import BotProcesses, LeaseStore
from bot.store.database import Database, Repository, Transaction, hold, work
from bot.store.due_rows import DueRows
from bot.store.event_records import EventStore
from bot.store.match_records import Matches
from bot.store.messages import Messages, read_snapshot
from bot.store.personal_data import PersonalData
from bot.store.planned_nights import Nights
from bot.store.preferences import Languages, OptionSets, Servers, Users
from bot.store.quotas import holder, last_done
from bot.store.rating_fold import recompute_ratings
from bot.store.standings import Standings
from bot.store.table_lists import Lists
from bot.store.undos import UndoStore
from bot.store.waits import Holidays, Waits


class Store(Repository, AbstractAsyncContextManager["Store"]):
    """A database of tables. Open it with `bot.store.open_store.open_store`, or use that in ``async with``.

    Every method may raise `StoreError`, and then has stored nothing. A method that writes returns when its data would
    survive a power cut.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.database = database
        self.alerts = Alerts(database)
        self.bot_processes = BotProcesses(database)
        self.due = DueRows(database)
        self.events = EventStore(database)
        self.holidays = Holidays(database)
        self.languages = Languages(database)
        self.leases = LeaseStore(database)
        self.lists = Lists(database)
        self.matches = Matches(database)
        self.messages = Messages(database)
        self.nights = Nights(database)
        self.option_sets = OptionSets(database)
        self.personal_data = PersonalData(database)
        self.servers = Servers(database)
        self.standings = Standings(database)
        self.undos = UndoStore(database)
        self.users = Users(database)
        self.waits = Waits(database)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish writing, and close the database."""
        await self.personal_data.close()
        await self.database.close()

    # ---- writing

    async def recompute_ratings(self) -> bool:
        """Recompute all ratings if they aren't the fold of this program. Return whether that was so."""
        return await self._writer.write(recompute_ratings)

    async def open_table(
        self, table: Table, seed: bytes, quotas: Quotas | None = None, replaced: Table | None = None
    ) -> Table:
        """Store a new table with its 32 secret bytes, and return it with its id and number.

        The lobby ``replaced``, if any, is closed. Raises `Conflict` if that has changed, or an open table has the same
        name, and `TooManyTables`.
        """
        return await self._writer.write(partial(statements.open_table, table, seed, quotas, replaced))

    async def write(self, before: Table, change: Change, at: float) -> Table:
        """Write a change of a table, and return the table after it. Raises `Conflict` if it isn't as ``before``."""
        return await self._writer.write(partial(statements.write, before, change, at))

    @work
    async def settled(self, db: Transaction, table_id: int) -> Table | None:
        """Return the table after every transaction that was writing to it, such as one whose outcome is unknown."""
        await db.execute("UPDATE tables SET version = version WHERE id = ?", (table_id,))  # waits for the row's lock
        return await statements.read_table(table_id, None, db)

    async def fill_in_turns(self, table: Table, to_act: Collection[Actor]) -> None:
        """Store the users to move at this version of the table. Raises `Conflict` if it has moved on."""
        await self._writer.write(partial(statements.fill_in_turns, table, to_act))

    async def close_damaged(self, table_id: int, why: str, at: float) -> bool:
        """Close a table that can't be read, unless it has ended. Return whether that was done."""
        return await self._writer.write(partial(statements.close_damaged, table_id, why, at))

    async def holder(self, key: tuple[object, ...], at: float, number: int) -> int:
        """Return the number of what has done this within the hour before: this one if there is none."""
        return await self._writer.write(partial(holder, key, at, number))

    @work
    async def claim(self, db: Transaction, interaction_id: int, at: float) -> bool:
        """Return whether nothing has been created yet for this interaction, and note that something will be."""
        return await last_done(("interaction", interaction_id), at, db) is None

    @work
    async def note_hint(self, db: Transaction, table: Table, ply: int, seat: Seat) -> None:
        """Note that a hint was shown to a seat, before the entry of this number.

        Raises `Conflict` if the table isn't at its version any more.
        """
        await hold(table.id, table.version, db)
        note = "INSERT INTO hints (table_id, ply, seat) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await db.execute(note, (table.id, ply, seat))

    # ---- reading

    async def check_quotas(self, quotas: Quotas, host_id: int, place: Place, at: float) -> None:
        """Raise `TooManyTables` if one more table would exceed the quotas now."""
        await self._reading.run(partial(statements.check_quotas, quotas, host_id, place, at))

    async def table(self, table_id: int, known: Table | None = None) -> Table | None:
        """Return the table with this number. It isn't read again if ``known`` is an open table at its version."""
        return await self._reading.run(partial(statements.read_table, table_id, known))

    async def snapshot(self, table_id: int, known: Table | None = None) -> Snapshot | None:
        """Return the table with everything that its messages depend on; ``known`` as for `table`."""
        await self.messages.written(table_id)
        return await self._reading.in_snapshot(partial(read_snapshot, table_id, known))

    async def log(self, table_id: int) -> Log | None:
        """Return the table with all its entries."""
        return await self._reading.in_snapshot(partial(statements.read_log, table_id))

    async def plies_of(self, table_id: int, user_id: int) -> frozenset[int]:
        """Return the numbers of the entries that a user has made at a table."""
        query = "SELECT ply FROM entries WHERE table_id = ? AND by_user = ?"
        return frozenset(await self._reading.numbers(query, table_id, user_id))

    async def seed(self, table_id: int) -> bytes:
        """Return the secret seed of the table's deals, 32 bytes. Raises `DamagedTable` if it is lost."""
        match await self._reading.rows("SELECT seed FROM secrets WHERE table_id = ?", table_id):
            case [(bytes() as seed,)]:
                return seed
        raise damage_to(table_id, "seed")
