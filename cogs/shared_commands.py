"""``/tables``: the user's tables and what can be done at one. And ``/hint`` and ``/help``."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import AmbiguousTable
from bot.running.client import LilypadBot
from bot.tables import OpenSeat, Table
from bot.texts import gettext as _
from bot.ui.actions.permissions import Visitor
from bot.ui.autocomplete import Choice, open_tables
from bot.ui.game_cog import GameCog
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.posts.custom_id import Press
from bot.ui.posts.pages import page_buttons, page_of
from bot.ui.posts.post import Button, Choices, Post
from bot.ui.posts.post import Choice as MenuChoice
from bot.ui.posts.text import number, title_of

_HINT_AT: Final = "hint-at"
"""The verb of the menu of tables that a hint may be for."""

_LINES: Final = 20
"""Tables on a page, so that the longest lines fit into one message."""


class TablesCog(commands.Cog):
    """Commands that belong to no game."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        bot.add_presses(
            {
                "tables": lambda interaction, press: self._mine(interaction.user.id, page_of(press)),
                "table": bot.actions.at_picked(self._more),
                "help": lambda _interaction, _press: self._help(),
                _HINT_AT: bot.actions.at_picked(bot.hints.hint),
            }
        )

    @app_commands.command(name="tables", description="Your tables, the longest wait first")
    @app_commands.describe(table="Number or name of a table, to see what you can do there")
    async def mine(self, interaction: discord.Interaction, table: str | None = None) -> None:
        await answer(interaction, self._one(interaction, table) if table else self._mine(interaction.user.id))

    @app_commands.command(name="hint", description="What to play, and why")
    @app_commands.describe(table="Number or name of a table, if you play at several")
    async def hint(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async def work() -> Reply:
            try:
                meant = await self.bot.hints.table_meant(interaction, table)
            except AmbiguousTable as several:
                return await self.bot.actions.ask_which_table(several, _HINT_AT)
            await self.bot.actions.present(interaction, meant)
            return await self.bot.hints.hint(interaction, meant.id)

        await answer(interaction, work())

    @hint.autocomplete("table")
    @mine.autocomplete("table")
    async def _autocomplete_table(self, interaction: discord.Interaction, typed: str) -> list[Choice]:
        return await open_tables(self.bot.tables, interaction, typed)

    @app_commands.command(name="help", description="What you can play here, and how to begin")
    async def help(self, interaction: discord.Interaction) -> None:
        await answer(interaction, self._help())

    async def _one(self, interaction: discord.Interaction, ref: str) -> Reply:
        """Return the user's actions at a table, which may have ended."""
        table = await self.bot.tables.finder.find(ref, Visitor(interaction))
        await self.bot.actions.present(interaction, table)
        return await self._more(interaction, table.id)

    async def _more(self, interaction: discord.Interaction, table_id: int) -> Reply:
        return await self.bot.info_pages.more(interaction, Press("more", table_id))

    async def _mine(self, user_id: int, page: int = 0) -> Reply:
        count = await self.bot.tables.lists.count(user_id)
        if not count:
            return Reply(
                sentence(_("You're not in a game right now. Open one, for example with `/pond open computers:1`.")),
                "here",
            )
        pages = -(-count // _LINES)
        page = min(page, pages - 1)
        seats = await self.bot.tables.lists.seats(user_id, None, None, _LINES, page * _LINES)
        states = [self._state(seat, user_id) for seat in seats]
        lines = [await self._line(seat.table, state) for seat, state in zip(seats, states, strict=True)]
        left = count - page * _LINES - len(seats)
        more = ("-# " + _("and {n} more", n=number(left)),) if left > 0 else ()
        choices = tuple(MenuChoice(seat.table.key, seat.table.name, self._title(seat.table)) for seat in seats)
        menu = Choices(_("What you can do at a table"), choices, verb="table", origin="tables")
        text = "\n".join(lines)
        return Reply(Post((_("### Your tables"), text, *more), (menu,), page_buttons("tables", page, pages)), "here")

    async def _line(self, table: Table, state: str) -> str:
        link = await self.bot.live.board_link(table)
        name = _("**{name}** (number {number})", name=table.name, number=table.number)
        return f"{name} · {self._title(table)} · {state} {link}"

    @staticmethod
    def _state(seat: OpenSeat, user_id: int) -> str:
        """Return the state of the table from the user's point of view."""
        table = seat.table
        if table.status == "lobby":
            return _("in the lobby, {n} of {seats} here", n=len(table.sitters), seats=table.seats)
        if table.sitter(user_id) is None:
            return _("a computer is playing for you")
        return _("**your turn**") if seat.is_waiting else _("waiting for others")

    def _title(self, table: Table) -> str:
        return title_of(self.bot.faces[table.game].game)

    async def _help(self) -> Reply:
        groups = [cog for cog in self.bot.cogs.values() if isinstance(cog, GameCog)]
        opening = "\n".join(f"`/{cog.group_name} open` · {title_of(cog.game)}" for cog in groups)
        parts = (
            (
                _("Play"),
                opening,
                _("Friends press **Join**, or you add a computer. Then press **Start**."),
            ),
            (
                _("At the table"),
                _("**My hand** (or `/pond hand`) shows your cards: pick one. In Pond · frogs, tap a square."),
                _("**More** has the scores, **Undo**, and what to do when someone's away."),
            ),
            (_("Later"), _("`/tables` lists your games. Stuck? `/hint`.")),
            (_("Settings"), _("`/settings` for pings, `/privacy` for your data.")),
        )
        first, *texts = [_part(title, lines) for title, *lines in parts]
        rules = "-# " + _("Rules, five minutes each:")
        post = Post((f"### Lilypad\n{first}", *texts[:-1], f"{texts[-1]}\n{rules}"), rows=(_rules_row(groups),))
        return Reply(post, "here")


def _part(title: str, lines: list[str]) -> str:
    """Return a part of the help. A single line follows its title directly, so that all parts fit a phone."""
    return f"**{title}** {lines[0]}" if len(lines) == 1 else "\n".join((f"**{title}**", *lines))


def _rules_row(groups: list[GameCog]) -> tuple[Button, ...]:
    return tuple(Button("rules", title_of(cog.game), argument=f"{cog.game.key}.0.0", origin="help") for cog in groups)


async def setup(bot: LilypadBot) -> None:
    """Add the commands and their buttons to the bot."""
    await bot.add_cog(TablesCog(bot))
