"""What is kept, and the questions that are asked of it. SQLite is in `bot.store.sqlite`; nothing else knows SQL."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from bot.games.game import Entry, Seat
from bot.store.records import (
    Changes,
    Habits,
    LiveMessage,
    Log,
    OpenSeat,
    Person,
    Place,
    Quotas,
    Server,
    Sitter,
    Status,
    Table,
    TakenBack,
    Wait,
)

__all__ = [
    "Changes",
    "Habits",
    "Lists",
    "LiveMessage",
    "Log",
    "Messages",
    "OpenSeat",
    "Person",
    "Personal",
    "Place",
    "Quotas",
    "Server",
    "Sitter",
    "Status",
    "Store",
    "Table",
    "TakenBack",
    "Wait",
]


class Personal(Protocol):
    """What is kept of people and of servers, beside their tables."""

    async def kept(self, user_id: int) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """All that is kept of the user, as rows under headings; no other user's id is among it."""

    async def forget_user(self, user_id: int, dm_channel_id: int | None = None) -> None:
        """Delete the user's id and names everywhere, and the channel of their direct messages, which may be given.

        Raises `Conflict` while they sit at an open table.
        """

    async def was_removed(self, table_id: int, user_id: int) -> bool:
        """Return whether the host has removed the user from this lobby."""

    async def delete_ended(self, before: float) -> int:
        """Delete the tables that ended before that time, with all that belongs to them; return how many."""

    async def note_guilds(self, present: Collection[int], at: float) -> None:
        """Notes which servers the bot is in now; where it is no more, it has been out since ``at`` or earlier."""

    async def note_left(self, guild_id: int, at: float) -> None:
        """Notes that the bot left this server."""

    async def note_back(self, guild_id: int) -> None:
        """Notes that the bot is in this server."""

    async def guilds_left(self, before: float) -> tuple[int, ...]:
        """The servers that the bot left before that and has not come back to."""

    async def forget_guild(self, guild_id: int, before: float) -> int:
        """Forgets the tables of the server and its settings, unless the bot came back; gives how many tables."""


class Lists(Protocol):
    """Lists of open tables. Each has a maximum length and is read without folding any table's log."""

    async def seats(
        self, user_id: int, game: str | None, channel_id: int | None, limit: int, offset: int = 0
    ) -> tuple[OpenSeat, ...]:
        """The open tables of the user: those that wait for them first, the longest waiting first, and last those where
        a computer keeps their seat. Only those of a game or in a channel, if given.
        """

    async def count(self, user_id: int) -> int:
        """The number of open tables of the user."""

    async def in_channel(self, channel_id: int, game: str | None, limit: int) -> tuple[Table, ...]:
        """The open tables whose board is in the channel, by number; only those of a game, if given."""

    async def lobbies(self, channel_id: int, game: str, limit: int) -> tuple[Table, ...]:
        """The tables of the game in the channel that wait for players, by number."""

    async def on_server(self, guild_id: int, typed: str, limit: int) -> tuple[Table, ...]:
        """The open tables of the server whose name or number contains this text in lower case, by number."""


class Messages(Protocol):
    """The messages that show tables. As for `Store`, but for `update_soon`."""

    async def of(self, table_id: int) -> tuple[LiveMessage, ...]:
        """Return the messages of the table, oldest first."""

    async def note(self, message: LiveMessage) -> LiveMessage:
        """Store a message that is about to be posted, and return it with its id."""

    async def posted(self, message: LiveMessage) -> LiveMessage:
        """Make a message live, and retire the live one that it replaces. Stores a message without an id."""

    async def update(self, message: LiveMessage) -> None:
        """Store what a message shows now; its stage stays, and nothing happens if it has been forgotten."""

    def update_soon(self, message: LiveMessage) -> None:
        """Store what a message shows now with the next commit; `of` waits for it, and a crash may lose it."""

    async def forget(self, message: LiveMessage) -> None:
        """Remove a message from the database."""

    async def doubt_stale(self) -> None:
        """Treat what messages behind their table show, and whom boards have told, as unknown.

        A crash may have lost the record of an edit.
        """

    async def tables_of(self, message_ids: Collection[int]) -> tuple[int, ...]:
        """Return the tables that these messages show."""

    async def to_reconcile(self) -> tuple[int, ...]:
        """Return the tables whose messages are incomplete or out of date."""


