"""Digests: one direct message about all tables that wait for a user, in place of several pings."""

import logging
from typing import Final

from bot.running.client import LilypadBot
from bot.running.regular_cog import RegularCog
from bot.tables import MAX_CHOICES, Digest
from bot.tables.ping_settings import wants_digest, wants_ping
from bot.texts import gettext as _, ngettext, number, supported, using
from bot.ui.messages.board import named_link
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, Reach, reach_of
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import title_of

log: Final = logging.getLogger(__name__)

EVERY_MIN: Final = 30
_LINES: Final = 10
"""Maximum number of tables that a digest names."""
_MAX_NONCE: Final = 25


class DigestCog(RegularCog):
    """Sends digests."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "digests", EVERY_MIN)

    async def look(self) -> None:
        """Send the digests that are due, if this process writes direct messages."""
        if not self.bot.leases.holds(None):
            return
        now = self.bot.now()
        for digest in await self.bot.tables.users.digests_due(now):
            if wants_ping(digest.settings, now):
                await self._send(digest, now)

    async def _send(self, digest: Digest, now: float) -> None:
        """Send a digest, and record it afterwards: if that fails, Discord knows the nonce of the next one."""
        with using(supported(digest.language)):
            post = await self._post(digest, now)
        try:
            if post is not None:
                nonce = f"d{digest.user_id:x}.{digest.last_at:.0f}"
                await self.bot.live.outbox.send_direct(digest.user_id, post, nonce[:_MAX_NONCE])
        except CONNECTION_ERRORS as error:
            log.info("user %s got no digest: %s", digest.user_id, error)
            if reach_of(error, is_direct=True) is Reach.USER:
                await self.bot.live.note_closed(digest.user_id, None, error)
            return
        await self.bot.tables.users.record_digest(digest.user_id, now)

    async def _post(self, digest: Digest, now: float) -> Post | None:
        """Return a digest of the tables that wait, ``None`` if there are none any more."""
        seats = await self.bot.tables.lists.seats(digest.user_id, None, None, MAX_CHOICES)
        waiting = [seat.table for seat in seats if seat.is_waiting and wants_digest(digest.settings, seat.table)]
        if not waiting:
            return None
        lines = []
        for table in waiting[:_LINES]:
            link = named_link(table, await self.bot.tables.messages.of(table.id))
            lines.append(f"- {link} · {title_of(self.bot.faces[table.game].game)}")
        if len(waiting) > _LINES:
            lines.append("-# " + _("and {n} more", n=number(len(waiting) - _LINES)))
        heading = "### " + ngettext("{n} table is waiting for you", "{n} tables are waiting for you", len(waiting))
        note = "-# " + _(
            "As of {time}. `/settings pings:on` brings back a ping for each turn.", time=f"<t:{now:.0f}:t>"
        )
        return Post((heading, "\n".join(lines), note), rows=((Button("next", _("Next table"), "primary"),),))


async def setup(bot: LilypadBot) -> None:
    """Add the task to the bot."""
    await bot.add_cog(DigestCog(bot))
