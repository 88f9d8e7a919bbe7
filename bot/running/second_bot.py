"""Notices that another bot runs with the same token and another database, by evidence that a healthy bot never gives.

Such a bot gets every event, too. It posts boards of tables that this database lacks, and begins sessions that this
process hasn't begun. Errors are no evidence: Discord also refuses an answer that it has carried out before.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import discord

from bot.errors import StoreError
from bot.records.table import Receipt
from bot.running.gateway import DISCORD_ERRORS, GatewayFound, identified, look_for_gateway
from bot.tables.tables import Tables
from bot.ui.actions.press import press_of
from bot.ui.posts.layout import keys_shown
from bot.ui.posts.recent import Recent

log: Final = logging.getLogger(__name__)

LOOK_S: Final = 20.0
"""How often the sessions that are left today are looked at."""
SETTLED_S: Final = 60.0
"""Time after which Discord has certainly counted a session."""
WITHIN_S: Final = 300.0
"""Two messages within this time are evidence."""
HOLDS_S: Final = 3600.0
"""How long the notice holds after the last evidence."""
_DATE_S: Final = 1.0
"""Discord's time is known to the second only."""
NOTICE: Final = (
    "another bot runs with the same token and another database; look for it, such as `make run` in a forgotten "
    "terminal, a service, a container or another machine, and stop it"
)


class SecondBot:
    """Looks at the bot's own messages and sessions. ``now`` is Discord's time, ``None`` while that isn't known."""

    def __init__(self, client: discord.Client, tables: Tables, now: Callable[[], float | None]) -> None:
        self._client = client
        self._tables = tables
        self._now = now
        self._started_at = now()
        self._known = Recent[str, None]()
        """The keys of tables that the database has."""
        self._strange: deque[float] = deque(maxlen=2)
        """When messages of unknown tables were last seen."""
        self._noticed_at: float | None = None

    @property
    def is_noticed(self) -> bool:
        """Whether there was evidence of late."""
        return self._noticed_at is not None and time.monotonic() < self._noticed_at + HOLDS_S

    def changed(self, receipt: Receipt) -> None:
        """Remember a table."""
        self._known[receipt.table.key] = None

    async def on_message(self, message: discord.Message) -> None:
        """Look at a new message of the bot itself."""
        if message.author == self._client.user and message.components:
            await self._look_at(message, keys_shown(message))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Look at a pressed message, if it is about a table that isn't known."""
        pressed = press_of(interaction)
        if interaction.message is not None and pressed is not None and pressed.key not in self._known:
            await self._look_at(interaction.message, keys_shown(interaction.message) & {pressed.key})

    async def _look_at(self, message: discord.Message, keys: set[str]) -> None:
        """Note a message that was posted just now, since the start, and is about a table that the database lacks.

        After a restore, only older messages are about such tables.
        """
        if not self._is_new(message):
            return
        try:
            strange = [key for key in keys if not await self._is_known(key)]
        except StoreError:
            return
        if strange:
            self._strange.append(time.monotonic())
            if len(self._strange) == self._strange.maxlen and self._strange[-1] - self._strange[0] < WITHIN_S:
                self.notice()

    def _is_new(self, message: discord.Message) -> bool:
        now = self._now()
        if now is None or self._started_at is None:
            return False
        return message.created_at.timestamp() > max(self._started_at + _DATE_S, now - WITHIN_S)

    async def _is_known(self, key: str) -> bool:
        if key not in self._known:
            number, tag, scope = key.split("-")
            found = await self._tables.lists.numbered(int(number), int(scope, 16))
            if not any(table.tag == tag for table in found):
                return False
            self._known[key] = None
        return True

    def notice(self) -> None:
        """Note evidence. The log says so once, as long as it holds."""
        if not self.is_noticed:
            log.warning("%s", NOTICE)
        self._noticed_at = time.monotonic()

    async def watch_sessions(self) -> None:
        """Look at the sessions that are left, as long as the bot runs, if no other process begins any for it."""
        sessions = Sessions()
        while True:
            with contextlib.suppress(*DISCORD_ERRORS):
                if sessions.falls(await look_for_gateway(self._client), time.monotonic()):
                    self.notice()
            await asyncio.sleep(LOOK_S)


class Sessions:
    """Compares the sessions that Discord has left with those that this process has begun."""

    def __init__(self) -> None:
        self._known: _Known | None = None

    def falls(self, found: GatewayFound, now: float) -> bool:
        """Return whether somebody else has begun a session since the last call. ``now`` is monotonic."""
        known = self._known
        if known is not None and now < known.until and found.sessions_left <= known.left:  # or Discord counts anew
            others = known.left - found.sessions_left - (identified.count - known.begun)
            self._known = known._replace(left=known.left - max(others, 0))
            return others > 0
        is_settled = now > identified.last_at + SETTLED_S
        self._known = _Known(found.sessions_left, identified.count, now + found.reset_after_s) if is_settled else None
        return False


class _Known(NamedTuple):
    """The sessions that were left, those that this process had begun by then, and until when that can be compared."""

    left: int
    begun: int
    until: float
