"""Statements about tables and entries: records to rows and back. Each function runs in one transaction."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bot.errors import Conflict, StoreError
from bot.games.game import CHANCE, Entry, Outcome, Seat
from bot.store.records import Changes, Log, Place, Quotas, Sitter, Table
from bot.store.sqlite.connection import connect, create_private
from bot.store.sqlite.former_players import forget_leavers, record_leavers
from bot.store.sqlite.quotas import check
from bot.store.sqlite.turns import Turn, forget_turns, note_turns, turns
from bot.store.sqlite.undos import take_back

Row = tuple[Any, ...]

_CLAIM_EXPIRY: Final = 60 * 60 * 1000 << 22
"""An hour as a difference of Discord ids. Interactions expire after fifteen minutes."""

TABLE: Final = """
SELECT id, name, game, rules, options, seats, status, version, host_id, guild_id, channel_id, commitment, reason,
    opened_at, changed_at, undone_at, clock, rematch_of,
    CASE WHEN status = 'over' OR (status = 'closed' AND reason IS NOT NULL)
        THEN (SELECT lower(hex(seed)) FROM secrets WHERE table_id = id) END,
    (SELECT json_group_array(json_array(seat, name, user_id, cut, started_as, held_for,
            json(iif(offered, 'true', 'false')), started_by))
        FROM (SELECT * FROM seats WHERE table_id = tables.id ORDER BY seat)),
    (SELECT json_group_array(json_array(score, place))
        FROM (SELECT * FROM results WHERE table_id = tables.id ORDER BY seat))
FROM tables
"""
"""The columns of `table_of`. The seed is read only if the table has ended; one closed in its lobby has no reason."""

_INSERT_TABLE: Final = """
INSERT INTO tables (name, game, rules, options, seats, status, version, host_id, guild_id, channel_id, commitment,
    opened_at, changed_at, clock, rematch_of)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""

_MOVE_ON: Final = """
UPDATE tables SET version = ?, plies = plies + ?, changed_at = ? WHERE id = ? AND version = ?
"""

_INSERT_ENTRY: Final = """
INSERT INTO entries (table_id, ply, seat, move, by_user, at)
SELECT ?1, plies - ?2, ?3, ?4, ?5, ?6 FROM tables WHERE id = ?1
"""


def table_of(row: Row) -> Table:
    """Return the table of a row of the query `TABLE`."""
    (table_id, name, game, rules, options, seats, status, version, host_id, guild_id, channel_id, commitment, reason,
     opened_at, changed_at, undone_at, clock, rematch_of, seed, sitters, results) = row  # fmt: skip
    standing: list[tuple[int, int]] = msgspec.json.decode(results)
    return Table(
        id=table_id,
        name=name,
        game=game,
        options=msgspec.json.decode(options),
        seats=seats,
        status=status,
        version=version,
        host_id=host_id,
        place=Place(guild_id, channel_id),
        sitters=tuple(Sitter(*sitter) for sitter in msgspec.json.decode(sitters)),
        commitment=commitment,
        seed=seed,
        outcome=_outcome(standing, reason) if standing else None,
        opened_at=opened_at,
        changed_at=changed_at,
        rules=rules,
        undone_at=undone_at,
        clock=clock,
        rematch_of=rematch_of,
        why=reason if status == "closed" else None,
    )


def _outcome(standing: list[tuple[int, int]], reason: str) -> Outcome:
    return Outcome(tuple(score for score, _ in standing), tuple(place for _, place in standing), reason)


def read_log(table_id: int, connection: sqlite3.Connection) -> Log | None:
    """Return the table and its entries, from one snapshot."""
    connection.execute("BEGIN")
    try:
        row = connection.execute(f"{TABLE} WHERE id = ?", (table_id,)).fetchone()
        entries = connection.execute("SELECT seat, move FROM entries WHERE table_id = ? ORDER BY ply", (table_id,))
        return Log(table_of(row), tuple(Entry(*entry) for entry in entries)) if row else None
    finally:
        connection.execute("COMMIT")


