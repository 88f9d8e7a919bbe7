"""Limits on open tables, checked in the transaction that opens one, so that processes can't exceed them."""

import sqlite3
from typing import Final

from bot.errors import TooManyTables
from bot.store.records import Place, Quotas

_OPEN: Final = "SELECT count(*) FROM tables WHERE status IN ('lobby', 'playing') AND"
_HOSTED: Final = f"{_OPEN} host_id = ?"
_IN_CHANNEL: Final = f"{_OPEN} channel_id = ?"
_ON_SERVER: Final = f"{_OPEN} guild_id = ?"


def check(quotas: Quotas, host_id: int, place: Place, connection: sqlite3.Connection) -> None:
    """Raise `TooManyTables` if one more table would exceed the quota of its host, channel or server."""
    for query, number, limit, sentence in (
        (_HOSTED, host_id, quotas.host, "You can host {} open tables. Finish or close one first: `/tables`."),
        (_IN_CHANNEL, place.channel_id, quotas.channel, "This channel can have {} open tables. Try another channel."),
        (
            _ON_SERVER,
            place.guild_id,
            quotas.server,
            "This server can have {} open tables. Finish one first, or ask a moderator to close some.",
        ),
    ):
        if connection.execute(query, (number,)).fetchone()[0] >= limit:
            raise TooManyTables(sentence.format(limit))
