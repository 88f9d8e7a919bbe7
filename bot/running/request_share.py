"""This process's share of Discord's requests, where several processes run with one token and one database.

Discord limits the requests of a bot, whichever process makes them. Each process gets an equal number of slots, renewed
like the leases. `bot.store.bot_processes` decides how many.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

from bot.errors import StoreError
from bot.running.leases import LEASE_S, RENEW_S, has_passed
from bot.store.bot_processes import TICK_S, BotProcesses, Grant
from bot.ui.live.pace import Budget

log: Final = logging.getLogger(__name__)

STOP_S: Final = 3.0
"""A share isn't used during its last seconds, so that no request is on its way when another process gets it."""
LAST_S: Final = 1.5
"""How long after an orderly stop the requests made before it still count."""


class Share:
    """The slots of this process. Call `renew` at the start and at each tick, and `leave` at the end.

    ``limit`` is the number of slots of all processes together. ``emojis`` names the set of emojis that this process
    uses. ``tick_s`` and ``now`` are as for `bot.running.leases.Leases`.
    """

    def __init__(  # noqa: PLR0913 - two are for tests
        self,
        store: BotProcesses,
        budget: Budget,
        *,
        process: str,
        limit: int,
        emojis: str,
        tick_s: float = TICK_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._budget = budget
        self._process = process
        self._limit = limit
        self._emojis = emojis
        self._life_s = max(LEASE_S, 2 * tick_s)
        self._now = now
        self._grant = Grant()
        self._renewed_at = 0.0

    @property
    def slots(self) -> int:
        """The number of requests that may be under way, or answered less than a second ago."""
        return 0 if has_passed(self._renewed_at, self._now(), self._life_s - STOP_S) else self._grant.usable

    async def renew(self) -> None:
        """Renew the share if it is time, or if it is to change: return slots, or ask for those still missing."""
        granted, now = self._grant, self._now()
        if has_passed(self._renewed_at, now, self._life_s):
            granted = Grant()
        kept = granted.kept(self._budget.in_use)
        if granted.fair == kept == granted.slots and not has_passed(self._renewed_at, now, RENEW_S):
            return
        self._grant = await self._store.renew(self._process, self._emojis, kept, self._limit, LEASE_S)
        self._renewed_at = now
        if self._grant.fair != granted.fair:
            log.info("this process may make %s of %s requests a second", self._grant.fair, self._limit)
        self._budget.wake()

    async def leave(self) -> None:
        """Give up the share."""
        self._renewed_at = 0.0
        try:
            await self._store.leave(self._process, LAST_S)
        except StoreError as error:
            log.warning("the share of requests can't be given up; it ends in %s s: %s", LEASE_S, error)
