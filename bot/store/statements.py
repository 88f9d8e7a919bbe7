"""Statements about tables and entries: records to rows and back. Each function runs in one transaction."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, astuple, replace

from bot.errors import Conflict, DamagedTable, Text, TooManyTables, damage_to
from bot.games.game import CHANCE, Entry, Outcome, Seat, Value
from bot.store.damage import DAMAGED, problem_of
from bot.store.former_players import copy_removals, forget_leavers, readmit, record_leavers
from bot.store.records import Changes, Guest, Log, Place, Quotas, Sitter, Table
from bot.store.repository import hold, to_json
from bot.store.transaction import Row, Transaction
from bot.store.undos import take_back
from bot.store.waits import ground_of

log: Final = logging.getLogger(__name__)

_CLAIM_EXPIRY: Final = 60 * 60 * 1000 << 22
"""An hour as a difference of Discord ids. Interactions expire after fifteen minutes."""

TABLE: Final = """
SELECT id, name, game, options, seats, status, version, host_id,
    json_object('guild_id', guild_id, 'channel_id', channel_id),
    (SELECT coalesce(json_group_array(json_object('seat', seat, 'name', name, 'user_id', user_id, 'cut', cut,
            'started_as', started_as, 'held_for', held_for, 'started_by', started_by, 'level', level,
            'offered', json(CASE offered WHEN 0 THEN 'false' ELSE 'true' END),
            'after_removal', json(CASE after_removal WHEN 0 THEN 'false' ELSE 'true' END))), '[]')
        FROM (SELECT * FROM seats WHERE table_id = tables.id ORDER BY seat) AS sitters),
    commitment,
    CASE WHEN status = 'over' OR (status = 'closed' AND reason IS NOT NULL)
        THEN (SELECT lower(hex(seed)) FROM secrets WHERE table_id = id) END,
    CASE WHEN status = 'over' AND reason IS NOT NULL THEN
        (SELECT json_object('scores', json_group_array(score), 'places', json_group_array(place), 'reason', reason)
            FROM (SELECT * FROM results WHERE table_id = tables.id ORDER BY seat) AS ordered) END,
    opened_at, changed_at, rules, undone_at, clock, rematch_of, CASE status WHEN 'closed' THEN reason END,
    CASE status WHEN 'lobby' THEN
        (SELECT coalesce(json_group_array(json_object('user_id', user_id,
                'is_invited', json(CASE is_invited WHEN 0 THEN 'false' ELSE 'true' END),
                'is_called', json(CASE is_called WHEN 0 THEN 'false' ELSE 'true' END))), '[]')
            FROM (SELECT * FROM invitations WHERE table_id = tables.id ORDER BY user_id) AS guests) ELSE '[]' END,
    looked_at, level, hints, CASE invited_only WHEN 0 THEN 'false' ELSE 'true' END, number
FROM tables
"""
"""Selects the fields of tables. The seed is read only if it has ended; a table closed in its lobby has no reason."""

_IN_JSON: Final[tuple[tuple[int, str, msgspec.json.Decoder[Any], object], ...]] = tuple(
    (Table.__struct_fields__.index(name), what, msgspec.json.Decoder(kind), otherwise)
    for name, what, kind, otherwise in (
        ("options", "options", dict[str, Value], {}),
        ("place", "place", Place, Place(None, 0)),
        ("sitters", "players", tuple[Sitter, ...], ()),
        ("outcome", "outcome", Outcome, None),
        ("guests", "guests", tuple[Guest, ...], ()),
        ("invited_only", "guests", bool, True),
    )
)
"""The columns of `TABLE` that are JSON: what they hold, their decoders, and what stands for damaged ones."""
_WHY: Final = Table.__struct_fields__.index("why")

_BY_NUMBER: Final = f"{TABLE} WHERE id = ?"

_INSERT_TABLE: Final = """
INSERT INTO tables (name, game, rules, options, seats, status, version, host_id, guild_id, channel_id, commitment,
    opened_at, changed_at, clock, rematch_of, level, hints, invited_only, number)
VALUES (:name, :game, :rules, :options, :seats, :status, :version, :host_id, :guild_id, :channel_id, :commitment,
    :opened_at, :changed_at, :clock, :rematch_of, :level, :hints, :invited_only,
    (SELECT coalesce(max(number), 0) + 1 FROM tables
        WHERE coalesce(guild_id, channel_id) = coalesce(CAST(:guild_id AS BIGINT), CAST(:channel_id AS BIGINT))))
RETURNING id
"""

_SEAT: Final = """
INSERT INTO seats (table_id, seat, name, user_id, cut, started_as, held_for, offered, started_by, level, after_removal,
    owes, since)
