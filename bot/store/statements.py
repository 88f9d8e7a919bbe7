"""Statements about tables and entries: records to rows and back. Each function runs in one transaction."""

import contextlib
import logging
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from bot.errors import Conflict, DamagedTable, Text, TooManyTables, damage_to
from bot.games.game import CHANCE, Actor, Entry, Seat
from bot.records.quota import Quotas
from bot.records.table import (
    Change,
    Chosen,
    FormerPlayers,
    Guest,
    Log,
    Place,
    Sitter,
    Table,
)
from bot.records.table_damage import damage_reference, problem_of
from bot.store.alerts import expect_alerts
from bot.store.database import Row, Transaction, hold, to_json
from bot.store.due_rows import set_due
from bot.store.former_players import with_leavers
from bot.store.quotas import check_uses, count_uses, last_done, note_done, ping_key
from bot.store.results import note_result, record_result
from bot.store.undos import take_back
from bot.store.waits import ground_of

log: Final = logging.getLogger(__name__)

_LASTING: Final = ("name", "game", "guild_id", "channel_id", "opened_at", "rematch_of")
_CHANGING: Final = ("status", "version", "plies", "host_id", "changed_at", "record")
COLUMNS: Final = ("id", "number", *_LASTING, *_CHANGING)
"""The columns of a table, which queries need. ``record`` is JSON and has all other fields of `Table`."""

TABLE: Final = f"SELECT {', '.join(COLUMNS)} FROM tables "  # noqa: S608 - constant names
"""Selects tables, for `table_of`."""
BY_ID: Final = TABLE + "WHERE id = ?"
_STATUS: Final = COLUMNS.index("status")
_VERSION: Final = COLUMNS.index("version")

_INSERT: Final = f"""
INSERT INTO tables ({", ".join((*_LASTING, *_CHANGING))}, number)
VALUES ({", ".join(f":{column}" for column in (*_LASTING, *_CHANGING))},
    (SELECT coalesce(max(number), 0) + 1 FROM tables
        WHERE coalesce(guild_id, channel_id) = coalesce(CAST(:guild_id AS BIGINT), CAST(:channel_id AS BIGINT))))
RETURNING id, number
"""  # noqa: S608 - constant names

_UPDATE: Final = f"""
UPDATE tables SET {", ".join(f"{column} = :{column}" for column in _CHANGING)} WHERE id = :id AND version = :before
"""  # noqa: S608 - constant names

_INSERT_ENTRY: Final = """
INSERT INTO entries (table_id, ply, seat, move, by_user, at, stand_in, level, seen, automatic)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_NOTE_PING: Final = "INSERT INTO pings (table_id, user_id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"

_SEAT: Final = """
INSERT INTO seats (table_id, seat, user_id, held_for, owes, since) VALUES (?, ?, ?, ?, 0, ?)
ON CONFLICT (table_id, seat) DO UPDATE SET user_id = excluded.user_id, held_for = excluded.held_for
"""
"""A seat that changes hands goes on owing a move, or not; a new one owes nothing."""

_NOTE_TURNS: Final = """
UPDATE seats SET owes = (CAST(?2 AS BIGINT) >> seat) & 1, since = ?3
WHERE table_id = ?1 AND since IS NOT NULL AND coalesce(owes, -1) <> (CAST(?2 AS BIGINT) >> seat) & 1
"""

_LOST: Final[dict[str, Any]] = {
    "status": "playing",
    "options": {},
    "seats": 0,
    "sitters": (),
    "commitment": "",
    "seed": None,
    "outcome": None,
}
"""What stands for fields without a default that can't be read."""


# ---- tables as rows


def row_of(table: Table) -> dict[str, Any]:
    """Return the columns of a table."""
    fields = asdict(table) | asdict(table.place)
    columns: dict[str, Any] = {name: fields.pop(name) for name in COLUMNS if name in fields}
    del fields["place"]
    return columns | {"record": to_json(fields)}


