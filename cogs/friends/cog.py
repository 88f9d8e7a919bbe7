"""``/friends``: who plays how well on a server, this month and of all time, and how two players did at one table."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.games import GAMES
from bot.running.client import LilypadBot
from bot.texts import gettext as _
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.messages.season_pages import champion_line, season_page
from bot.ui.messages.standings_pages import card_of, meetings_page, name_on_card, standings_page, year_card
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import EARLIER, LATER

_FIRST: Final = next(iter(GAMES))


class FriendsCog(commands.Cog):
    """The standings of a server."""

    @app_commands.command(description="Who plays how well on this server, and how you did against a friend")
    @app_commands.describe(game="The game; leave it out for the one that is played most here")
    @app_commands.choices(game=[app_commands.Choice(name=game.title, value=key) for key, game in GAMES.items()])
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    async def friends(self, interaction: discord.Interaction, game: str | None = None) -> None:
        await answer(interaction, _first(Context(interaction), game))


@press("friends")
async def _friends(ctx: Context) -> Reply:
    """Show the standings of the game of a board, or of what was picked on a page of standings."""
    if ctx.press.key:
        if ctx.interaction.guild_id != ctx.table.place.guild_id:
            raise NotAllowed("Standings belong to the server of the game. Look there.")
        return await _standings(ctx, ctx.table.game, 0)
    if ctx.picked:
        return await _first(ctx, ctx.picked)
    if not ctx.press.argument:
        return await _first(ctx, None)
    game, _dash, page = ctx.press.argument.rpartition("-")
    return await _standings(ctx, game, parse_number(page))


@press("friends-month")
async def _month(ctx: Context) -> Reply:
    """Show the present month of a game."""
    return Reply(await _season(ctx, _known(ctx, ctx.press.argument)), "here")


@press("friends-me")
async def _me_and(ctx: Context) -> Reply:
    """Show the games of the user with the member who was picked."""
    people = ctx.picked_people
    if not people:
        return await _standings(ctx, ctx.press.argument, 0)
    return await _meetings(ctx, ctx.press.argument, people[0])


@press("friends-post")
async def _post(ctx: Context) -> Reply:
    """Post the standings of a game in the channel, as a picture."""
    game, guild_id = _known(ctx, ctx.press.argument), _server(ctx)
    standings = await ctx.tables.standings.of(guild_id, game)
    bests = await ctx.tables.standings.bests(guild_id, game)
    with await ctx.in_public():
        champion = champion_line(*await ctx.tables.recaps.of_month(guild_id, game, 1), name_on_card)
        return Reply(await card_of(ctx.faces[game], standings, bests, champion), "channel")


@press("friends-year")
async def _year(ctx: Context) -> Reply:
    """Show a year of the server as a picture: the last one with results, unless the button names another."""
    game, _dash, named = ctx.press.argument.rpartition("-")
    game, guild_id, recaps = _known(ctx, game), _server(ctx), ctx.tables.recaps
    years = await recaps.years(guild_id)
    if not years:
        raise NotAllowed("Nobody has finished a game here yet.")
    shown = min(max(parse_number(named) or years[-1], years[0]), years[-1])
    card = await year_card(ctx.faces, shown, await recaps.of_year(guild_id, shown))
    turns = [
        Button("friends-year", label.format(year), argument=f"{game}-{year}")
        for label, year in ((f"{EARLIER} {{}}", shown - 1), (f"{{}} {LATER}", shown + 1))
        if year in years
    ]
    post = Button("friends-year-post", _("Post here"), argument=str(shown))
    row = (*turns, post, Button("friends", _("Back"), argument=f"{game}-0"))
    return Reply(replace(card, rows=(row,)), "here")


@press("friends-year-post")
async def _post_year(ctx: Context) -> Reply:
    """Post a year of the server in the channel."""
    guild_id, year = _server(ctx), parse_number(ctx.press.argument)
    if year not in await ctx.tables.recaps.years(guild_id):
        raise Outdated
    happened = await ctx.tables.recaps.of_year(guild_id, year)
    with await ctx.in_public():
        return Reply(await year_card(ctx.faces, year, happened), "channel")


async def _first(ctx: Context, game: str | None) -> Reply:
    """Show a game, by default the one that the user played last here, or else the one that is played most.

    That is the present month, unless nobody has a place in it yet.
    """
    guild_id, stored = _server(ctx), ctx.tables.standings
    played = [game, await stored.last_game(guild_id, ctx.user_id), await stored.favourite(guild_id)]
    shown = _known(ctx, game) if game else next((each for each in played if each in ctx.faces), None) or _FIRST
    _month, season = await ctx.tables.recaps.of_month(guild_id, shown)
    return Reply(await _season(ctx, shown), "here") if season.champion else await _standings(ctx, shown, 0)


async def _season(ctx: Context, game: str) -> Post:
    """Return the page of the present month of a game."""
    recaps, guild_id = ctx.tables.recaps, _server(ctx)
    champion = champion_line(*await recaps.of_month(guild_id, game, 1))
    return season_page(ctx.faces, game, await recaps.of_month(guild_id, game), champion, ctx.user_id)


async def _standings(ctx: Context, game: str, page: int) -> Reply:
    game, guild_id, stored = _known(ctx, game), _server(ctx), ctx.tables.standings
    post = standings_page(
        ctx.faces, game, await stored.of(guild_id, game), await stored.bests(guild_id, game), ctx.user_id, page
    )
    return Reply(post, "private" if ctx.press.key else "here")


async def _meetings(ctx: Context, game: str, other_id: int) -> Reply:
    game, guild_id = _known(ctx, game), _server(ctx)
    if other_id == ctx.user_id:
        return await _standings(ctx, game, 0)
    if not await ctx.tables.standings.is_shown(other_id):
        raise NotAllowed("{player} doesn't show their games.", player=f"<@{other_id}>")
    meetings = await ctx.tables.standings.meetings(guild_id, ctx.user_id, other_id)
    return Reply(meetings_page(ctx.faces, other_id, meetings, game), "here")


def _server(ctx: Context) -> int:
    """Return the server of the interaction, whose members alone see its standings. Raises `NotAllowed`."""
    if ctx.interaction.guild_id is None:
        raise NotAllowed("Standings belong to a server. Look there.")
    return ctx.interaction.guild_id


def _known(ctx: Context, game: str) -> str:
    if game not in ctx.faces:
        raise Outdated
    return game


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(FriendsCog())
