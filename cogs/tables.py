"""What serves all games: ``/tables``, the user's own tables, and ``/help``."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import LilypadBot
from bot.tables import Table
from bot.ui.answer import Reply, answer, sentence
from bot.ui.board import to_act
from bot.ui.game_cog import GameCog
from bot.ui.links import board_link
from bot.ui.post import Button, Post

_MOST_LINES: Final = 20
_BEGINNING: Final = """\
1. Open a table in a channel, with one of the commands below.
2. Friends press **Join**; computers fill seats with **Add computer**; then **Start**.
3. Your hand comes by direct message, and **My hand** shows it too: pick a card to play it."""


class TablesCog(commands.Cog):
    """The commands that belong to no game."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    @app_commands.command(name="tables", description="Your tables, the one that waits longest for you first")
    async def mine(self, interaction: discord.Interaction) -> None:
        """Lists the user's tables."""
        await answer(interaction, self._mine(interaction.user.id))

    @app_commands.command(name="help", description="What can be played here, and how to begin")
    async def help(self, interaction: discord.Interaction) -> None:
        """Says how to begin."""
        await answer(interaction, self._help())

    async def _mine(self, user_id: int) -> Reply:
        tables = await self.bot.tables.tables_of(user_id)
        if not tables:
            return Reply(sentence("You sit at no table. Open one with `open`, for example `/pond open computers:1`."))
        lines = [await self._line(table, user_id) for table in tables[:_MOST_LINES]]
        return Reply(Post(("### Your tables", "\n".join(lines))))

    async def _line(self, table: Table, user_id: int) -> str:
        title = self.bot.faces[table.game].game.title
        if table.status == "lobby":
            state = f"in the lobby, {len(table.sitters)} of {table.seats} seats taken"
        else:
            sight = await self.bot.tables.look(table.id, None)
            state = "**your turn**" if user_id in to_act(sight) else "others to play"
            if table.sitter(user_id) is None:
                state = "a computer keeps your seat; press anything there and it is yours again"
        link = board_link(table, await self.bot.tables.shown(table.id))
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
    """Adds the commands to the bot."""
    await bot.add_cog(TablesCog(bot))
