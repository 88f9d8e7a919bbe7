"""Commands for absent players and for the end of a game: ``/away``, ``/seat``, ``/close``, ``/rematch``."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client import LilypadBot
from bot.errors import NoSuchTable
from bot.tables import Table
from bot.ui.actions.permissions import Visitor, tables_here
from bot.ui.game_cog import Choice, GameCog
from bot.ui.interactions.respond import Reply, answer
from bot.ui.messages.absence_notice import remedy_names

if TYPE_CHECKING:
    from bot.tables.absence.votes import Remedy

_WHICH = "Number or name of the table"


class AbsenceCog(commands.Cog):
    """Each command does the same as a button."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    @app_commands.command(description="Somebody is away: see what can be done, or do it, by one tap or by vote")
    @app_commands.describe(do="What you want; leave it out to see how things stand", table=_WHICH)
    @app_commands.choices(do=[app_commands.Choice(name=name, value=key) for key, name in remedy_names().items()])
    async def away(self, interaction: Interaction, do: str | None = None, table: str | None = None) -> None:
        remedy: Remedy | None = next((key for key in remedy_names() if key == do), None)

        async def act(found: Table) -> Reply:
            if remedy is None:
                return await self.bot.absence.page(found.id, interaction.user.id)
            return await self.bot.absence.move_on(interaction, found.id, remedy)

        await self._at(interaction, table, act)

    @app_commands.command(description="Play on for somebody who is away, where a substitute is asked for")
    @app_commands.describe(table=_WHICH)
    async def seat(self, interaction: Interaction, table: str) -> None:
        await self._at(interaction, table, lambda found: self.bot.absence.take_seat(interaction, found.id))

    @app_commands.command(description="Close a table of yours for everybody; asks first")
    @app_commands.describe(table=_WHICH)
    async def close(self, interaction: Interaction, table: str | None = None) -> None:
        await self._at(interaction, table, lambda found: self.bot.actions.ask_to_close(interaction, found.id))

    @app_commands.command(description="Play a finished table once more, everybody one seat on")
    @app_commands.describe(table=_WHICH)
    async def rematch(self, interaction: Interaction, table: str) -> None:
        await self._at(interaction, table, lambda found: self.bot.actions.lobby.rematch(interaction, found.id))

    @away.autocomplete("table")
    @seat.autocomplete("table")
    @close.autocomplete("table")
    async def _autocomplete_table(self, interaction: Interaction, typed: str) -> list[Choice]:
        mine = await self.bot.tables.finder.tables_of(interaction.user.id)
        here = await tables_here(self.bot.tables, interaction)
        every = {table.id: table for table in (*mine, *here)}
        return GameCog.matching(typed, [(f"{t.name} (number {t.id}, {t.status})", str(t.id)) for t in every.values()])

    async def _at(self, interaction: Interaction, ref: str | None, act: Callable[[Table], Awaitable[Reply]]) -> None:
        """Act at the table named by ``ref``. Default to the user's only table here, or anywhere."""

        async def work() -> Reply:
            table = await (self.bot.tables.finder.find(ref, Visitor(interaction)) if ref else self._own(interaction))
            await self.bot.actions.present(interaction, table.id)
            return await act(table)

        await answer(interaction, work())

    async def _own(self, interaction: Interaction) -> Table:
        user_id, channel_id = interaction.user.id, interaction.channel_id
        everywhere = await self.bot.tables.finder.tables_of(user_id)
        here = (channel_id and await self.bot.tables.finder.tables_of(user_id, None, channel_id)) or everywhere
        if len(here) != 1:
            if here:
                raise NoSuchTable("You're in several games. Say which with the option `table`.")
            raise NoSuchTable("You're not in a game right now.")
        return here[0]


async def setup(bot: LilypadBot) -> None:
    """Add the commands and buttons to the bot."""
    bot.add_presses(bot.absence.handlers)
    await bot.add_cog(AbsenceCog(bot))
