"""Statements about tables and entries: records to rows and back. Each function runs in one transaction."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict, astuple

from bot.errors import Conflict, StoreError, Text, TooManyTables
from bot.games.game import CHANCE, Entry, Outcome, Seat
from bot.store.records import Changes, Guest, Log, Place, Quotas, Sitter, Table
from bot.store.sqlite.connection import connect, create_private
from bot.store.sqlite.former_players import forget_leavers, record_leavers
from bot.store.sqlite.repository import record, to_json
from bot.store.sqlite.undos import take_back

Row = tuple[Any, ...]

_CLAIM_EXPIRY: Final = 60 * 60 * 1000 << 22
"""An hour as a difference of Discord ids. Interactions expire after fifteen minutes."""

TABLE: Final = """
SELECT id, name, game, options, seats, status, version, host_id,
    json_object('guild_id', guild_id, 'channel_id', channel_id),
    (SELECT json_group_array(json_object('seat', seat, 'name', name, 'user_id', user_id, 'cut', cut,
            'started_as', started_as, 'held_for', held_for, 'offered', json(iif(offered, 'true', 'false')),
            'started_by', started_by, 'language', language, 'level', level))
        FROM (SELECT seats.*, coalesce(language, locale) AS language FROM seats LEFT JOIN users ON users.id = user_id
            WHERE table_id = tables.id ORDER BY seat)),
    commitment,
    CASE WHEN status = 'over' OR (status = 'closed' AND reason IS NOT NULL)
        THEN (SELECT lower(hex(seed)) FROM secrets WHERE table_id = id) END,
    CASE WHEN status = 'over' AND reason IS NOT NULL THEN
        (SELECT json_object('scores', json_group_array(score), 'places', json_group_array(place), 'reason', reason)
            FROM (SELECT * FROM results WHERE table_id = tables.id ORDER BY seat)) END,
    opened_at, changed_at, rules, undone_at, clock, rematch_of, CASE status WHEN 'closed' THEN reason END,
    CASE WHEN guild_id IS NULL THEN (SELECT coalesce(language, locale) FROM users WHERE users.id = host_id)
        ELSE (SELECT coalesce(language, locale) FROM servers WHERE servers.guild_id = tables.guild_id) END,
    CASE status WHEN 'lobby' THEN
        (SELECT json_group_array(json_object('user_id', user_id, 'is_invited', json(iif(is_invited, 'true', 'false')),
                'is_called', json(iif(is_called, 'true', 'false'))))
            FROM invitations WHERE table_id = tables.id) ELSE '[]' END,
    looked_at, level, hints
FROM tables
"""
"""Selects the fields of tables. The seed is read only if it has ended; a table closed in its lobby has no reason."""

_BY_NUMBER: Final = f"{TABLE} WHERE id = ?"

_INSERT_TABLE: Final = """
INSERT INTO tables (name, game, rules, options, seats, status, version, host_id, guild_id, channel_id, commitment,
    opened_at, changed_at, clock, rematch_of, level, hints)
VALUES (:name, :game, :rules, :options, :seats, :status, :version, :host_id, :guild_id, :channel_id, :commitment,
    :opened_at, :changed_at, :clock, :rematch_of, :level, :hints)
RETURNING id
"""

_SEAT: Final = """
INSERT INTO seats (table_id, seat, name, user_id, cut, started_as, held_for, offered, started_by, level, owes, since)
VALUES (:table_id, :seat, :name, :user_id, :cut, :started_as, :held_for, :offered, :started_by, :level, 0, :since)
ON CONFLICT (table_id, seat) DO UPDATE SET name = :name, user_id = :user_id, cut = :cut, started_as = :started_as,
    held_for = :held_for, offered = :offered, started_by = :started_by, level = :level
"""
"""A seat that changes hands goes on owing a move, or not; a new one owes nothing."""

_NOTE_TURNS: Final = """
UPDATE seats SET owes = ?2 >> seat & 1, since = ?3
WHERE table_id = ?1 AND since IS NOT NULL AND owes IS NOT ?2 >> seat & 1
"""

_MOVE_ON: Final = """
UPDATE tables SET version = ?, plies = plies + ?, changed_at = ? WHERE id = ? AND version = ?
"""

_UPDATE_TABLE: Final = """
UPDATE tables SET status = coalesce(?, status), host_id = coalesce(?, host_id), reason = coalesce(?, reason),
    rules = coalesce(?, rules), options = coalesce(?, options), seats = coalesce(?, seats), clock = coalesce(?, clock),
    looked_at = coalesce(?, looked_at), level = coalesce(?, level),
    hints = coalesce(?, hints)
