"""``/tables``: the user's tables and what can be done at one. And ``/hint``, ``/why``, ``/replay`` and ``/verify``."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import AmbiguousTable, NoSuchTable
from bot.records.open_seat import OpenSeat
from bot.records.table import Table
from bot.running.client import LilypadBot
from bot.texts import gettext as _, ngettext, number
from bot.ui.actions.hint_actions import hint, table_meant
from bot.ui.actions.info_pages import why
from bot.ui.actions.more_page import more
from bot.ui.actions.permissions import Visitor, tables_on_server
from bot.ui.actions.press import Context, press
from bot.ui.actions.replay_actions import game_meant, replay
from bot.ui.actions.table_actions import ask_which_table, has_seat_for
from bot.ui.actions.verify import verify_game
from bot.ui.autocomplete import Choice, games_of, open_tables
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.posts.layout import page_buttons, page_of
from bot.ui.posts.post import Button, Choice as MenuChoice, Choices, Post
from bot.ui.posts.text import title_of

_LINES: Final = 6
"""Tables on a page, so that the longest lines fit a phone."""


class TablesCog(commands.Cog):
    """Commands that belong to no game."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    @app_commands.command(name="tables", description="Your tables, the longest wait first")
    @app_commands.describe(table="Number or name of a table, to see what you can do there")
    async def mine(self, interaction: discord.Interaction, table: str | None = None) -> None:
        await answer(interaction, self._one(interaction, table) if table else _mine(Context(interaction)))

    @app_commands.command(name="hint", description="What to play, and why")
    @app_commands.describe(table="Number or name of a table, if you play at several")
    async def _hint(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async def work() -> Reply:
            try:
                meant = await table_meant(self.bot.tables, interaction, table)
            except AmbiguousTable as several:
                return await ask_which_table(self.bot.tables, several, "hint-at")
            return await hint(await Context(interaction).at(meant))

        await answer(interaction, work())

    @app_commands.command(name="why", description="Why the last trick, bridge, set or deal counts what it does")
    @app_commands.describe(table="Number or name of a table, if you play at several")
    async def _why(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async def work() -> Reply:
            try:
                meant = await table_meant(self.bot.tables, interaction, table)
            except AmbiguousTable as several:
                return await ask_which_table(self.bot.tables, several, "why-at")
            except NoSuchTable:
                meant = await game_meant(Context(interaction), table)
            return await why(await Context(interaction).at(meant))

        await answer(interaction, work())

    @_why.autocomplete("table")
    @_hint.autocomplete("table")
    @mine.autocomplete("table")
    async def _autocomplete_table(self, interaction: discord.Interaction, typed: str) -> list[Choice]:
        return await open_tables(self.bot.tables, interaction, typed)

    @app_commands.command(name="replay", description="See a game again, move by move")
    @app_commands.describe(table="Number or name of the table; your last game if you leave it out")
    async def _replay(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async def work() -> Reply:
            meant = await game_meant(Context(interaction), table)
            return await replay(await Context(interaction).at(meant))

        await answer(interaction, work())

    @app_commands.command(name="verify", description="Check that a game was dealt fairly")
    @app_commands.describe(
        file="A transcript: More has it when a game is over", table="Number or name of a table that has ended"
    )
    async def _verify(
        self, interaction: discord.Interaction, file: discord.Attachment | None = None, table: str | None = None
    ) -> None:
        await answer(interaction, verify_game(Context(interaction), file, table))

    @_verify.autocomplete("table")
    @_replay.autocomplete("table")
    async def _autocomplete_game(self, interaction: discord.Interaction, typed: str) -> list[Choice]:
        return await games_of(self.bot.tables, interaction, typed)

    async def _one(self, interaction: discord.Interaction, ref: str) -> Reply:
        """Return the user's actions at a table, which may have ended."""
        table = await self.bot.tables.finder.find(ref, Visitor(interaction))
        return await more(await Context(interaction).at(table))


@press("tables")
async def _mine(ctx: Context) -> Reply:
    """Return a page of the user's tables."""
    count, matches = await ctx.tables.lists.count(ctx.user_id), len(await ctx.tables.matches.of_user(ctx.user_id))
    challenges = (Button("challenges", ngettext("{n} challenge", "{n} challenges", matches)),) if matches else ()
    if not count:
        row = (Button("help", _("What can I play?"), "primary"), *challenges)
        free, join = await _free_seats(ctx)
        return Reply(Post((_("You're not in a game right now."), *free), join, (row,)), "here")
    pages = -(-count // _LINES)
    page = min(page_of(ctx.press), pages - 1)
    seats = await ctx.tables.lists.seats(ctx.user_id, None, None, _LINES, page * _LINES)
    lines = [await _line(ctx, seat) for seat in seats]
    left = count - page * _LINES - len(seats)
    rest = ("-# " + _("and {n} more", n=number(left)),) if left > 0 else ()
    choices = tuple(MenuChoice(seat.table.key, seat.table.name, _title(ctx, seat.table)) for seat in seats)
    menu = Choices(_("What you can do at a table"), choices, verb="table", origin="tables")
    text = "\n".join(lines)
    rows = (*page_buttons("tables", page, pages), *((challenges,) if challenges else ()))
    return Reply(Post((_("### Your tables"), text, *rest), (menu,), rows), "here")


async def _free_seats(ctx: Context) -> tuple[tuple[str, ...], tuple[Choices, ...]]:
    """Return the lobbies of this server with a seat for the user, this channel's first, and the menu to join one."""
    here = ctx.interaction.channel_id
    seen = await tables_on_server(ctx.tables, ctx.interaction, "")
    free = [table for table in seen if table.status == "lobby" and has_seat_for(table, ctx.user_id)]
    shown = sorted(free, key=lambda table: table.place.channel_id != here)[:_LINES]
    if not shown:
        return (), ()
    lines = [_("**Free seats here**"), *[await _free_line(ctx, table) for table in shown]]
    choices = tuple(MenuChoice(table.key, table.name, _title(ctx, table)) for table in shown)
    return ("\n".join(lines),), (Choices(_("Join …"), choices, verb="join-at"),)


async def _free_line(ctx: Context, table: Table) -> str:
    here = _("{n} of {seats} here", n=len(table.sitters), seats=table.seats)
    return f"**{table.name}** · {_title(ctx, table)} · {here} {await ctx.live.board_link(table)}"


async def _line(ctx: Context, seat: OpenSeat) -> str:
    table, link = seat.table, await ctx.live.board_link(seat.table)
    name = _("**{name}** (number {number})", name=table.name, number=table.number)
    return f"{name} · {_title(ctx, table)} · {_state(seat, ctx.user_id)} {link}"


def _state(seat: OpenSeat, user_id: int) -> str:
    """Return the state of the table from the user's point of view."""
    table = seat.table
    if table.status == "lobby":
        return _("in the lobby, {n} of {seats} here", n=len(table.sitters), seats=table.seats)
    if table.sitter(user_id) is None:
        return _("a computer is playing for you")
    return _("**your turn**") if seat.is_waiting else _("waiting for others")


def _title(ctx: Context, table: Table) -> str:
    return title_of(ctx.faces[table.game].game)


async def setup(bot: LilypadBot) -> None:
    """Add the commands and their buttons to the bot."""
    await bot.add_cog(TablesCog(bot))