def open_table(table: Table, seed: bytes, quotas: Quotas | None, connection: sqlite3.Connection) -> Table:
    """Insert a table and its seed. Raises `TooManyTables` if that would exceed the quotas."""
    if quotas is not None:
        check(quotas, table.host_id, table.place, connection)
    row = (
        table.name,
        table.game,
        table.rules,
        msgspec.json.encode(table.options).decode(),
        table.seats,
        table.status,
        table.version,
        table.host_id,
        table.place.guild_id,
        table.place.channel_id,
        table.commitment,
        table.opened_at,
        table.changed_at,
        table.clock,
        table.rematch_of,
    )
    (table_id,) = connection.execute(_INSERT_TABLE, row).fetchone()
    connection.execute("INSERT INTO secrets (table_id, seed) VALUES (?, ?)", (table_id, seed))
    _seat(table_id, table.sitters, {}, table.opened_at, connection)
    return replace(table, id=table_id)


def append(
    table_id: int, version: int, entries: Sequence[Entry], changes: Changes, connection: sqlite3.Connection
) -> int:
    """Add entries and make changes; return the version after them. Raises `Conflict` if the version isn't current."""
    after = version + (len(entries) or 1)
    if not connection.execute(_MOVE_ON, (after, len(entries), changes.at, table_id, version)).rowcount:
        raise Conflict(f"Table {table_id} isn't at version {version} any more; nothing was changed.")
    if changes.taken_back:
        take_back(table_id, after, changes, connection)
    _insert_entries(table_id, entries, changes, connection)
    _update_table(table_id, changes, connection)
    if changes.sitters is not None:
        record_leavers(table_id, changes.sitters, connection)
        known = turns(table_id, connection)
        connection.execute("DELETE FROM seats WHERE table_id = ?", (table_id,))
        _seat(table_id, changes.sitters, known, changes.at, connection)
    if changes.status in {"over", "closed"}:
        forget_leavers(table_id, connection)
        forget_turns(table_id, connection)
    elif changes.to_act is not None:
        note_turns(table_id, changes.to_act, changes.at, connection)
    if changes.outcome:
        _insert_results(table_id, changes.outcome, connection)
    return after


def _insert_entries(table_id: int, entries: Sequence[Entry], changes: Changes, connection: sqlite3.Connection) -> None:
    for number, entry in enumerate(entries):
        by_user = None if entry.seat is CHANCE else changes.by_user
        row = (table_id, len(entries) - number, entry.seat, entry.move, by_user, changes.at)
        connection.execute(_INSERT_ENTRY, row)


def _update_table(table_id: int, changes: Changes, connection: sqlite3.Connection) -> None:
    if changes.status or changes.host_id or changes.outcome:
        connection.execute(
            "UPDATE tables SET status = coalesce(?, status), host_id = coalesce(?, host_id), reason = ? WHERE id = ?",
            (changes.status, changes.host_id, changes.outcome.reason if changes.outcome else changes.why, table_id),
        )
    if changes.status:
        connection.execute("DELETE FROM removals WHERE table_id = ?", (table_id,))
    if changes.removed is not None:
        connection.execute("INSERT OR IGNORE INTO removals VALUES (?, ?)", (table_id, changes.removed))
    if changes.rules is not None and changes.options is not None:
        options = msgspec.json.encode(changes.options).decode()
        connection.execute("UPDATE tables SET rules = ?, options = ? WHERE id = ?", (changes.rules, options, table_id))


def _insert_results(table_id: int, outcome: Outcome, connection: sqlite3.Connection) -> None:
    standing = zip(outcome.scores, outcome.places, strict=True)
    connection.executemany(
        "INSERT INTO results (table_id, seat, score, place) VALUES (?, ?, ?, ?)",
        [(table_id, seat, score, place) for seat, (score, place) in enumerate(standing)],
    )


def _seat(
    table_id: int, sitters: Sequence[Sitter], known: Mapping[Seat, Turn], at: float, connection: sqlite3.Connection
) -> None:
    """Insert the seats. A seat that changes hands keeps its turn in ``known``; a new one owes nothing."""
    connection.executemany(
        "INSERT INTO seats (table_id, seat, name, user_id, cut, started_as, held_for, offered, started_by, owes, since)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (table_id, sitter.seat, sitter.name, sitter.user_id, sitter.cut, sitter.started_as, sitter.held_for,
             int(sitter.offered), sitter.started_by, *known.get(sitter.seat, (0, at)))
            for sitter in sitters
        ],
    )  # fmt: skip


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
