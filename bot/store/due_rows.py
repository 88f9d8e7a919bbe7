"""What is due when: rows of a kind, an id and a time. `bot.calendar` has them done.

A row is written in the transaction of the change that makes it necessary. Its time is the earliest at which something
may be due: whoever does that looks for themselves, and says when to look again.
"""

import math
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.store.database import Repository, Transaction, work

RowKind: TypeAlias = Literal["alert", "deadline", "forced", "night", "match", "recap"]
"""What a row is about: a lobby, a table in play, with a forced move or in any case, a game night, a match, or the recap
of a server. Its id is theirs."""


class DueRow(NamedTuple):
    """Something that is due at a time. ``guild_id`` tells which process does it."""

    kind: str
    id: int
    guild_id: int | None
    at: float


_ROWS: Final = f"SELECT {', '.join(DueRow._fields)} FROM due "  # noqa: S608 - constant names


async def set_due(kind: RowKind, number: int, guild_id: int | None, at: float, db: Transaction) -> None:
    """Let something be due at this time, whenever it was due before."""
    await db.execute(
        "INSERT INTO due (kind, id, guild_id, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (kind, id) DO UPDATE SET at = excluded.at",
        (kind, number, guild_id, at),
    )


class DueRows(Repository):
    """All rows."""

    @work
    async def put(self, db: Transaction, kind: RowKind, number: int, guild_id: int | None, at: float) -> None:
        """Let something be due at this time, by itself: as `set_due`."""
        await set_due(kind, number, guild_id, at, db)

    async def find(self, kind: str, number: int) -> DueRow | None:
        """Return the row of this kind with this id, if there is one."""
        rows = await self._reading.rows(f"{_ROWS} WHERE kind = ? AND id = ?", kind, number)
        return next((DueRow(*row) for row in rows), None)

    async def due(self, now: float) -> list[DueRow]:
        """Return the rows whose time has come, the oldest first."""
        return [DueRow(*row) for row in await self._reading.rows(f"{_ROWS} WHERE at <= ? ORDER BY at, kind, id", now)]

    async def next_at(self, now: float) -> float:
        """Return the time of the first row whose time hasn't come; infinity if there is none."""
        ((at,),) = await self._reading.rows("SELECT min(at) FROM due WHERE at > ?", now)
        return math.inf if at is None else float(at)

    async def of_kind(self, kind: str) -> list[DueRow]:
        """Return all rows of a kind."""
        return [DueRow(*row) for row in await self._reading.rows(f"{_ROWS} WHERE kind = ? ORDER BY at, id", kind)]

    async def done(self, row: DueRow, again_at: float | None) -> None:
        """Let a row be due again at this time, or never again, unless it has changed since it was read."""
        as_read = "kind = ? AND id = ? AND at = ?"
        if again_at is None:
            await self._writer.execute(f"DELETE FROM due WHERE {as_read}", (row.kind, row.id, row.at))  # noqa: S608 - constant text
        else:
            change = f"UPDATE due SET at = ? WHERE {as_read}"  # noqa: S608 - constant text
            await self._writer.execute(change, (again_at, row.kind, row.id, row.at))
