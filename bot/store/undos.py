"""Entries that were taken back, and votes about that."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.errors import Conflict
from bot.games.game import Entry
from bot.store.records import Changes, TakenBack, UndoAnswers
from bot.store.repository import Repository, hold
from bot.store.transaction import Transaction

_REFUSED: Final = 0
"""Stored as the user of a refusal. No user has this id."""
_WITHDRAWN: Final = -1
"""Stored as the user of a withdrawal. No user has this id."""


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

    async def agree(self, table_id: int, version: int, asker_id: int, user_id: int) -> None:
        """Store that the user agrees to the asker's undo at this version, and forget older questions.

        This and the other answers raise `Conflict` if the table has moved on.
        """
        await self._answer(table_id, version, asker_id, user_id)

    async def refuse(self, table_id: int, version: int, asker_id: int) -> None:
        """Store that a player refused the asker's undo at this version."""
        await self._answer(table_id, version, asker_id, _REFUSED)

    async def withdraw(self, table_id: int, version: int, asker_id: int) -> None:
        """Store that the asker withdrew their question at this version."""
        await self._answer(table_id, version, asker_id, _WITHDRAWN)

    async def questions(self, table_id: int, version: int) -> Mapping[int, UndoAnswers]:
        """Return the users who ask for an undo at this version, with the answers."""
        return await self._reading.run(partial(questions_at, table_id, version))

    async def forget(self, table_id: int, asker_id: int) -> None:
        """Delete the asker's question."""
        await self._writer.execute("DELETE FROM undo_votes WHERE table_id = ? AND asker_id = ?", (table_id, asker_id))

    async def _answer(self, table_id: int, version: int, asker_id: int, answer: int) -> None:
        await self._writer.write(partial(_store_answer, table_id, version, asker_id, answer), table_id)


async def questions_at(table_id: int, version: int, db: Transaction) -> Mapping[int, UndoAnswers]:
    """Return the users who ask for an undo at this version, with the answers."""
    query = "SELECT asker_id, user_id FROM undo_votes WHERE table_id = ? AND version = ?"
    answers: dict[int, set[int]] = {}
    for asker_id, user_id in await db.rows(query, (table_id, version)):
        answers.setdefault(asker_id, set()).add(user_id)
    return {
        asker_id: UndoAnswers(frozenset(users - {_REFUSED, _WITHDRAWN}), _REFUSED in users, _WITHDRAWN in users)
        for asker_id, users in answers.items()
    }


async def take_back(table_id: int, version: int, changes: Changes, db: Transaction) -> None:
    """Move the last ``changes.taken_back`` entries of the log to ``taken_back``.

    ``version`` is the version of the table after that. Raises `Conflict` if there are fewer entries, or if the question
    for this undo has just been refused or withdrawn.
    """
    count = changes.taken_back
    settled = "SELECT 1 FROM undo_votes WHERE table_id = ? AND version = ? AND asker_id = ? AND user_id <= 0"
    if await db.rows(settled, (table_id, version - 1, changes.by_user)):
        raise Conflict(f"The undo at table {table_id} was refused; nothing was changed.")
    moved = await db.execute(
        "INSERT INTO taken_back (table_id, undone_at, ply, seat, move, by_user, at, taken_by, taken_at)"
        " SELECT table_id, ?2, ply, seat, move, by_user, at, ?3, ?4 FROM entries"
        " WHERE table_id = ?1 AND ply >= (SELECT plies FROM tables WHERE id = ?1) - ?5",
        (table_id, version, changes.by_user, changes.at, count),
    )
    if moved != count:
        raise Conflict(f"Table {table_id} has no {count} entries to take back; nothing was changed.")
    await db.execute("UPDATE tables SET plies = plies - ?2, undone_at = ?3 WHERE id = ?1", (table_id, count, version))
    await db.execute(
        "DELETE FROM entries WHERE table_id = ?1 AND ply >= (SELECT plies FROM tables WHERE id = ?1)", (table_id,)
    )
    await db.execute("DELETE FROM undo_votes WHERE table_id = ?", (table_id,))


async def _store_answer(table_id: int, version: int, asker_id: int, answer: int, db: Transaction) -> None:
    """Store an answer: the user who agrees, `_REFUSED` or `_WITHDRAWN`."""
    await hold(table_id, version, db)
    await db.execute("DELETE FROM undo_votes WHERE table_id = ? AND version < ?", (table_id, version))
    await db.execute(
        "INSERT INTO undo_votes (table_id, version, asker_id, user_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (table_id, version, asker_id, answer),
    )
