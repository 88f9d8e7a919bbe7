"""The stored records, and protocols of the queries. `bot.store.sqlite` implements them; nothing else knows SQL."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from bot.games.game import Entry, Seat
from bot.store.records import (
    Changes,
    LiveMessage,
    Log,
    OpenSeat,
    Person,
    PingSettings,
    Place,
    Quotas,
    Server,
    Sitter,
    Status,
    Table,
    TakenBack,
    UndoAnswers,
    Wait,
)

__all__ = [
    "Changes",
    "Lists",
    "LiveMessage",
    "Log",
    "Messages",
    "OpenSeat",
    "Person",
    "Personal",
    "PingSettings",
    "Place",
    "Quotas",
    "Server",
    "Servers",
    "Sitter",
    "Status",
    "Store",
    "Table",
    "TakenBack",
    "UndoAnswers",
    "Undos",
    "Users",
    "Wait",
    "Waits",
]


class Lists(Protocol):
    """Lists of tables, read without folding any log."""

    async def seats(
        self, user_id: int, game: str | None, channel_id: int | None, limit: int, offset: int = 0
    ) -> tuple[OpenSeat, ...]:
        """Return open tables of the user; optionally only those of a game or in a channel.

        Tables that wait for the user come first, those that have waited longest at the front. Tables where a computer
        keeps their seat come last.
        """

    async def count(self, user_id: int) -> int:
        """Return the number of open tables of the user."""

    async def in_channel(self, channel_id: int, game: str | None, limit: int) -> tuple[Table, ...]:
        """Return open tables whose board is in the channel, by number; optionally only those of a game."""

    async def lobbies(self, channel_id: int, game: str, limit: int) -> tuple[Table, ...]:
        """Return lobbies of the game in the channel that have free seats, by number."""

    async def on_server(self, guild_id: int, typed: str, limit: int) -> tuple[Table, ...]:
        """Return open tables of the server whose name or number contains this lower-case text, by number."""

    async def open_tables(self, *, user_id: int | None = None, channel_id: int | None = None) -> tuple[Table, ...]:
        """Return all open tables by number; optionally only those of a user or in a channel."""

    async def open_counts(self) -> Mapping[tuple[str, str], int]:
        """Return the number of open tables by game and status."""

    async def open_numbers(self) -> tuple[int, ...]:
        """Return the numbers of all open tables, the last changed first."""

    async def playing(self) -> tuple[tuple[int, float, str], ...]:
        """Return the number, time of the last change and clock of every table in play."""

    async def with_computers(self) -> tuple[int, ...]:
        """Return the numbers of the tables in play where a computer has a seat."""


class Messages(Protocol):
    """The messages that show tables. As for `Store`, except `update_soon`."""

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
        """Mark what outdated messages show, and which users boards have notified, as unknown.

        A crash may have lost the record of an edit.
        """

    async def tables_of(self, message_ids: Collection[int]) -> tuple[int, ...]:
        """Return the tables that these messages show."""

    async def to_reconcile(self) -> tuple[int, ...]:
        """Return the tables whose messages are incomplete or out of date."""


class Users(Protocol):
    """Settings of users, and what they did last at a table."""

    async def dm_closed(self, user_id: int) -> bool:
        """Return whether direct messages to the user have failed, so that they get their hand by button."""

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Store whether direct messages reach the user."""

    async def ping_settings(self, user_id: int) -> PingSettings:
        """Return when the user wants to be pinged."""

    async def set_ping_settings(self, user_id: int, settings: PingSettings) -> None:
        """Store when the user wants to be pinged."""

    async def last_move(self, table_id: int, user_id: int) -> float | None:
        """Return when the user last moved at the table, if ever."""

    async def last_ping(self, table_id: int, user_id: int) -> float | None:
        """Return when the user was last pinged at the table, if ever."""

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Store that these users were pinged at the table."""

    async def was_removed(self, table_id: int, user_id: int) -> bool:
        """Return whether the host has removed the user from this lobby."""

    async def has_left(self, table_id: int, user_id: int) -> bool:
        """Return whether the user had a seat of this table in play and lost it, for any reason."""


class Servers(Protocol):
    """Settings of servers."""

    async def settings(self, guild_id: int) -> Server:
        """Return the settings of the server, or the defaults."""

    async def save(self, server: Server) -> None:
        """Store the settings of a server."""


class Waits(Protocol):
    """How long tables have waited, votes about absent players, and when the program was away.

    A wait and its votes belong to one version of a table. The next change voids them.
    """

    async def of(self, table: Table, now: float) -> Wait:
        """Return the wait at the table's version."""

    async def record(self, table: Table, since: float, steps: int) -> None:
        """Store when the wait started, and how many steps have been taken."""

    async def claim_step(self, table: Table, since: float, steps: int) -> bool:
        """Store that this many steps have been taken; return false if another process has stored that already."""

    async def move_times_s(self, table_id: int) -> tuple[float, ...]:
        """Return how long people took for each of their moves, without the time when the program was away."""

    async def record_vote(self, table: Table, user_id: int, remedy: str) -> None:
        """Store the user's vote, which replaces their previous one."""

    async def has_votes(self, table: Table) -> bool:
        """Return whether there are votes at this version of the table."""

    async def forget_votes(self, table_id: int) -> None:
        """Delete the votes about an absence. Votes to end the table stay, as all players may agree on that."""

    async def has_news(self, table: Table) -> bool:
        """Return whether an absent player's return changes anything.

        It does if there are votes about them or, without a clock, if a step has been taken.
        """

    async def beat(self, now: float, patience_s: float) -> None:
        """Store that the program is running. If the last heartbeat is older than ``patience_s``, it was away since."""


