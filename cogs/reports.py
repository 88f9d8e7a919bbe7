"""**Report**: a short form, whose text goes to the host of the bot, with what they need to find the cause."""

import logging
import re
from collections import deque
from typing import Any, Final

import discord
from discord.ext import commands

from bot.errors import NotAllowed
from bot.running.client import LilypadBot
from bot.tables.absence.deadlines import DAY
from bot.texts import gettext as _, using
from bot.ui.actions.owners import owners
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply, sentence, text_form
from bot.ui.interactions.respond import fault_of
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE
from bot.ui.posts.post import Post
from bot.ui.posts.text import clip, one_line
from bot.version import version

log = logging.getLogger(__name__)

MOST: Final = 10
"""Maximum number of reports a day."""
MOST_OF_A_USER: Final = 3
_LONGEST: Final = 1_000
_REFERENCE: Final = re.compile(r"[0-9A-F]{6}")


class ReportsCog(commands.Cog):
    """When reports were sent, and by whom."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._sent: deque[tuple[float, int]] = deque(maxlen=MOST)

    async def send(self, user_id: int, post: Post, nonce: str) -> None:
        """Send a report. Raises `NotAllowed` if it can't be, or if there are enough for today."""
        today = [sender for at, sender in self._sent if self.bot.now() - at < DAY]
        if len(today) >= MOST or today.count(user_id) >= MOST_OF_A_USER:
            raise NotAllowed("There are enough reports for today. Try again tomorrow.")
        channel_id, owner = self.bot.settings.report_channel, next(iter(owners(self.bot)), None)
        try:
            if channel_id is not None:
                await self.bot.live.outbox.send(channel_id, post, nonce)
            elif owner is not None:
                await self.bot.live.outbox.send_direct(owner, post, nonce)
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            log.warning("a report of user %s can't be sent: %s", user_id, error)
            raise NotAllowed("Your report can't be sent right now. Try again later.") from None
        self._sent.append((self.bot.now(), user_id))


@press("report")
async def _report(ctx: Context) -> Reply:
    """Open the form, or send what was written in it."""
    if not ctx.is_form:
        return Reply(form=text_form(ctx.press, _("Report"), _("What happened?"), _("What you did and saw"), _LONGEST))
    client: Any = ctx.interaction.client
    cog: ReportsCog = client.get_cog("ReportsCog")
    written = one_line(ctx.picked)
    if not written:
        raise NotAllowed("Write what happened.")
    with using("en"):
        post = _post(ctx, written)
    await cog.send(ctx.user_id, post, str(ctx.interaction.id))
    return Reply(sentence(_("Your report went to the host of this bot. Thank you!")))


def _post(ctx: Context, written: str) -> Post:
    """Return what the host reads: where it happened, and the text. It never has hands or moves."""
    reference = ctx.press.argument if _REFERENCE.fullmatch(ctx.press.argument) else ""
    fault = fault_of(ctx.interaction.client, reference)
    at = [f"Lilypad {version()}", f"server {ctx.interaction.guild_id or 'none'}"]
    if ctx.press.key:
        at += [f"table {ctx.table.id} ({ctx.table.game})", f"version {ctx.table.version}"]
    elif fault is not None and fault.table_id is not None:
        at.append(f"table {fault.table_id}")
    if reference:
        at.append(f"reference **{reference}**")
    text = discord.utils.escape_markdown(clip(written, _LONGEST))
    return Post((f"### Report\nFrom <@{ctx.user_id}>", f"-# {' · '.join(at)}", f"> {text}"))


async def setup(bot: LilypadBot) -> None:
    """Add the button's handler to the bot."""
    await bot.add_cog(ReportsCog(bot))
