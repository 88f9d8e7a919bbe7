"""Undone entries, and the answers to questions for an undo."""

from collections.abc import Collection, Iterable, Mapping

from bot.errors import Conflict
from bot.games.game import Entry
from bot.records.table import Change, Table
from bot.records.taken_back import REFUSED, WITHDRAWN, TakenBack, UndoAnswers
from bot.store.database import Repository, Row, Transaction, hold, work


class UndoStore(Repository):
    """Entries that were taken back, and votes about that."""

    async def taken_back(self, table_id: int) -> tuple[TakenBack, ...]:
        """Return the entries that were taken back, in that order."""
        rows = await self._reading.rows(
            "SELECT undone_at, ply, seat, move, by_user, taken_by, taken_at FROM taken_back WHERE table_id = ?"
            " ORDER BY undone_at, ply",
            table_id,
        )
        return tuple(TakenBack(at, ply, Entry(seat, move), *users) for at, ply, seat, move, *users in rows)

    async def questions(self, table_id: int, version: int) -> Mapping[int, UndoAnswers]:
        """Return the users who ask for an undo at this version, with the answers."""
        query = "SELECT asker_id, user_id FROM undo_votes WHERE table_id = ? AND version = ?"
        return questions_of(await self._reading.rows(query, table_id, version))

    async def forget(self, table_id: int, asker_id: int) -> None:
        """Delete the asker's question."""
        await self._writer.execute("DELETE FROM undo_votes WHERE table_id = ? AND asker_id = ?", (table_id, asker_id))

    @work
    async def answer(self, db: Transaction, table_id: int, version: int, asker_id: int, answer: int) -> None:
        """Store an answer to the asker's question at this version, and forget older questions.

        It is the user who agrees, `REFUSED` or `WITHDRAWN`. Raises `Conflict` if the table has moved on.
        """
        await hold(table_id, version, db)
        await _store(table_id, version, asker_id, answer, db)

    @work
    async def agree(
        self, db: Transaction, table: Table, asker_id: int, user_id: int, concerned: Collection[int]
    ) -> bool:
        """Store that the user agrees, and return true, unless all others concerned have agreed already.

        The undo itself is the last agreement: no question is left of which everybody has agreed to what didn't happen.
        Raises `Conflict` if the table has moved on.
        """
        await hold(table.id, table.version, db)
        query = "SELECT user_id FROM undo_votes WHERE table_id = ? AND version = ? AND asker_id = ?"
        agreed = {user for (user,) in await db.rows(query, (table.id, table.version, asker_id))}
        if agreed.issuperset(set(concerned) - {user_id}):
            return False
        await _store(table.id, table.version, asker_id, user_id, db)
        return True


async def _store(table_id: int, version: int, asker_id: int, answer: int, db: Transaction) -> None:
    await db.execute("DELETE FROM undo_votes WHERE table_id = ? AND version < ?", (table_id, version))
    await db.execute(
        "INSERT INTO undo_votes (table_id, version, asker_id, user_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (table_id, version, asker_id, answer),
    )


def questions_of(rows: Iterable[Row]) -> Mapping[int, UndoAnswers]:
    """Return the users who ask for an undo, with the answers: rows of an asker and an answer."""
    answers: dict[int, set[int]] = {}
    for asker_id, user_id in rows:
        answers.setdefault(asker_id, set()).add(user_id)
    return {
        asker_id: UndoAnswers(frozenset(users - {REFUSED, WITHDRAWN}), REFUSED in users, WITHDRAWN in users)
        for asker_id, users in answers.items()
    }


async def take_back(after: Table, change: Change, db: Transaction) -> None:
    """Move the last ``change.taken_back`` entries of the log to ``taken_back``.

    ``after`` is the table after that. Raises `Conflict` if there are fewer entries, or if the question for this undo
    has just been refused or withdrawn.
    """
    count = change.taken_back
    settled = "SELECT 1 FROM undo_votes WHERE table_id = ? AND version = ? AND asker_id = ? AND user_id <= 0"
    if await db.rows(settled, (after.id, after.version - 1, change.by_user)):
        raise Conflict(f"The undo at table {after.id} was refused; nothing was changed.")
    moved = await db.execute(
        "INSERT INTO taken_back (table_id, undone_at, ply, seat, move, by_user, at, taken_by, taken_at)"
        " SELECT table_id, ?2, ply, seat, move, by_user, at, ?3, ?4 FROM entries WHERE table_id = ?1 AND ply >= ?5",
        (after.id, after.version, change.by_user, after.changed_at, after.plies),
    )
    if moved != count:
        raise Conflict(f"Table {after.id} has no {count} entries to take back; nothing was changed.")
    await db.execute("DELETE FROM entries WHERE table_id = ? AND ply >= ?", (after.id, after.plies))
    await db.execute("DELETE FROM undo_votes WHERE table_id = ?", (after.id,))
