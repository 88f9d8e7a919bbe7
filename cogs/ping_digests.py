"""Digests: one direct message about all tables that wait for a user, in place of several pings."""

import logging
from typing import Final

from discord.ext import commands

from bot.records.preference import Digest
from bot.running.client import LilypadBot
from bot.tables.finding import MAX_CHOICES
from bot.tables.ping_settings import wants_digest, wants_ping
from bot.texts import gettext as _, ngettext, number, supported, using
from bot.ui.messages.board import named_link
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, Reach, reach_of
from bot.ui.posts.heard import heard
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import title_of

log: Final = logging.getLogger(__name__)

EVERY_S: Final = 1800.0
_LINES: Final = 10
"""Maximum number of tables that a digest names."""
_MAX_NONCE: Final = 25


class DigestCog(commands.Cog):
    """Sends digests."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Register what is due."""
        self.bot.calendar.every("digests", EVERY_S, self.look)

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
            if post is not None and digest.settings.hands == "text":
                post = heard(post)
        try:
            if post is not None:
                nonce = f"d{digest.user_id:x}.{digest.last_at:.0f}"
                await self.bot.live.outbox.send_direct(digest.user_id, post, nonce[:_MAX_NONCE])
        except CONNECTION_ERRORS as error:
            log.info("user %s got no digest: %s", digest.user_id, error)
            if reach_of(error, is_direct=True, is_new=True) is Reach.USER:
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
        note = "-# " + _("As of {time}.", time=f"<t:{now:.0f}:t>")
        row = (Button("next", _("Next table"), "primary"), Button("pings", _("Ping me every turn"), argument="on"))
        return Post((heading, "\n".join(lines), note), rows=(row,))


async def setup(bot: LilypadBot) -> None:
    """Add the task to the bot."""
    await bot.add_cog(DigestCog(bot))
