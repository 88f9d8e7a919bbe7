"""Quotas: how many tables may be open, and what may be done within an hour, by a user and on a server.

What was done outlasts restarts, and other processes know it, as it is in the database. Rows are found by keyed hashes.
They have nobody's id, hold after users delete their data, and are deleted after a day.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

import msgspec

from bot.errors import Text, TooManyTables
from bot.records.quota import Use
from bot.store.database import Transaction

HOUR_S: Final = 60 * 60.0
_KEPT_S: Final = 24 * HOUR_S
_KEY_BYTES: Final = 32

_REFUSALS: Final = {
    ("open", "user"): Text("You've opened too many tables in a short time (limit {limit} an hour). Try again {when}."),
    ("open", "server"): Text(
        "Too many tables were opened on this server in a short time (limit {limit} an hour). Try again {when}."
    ),
    ("invite", "user"): Text(
        "You've invited too many players in a short time (limit {limit} an hour). Try again {when}."
    ),
    ("invite", "server"): Text(
        "Too many players were invited on this server in a short time (limit {limit} an hour). Try again {when}."
    ),
    ("look", "user"): Text("You've looked for players too often (limit {limit} an hour). Try again {when}."),
    ("look", "server"): Text(
        "Too many tables on this server have looked for players (limit {limit} an hour). Try again {when}."
    ),
    ("night", "user"): Text("You've planned too many game nights (limit {limit} an hour). Try again {when}."),
    ("night", "server"): Text(
        "Too many game nights were planned on this server (limit {limit} an hour). Try again {when}."
    ),
    ("match", "user"): Text("You've sent too many challenges (limit {limit} an hour). Try again {when}."),
    ("match", "server"): Text(
        "Too many challenges were sent on this server (limit {limit} an hour). Try again {when}."
    ),
}

_KEY: Final = "SELECT digest FROM recent_uses WHERE number = 0 ORDER BY digest LIMIT 1"
"""The key of the hashes is the only row that counts nothing."""
_INSERT: Final = """
INSERT INTO recent_uses (digest, since, number) VALUES (?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET number = recent_uses.number
"""


def ping_key(by: int, user_id: int) -> tuple[object, ...]:
    """Return the key of pings of a user by another one, who has one an hour: invitations, challenges, game nights."""
    return "ping", "host", by, user_id


async def check_uses(uses: Iterable[Use], at: float, db: Transaction) -> None:
    """Raise `TooManyTables` if one of these can't be done now."""
    query = "SELECT since, number FROM recent_uses WHERE digest = ? AND since > ? AND since <= ?"
    for (secret,) in await db.rows(_KEY):
        for use in uses:
            for since, number in await db.rows(query, (_digest(use.key, secret), at - HOUR_S, at + HOUR_S)):
                _check(use, since, number + use.times)


async def count_uses(uses: Iterable[Use], at: float, db: Transaction) -> None:
    """Count what is being done. Raise `TooManyTables`, which rolls the counts back, if that is too often."""
    old = "DELETE FROM recent_uses WHERE number > 0 AND (since < ? OR since > ?)"
    await db.execute(old, (at - _KEPT_S, at + HOUR_S))  # in the future are those from before the clock was put back
    for use in uses:
        _check(use, *await _note(use.key, at, use.times, db, adds=True))


async def last_done(key: tuple[object, ...], at: float, db: Transaction) -> float | None:
    """Return when this was done within the hour before; if it wasn't, return ``None``, and note that it is done now."""
    since, times = await _note(key, at, 1, db, adds=True)
    return None if times == 1 else since


async def note_done(key: tuple[object, ...], at: float, db: Transaction) -> None:
    """Note that this is done now, even if it was done within the hour before."""
    await db.execute("DELETE FROM recent_uses WHERE digest = ?", (_digest(key, await _secret(db)),))
    await _note(key, at, 1, db)


async def holder(key: tuple[object, ...], at: float, number: int, db: Transaction) -> int:
    """Return the number of what has done this within the hour before: this one if there is none."""
    _since, number = await _note(key, at, number, db)
    return number


def _check(use: Use, since: float, times: int) -> None:
    if times > use.limit:
        when = f"<t:{since + HOUR_S:.0f}:R>"
        raise TooManyTables(_REFUSALS[use.what, use.whose], limit=use.limit, when=when)


async def _note(
    key: tuple[object, ...], at: float, number: int, db: Transaction, *, adds: bool = False
) -> tuple[float, int]:
    """Add to the number of the present hour, if ``adds``, or start a new one; return when it began and its number."""
    digest = _digest(key, await _secret(db))
    await db.execute("DELETE FROM recent_uses WHERE digest = ? AND since <= ?", (digest, at - HOUR_S))
    added = " + excluded.number" if adds else ""
    ((since, total),) = await db.rows(f"{_INSERT}{added} RETURNING since, number", (digest, at, number))
    return since, total


async def _secret(db: Transaction) -> bytes:
    """Return the key of the hashes, which is made when it is first needed."""
    while not (rows := await db.rows(_KEY)):
        await db.execute(_INSERT, (secrets.token_bytes(_KEY_BYTES), 0.0, 0))
    return bytes(rows[0][0])


def _digest(key: tuple[object, ...], secret: bytes) -> bytes:
    return hmac.digest(secret, msgspec.json.encode(key), hashlib.sha256)