WHERE id = ?
"""

_INSERT_ENTRY: Final = """
INSERT INTO entries (table_id, ply, seat, move, by_user, at, stand_in)
SELECT ?1, plies - ?2, ?3, ?4, ?5, ?6, ?7 FROM tables WHERE id = ?1
"""


def table_of(row: Row) -> Table:
    """Return the table of a row of the query `TABLE`."""
    return record(Table, row, "options", "place", "sitters", "outcome", "guests")


def read_table(table_id: int, known: Table | None, connection: sqlite3.Connection) -> Table | None:
    """Return the table with this number: ``known`` if that is the current one.

    Nothing of an open table changes without its version.
    """
    if known is not None:
        current = connection.execute("SELECT version FROM open_tables WHERE id = ?", (table_id,)).fetchone()
        if current == (known.version,):
            return known
    row = connection.execute(_BY_NUMBER, (table_id,)).fetchone()
    return table_of(row) if row else None


def read_log(table_id: int, connection: sqlite3.Connection) -> Log | None:
    """Return the table and its entries, from one snapshot."""
    connection.execute("BEGIN")
    try:
        table = read_table(table_id, None, connection)
        query = "SELECT seat, move, stand_in FROM entries WHERE table_id = ? ORDER BY ply"
        rows = connection.execute(query, (table_id,)).fetchall()
        entries = tuple([Entry(seat, move) for seat, move, _ in rows])
        stand_ins = {ply: name for ply, (*_, name) in enumerate(rows) if name is not None}
        hints = connection.execute("SELECT ply, seat FROM hints WHERE table_id = ? ORDER BY ply, seat", (table_id,))
        return Log(table, entries, stand_ins, tuple(hints.fetchall())) if table else None
    finally:
        connection.execute("COMMIT")


def open_table(table: Table, seed: bytes, quotas: Quotas | None, connection: sqlite3.Connection) -> Table:
    """Insert a table and its seed. Raises `TooManyTables` if that would exceed the quotas."""
    if quotas is not None:
        check_quotas(quotas, table.host_id, table.place, connection)
    values = asdict(table) | asdict(table.place) | {"options": to_json(table.options)}
    (table_id,) = connection.execute(_INSERT_TABLE, values).fetchone()
    connection.execute("INSERT INTO secrets (table_id, seed) VALUES (?, ?)", (table_id, seed))
    _seat(table_id, table.sitters, table.opened_at, connection)
    _invite(table_id, table.guests, connection)
    return table_of(connection.execute(_BY_NUMBER, (table_id,)).fetchone())


def check_quotas(quotas: Quotas, host_id: int, place: Place, connection: sqlite3.Connection) -> None:
    """Raise `TooManyTables` if one more table would exceed the quota of its host, channel or server.

    This runs in the transaction that opens a table, so that processes can't exceed the quotas together.
    """
    for column, number, limit, template in (
        (
            "host_id",
            host_id,
            quotas.host,
            Text("You already host {limit} open tables. Finish or close one first: `/tables`."),
        ),
        (
            "channel_id",
            place.channel_id,
            quotas.channel,
            Text("This channel already has {limit} open tables. Try another channel."),
        ),
        (
            "guild_id",
            place.guild_id,
            quotas.server,
            Text("This server already has {limit} open tables. Finish one first, or ask a moderator to close some."),
        ),
    ):
        query = f"SELECT count(*) FROM open_tables WHERE {column} = ?"  # noqa: S608 - constant names
        if connection.execute(query, (number,)).fetchone()[0] >= limit:
            raise TooManyTables(template, limit=limit)


def append(
    table_id: int, version: int, entries: Sequence[Entry], changes: Changes, connection: sqlite3.Connection
) -> Table:
    """Add entries and make changes; return the table after them. Raises `Conflict` if the version isn't current."""
    after = version + (len(entries) or 1)
    if not connection.execute(_MOVE_ON, (after, len(entries), changes.at, table_id, version)).rowcount:
        raise Conflict(f"Table {table_id} isn't at version {version} any more; nothing was changed.")
    if changes.taken_back:
        take_back(table_id, after, changes, connection)
    _insert_entries(table_id, entries, changes, connection)
    _update_table(table_id, changes, connection)
    if changes.sitters is not None:
        record_leavers(table_id, changes.sitters, connection)
        _seat(table_id, changes.sitters, changes.at, connection)
    if changes.status in {"over", "closed"}:
        forget_leavers(table_id, connection)
        connection.execute("UPDATE seats SET owes = 0, since = NULL WHERE table_id = ?", (table_id,))
    elif changes.to_act is not None:
        _note_turns(table_id, changes.to_act, changes.at, connection)
    if changes.outcome:
        _insert_results(table_id, changes.outcome, connection)
    return table_of(connection.execute(_BY_NUMBER, (table_id,)).fetchone())