def table_of(row: Sequence[Any], known: Table | None = None) -> Table:
    """Return the table of a row of `TABLE`: ``known`` if that is still right. Raises `DamagedTable`."""
    if known is not None and known.is_open and (row[_STATUS], row[_VERSION]) == (known.status, known.version):
        return known  # nothing of an open table changes without its version
    try:
        table = msgspec.convert(_fields(row), Table)
    except msgspec.DecodeError as error:  # its text may quote a player's cut
        raise damage_to(row[0], _part(error)) from None
    if damage_reference(table) is None and (problem := problem_of(table)):
        raise damage_to(table.id, problem)
    return table


def is_readable(row: Row) -> bool:
    """Whether there is a table in the row, whole and right."""
    return bool(list(tables_of([row])))


def tables_of(rows: Iterable[Sequence[Any]]) -> Iterator[Table]:
    """Yield the tables of rows of the query `TABLE`. Those that can't be read are left out."""
    for row in rows:
        try:
            yield table_of(row)
        except DamagedTable as error:
            log.info("table %s is left out: its %s can't be read", error.table_id, error.what)


def salvaged(row: Row) -> Table:
    """Return what can be read of the table of a row."""
    try:
        fields = _fields(row)
    except msgspec.DecodeError:
        fields = _fields((*row[:-1], "{}"))
    kept = dict(_LOST)
    for field in msgspec.structs.fields(Table):
        with contextlib.suppress(KeyError, msgspec.ValidationError):
            kept[field.name] = msgspec.convert(fields[field.name], field.type)
    return Table(**kept)


def _fields(row: Sequence[Any]) -> dict[str, Any]:
    """Return the fields of `Table` in a row. Raises `msgspec.DecodeError`."""
    *values, written = row
    columns = dict(zip(COLUMNS, values, strict=False))
    place = {"guild_id": columns.pop("guild_id"), "channel_id": columns.pop("channel_id")}
    return msgspec.json.decode(written, type=dict[str, Any]) | columns | {"place": place}


def _part(error: msgspec.DecodeError) -> str:
    """Return which part of a table an error is about: its path is like ``$.sitters[0].level``."""
    found = re.search(r"\$\.(\w+)", str(error))
    return found[1] if found else "record"


# ---- reading


async def read_table(table_id: int, known: Table | None, db: Transaction) -> Table | None:
    """Return the table with this number: ``known`` if that is the current one."""
    for row in await db.rows(BY_ID, (table_id,)):
        return table_of(row, known)
    return None


async def read_log(table_id: int, db: Transaction) -> Log | None:
    """Return the table and its entries. Raises `DamagedTable` if entries are missing."""
    table = await read_table(table_id, None, db)
    if table is None:
        return None
    query = "SELECT seat, move, automatic, stand_in, ply, level, seen FROM entries WHERE table_id = ? ORDER BY ply"
    rows = await db.rows(query, (table_id,))
    if [row[4] for row in rows] != list(range(table.plies)):
        raise damage_to(table_id, "log")
    entries = tuple([Entry(seat, move) for seat, move, *_ in rows])
    stand_ins = {ply: name for *_, name, ply, _, _ in rows if name is not None}
    chosen = {ply: Chosen(level, seen) for *_, ply, level, seen in rows if level is not None}
    hints = await db.rows("SELECT ply, seat FROM hints WHERE table_id = ? ORDER BY ply, seat", (table_id,))
    automatic = frozenset([ply for _, _, is_automatic, _, ply, *_ in rows if is_automatic])
    return Log(table, entries, stand_ins, tuple(hints), chosen, automatic)


# ---- opening


