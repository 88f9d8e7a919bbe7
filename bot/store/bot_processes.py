"""The running processes of the bot: their parts of Discord's requests, and the sets of emojis that they use.

All times are the database's, so that processes whose clocks differ agree.
"""

from functools import partial
from typing import Final

from bot.store.repository import NOW, Repository
from bot.store.slots import Grant, grant
from bot.store.transaction import Transaction

_KEPT_S: Final = 24 * 60 * 60
"""Time for which processes that are gone are kept, for `has_others`."""

_LONGEST_S: Final = 60.0
"""A process whose share ends later has renewed it before the clock was put back. A running one renews it soon."""

_OTHERS: Final = f"""
SELECT slots FROM bot_processes WHERE process <> ? AND expires_at BETWEEN {NOW} AND {NOW} + {_LONGEST_S}
"""  # noqa: S608 - constant text

_RENEW: Final = f"""
INSERT INTO bot_processes (process, emojis, slots, expires_at) VALUES (?, ?, ?, {NOW} + ?)
ON CONFLICT (process) DO UPDATE
    SET emojis = excluded.emojis, slots = excluded.slots, expires_at = excluded.expires_at
"""  # noqa: S608 - constant text

_LEAVE: Final = f"UPDATE bot_processes SET expires_at = {NOW} + ?1 WHERE process = ?2 AND expires_at > {NOW} + ?1"  # noqa: S608 - constant text

_FORGET: Final = f"DELETE FROM bot_processes WHERE abs(expires_at - {NOW}) > ?"  # noqa: S608 - constant text

_USES_OTHERS: Final = f"""
SELECT 1 FROM bot_processes WHERE emojis NOT IN ('', ?) AND expires_at >= {NOW} - ?
"""  # noqa: S608 - constant text


class BotProcesses(Repository):
    """The running processes of the bot."""

    async def renew(self, process: str, emojis: str, kept: int, limit: int, for_s: float) -> Grant:
        """Store that a process runs, and return its slots among ``limit``. It keeps ``kept`` of those it had."""
        return await self._writer.write(partial(_renew, (process, emojis), kept, limit, for_s))

    async def leave(self, process: str, in_s: float) -> None:
        """Store that a process is gone in a moment, when its last requests don't count any more."""
        await self._writer.execute(_LEAVE, (in_s, process))

    async def has_others(self, emojis: str, within_s: float) -> bool:
        """Return whether any process uses another set of emojis than this, or did so within that time."""
        return bool(await self._reading.rows(_USES_OTHERS, emojis, within_s))


async def _renew(process: tuple[str, str], kept: int, limit: int, for_s: float, db: Transaction) -> Grant:
    await db.lock("bot_processes")
    await db.execute(_FORGET, (_KEPT_S,))
    others = [slots for (slots,) in await db.rows(_OTHERS, process[:1])]
    granted = grant(limit, others, kept)
    await db.execute(_RENEW, (*process, granted.slots, for_s))
    return granted