def _insert_entries(table_id: int, entries: Sequence[Entry], changes: Changes, connection: sqlite3.Connection) -> None:
    for number, entry in enumerate(entries):
        by_user = None if entry.seat is CHANCE else changes.by_user
        stand_in = None if entry.seat is CHANCE else changes.stand_in
        row = (table_id, len(entries) - number, entry.seat, entry.move, by_user, changes.at, stand_in)
        connection.execute(_INSERT_ENTRY, row)


def _update_table(table_id: int, changes: Changes, connection: sqlite3.Connection) -> None:
    reason = changes.outcome.reason if changes.outcome else changes.why
    options = None if changes.options is None else to_json(changes.options)
    looked_at = changes.at if changes.is_looking else None
    values = (
        *(changes.status, changes.host_id, reason, changes.rules, options),
        *(changes.seats, changes.clock, looked_at, changes.level, changes.hints),
    )
    if any(value is not None for value in values):
        connection.execute(_UPDATE_TABLE, (*values, table_id))
    if changes.status:
        connection.execute("DELETE FROM removals WHERE table_id = ?", (table_id,))
        connection.execute("DELETE FROM invitations WHERE table_id = ?", (table_id,))
    elif changes.guests is not None:
        _invite(table_id, changes.guests, connection)
    if changes.removed is not None:
        connection.execute("INSERT OR IGNORE INTO removals VALUES (?, ?)", (table_id, changes.removed))


def _invite(table_id: int, guests: Sequence[Guest], connection: sqlite3.Connection) -> None:
    """Store the guests, in place of the former ones. Invited users may join even if they were removed before."""
    connection.execute("DELETE FROM invitations WHERE table_id = ?", (table_id,))
    connection.executemany(
        "INSERT INTO invitations (table_id, user_id, is_invited, is_called) VALUES (?, ?, ?, ?)",
        [(table_id, *astuple(guest)) for guest in guests],
    )
    connection.executemany(
        "DELETE FROM removals WHERE table_id = ? AND user_id = ?",
        [(table_id, guest.user_id) for guest in guests if guest.is_invited],
    )


def _insert_results(table_id: int, outcome: Outcome, connection: sqlite3.Connection) -> None:
    standing = zip(outcome.scores, outcome.places, strict=True)
    connection.executemany(
        "INSERT INTO results (table_id, seat, score, place) VALUES (?, ?, ?, ?)",
        [(table_id, seat, score, place) for seat, (score, place) in enumerate(standing)],
    )


def _seat(table_id: int, sitters: Sequence[Sitter], at: float, connection: sqlite3.Connection) -> None:
    connection.execute(
        "DELETE FROM seats WHERE table_id = ? AND seat NOT IN (SELECT value FROM json_each(?))",
        (table_id, to_json([sitter.seat for sitter in sitters])),
    )
    for sitter in sitters:
        connection.execute(_SEAT, asdict(sitter) | {"table_id": table_id, "since": at})


def fill_in_turns(table: Table, to_act: Iterable[Seat], connection: sqlite3.Connection) -> None:
    """Store the turns of a table that has none. Raises `Conflict` if it isn't at this version any more."""
    query = "SELECT 1 FROM tables WHERE id = ? AND version = ?"
    if connection.execute(query, (table.id, table.version)).fetchone() is None:
        raise Conflict(f"Table {table.id} isn't at version {table.version} any more; nothing was changed.")
    _note_turns(table.id, to_act, table.changed_at, connection)


def _note_turns(table_id: int, to_act: Iterable[Seat], at: float, connection: sqlite3.Connection) -> None:
    """Store which seats of an open table owe a move from now on."""
    connection.execute(_NOTE_TURNS, (table_id, sum(1 << seat for seat in to_act), at))


def claim(interaction_id: int, connection: sqlite3.Connection) -> bool:
    """Claim the interaction; return false if it was claimed before. Ids contain the time, so old claims are deleted."""
    connection.execute("DELETE FROM claims WHERE interaction_id < ?", (interaction_id - _CLAIM_EXPIRY,))
    return connection.execute("INSERT OR IGNORE INTO claims VALUES (?)", (interaction_id,)).rowcount == 1


def copy_to(path: Path, connection: sqlite3.Connection) -> None:
    """Copy the database to a new file, which gets its name when it is complete. Raises `StoreError`."""
    part = path.with_name(f"{path.name}.part")
    try:
        if path.exists():
            raise StoreError(f"There is a file {path.name} already; a backup overwrites nothing.")
        part.unlink(missing_ok=True)
        create_private(part)
        with closing(connect(part)) as target:
            connection.backup(target)
        part.rename(path)
    except (OSError, sqlite3.OperationalError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"The backup {path.name} can't be written: {why}.") from None