async def open_table(
    table: Table, seed: bytes, quotas: Quotas | None, replaced: Table | None, db: Transaction
) -> Table:
    """Insert a table and its seed, and return it with its numbers. Raises `TooManyTables` if that exceeds the quotas.

    The lobby that it replaces is closed. Raises `Conflict` if that has changed.
    """
    if quotas is not None:
        await db.lock("quotas")
        await check_quotas(quotas, table.host_id, table.place, table.opened_at, db)
        await count_uses(quotas.uses("open", table.host_id, table.place.guild_id), table.opened_at, db)
    if replaced is not None:  # first, as a table has one rematch that isn't closed
        await write(replaced, Change(replace(replaced, status="closed")), table.opened_at, db)
    ((table_id, number),) = await db.rows(_INSERT, row_of(table))
    opened = replace(table, id=table_id, number=number)
    await db.execute("INSERT INTO secrets (table_id, seed) VALUES (?, ?)", (table_id, seed))
    await _seat(opened, db)
    await expect_alerts(opened, db)
    if table.rematch_of is not None:
        await _limit_pings(opened, (), lambda user_id: ("ping", "rematch", table.rematch_of, user_id), db)
    else:  # the guests of a game night have asked for their ping, but it counts for others
        for guest in [guest for guest in table.guests if guest.is_called]:
            await note_done(ping_key(table.host_id, guest.user_id), table.opened_at, db)
    return opened


