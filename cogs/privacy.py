"""``/privacy`` shows, exports and deletes a user's data. Data of servers that the bot left is deleted here, too."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Collection
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import StoreError
from bot.records.preference import Kept
from bot.running.client import LilypadBot
from bot.tables.absence.deadlines import DAY
from bot.tables.deletion import KEPT_AFTER_LEAVING_S
from bot.texts import gettext as _, ngettext
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE
from bot.ui.posts.post import Button, Post

log = logging.getLogger(__name__)

_DAYS: Final = round(KEPT_AFTER_LEAVING_S / DAY)
_REDRAWN_WITHIN_S: Final = 5.0


class PrivacyCog(commands.Cog):
    """The command, and the daily deletion."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._left: set[int] = set()
        """Servers the bot left since it started."""

    async def cog_load(self) -> None:
        """Register what is due."""
        self.bot.calendar.every("old tables", DAY, self.look, by_date=True)

    @app_commands.command(name="privacy", description="See, export or delete your data")
    async def privacy(self, interaction: discord.Interaction) -> None:
        await answer(interaction, _show(Context(interaction)))

    # ---- servers

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        try:
            await self._note_guilds([guild.id for guild in self.bot.guilds])
        except StoreError as error:
            log.warning("could not record the servers of the bot: %s", error)

    async def _note_guilds(self, present: Collection[int]) -> None:
        """Store which servers the bot is in, as far as they belong to the shards of this process."""
        leases = self.bot.leases
        await self.bot.tables.privacy.note_guilds(present, leases.shards, leases.count)

    async def _on_discord(self) -> list[int]:
        """Return the servers that the bot is in: discord.py keeps those that it left between two sessions."""
        try:
            return [guild.id async for guild in self.bot.fetch_guilds(limit=None, with_counts=False)]
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            log.info("the servers of the bot can't be looked up: %s", error)
            return [guild.id for guild in self.bot.guilds]

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self._left.add(guild.id)
        await self.bot.tables.privacy.note_left(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        self._left.discard(guild.id)
        await self.bot.tables.privacy.note_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        if guild.id in self._left:
            await self.on_guild_join(guild)

    async def look(self) -> None:
        """Delete the tables of servers the bot left long ago, and tables that ended long ago."""
        await self._note_guilds(await self._on_discord())
        await self.bot.tables.privacy.purge()
        await self.bot.tables.privacy.delete_ended(self.bot.settings.keep_tables_days * DAY)


@press("privacy")
async def _show(ctx: Context) -> Reply:
    kept = await ctx.tables.personal_data.kept(ctx.user_id)
    row = (Button("privacy_export", _("Export")), Button("privacy_ask", _("Delete"), "danger"))
    if not any(kept.values()):
        return Reply(Post(("### " + _("I have no data about you"), _retention(ctx))), "here")
    return Reply(Post(("### " + _("Your data"), _summary(kept), _retention(ctx)), rows=(row,)), "here")


def _retention(ctx: Context) -> str:
    """Return a line on data that isn't stored, and on when tables are deleted."""
    client: Any = ctx.interaction.client
    stored = _(
        "I don't store your messages, or anything else you do on Discord. Tables are deleted {days} days after "
        "they end (after one day if they never started), and {left} days after I leave their server.",
        days=client.settings.keep_tables_days,
        left=_DAYS,
    )
    links = (_("Privacy policy"), client.settings.privacy_url), (_("Terms of service"), client.settings.terms_url)
    linked = " · ".join(f"[{name}](<{url}>)" for name, url in links if url)
    return f"-# {stored}" + (f"\n-# {linked}" if linked else "")


@press("privacy_export")
async def _export(ctx: Context) -> Reply:
    kept = await ctx.tables.personal_data.kept(ctx.user_id)
    text = json.dumps({"user_id": ctx.user_id, **kept}, ensure_ascii=False, indent=1)
    said = _("This is all the data I have about you. Times are seconds since 1970.")
    return Reply(Post((said,), file=("lilypad.json", text)))


@press("privacy_ask")
async def _ask(ctx: Context) -> Reply:
    at = await ctx.tables.lists.count(ctx.user_id)
    now = ngettext("You're at {n} open table.", "You're at {n} open tables.", at)
    row = (Button("privacy_delete", _("Delete all"), "danger"), Button("privacy", _("Keep it")))
    heading = "### " + _("Delete all your data?") + (f"\n{now}" if at else "")
    return Reply(Post((heading, _consequences()), rows=(row,)), "here")


@press("privacy_delete")
async def _delete(ctx: Context) -> Reply:
    left = await ctx.tables.privacy.leave(ctx.user_id)
    # A redraw that is still running would store data about the user again.
    drawing = [ctx.live.refresh(receipt.table.id) for receipt in left]
    if drawing:
        await asyncio.wait(drawing, timeout=_REDRAWN_WITHIN_S)
    await ctx.tables.privacy.forget(ctx.user_id, await _dm_channel_id(ctx.interaction))
    client: Any = ctx.interaction.client
    client.calendar.expect(client.now())  # nights and matches have changed
    return Reply(Post((_("Your data is deleted. You can play again any time."),)), "here")


async def _dm_channel_id(interaction: discord.Interaction) -> int | None:
    """Return the channel of the user's direct messages, or ``None`` if Discord doesn't say."""
    if interaction.guild_id is None:
        return interaction.channel_id
    try:
        return (await interaction.user.create_dm()).id
    except (*CONNECTION_ERRORS, *UNREADABLE) as error:
        log.info("the channel of a user's direct messages is unknown: %s", error)
        return None


def _summary(kept: Kept) -> str:
    """Summarise the stored data of a user, one line for each kind."""
    n = Counter({kind: len(rows) for kind, rows in kept.items()})
    lines = {
        "seats": ngettext(
            "- **{n}** seat, with your name and cut", "- **{n}** seats, with your name and cuts", n["seats"]
        ),
        "seats_left": ngettext("- **{n}** seat you left", "- **{n}** seats you left", n["seats_left"]),
        "hosted": ngettext("- **{n}** table you hosted", "- **{n}** tables you hosted", n["hosted"]),
        "option_sets": ngettext("- **{n}** saved set of options", "- **{n}** saved sets of options", n["option_sets"]),
        "moves": ngettext("- **{n}** move", "- **{n}** moves", n["moves"]),
        "events": ngettext(
            "- **{n}** game of a daily or a challenge, with your name and score",
            "- **{n}** games of dailies and challenges, with your name and scores",
            n["events"],
        ),
        "results": ngettext(
            "- **{n}** result of a game that counts", "- **{n}** results of games that count", n["results"]
        ),
        "ratings": ngettext("- **{n}** rating, with your name", "- **{n}** ratings, with your name", n["ratings"]),
        "game_nights": ngettext(
            "- **{n}** game night that you're in", "- **{n}** game nights that you're in", n["game_nights"]
        ),
        "pings": ngettext(
            "- When you were last pinged at **{n}** table", "- When you were last pinged at **{n}** tables", n["pings"]
        ),
        "messages": ngettext("- Where **{n}** message to you is", "- Where **{n}** messages to you are", n["messages"]),
    }
    said = [_("- Your Discord ID"), *(line for kind, line in lines.items() if n[kind])]
    if others := n.total() - sum(n[kind] for kind in lines):
        said.append(
            ngettext(
                "- **{n}** other record, such as settings, votes or undone moves",
                "- **{n}** other records, such as settings, votes or undone moves",
                others,
            )
        )
    return "\n".join(said)


def _consequences() -> str:
    """Explain the deletion of one's data."""
    lines = (
        _("You leave all your tables. In a game, a computer takes your seat."),
        _("I delete your ID, your settings and ratings, and where my messages to you are."),
        _("Your name becomes Player 1, Player 2 and so on."),
        _("Your moves stay, without your name. They're part of other people's games."),
        _("Your cuts stay too. Without them, nobody could check the shuffles."),
        _("Until the games you left end, I keep a scrambled copy of your ID, so that you can't join them again."),
        _("Messages on Discord stay. Backups stay until they're replaced."),
    )
    return "\n".join(f"- {line}" for line in lines)


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(PrivacyCog(bot))