class Undos(Protocol):
    """Entries that were taken back, and votes about that."""

    async def taken_back(self, table_id: int) -> tuple[TakenBack, ...]:
        """Return the entries that were taken back, in that order."""

    async def agree(self, table_id: int, version: int, asker_id: int, user_id: int) -> None:
        """Store that the user agrees to the asker's undo at this version, and forget older questions."""

    async def refuse(self, table_id: int, version: int, asker_id: int) -> None:
        """Store that a player refused the asker's undo at this version."""

    async def withdraw(self, table_id: int, version: int, asker_id: int) -> None:
        """Store that the asker withdrew their question at this version."""

    async def questions(self, table_id: int, version: int) -> Mapping[int, UndoAnswers]:
        """Return the users who ask for an undo at this version, with the answers."""

    async def forget(self, table_id: int, asker_id: int) -> None:
        """Delete the asker's question."""


class Personal(Protocol):
    """Personal data: its export and deletion, and the deletion of servers and old tables."""

    async def kept(self, user_id: int) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return everything stored about the user, as rows by heading, without ids of other users."""

    async def forget_user(self, user_id: int, dm_channel_id: int | None = None) -> None:
        """Delete the user's id and names everywhere, and the channel of their direct messages, if given.

        Raises `Conflict` while they sit at an open table.
        """

    async def delete_ended(self, before: float) -> int:
        """Delete the tables that ended before that time, and return how many."""

    async def note_guilds(self, present: Collection[int], at: float) -> None:
        """Store which servers the bot is in now. It has left all others by the time ``at``."""

    async def note_left(self, guild_id: int, at: float) -> None:
        """Store that the bot has left this server."""

    async def note_back(self, guild_id: int) -> None:
        """Store that the bot is in this server."""

    async def guilds_left(self, before: float) -> tuple[int, ...]:
        """Return the servers that the bot left before that time and hasn't rejoined."""

    async def forget_guild(self, guild_id: int, before: float) -> int:
        """Delete all tables and settings of the server, unless the bot has rejoined it; return how many tables."""


class Store(Protocol):
    """A database of tables. Every method may raise `StoreError`, and then has stored nothing.

    A method that writes returns when its data would survive a power cut.
    """

    @property
    def lists(self) -> Lists:
        """Lists of tables."""

    @property
    def messages(self) -> Messages:
        """The messages that show tables."""

    @property
    def users(self) -> Users:
        """Settings of users."""

    @property
    def servers(self) -> Servers:
        """Settings of servers."""

    @property
    def waits(self) -> Waits:
        """How long tables have waited, and votes about that."""

    @property
    def undos(self) -> Undos:
        """Entries that were taken back."""

    @property
    def personal(self) -> Personal:
        """Personal data."""

    # ---- writing

    async def open_table(self, table: Table, seed: bytes, quotas: Quotas | None = None) -> Table:
        """Store a new table and its seed, and return it with its id.

        Raises `Conflict` if an open table has its name, `TooManyTables` if that would exceed the quotas.
        """

    async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> int:
        """Append entries to the log and make the changes, all or nothing; return the version after that.

        The version grows by the number of entries, or by 1 if there are none. Raises `Conflict` if the table isn't at
        ``version``.
        """

    async def fill_in(self, table: Table, to_act: Iterable[Seat]) -> None:
        """Store whose turn it is at this version of the table. Raises `Conflict` if it has moved on."""

    async def claim(self, interaction_id: int) -> bool:
        """Claim an interaction; return false if any process has claimed it before."""

    # ---- reading

    async def check_quotas(self, quotas: Quotas, host_id: int, place: Place) -> None:
        """Raise `TooManyTables` if one more table would exceed the quotas now."""

    async def table(self, table_id: int) -> Table | None:
        """Return the table with this number."""

    async def version(self, table_id: int) -> int | None:
        """Return the version of an open table: nothing of it changes without its version."""

    async def log(self, table_id: int) -> Log | None:
        """Return the table with all its entries."""

    async def seed(self, table_id: int) -> bytes:
        """Return the secret seed of the table's deals, 32 bytes."""

    async def tables(self) -> tuple[Table, ...]:
        """Return all tables, open and ended, by number."""

    async def named(self, name: str, *, user_id: int | None = None, guild_id: int | None = None) -> tuple[Table, ...]:
        """Return the tables with this name, ignoring case: the open one first, then the latest.

        If a user is given, return only tables where they sit and those of the server. The number is bounded.
        """

    async def rematch(self, table_id: int) -> Table | None:
        """Return the rematch of the table, unless that was closed."""

    async def open_names(self) -> frozenset[str]:
        """Return the names of the open tables."""

    async def played_by_other_rules(self, known: Collection[tuple[str, int]]) -> tuple[int, ...]:
        """Return the numbers of the tables in play whose game and rules number are not among ``known``."""

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        """Return the numbers of the lobbies that haven't changed since ``before``."""

    async def unknown_turns(self) -> tuple[int, ...]:
        """Return the numbers of the tables in play whose turns aren't stored: an older version wrote them."""

    # ---- the whole

    async def backup(self, path: Path) -> None:
        """Copy everything to a new file, while play goes on. Raises `StoreError` if the file exists."""

    async def close(self) -> None:
        """Finish writing, and close the database."""
