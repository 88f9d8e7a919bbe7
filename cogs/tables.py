"""``/tables``, which lists the user's tables, and ``/help``."""

from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.client import LilypadBot
from bot.tables import OpenSeat
from bot.ui.game_cog import GameCog
from bot.ui.interactions.respond import Reply, answer, sentence
from bot.ui.interactions.router import Handler
from bot.ui.posts.custom_id import Press
from bot.ui.posts.pages import page_buttons, page_of
from bot.ui.posts.post import Button, Post

_LINES: Final = 20
"""Tables on a page, so that the longest lines fit into one message."""
_BEGINNING: Final = """\
1. Open a table in a channel, with one of the commands below.
2. Friends press **Join**; computers fill seats with **Add computer**; then **Start**.
3. Your hand comes by direct message, and **My hand** shows it too: pick a card to play it."""


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
            return Reply(sentence("You sit at no table. Open one with `open`, for example `/pond open computers:1`."))
        pages = -(-count // _LINES)
        page = min(page, pages - 1)
        seats = await self.bot.tables.lists.seats(user_id, None, None, _LINES, page * _LINES)
        lines = [await self._line(seat, user_id) for seat in seats]
        left = count - page * _LINES - len(seats)
        more = (f"-# and {left:,} more",) if left > 0 else ()
        return Reply(Post(("### Your tables", "\n".join(lines), *more), rows=page_buttons("tables", page, pages)))

    async def _line(self, seat: OpenSeat, user_id: int) -> str:
        table = seat.table
        title = self.bot.faces[table.game].game.title
        if table.status == "lobby":
            state = f"in the lobby, {len(table.sitters)} of {table.seats} seats taken"
        elif table.sitter(user_id) is None:
            state = "a computer keeps your seat"
        else:
            state = "**your turn**" if seat.is_waiting else "others to play"
        link = await self.bot.live.board_link(table)
        return f"**{table.name}** (number {table.id}) · {title} · {state} {link}"

    async def _help(self) -> Reply:
        groups = [cog for cog in self.bot.cogs.values() if isinstance(cog, GameCog)]
        games = "\n".join(f"`/{cog.group_name} open` — {cog.game.title}" for cog in groups)
        rules = tuple(Button("rules", f"Rules of {cog.game.title}", argument=f"{cog.game.key}.0.0") for cog in groups)
        return Reply(
            Post(
                (
                    "### Lilypad: games for a group",
                    _BEGINNING,
                    games,
                    "-# Codes such as PC-18 number the rulings; each is told in full in that game's rules.",
                    "`/tables` lists your tables. Every game has `rules`, which teach it in five minutes.",
                    "Somebody is away? `/away` moves the table on. Pings at the wrong time? `/settings`.",
                ),
                rows=(rules,),
            )
        )


async def setup(bot: LilypadBot) -> None:
    """Add the commands and their buttons to the bot."""
    cog = TablesCog(bot)
    bot.add_presses(cog.handlers)
    await bot.add_cog(cog)
