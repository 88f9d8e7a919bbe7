"""Game nights that members of a server have planned."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import asdict

from bot.errors import NotAllowed
from bot.records.night import Night, NightStatus
from bot.records.quota import Use
from bot.store.database import Repository, Transaction, insert, records, to_json, work
from bot.store.due_rows import set_due
from bot.store.quotas import count_uses

MOST_GUESTS: Final = 50
MOST_OF_HOST: Final = 3
MOST_OF_SERVER: Final = 10
"""Maximum number of nights that are planned at the same time."""
_GIVEN: Final = ("id", "guild_id", "channel_id", "host_id", "host_name", "game", "starts_at", "status")
_INSERT: Final = insert("nights", _GIVEN)
_COLUMNS: Final = (*_GIVEN, "opened_as", "moves", "is_moderated")


class Nights(Repository):
    """Game nights and who is in."""

    @work
    async def plan(self, db: Transaction, night: Night, uses: Sequence[Use], at: float) -> None:
        """Store a new night, whose host is in. Raises `NotAllowed` or `TooManyTables` if there are too many."""
        await db.lock("nights")
        planned = "SELECT count(*) FROM nights WHERE status = 'planned' AND guild_id = ?"
        ((of_server,),) = await db.rows(planned, (night.guild_id,))
        ((of_host,),) = await db.rows(f"{planned} AND host_id = ?", (night.guild_id, night.host_id))
        if of_host >= MOST_OF_HOST:
            raise NotAllowed("You've planned {most} game nights here already. Cancel one first.", most=MOST_OF_HOST)
        if of_server >= MOST_OF_SERVER:
            raise NotAllowed("This server has {most} planned game nights already.", most=MOST_OF_SERVER)
        await count_uses(uses, at, db)
        await db.execute(_INSERT, asdict(night))
        host = (night.id, night.host_id, at)
        await db.execute("INSERT INTO night_guests (night_id, user_id, at) VALUES (?, ?, ?)", host)
        await set_due("night", night.id, night.guild_id, night.starts_at, db)

    @work
    async def change(self, db: Transaction, night: Night, uses: Sequence[Use], at: float, *, by: int) -> bool:
        """Store the game and the time of a night that a user has changed; return whether it is still planned.

        If others are in who get a ping, this counts ``uses``. Raises `TooManyTables` if there are too many.
        """
        await db.lock("nights")
        planned = "SELECT starts_at FROM nights WHERE id = ? AND status = 'planned'"
        others = "SELECT count(*) FROM night_guests WHERE night_id = ? AND user_id <> ?"
        before, ((count,),) = await db.rows(planned, (night.id,)), await db.rows(others, (night.id, by))
        if not before:
            return False
        await db.execute(
            "UPDATE nights SET game = ?2, starts_at = ?3 WHERE id = ?1", (night.id, night.game, night.starts_at)
        )
        if count and before[0][0] != night.starts_at:
            await count_uses(uses, at, db)
            moved = "UPDATE nights SET moves = moves + 1, is_moderated = ?2 WHERE id = ?1"
            await db.execute(moved, (night.id, int(by != night.host_id)))
        await set_due("night", night.id, night.guild_id, night.starts_at, db)
        return True

    async def find(self, night_id: int) -> Night | None:
        """Return the night with this id, unless it is damaged."""
        rows = await self._reading.rows(f"SELECT {', '.join(_COLUMNS)} FROM nights WHERE id = ?", night_id)  # noqa: S608 - constant names
        guests = "SELECT user_id FROM night_guests WHERE night_id = ? ORDER BY at, user_id"
        users = to_json(await self._reading.numbers(guests, night_id))
        return next(records(Night, [(*row, users) for row in rows], "guests"), None)

    async def all(self) -> tuple[int, ...]:
        """Return the ids of all nights."""
        return await self._reading.numbers("SELECT id FROM nights ORDER BY starts_at")

    @work
    async def join(self, db: Transaction, night_id: int, user_id: int, at: float) -> None:
        """Note that the user is in. Raises `NotAllowed` if too many are."""
        await db.lock("nights")
        ((count,),) = await db.rows("SELECT count(*) FROM night_guests WHERE night_id = ?", (night_id,))
        if count >= MOST_GUESTS:
            raise NotAllowed("{most} people are in already.", most=MOST_GUESTS)
        await db.execute(
            "INSERT INTO night_guests (night_id, user_id, at) SELECT id, ?2, ?3 FROM nights"
            " WHERE id = ?1 AND status = 'planned' ON CONFLICT DO NOTHING",
            (night_id, user_id, at),
        )

    async def leave(self, night_id: int, user_id: int) -> None:
        """Note that the user isn't in any more."""
        await self._writer.execute("DELETE FROM night_guests WHERE night_id = ? AND user_id = ?", (night_id, user_id))

    @work
    async def settle(self, db: Transaction, night: Night, status: NightStatus) -> bool:
        """Change the status of a night; return whether that was still as it was read."""
        change = "UPDATE nights SET status = ? WHERE id = ? AND status = ?"
        return await db.execute(change, (status, night.id, night.status)) == 1

    async def opened(self, night_id: int, table_id: int) -> None:
        """Store the table that opened when the night began."""
        await self._writer.execute("UPDATE nights SET opened_as = ? WHERE id = ?", (table_id, night_id))

    @work
    async def forget(self, db: Transaction, before: float) -> None:
        """Delete the nights that should have begun before that time."""
        old = "(SELECT id FROM nights WHERE starts_at < ?)"
        await db.execute(f"DELETE FROM night_guests WHERE night_id IN {old}", (before,))  # noqa: S608 - constant text
        await db.execute(f"DELETE FROM messages WHERE subject = 'night' AND subject_id IN {old}", (before,))  # noqa: S608 - constant text
        await db.execute("DELETE FROM nights WHERE starts_at < ?", (before,))