async def check_quotas(quotas: Quotas, host_id: int, place: Place, at: float, db: Transaction) -> None:
    """Raise `TooManyTables` if one more table would exceed a quota of its host, channel or server.

    This runs in the transaction that opens a table, so that processes can't exceed the quotas together.
    """
    for column, number, limit, template in (
        (
            "host_id",
            host_id,
            quotas.host,
            Text("You can't host more open tables (limit {limit}). Finish or close one first."),
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
    await check_uses(quotas.uses("open", host_id, place.guild_id), at, db)


# ---- changing


async def write(before: Table, change: Change, at: float, db: Transaction) -> Table:
    """Write a change, and return the table after it. Raises `Conflict` if the table isn't as it was before."""
    if change.uses:
        await count_uses(change.uses, at, db)
    after = await _revealed(_moved_on(before, change, at), db)
    await _replace(before, after, db)
    if change.ground is not None and await ground_of(before.id, before.version, db) != change.ground:
        raise Conflict(f"Table {before.id} doesn't wait as it did; nothing was changed.")
    if change.taken_back:
        await take_back(after, change, db)
    await _insert_entries(after, change, db)
    if _places(after.sitters) != _places(before.sitters):
        await _seat(after, db)
    if after.status == "playing" != before.status:
        await set_due("deadline", after.id, after.place.guild_id, at, db)
    if after.guests != before.guests:
        await _limit_pings(after, before.guests, partial(ping_key, after.host_id), db)
    if not after.is_open:
        await _end(after, change.margin, db)
        if change.result is not None:
            after = replace(after, counted=await record_result(after, change.result, db))
            await db.execute("UPDATE tables SET record = ? WHERE id = ?", (row_of(after)["record"], after.id))
    elif change.to_act is not None:
        await _note_turns(after.id, change.to_act, at, db)
    return after


def _moved_on(before: Table, change: Change, at: float) -> Table:
    """Return the table after a change, with its new version. An ended table has no guests and no former players."""
    version = before.version + (len(change.entries) or 1)
    after = replace(
        change.table,
        version=version,
        changed_at=at,
        plies=before.plies - change.taken_back + len(change.entries),
        undone_at=version if change.taken_back else before.undone_at,
        former=with_leavers(before, change.table),
    )
    return after if after.is_open else replace(after, guests=(), former=FormerPlayers())


async def _revealed(table: Table, db: Transaction) -> Table:
    """Return the table, with its seed once it has ended. Others may still play the deal of an event."""
    return await unsealed(table, db) if table.has_ended and table.event is None else table


async def _replace(before: Table, after: Table, db: Transaction) -> None:
    """Write a table. Raises `Conflict` if it isn't as it was before."""
    if not await db.execute(_UPDATE, row_of(after) | {"before": before.version}):
        raise Conflict(f"Table {before.id} isn't at version {before.version} any more; nothing was changed.")


async def unsealed(table: Table, db: Transaction) -> Table:
    """Return a table that has ended with its seed."""
    ((seed,),) = await db.rows("SELECT max(lower(hex(seed))) FROM secrets WHERE table_id = ?", (table.id,))
    return replace(table, seed=seed)


async def _limit_pings(
    table: Table, known: Sequence[Guest], key: Callable[[int], tuple[object, ...]], db: Transaction
) -> None:
    """Let new guests have no ping if they got one within an hour for the same reason: with this ``key``."""
    before = {guest.user_id for guest in known}
    for user_id in [each.user_id for each in table.guests if each.is_called and each.user_id not in before]:
        last = await last_done(key(user_id), table.changed_at, db)
        if last is not None:
            await db.execute(_NOTE_PING, (table.id, user_id, last))


async def _insert_entries(table: Table, change: Change, db: Transaction) -> None:
    chosen = (None, None) if change.chosen is None else (change.chosen.level, change.chosen.seen)
    for at, entry in enumerate(change.entries):
        by = (None, None, None, None) if entry.seat is CHANCE else (change.by_user, change.stand_in, *chosen)
        if at in change.automatic:
            by = (next(iter(table.users_at({entry.seat})), None), None, None, None)
        ply = table.plies - len(change.entries) + at
        row = (table.id, ply, entry.seat, entry.move, by[0], table.changed_at, *by[1:], int(at in change.automatic))
        await db.execute(_INSERT_ENTRY, row)


def _places(sitters: Sequence[Sitter]) -> list[tuple[Seat, int | None, int | None]]:
    return [(sitter.seat, sitter.user_id, sitter.held_for) for sitter in sitters]


async def _seat(table: Table, db: Transaction) -> None:
    """Store who sits where, for queries."""
    places = _places(table.sitters)
    await db.execute("UPDATE seats SET user_id = NULL WHERE table_id = ?", (table.id,))  # nobody has two on the way
    await db.execute(
        "DELETE FROM seats WHERE table_id = ? AND seat NOT IN (SELECT value FROM json_each(?))",
        (table.id, to_json([seat for seat, *_ in places])),
    )
    await db.execute_many(_SEAT, [(table.id, *place, table.changed_at) for place in places])


async def close_damaged(table_id: int, why: str, at: float, db: Transaction) -> bool:
    """Close a table that may be unreadable, unless it has ended. Return whether that was done."""
    for row in await db.rows(BY_ID, (table_id,)):
        table = salvaged(row)
        closed = replace(
            table,
            status="closed",
            why=why,
            version=table.version + 1,
            seats=len(table.sitters),
            changed_at=at,
            guests=(),
            former=FormerPlayers(),
        )
        if row[_STATUS] in {"over", "closed"}:
            return False
        if await db.execute(_UPDATE, row_of(closed) | {"before": table.version}):
            if not math.isfinite(table.opened_at):
                await db.execute("UPDATE tables SET opened_at = 0 WHERE id = ?", (table.id,))
            await _end(closed, None, db)
            return True
    return False


async def _end(table: Table, margin: int | None, db: Transaction) -> None:
    """Forget who owes a move, and store the result of a game of an event, if it has one."""
    await db.execute("UPDATE seats SET owes = 0, since = NULL WHERE table_id = ?", (table.id,))
    if margin is not None:
        await note_result(table, margin, db)


async def rewrite(before: Table, after: Table, db: Transaction) -> None:
    """Write a table that has lost personal data. An open one gets a new version, so that nobody writes it back.

    Raises `Conflict` if it isn't as it was before.
    """
    await _replace(before, replace(after, version=before.version + before.is_open), db)


# ---- turns


async def fill_in_turns(table: Table, to_act: Iterable[Actor], db: Transaction) -> None:
    """Store the turns of a table that has none. Raises `Conflict` if it isn't at this version any more."""
    await hold(table.id, table.version, db)
    await _note_turns(table.id, to_act, table.changed_at, db)


async def _note_turns(table_id: int, to_act: Iterable[Actor], at: float, db: Transaction) -> None:
    """Store which seats of an open table owe a move from now on."""
    await db.execute(_NOTE_TURNS, (table_id, sum(1 << seat for seat in to_act if seat is not CHANCE), at))
