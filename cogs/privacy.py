"""``/privacy`` shows, exports and deletes a user's data. Data of servers that the bot left is deleted here, too."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.client import LilypadBot
from bot.errors import StoreError
from bot.tables.privacy import KEPT_AFTER_LEAVING_S
from bot.ui.interactions.respond import Reply, answer
from bot.ui.interactions.router import Handler
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Post

log = logging.getLogger(__name__)

Kept = Mapping[str, Sequence[Mapping[str, Any]]]

_DAY_S: Final = 24 * 60 * 60
_DAYS: Final = KEPT_AFTER_LEAVING_S // _DAY_S
_REDRAWN_WITHIN_S: Final = 5.0

_WHAT_IS_NOT: Final = (
    "Nothing else is stored: no message of yours, and nothing that you do elsewhere on Discord. Every table is deleted "
    f"{{days}} days after it ends, also in direct messages. {_DAYS} days after the bot leaves a server, all tables of "
    "that server are deleted."
)
_WHAT_GOES: Final = (
    "You leave every open table. A seat in a lobby is free again, a seat in play goes to a computer.",
    "Your id and your settings are deleted, and so is where your messages and direct messages are.",
    "Where you played, your seat is called Player 1, Player 2 and so on.",
    "Your moves stay there without your name: they are part of other people's games.",
    "So does the text of your cuts: nobody could check the deals without it.",
    "Until a table you left in play ends, a salted hash of your id stays, so that you can't take another seat there.",
    "Messages on Discord stay as they are, and so do the operator's backups until they are replaced.",
)

_HEADINGS: Final = {
    "seats": ("seat at a table, with the name shown there and your cut", "seats at tables, with the name and your cut"),
    "seats_left": ("seat that you have left", "seats that you have left"),
    "hosted": ("table that you hosted", "tables that you hosted"),
    "moves": ("move", "moves"),
    "pings": ("time of your last ping at a table", "times of your last pings at tables"),
    "messages": ("message of the bot to you, where it is", "messages of the bot to you, where they are"),
}
"""The name of each kind of data, singular and plural."""


class PrivacyCog(commands.Cog):
    """The command, its buttons, and the daily deletion."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._left: set[int] = set()
        """Servers the bot left since it started."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the handler of each verb."""
        return {
            "privacy": self._show,
            "privacy_export": self._export,
            "privacy_ask": self._ask,
            "privacy_delete": self._delete,
        }

    async def cog_load(self) -> None:
        """Start the daily deletion."""
        self.purge.start()

    async def cog_unload(self) -> None:
        """Stop the daily deletion."""
        self.purge.cancel()

    # ---- people

    @app_commands.command(name="privacy", description="What is stored of you: see it, export it, delete it")
    async def privacy(self, interaction: discord.Interaction) -> None:
        await answer(interaction, self._show(interaction))

    async def _show(self, interaction: discord.Interaction, _: Press | None = None) -> Reply:
        kept = await self.bot.tables.personal.kept(interaction.user.id)
        row = (Button("privacy_export", "Export"), Button("privacy_ask", "Delete", "danger"))
        if not any(kept.values()):
            return Reply(Post(("### Nothing is stored of you", self._what_is_not)), "here")
        return Reply(Post(("### What is stored of you", _summary(kept), self._what_is_not), rows=(row,)), "here")

    @property
    def _what_is_not(self) -> str:
        return _WHAT_IS_NOT.format(days=self.bot.settings.keep_tables_days)

    async def _export(self, interaction: discord.Interaction, _: Press) -> Reply:
        kept = await self.bot.tables.personal.kept(interaction.user.id)
        text = json.dumps({"user_id": interaction.user.id, **kept}, ensure_ascii=False, indent=1)
        return Reply(Post(("All that is stored of you. Times are seconds since 1970.",), file=("lilypad.json", text)))

    async def _ask(self, interaction: discord.Interaction, _: Press) -> Reply:
        at = await self.bot.tables.lists.count(interaction.user.id)
        now = f"You sit at {at} open table{'s' * (at != 1)}." if at else "You sit at no open table."
        row = (Button("privacy_delete", "Delete all", "danger"), Button("privacy", "Keep it"))
        what = "\n".join(f"- {line}" for line in _WHAT_GOES)
        return Reply(Post((f"### Delete what is stored of you?\n{now}", what), rows=(row,)), "here")

    async def _delete(self, interaction: discord.Interaction, _: Press) -> Reply:
        user_id = interaction.user.id
        left = await self.bot.tables.privacy.leave(user_id)
        # A redraw that is still running would store data about the user again.
        drawing = [self.bot.live.refresh(receipt.table.id) for receipt in left]
        if drawing:
            await asyncio.wait(drawing, timeout=_REDRAWN_WITHIN_S)
        await self.bot.tables.privacy.forget(user_id, await _dm_channel_id(interaction))
        return Reply(Post(("Your data is deleted. You're welcome to play again at any time.",)), "here")

    # ---- servers

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        try:
            await self.bot.tables.privacy.note_guilds([guild.id for guild in self.bot.guilds])
        except StoreError as error:
            log.warning("could not record the servers of the bot: %s", error)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self._left.add(guild.id)
        await self.bot.tables.privacy.note_left(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        self._left.discard(guild.id)
        await self.bot.tables.personal.note_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        if guild.id in self._left:
            await self.on_guild_join(guild)

    @tasks.loop(hours=24)
    async def purge(self) -> None:
        """Delete the tables of servers the bot left long ago, and tables that ended long ago."""
        try:
            await self.bot.tables.privacy.note_guilds([guild.id for guild in self.bot.guilds])
            await self.bot.tables.privacy.purge()
            await self.bot.tables.privacy.delete_ended(self.bot.settings.keep_tables_days * _DAY_S)
        except StoreError as error:
            log.warning("could not delete old tables, trying again in a day: %s", error)

    @purge.before_loop
    async def _know_servers(self) -> None:
        await self.bot.wait_until_ready()


async def _dm_channel_id(interaction: discord.Interaction) -> int | None:
    """Return the channel of the user's direct messages, or ``None`` if Discord doesn't say."""
    if interaction.guild_id is None:
        return interaction.channel_id
    try:
        return (await interaction.user.create_dm()).id
    except discord.HTTPException as error:
        log.info("the channel of a user's direct messages is unknown: %s", error)
        return None


def _summary(kept: Kept) -> str:
    counted = [(len(kept[key]), names) for key, names in _HEADINGS.items() if kept[key]]
    lines = [f"- your Discord id, and **{count}** {names[count > 1]}" for count, names in counted]
    lines = [line if number == 0 else line.replace("your Discord id, and ", "", 1) for number, line in enumerate(lines)]
    others = sum(len(rows) for key, rows in kept.items() if key not in _HEADINGS)
    return "\n".join((*lines, f"- **{others}** more: settings, votes, moves taken back") if others else lines)


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    cog = PrivacyCog(bot)
    bot.add_presses(cog.handlers)
    await bot.add_cog(cog)
