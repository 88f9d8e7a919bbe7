"""``/tables``, which lists the user's tables, and ``/help``."""

from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.client import LilypadBot
from bot.tables import OpenSeat
from bot.texts import gettext as _
from bot.ui.game_cog import GameCog
from bot.ui.interactions.respond import Reply, answer, sentence
from bot.ui.interactions.router import Handler
from bot.ui.posts.custom_id import Press
from bot.ui.posts.pages import page_buttons, page_of
from bot.ui.posts.post import Button, Post

_LINES: Final = 20
"""Tables on a page, so that the longest lines fit into one message."""


class TablesCog(commands.Cog):
    """Commands that belong to no game."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    @app_commands.command(name="tables", description="Your tables, the one that waits longest for you first")
    async def mine(self, interaction: discord.Interaction) -> None:
        await answer(interaction, self._mine(interaction.user.id))

    @app_commands.command(name="help", description="What can be played here, and how to begin")
    async def help(self, interaction: discord.Interaction) -> None:
        await answer(interaction, self._help())

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the handler of each verb."""
        return {"tables": self._turned}

    async def _turned(self, interaction: discord.Interaction, press: Press) -> Reply:
        return replace(await self._mine(interaction.user.id, page_of(press)), where="here")

    async def _mine(self, user_id: int, page: int = 0) -> Reply:
        count = await self.bot.tables.lists.count(user_id)
        if not count:
            return Reply(
                sentence(_("You're not in a game right now. Open one, for example with `/pond open computers:1`."))
            )
        pages = -(-count // _LINES)
        page = min(page, pages - 1)
        seats = await self.bot.tables.lists.seats(user_id, None, None, _LINES, page * _LINES)
        lines = [await self._line(seat, user_id) for seat in seats]
        left = count - page * _LINES - len(seats)
        more = ("-# " + _("and {n} more", n=f"{left:,}"),) if left > 0 else ()
        return Reply(Post((_("### Your tables"), "\n".join(lines), *more), rows=page_buttons("tables", page, pages)))

    async def _line(self, seat: OpenSeat, user_id: int) -> str:
        table = seat.table
        title = self.bot.faces[table.game].game.title
        if table.status == "lobby":
            state = _("in the lobby, {n} of {seats} here", n=len(table.sitters), seats=table.seats)
        elif table.sitter(user_id) is None:
            state = _("a computer keeps your seat")
        else:
            state = _("**your turn**") if seat.is_waiting else _("waiting for others")
        link = await self.bot.live.board_link(table)
        return f"**{table.name}** (number {table.id}) · {title} · {state} {link}"

    async def _help(self) -> Reply:
        groups = [cog for cog in self.bot.cogs.values() if isinstance(cog, GameCog)]
        opening = "\n".join(f"`/{cog.group_name} open` · {cog.game.title}" for cog in groups)
        rules = tuple(Button("rules", cog.game.title, argument=f"{cog.game.key}.0.0") for cog in groups)
        parts = (
            (_("Play"), opening + "\n" + _("Friends press **Join**, computers fill the rest, then **Start**.")),
            (_("At the table"), _("**My hand** shows your cards. Pick one to play it. **Undo** takes it back.")),
            (_("Later"), _("`/tables` lists your games. `/away` moves a game on when somebody is gone.")),
            (_("Settings"), _("`/settings` says when you may be pinged. `/privacy` shows and deletes your data.")),
        )
        texts = [f"**{title}**\n{text}" for title, text in parts]
        return Reply(Post(("### Lilypad", *texts, "-# " + _("Rules, five minutes each:")), rows=(rules,)))


async def setup(bot: LilypadBot) -> None:
    """Add the commands and their buttons to the bot."""
    cog = TablesCog(bot)
    bot.add_presses(cog.handlers)
    await bot.add_cog(cog)
