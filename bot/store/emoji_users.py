"""Which processes use which set of the application's emojis, so that none is deleted that is in use.

All times are the database's, so that processes whose clocks differ agree.
"""

from functools import partial
from typing import Final

from bot.store.repository import NOW, Repository
from bot.store.transaction import Transaction

_REPORT: Final = f"""
INSERT INTO emoji_users (process, emojis, expires_at) VALUES (?, ?, {NOW} + ?)
ON CONFLICT (process) DO UPDATE SET emojis = excluded.emojis, expires_at = excluded.expires_at
"""  # noqa: S608 - constant text

_OTHERS: Final = f"""
SELECT 1 FROM emoji_users WHERE emojis <> ? AND expires_at >= {NOW}
"""  # noqa: S608 - constant text

_EXPIRED: Final = f"DELETE FROM emoji_users WHERE expires_at < {NOW}"  # noqa: S608 - constant text


class EmojiUsers(Repository):
    """The running processes, and the sets of emojis they use."""

    async def report(self, process: str, emojis: str, for_s: float) -> None:
        """Store that a process uses a set of emojis, and forget processes that haven't reported for too long."""
        await self._writer.write(partial(_report, (process, emojis, for_s)))

    async def has_others(self, emojis: str) -> bool:
        """Return whether any process uses another set than this."""
        return bool(await self._reading.rows(_OTHERS, emojis))


async def _report(values: tuple[str, str, float], db: Transaction) -> None:
    await db.execute(_EXPIRED)
    await db.execute(_REPORT, values)
