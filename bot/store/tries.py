"""Results of tries at events, written with the end of their tables."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from bot.store.database import Transaction
from bot.store.records import Table

_DAILY: Final = "daily "
_MATCH: Final = "match "


def lead(scores: Sequence[int], sides: Sequence[int]) -> int:
    """Return how far the side of seat 0 is ahead of the best other one."""
    return scores[0] - max(score for score, side in zip(scores, sides, strict=True) if side != sides[0])


async def note_result(table: Table, margin: int, db: Transaction) -> None:
    """Store the result of a table of an event, which has ended by the rules: `lead`."""
    if table.event is None:
        return
    user_id = next((each.user_id for each in table.sitters if each.user_id is not None), None)
    streak = 1 + await _streak(_day_before(table.event[0]), user_id, db)
    await db.execute("UPDATE event_results SET score = ?, streak = ? WHERE played = ?", (margin, streak, table.id))


async def _streak(name: str | None, user_id: int | None, db: Transaction) -> int:
    query = "SELECT streak FROM event_results WHERE event = ? AND user_id = ? AND score IS NOT NULL"
    rows = await db.rows(query, (name, user_id)) if name else []
    return int(rows[0][0]) if rows else 0


def daily_name(day: date) -> str:
    """Return the name of the daily of a day."""
    return f"{_DAILY}{day.isoformat()}"


def day_of(name: str) -> date | None:
    """Return the day of a daily; ``None`` for other events."""
    return date.fromisoformat(name.removeprefix(_DAILY)) if name.startswith(_DAILY) else None


def match_name(match_id: int) -> str:
    """Return the name of the event of a match."""
    return f"{_MATCH}{match_id}"


def match_of(name: str) -> int | None:
    """Return the id of the match of an event; ``None`` for other events."""
    return int(name.removeprefix(_MATCH)) if name.startswith(_MATCH) else None


def _day_before(name: str) -> str | None:
    day = day_of(name)
    return None if day is None else daily_name(day - timedelta(days=1))
