"""What is kept, and the questions that are asked of it. SQLite is in `bot.store.sqlite`; nothing else knows SQL."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from bot.games.game import Entry
from bot.store.records import Changes, Log, Person, Place, Shown, Sitter, Status, Table

__all__ = [
    "Changes",
    "Log",
    "Person",
    "Place",
    "Shown",
    "Sitter",
    "Status",
    "Store",
    "Table",
]


class Store(Protocol):
    """A database of tables. Every method may raise `StoreError`; nothing half done is ever kept.

    A method that writes returns once what it wrote would survive the machine's losing power.
    """

    # ---- tables

    async def open_table(self, table: Table, seed: bytes) -> Table:
        """Keeps a new table and, apart from it, its seed; gives the table its id.

        Raises `Conflict` if an open table has the name already.
        """

    async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> int:
        """Adds entries to the log and makes the changes, all or nothing; gives the version after it.

        That is ``version`` + the number of entries, or + 1 for a change without any. Raises `Conflict` if the table
        is not at ``version``.
        """

    async def table(self, table_id: int) -> Table | None:
        """The table with this number."""

    async def named(self, name: str) -> Table | None:
        """The table of this name in upper or lower case: the open one, else the latest."""

    async def log(self, table_id: int) -> Log | None:
        """The table with all its entries."""

    async def seed(self, table_id: int) -> bytes:
        """The secret of the table's deals, 32 bytes."""

    async def tables(self) -> tuple[Table, ...]:
        """Every table there ever was, by number."""

    async def open_tables(self, *, user_id: int | None = None, channel_id: int | None = None) -> tuple[Table, ...]:
        """The open tables by number; only those where the user sits, or whose board is in the channel, if given."""

    async def open_names(self) -> frozenset[str]:
        """The names of the open tables."""

    async def tables_with_computers(self) -> tuple[int, ...]:
        """The numbers of the tables being played where a computer has a seat."""

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        """The numbers of the lobbies where nothing has changed since ``before``."""

    # ---- messages

    async def shown(self, table_id: int) -> tuple[Shown, ...]:
        """The messages that show the table."""

    async def record_shown(self, shown: Shown) -> None:
        """Remembers a message, in place of the one of the same table, kind and user."""

    async def forget_shown(self, shown: Shown) -> None:
        """Forgets this message; nothing happens if another has taken its place."""

    async def tables_to_redraw(self) -> tuple[int, ...]:
        """The tables with a board or a hand that shows an older version, and the open ones without a board."""

    # ---- users

    async def dm_closed(self, user_id: int) -> bool:
        """Whether direct messages failed to reach the user, so that his hand comes by button."""

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Remembers whether direct messages reach the user."""

    async def last_moves(self, table_id: int) -> Mapping[int, float]:
        """When each user last moved at the table; who never did is missing."""

    # ---- the whole

    async def backup(self, path: Path) -> None:
        """Writes a copy of everything to a new file, while play goes on. Raises `StoreError` if the file exists."""

    async def close(self) -> None:
        """Finishes what is being written and lets go of the database."""
