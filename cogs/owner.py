"""``/bot`` for the owner of the application: how the bot is, and a copy of the database. And the daily copies."""

import logging
import shutil
from pathlib import Path
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import NotAllowed
from bot.running.backups import Backups
from bot.running.client import LilypadBot
from bot.running.gateway import DISCORD_ERRORS, reason_of
from bot.running.problems import problems
from bot.tables.absence.deadlines import DAY
from bot.texts import gettext as _, ngettext, number
from bot.ui.actions.owners import is_owner
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer, faults
from bot.ui.posts.post import Button, Post
from bot.version import version

log = logging.getLogger(__name__)

_FAULTS_SHOWN: Final = 5
_GB: Final = 10**9
"""Bytes."""


class OwnerCog(commands.Cog):
    """The command of the owner's own server, and the copies."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self.started_at = bot.now()
        self._server = discord.Object(server) if (server := bot.settings.owner_server) else None
        self.backups = Backups(bot.settings.database, bot.settings.backups, bot.now)

    async def cog_load(self) -> None:
        """Register the copies and the command."""
        self.bot.calendar.every("daily copy", DAY, self.backups.daily, by_date=True)
        if self._server is not None:
            command: Any = app_commands.Command(name="bot", description="How the bot is", callback=_show_bot)
            self.bot.tree.add_command(command, guild=self._server)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        if self._server is None:
            return
        try:
            await self.bot.tree.sync(guild=self._server)
        except (*DISCORD_ERRORS, app_commands.CommandSyncFailure) as error:
            log.warning("the server in OWNER_SERVER doesn't get /bot: %s", reason_of(error))


async def _show_bot(interaction: discord.Interaction) -> None:
    await answer(interaction, _bot(Context(interaction)))


@press("bot")
async def _bot(ctx: Context) -> Reply:
    """Return the page about the bot. Raises `NotAllowed` for others than its owner."""
    return Reply(await _page(ctx, _cog(ctx)), "here")


@press("bot-copy")
async def _copy(ctx: Context) -> Reply:
    cog = _cog(ctx)
    copy = await cog.backups.by_hand()
    made = _("The copy is {name}, in {folder}.", name=f"`{copy.name}`", folder=f"`{copy.parent}`")
    return Reply(await _page(ctx, cog, made), "here")


def _cog(ctx: Context) -> OwnerCog:
    client: Any = ctx.interaction.client
    if not is_owner(client, ctx.user_id):
        raise NotAllowed("Only the owner of the bot can see this.")
    cog: OwnerCog = client.get_cog("OwnerCog")
    return cog


async def _page(ctx: Context, cog: OwnerCog, news: str = "") -> Post:
    bot = cog.bot
    wrong = await problems(bot)
    lines = [
        _("Since {time}", time=f"<t:{cog.started_at:.0f}:R>"),
        ngettext("**{n}** server", "**{n}** servers", len(bot.guilds)),
        await _tables(ctx) if not wrong else "",
        _("Health: {problems}", problems="; ".join(wrong) or _("all is well")),
        *_copies(cog.backups, bot.settings.database),
    ]
    failed = [f"- <t:{each.at:.0f}:R> · **{each.reference}** · {each.error}" for each in faults(bot)[:_FAULTS_SHOWN]]
    parts = ("### Lilypad " + version(), "\n".join(filter(None, lines)), "\n".join([_("Last faults:"), *failed]))
    shown = parts if failed else parts[:2]
    copy = (Button("bot-copy", _("Make a copy now")),) if cog.backups.folder else ()
    return Post((*shown, news) if news else shown, rows=((Button("bot", _("Look again")), *copy),))


async def _tables(ctx: Context) -> str:
    counts = await ctx.tables.lists.open_counts()
    return ngettext("**{n}** open table", "**{n}** open tables", sum(counts.values()))


def _copies(backups: Backups, database: Path | str) -> list[str]:
    """Return lines on the disk and the copies of a database that is a file."""
    if not isinstance(database, Path):
        return []
    free = shutil.disk_usage(database.absolute().parent).free / _GB
    last = _("none") if backups.last_at is None else f"<t:{backups.last_at:.0f}:R>"
    return [_("Free on its disk: {size} GB", size=number(round(free))), _("Last copy: {time}", time=last)]


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(OwnerCog(bot))