VALUES (:table_id, :seat, :name, :user_id, :cut, :started_as, :held_for, :offered, :started_by, :level, :after_removal,
    0, :since)
ON CONFLICT (table_id, seat) DO UPDATE SET name = :name, user_id = :user_id, cut = :cut, started_as = :started_as,
    held_for = :held_for, offered = :offered, started_by = :started_by, level = :level,
    after_removal = :after_removal
"""
"""A seat that changes hands goes on owing a move, or not; a new one owes nothing."""

NOTE_TURNS: Final = """
UPDATE seats SET owes = (CAST(?2 AS BIGINT) >> seat) & 1, since = ?3
WHERE table_id = ?1 AND since IS NOT NULL AND coalesce(owes, -1) <> (CAST(?2 AS BIGINT) >> seat) & 1
"""

MOVE_ON: Final = """
UPDATE tables SET version = ?, plies = plies + ?, changed_at = ? WHERE id = ? AND version = ?
"""

_UPDATE_TABLE: Final = """
UPDATE tables SET status = coalesce(:status, status), host_id = coalesce(:host_id, host_id),
    reason = coalesce(:reason, reason), rules = coalesce(:rules, rules), options = coalesce(:options, options),
    seats = coalesce(:seats, seats), clock = coalesce(:clock, clock), looked_at = coalesce(:looked_at, looked_at),
    level = coalesce(:level, level), hints = coalesce(:hints, hints),
    invited_only = coalesce(:invited_only, invited_only)
WHERE id = :id
"""

INSERT_ENTRY: Final = """
INSERT INTO entries (table_id, ply, seat, move, by_user, at, stand_in)
SELECT ?1, plies - ?2, ?3, ?4, ?5, ?6, ?7 FROM tables WHERE id = ?1
"""


_REMOVE: Final = "INSERT INTO removals (table_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING"


def table_of(row: Row) -> Table:
    """Return the table of a row of the query `TABLE`. Raises `DamagedTable` if that can't be read.

    A table that was closed for that keeps what can be read of it.
    """
    values, is_closed = list(row), str(row[_WHY]).startswith(DAMAGED)
    for place, what, decoder, otherwise in _IN_JSON:
        if values[place] is not None:
            try:
                values[place] = decoder.decode(values[place])
            except (msgspec.DecodeError, UnicodeError):
                if not is_closed:
                    raise damage_to(row[0], what) from None
                values[place] = otherwise
    table = Table(*values)
    if is_closed:
        return replace(table, seats=len(table.sitters), opened_at=0.0, changed_at=0.0)
    if problem := problem_of(table):
        raise damage_to(table.id, problem)
    return table


def tables_of(rows: Iterable[Row]) -> Iterator[Table]:
    """Yield the tables of rows of the query `TABLE`. Those that can't be read are left out."""
    for row in rows:
        try:
            yield table_of(row)
        except DamagedTable as error:
            log.info("table %s is left out: its %s can't be read", error.table_id, error.what)


async def settled(table_id: int, db: Transaction) -> Table | None:
    """Return the table, after waiting for the lock of its row."""
    await db.execute("UPDATE tables SET version = version WHERE id = ?", (table_id,))
    return await read_table(table_id, None, db)


async def read_table(table_id: int, known: Table | None, db: Transaction) -> Table | None:
    """Return the table with this number: ``known`` if that is the current one.

    Nothing of an open table changes without its version.
    """
    if known is not None:
        current = await db.rows("SELECT version FROM open_tables WHERE id = ?", (table_id,))
        if current == [(known.version,)]:
            return known
    return next(map(table_of, await db.rows(_BY_NUMBER, (table_id,))), None)


async def existing(table_id: int, db: Transaction) -> Table:
    """Return the table with this number, which must exist."""
    (row,) = await db.rows(_BY_NUMBER, (table_id,))
    return table_of(row)


async def read_log(table_id: int, db: Transaction) -> Log | None:
    """Return the table and its entries. Raises `DamagedTable` if entries are missing."""
    table = await read_table(table_id, None, db)
    if table is None:
        return None
    query = "SELECT seat, move, stand_in, ply FROM entries WHERE table_id = ? ORDER BY ply"
    rows = await db.rows(query, (table_id,))
    plies = await db.rows("SELECT plies FROM tables WHERE id = ?", (table_id,))
    if plies != [(len(rows),)] or any(row[3] != ply for ply, row in enumerate(rows)):
        raise damage_to(table_id, "log")
    entries = tuple([Entry(seat, move) for seat, move, *_ in rows])
    stand_ins = {ply: name for _, _, name, ply in rows if name is not None}
    hints = await db.rows("SELECT ply, seat FROM hints WHERE table_id = ? ORDER BY ply, seat", (table_id,))
    return Log(table, entries, stand_ins, tuple(hints))


