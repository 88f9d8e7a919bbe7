"""Users who can't take a seat at a table any more: they left one in play, or were removed. Pure.

Until the table ends, former players are stored as salted hashes. So are removed users, once they delete their data.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection
from typing import Final, Literal

from msgspec.structs import replace

from bot.records.table import FormerPlayers, Table

_SALT_BYTES: Final = 32


def how_gone(table: Table, user_id: int) -> Literal["left", "removed"] | None:
    """Return whether the user left a seat in play at the table or was removed from it; ``None`` if neither."""
    former, digest = table.former, _digest(table.former.salt, user_id)
    if user_id in former.removed or digest in former.forgotten:
        return "removed"
    return "left" if digest in former.left else None


def with_leavers(before: Table, after: Table) -> FormerPlayers:
    """Return the former players after a change, with those who have lost their seat in play by it."""
    stay = {sitter.user_id for sitter in after.sitters}
    leavers = [sitter.user_id for sitter in before.sitters if sitter.user_id is not None and sitter.user_id not in stay]
    if before.status != "playing" or not leavers:
        return after.former
    former = _salted(after.former)
    return replace(former, left=(*former.left, *[_digest(former.salt, user_id) for user_id in leavers]))


def removed(table: Table, user_id: int | None) -> FormerPlayers:
    """Return the former players after the host has removed a user, or a computer (``None``)."""
    return replace(table.former, removed=(*table.former.removed, *(() if user_id is None else (user_id,))))


def readmitted(table: Table, users: Collection[int]) -> FormerPlayers:
    """Return the former players without these users."""
    former = table.former
    digests = {_digest(former.salt, user_id) for user_id in users}
    return FormerPlayers(
        removed=tuple(user_id for user_id in former.removed if user_id not in users),
        salt=former.salt,
        left=tuple(digest for digest in former.left if digest not in digests),
        forgotten=tuple(digest for digest in former.forgotten if digest not in digests),
    )


def with_hash_for(table: Table, user_id: int) -> FormerPlayers:
    """Return the former players with a hash in place of the user's id, so that a removal outlasts their data."""
    if user_id not in table.former.removed:
        return table.former
    former = _salted(readmitted(table, {user_id}))
    return replace(former, forgotten=(*former.forgotten, _digest(former.salt, user_id)))


def _salted(former: FormerPlayers) -> FormerPlayers:
    return former if former.salt else replace(former, salt=secrets.token_hex(_SALT_BYTES))


def _digest(salt: str, user_id: int) -> str:
    return hmac.new(bytes.fromhex(salt), str(user_id).encode(), hashlib.sha256).hexdigest()
