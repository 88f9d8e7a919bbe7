"""The base of repositories, and records as rows."""

import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

import msgspec

from bot.errors import Conflict
from bot.store.database import Database
from bot.store.transaction import Transaction

log: Final = logging.getLogger(__name__)

R = TypeVar("R", bound=msgspec.Struct)

NOW: Final = "((julianday('now') - 2440587.5) * 86400.0)"
"""The database's clock, in seconds since 1970: processes whose own clocks differ agree on it."""


class Repository:
    """The queries about one subject. Each method may raise `StoreError`, and then has stored nothing.

    A method that writes returns when its data would survive a power cut.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reading = database.reading
        self._writer = database.writer


def record(kind: type[R], row: tuple[Any, ...], *in_json: str) -> R:
    """Return the record of a row that has its fields, in this order. Those ``in_json`` are texts."""
    fields = dict(zip(kind.__struct_fields__, row, strict=True))
    fields |= {name: msgspec.json.decode(fields[name] or "null") for name in in_json}
    return msgspec.convert(fields, kind)


def records(kind: type[R], rows: Iterable[tuple[Any, ...]], *in_json: str) -> Iterator[R]:
    """Yield the records of rows. Those that can't be read are left out."""
    for row in rows:
        try:
            yield record(kind, row, *in_json)
        except (msgspec.DecodeError, UnicodeError):  # its text may quote a column
            log.warning("a row of %s can't be read and is left out", kind.__name__)


async def hold(table_id: int, version: int, db: Transaction) -> None:
    """Keep the table at this version until the transaction ends. Raises `Conflict` if it has moved on."""
    if not await db.execute("UPDATE tables SET version = version WHERE id = ? AND version = ?", (table_id, version)):
        raise Conflict(f"Table {table_id} isn't at version {version} any more; nothing was changed.")


def to_json(value: object) -> str:
    """Return the value as JSON, for columns and for the parameters of ``json_each``."""
    return msgspec.json.encode(value).decode()