async def open_table(
    table: Table, seed: bytes, quotas: Quotas | None, replaced: Table | None, db: Transaction
) -> Table:
    """Insert a table and its seed. Raises `TooManyTables` if that would exceed the quotas.

    The lobby that it replaces is closed, and who was removed from that can't join this one. Raises `Conflict` if that
    lobby has changed.
    """
    if quotas is not None:
        await db.lock("quotas")
        await check_quotas(quotas, table.host_id, table.place, db)
    values = (
        asdict(table)
        | asdict(table.place)
        | {
            "options": to_json(table.options),
            "invited_only": int(table.invited_only),
        }
    )
    ((table_id,),) = await db.rows(_INSERT_TABLE, values)
    await db.execute("INSERT INTO secrets (table_id, seed) VALUES (?, ?)", (table_id, seed))
    await _seat(table_id, table.sitters, table.opened_at, db)
    await _invite(table_id, table.guests, db)
    if replaced is not None:
        await copy_removals(replaced.id, table_id, db)
        await append(replaced.id, replaced.version, (), Changes(at=table.opened_at, status="closed"), None, db)
    return await existing(table_id, db)


async def check_quotas(quotas: Quotas, host_id: int, place: Place, db: Transaction) -> None:
    """Raise `TooManyTables` if one more table would exceed the quota of its host, channel or server.

    This runs in the transaction that opens a table, so that processes can't exceed the quotas together.
    """
    for column, number, limit, template in (
        (
            "host_id",
            host_id,
            quotas.host,
            Text("You can't host more open tables (limit {limit}). Finish or close one first: `/tables`."),
        ),
        (
            "channel_id",
            place.channel_id,
            quotas.channel,
            Text("This channel can't have more open tables (limit {limit}). Try another one."),
        ),
        (
            "guild_id",
            place.guild_id,
            quotas.server,
            Text(
                "This server can't have more open tables (limit {limit}). "
                "Finish one first, or ask a moderator to close some."
            ),
        ),
    ):
        query = f"SELECT count(*) FROM open_tables WHERE {column} = ?"  # noqa: S608 - constant names
        ((count,),) = await db.rows(query, (number,))
        if count >= limit:
            raise TooManyTables(template, limit=limit)


async def append(  # noqa: PLR0913, PLR0917 - what is written
    table_id: int, version: int, entries: Sequence[Entry], changes: Changes, known: Table | None, db: Transaction
) -> Table:
    """Add entries and make changes; return the table after them. Raises `Conflict` if the version isn't current."""
    after = version + (len(entries) or 1)
    if not await db.execute(MOVE_ON, (after, len(entries), changes.at, table_id, version)):
        raise Conflict(f"Table {table_id} isn't at version {version} any more; nothing was changed.")
    if changes.ground is not None and await ground_of(table_id, version, db) != changes.ground:
        raise Conflict(f"Table {table_id} doesn't wait as it did; nothing was changed.")
    if changes.taken_back:
        await take_back(table_id, after, changes, db)
    await _insert_entries(table_id, entries, changes, db)
    await _update_table(table_id, changes, db)
    if changes.sitters is not None:
        await record_leavers(table_id, changes.sitters, db)
        await _seat(table_id, changes.sitters, changes.at, db)
    if changes.status in {"over", "closed"}:
        await _end(table_id, db)
    elif changes.to_act is not None:
        await _note_turns(table_id, changes.to_act, changes.at, db)
    if changes.outcome:
        await _insert_results(table_id, changes.outcome, db)
    if known is not None and known.version == version and changes.is_move:
        return replace(known, version=after, changed_at=changes.at)
    return await existing(table_id, db)


async def close_damaged(table_id: int, why: str, at: float, db: Transaction) -> bool:
    """Close a table whose row may be unreadable, unless it has ended. Return whether that was done."""
    closing = """
        UPDATE tables SET status = 'closed', reason = ?, version = version + 1, changed_at = ?
        WHERE id = ? AND status NOT IN ('over', 'closed')
    """
    if not await db.execute(closing, (why, at, table_id)):
        return False
    await _end(table_id, db)
    await db.execute("DELETE FROM removals WHERE table_id = ?", (table_id,))
    await db.execute("DELETE FROM invitations WHERE table_id = ?", (table_id,))
    return True