class Store(Protocol):
    """A database of tables. Every method may raise `StoreError`; nothing half done is ever kept.

    A method that writes returns once what it wrote would survive the machine's losing power.
    """

    @property
    def personal(self) -> Personal:
        """What is kept of people and of servers."""

    @property
    def lists(self) -> Lists:
        """Lists of open tables."""

    # ---- tables

    async def open_table(self, table: Table, seed: bytes, quotas: Quotas | None = None) -> Table:
        """Keeps a new table and, apart from it, its seed; gives the table its id.

        Raises `Conflict` if an open table has the name already, `TooManyTables` if that would exceed the quotas.
        """

    async def check(self, quotas: Quotas, host_id: int, place: Place) -> None:
        """Raise `TooManyTables` if one more table would exceed the quotas now."""

    async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> int:
        """Adds entries to the log and makes the changes, all or nothing; gives the version after it.

        That is ``version`` + the number of entries, or + 1 for a change without any. Raises `Conflict` if the table
        is not at ``version``.
        """

    async def table(self, table_id: int) -> Table | None:
        """The table with this number."""

    async def named(self, name: str, *, user_id: int | None = None, guild_id: int | None = None) -> tuple[Table, ...]:
        """Return the tables with this name, in upper or lower case: the open one first, then the latest.

        If a user is given, return only tables where they sit and those of the server. The number is bounded.
        """

    async def version(self, table_id: int) -> int | None:
        """The version of the table, if it is open: nothing of an open table changes without its version."""

    async def log(self, table_id: int) -> Log | None:
        """The table with all its entries."""

    async def seed(self, table_id: int) -> bytes:
        """The secret of the table's deals, 32 bytes."""

    async def tables(self) -> tuple[Table, ...]:
        """Every table there ever was, by number."""

    async def open_tables(self, *, user_id: int | None = None, channel_id: int | None = None) -> tuple[Table, ...]:
        """The open tables by number; only those where the user sits, or whose board is in the channel, if given."""

    async def open_counts(self) -> Mapping[tuple[str, str], int]:
        """How many open tables there are of each game and status."""

    async def open_numbers(self) -> tuple[int, ...]:
        """The number of every open table, the one changed last first."""

    async def open_names(self) -> frozenset[str]:
        """The names of the open tables."""

    async def tables_with_computers(self) -> tuple[int, ...]:
        """The numbers of the tables being played where a computer has a seat."""

    async def played_by_other_rules(self, known: Collection[tuple[str, int]]) -> tuple[int, ...]:
        """Return the numbers of the tables in play whose key and rules number are not among ``known``."""

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        """The numbers of the lobbies where nothing has changed since ``before``."""

    async def unknown_turns(self) -> tuple[int, ...]:
        """The tables being played of which it isn't recorded whose turn it is: an older version wrote them."""

    async def fill_in(self, table: Table, to_act: Iterable[Seat]) -> None:
        """Record whose turn it is at this version of the table. Raises `Conflict` if it has moved on."""

    async def rematch(self, table_id: int) -> Table | None:
        """The rematch of the table, unless that was closed."""

    # ---- waiting

    async def playing(self) -> tuple[tuple[int, float, str], ...]:
        """Number, time of the last change and clock of every table that is being played."""

    async def wait(self, table: Table, now: float) -> Wait:
        """How far the waiting at the table has come at its version."""

    async def record_wait(self, table: Table, since: float, steps: int) -> None:
        """Remembers since when the waiting counts at this version of the table, and how many of its steps are done."""

    async def claim_step(self, table: Table, since: float, steps: int) -> bool:
        """Notes that so many steps are done at this version; whether nobody else, another process, has noted it."""

    async def record_vote(self, table: Table, user_id: int, remedy: str) -> None:
        """Remembers what the user wants done about who is absent; good for this version of the table."""

    async def has_votes(self, table: Table) -> bool:
        """Return whether anybody has voted at this version of the table."""

    async def moves_s(self, table_id: int) -> tuple[float, ...]:
        """Return how long people took for each of their moves, without the time in which the program was away."""

    async def forget_votes(self, table_id: int) -> None:
        """Forget what anybody wanted done about an absence. Votes to end the table stay."""

    async def is_missed(self, table: Table) -> bool:
        """Whether the coming of somebody who is waited for is news at the table: as it stands now there are votes about
        that, or without a clock a step of the waiting is done.
        """

    async def beat(self, now: float, patience_s: float) -> None:
        """Notes that the program runs, and that it was away if the last note is older than ``patience_s``."""

    # ---- moves taken back

    async def taken_back(self, table_id: int) -> tuple[TakenBack, ...]:
        """The entries of the table that stand no more, in the order of their going."""

    async def agree(self, table_id: int, version: int, asker_id: int, user_id: int) -> None:
        """Notes that the user agrees that the asker takes his move back at this version of the table."""

    async def agreed(self, table_id: int, version: int, asker_id: int) -> frozenset[int]:
        """Who agrees at this version, the asker among them; nobody if he doesn't ask."""

    async def undo_questions(self, table_id: int, version: int) -> Mapping[int, frozenset[int]]:
        """Return who asks for an undo at this version, each with the users who have answered."""

    async def forget_asked(self, table_id: int, asker_id: int) -> None:
        """The asker asks no more."""

    # ---- servers

    async def server(self, guild_id: int) -> Server:
        """What is set for the server; the defaults if nothing is."""

    async def set_server(self, server: Server) -> None:
        """Keeps what is set for a server."""

    # ---- messages

    @property
    def messages(self) -> Messages:
        """The messages that show tables."""

    async def claim(self, interaction_id: int) -> bool:
        """Whether this is the first claim of the interaction, in all processes."""

    # ---- users

    async def dm_closed(self, user_id: int) -> bool:
        """Whether direct messages failed to reach the user, so that his hand comes by button."""

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Remembers whether direct messages reach the user."""

    async def habits(self, user_id: int) -> Habits:
        """When the user wants to be pinged."""

    async def set_habits(self, user_id: int, habits: Habits) -> None:
        """Remembers when the user wants to be pinged."""

    async def last_move(self, table_id: int, user_id: int) -> float | None:
        """When the user last moved at the table, ``None`` if he never did."""

    async def has_left(self, table_id: int, user_id: int) -> bool:
        """Return whether the user had a seat of this table in play and left it, in whichever way."""

    async def last_ping(self, table_id: int, user_id: int) -> float | None:
        """When the user was last pinged at the table, ``None`` if never."""

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Remember that these users were pinged at the table."""

    # ---- the whole

    async def backup(self, path: Path) -> None:
        """Writes a copy of everything to a new file, while play goes on. Raises `StoreError` if the file exists."""

    async def close(self) -> None:
        """Finishes what is being written and lets go of the database."""