async def _end(table_id: int, db: Transaction) -> None:
    """Forget who has left, and who owes a move."""
    await forget_leavers(table_id, db)
    await db.execute("UPDATE seats SET owes = 0, since = NULL WHERE table_id = ?", (table_id,))


async def _insert_entries(table_id: int, entries: Sequence[Entry], changes: Changes, db: Transaction) -> None:
    for number, entry in enumerate(entries):
        by_user = None if entry.seat is CHANCE else changes.by_user
        stand_in = None if entry.seat is CHANCE else changes.stand_in
        row = (table_id, len(entries) - number, entry.seat, entry.move, by_user, changes.at, stand_in)
        await db.execute(INSERT_ENTRY, row)


async def _update_table(table_id: int, changes: Changes, db: Transaction) -> None:
    values = {
        "status": changes.status,
        "host_id": changes.host_id,
        "reason": changes.outcome.reason if changes.outcome else changes.why,
        "rules": changes.rules,
        "options": None if changes.options is None else to_json(changes.options),
        "seats": changes.seats,
        "clock": changes.clock,
        "looked_at": changes.at if changes.is_looking else None,
        "level": changes.level,
        "hints": changes.hints,
        "invited_only": None if changes.invited_only is None else int(changes.invited_only),
    }
    if any(value is not None for value in values.values()):
        await db.execute(_UPDATE_TABLE, values | {"id": table_id})
    if changes.status == "playing":  # removals and invitations hold for seats that are offered later
        await db.execute("DELETE FROM invitations WHERE table_id = ? AND is_invited = 0", (table_id,))
    elif changes.status:
        await db.execute("DELETE FROM removals WHERE table_id = ?", (table_id,))
        await db.execute("DELETE FROM invitations WHERE table_id = ?", (table_id,))
    elif changes.guests is not None:
        await _invite(table_id, changes.guests, db)
    if changes.removed is not None and changes.status is None:
        await db.execute(_REMOVE, (table_id, changes.removed))


async def _invite(table_id: int, guests: Sequence[Guest], db: Transaction) -> None:
    """Store the guests, in place of the former ones. Invited users may join even if they were removed before."""
    await db.execute("DELETE FROM invitations WHERE table_id = ?", (table_id,))
    await db.execute_many(
        "INSERT INTO invitations (table_id, user_id, is_invited, is_called) VALUES (?, ?, ?, ?)",
        [(table_id, *astuple(guest)) for guest in guests],
    )
    await readmit(table_id, [guest.user_id for guest in guests if guest.is_invited], db)


async def _insert_results(table_id: int, outcome: Outcome, db: Transaction) -> None:
    standing = zip(outcome.scores, outcome.places, strict=True)
    await db.execute_many(
        "INSERT INTO results (table_id, seat, score, place) VALUES (?, ?, ?, ?)",
        [(table_id, seat, score, place) for seat, (score, place) in enumerate(standing)],
    )


async def _seat(table_id: int, sitters: Sequence[Sitter], at: float, db: Transaction) -> None:
    await db.execute(
        "DELETE FROM seats WHERE table_id = ? AND seat NOT IN (SELECT value FROM json_each(?))",
        (table_id, to_json([sitter.seat for sitter in sitters])),
    )
    for sitter in sitters:
        await db.execute(_SEAT, asdict(sitter) | {"table_id": table_id, "since": at})


async def fill_in_turns(table: Table, to_act: Iterable[Seat], db: Transaction) -> None:
    """Store the turns of a table that has none. Raises `Conflict` if it isn't at this version any more."""
    await hold(table.id, table.version, db)
    await _note_turns(table.id, to_act, table.changed_at, db)


async def _note_turns(table_id: int, to_act: Iterable[Seat], at: float, db: Transaction) -> None:
    """Store which seats of an open table owe a move from now on."""
    await db.execute(NOTE_TURNS, (table_id, sum(1 << seat for seat in to_act), at))


async def note_hint(table: Table, ply: int, seat: Seat, db: Transaction) -> None:
    """Note a hint at this version of the table. Raises `Conflict` if the table has moved on."""
    await hold(table.id, table.version, db)
    note = "INSERT INTO hints (table_id, ply, seat) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    await db.execute(note, (table.id, ply, seat))


async def claim(interaction_id: int, db: Transaction) -> bool:
    """Claim the interaction; return false if it was claimed before. Ids contain the time, so old claims are deleted."""
    await db.execute("DELETE FROM claims WHERE interaction_id < ?", (interaction_id - _CLAIM_EXPIRY,))
    claim = "INSERT INTO claims (interaction_id) VALUES (?) ON CONFLICT DO NOTHING"
    return await db.execute(claim, (interaction_id,)) == 1
