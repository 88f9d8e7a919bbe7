"""Pond · frogs on Discord: the commands of ``/frogs``, and the taps on the board."""

from typing import cast

from discord import app_commands

from bot.errors import IllegalMove
from bot.games.frogs.moves import Place, Shift
from bot.games.frogs.state import Observation
from bot.games.game import Move
from bot.games.typed import clean
from bot.records.table import Table
from bot.running.client import LilypadBot
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import for_watchers, is_watching, preview
from bot.ui.autocomplete import Choice, matching
from bot.ui.game_cog import GameCog, Interaction
from bot.ui.interactions.reply import Reply
from bot.ui.posts.face import waiting_line
from cogs.frogs.board import FROM
from cogs.frogs.face import FACE, TO


class Frogs(
    GameCog,
    name="Pond · frogs",
    group_name="frogs",
    group_description="Play Pond · frogs, with eggs, tadpoles and frogs on a small pond",
):
    """The ``/frogs`` group."""

    face = FACE

    @app_commands.command(description="Place an egg")
    @app_commands.describe(square="An empty square, such as b2", table="Number or name of the table")
    async def place(self, interaction: Interaction, square: str, table: str | None = None) -> None:
        await self.play(interaction, f"place {square}", table)

    @app_commands.command(name="move-piece", description="Move a tadpole or a frog")
    @app_commands.rename(origin="from", landing="to")
    @app_commands.describe(
        origin="The square of your piece", landing="The square it moves to", table="Number or name of the table"
    )
    async def move_piece(self, interaction: Interaction, origin: str, landing: str, table: str | None = None) -> None:
        await self.play(interaction, f"move {origin} {landing}", table)

    @place.autocomplete("square")
    async def _autocomplete_square(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _square_of)

    @move_piece.autocomplete("origin")
    async def _autocomplete_origin(self, interaction: Interaction, typed: str) -> list[Choice]:
        moves = await self.legal(interaction)
        origins = dict.fromkeys(move.origin for move in moves if isinstance(move, Shift))
        return matching(typed, [(origin, origin) for origin in origins])

    @move_piece.autocomplete("landing")
    async def _autocomplete_landing(self, interaction: Interaction, typed: str) -> list[Choice]:
        origin = clean(str(getattr(interaction.namespace, "from", "") or "")).lower()

        def landing_of(move: Move) -> str | None:
            return move.landing if isinstance(move, Shift) and origin in {"", move.origin} else None

        return await self.autocomplete_moves(interaction, typed, landing_of)


@press(FROM, game=FACE.game.key)
async def _from(ctx: Context) -> Reply:
    """Show the squares that a piece can move to."""
    if is_watching(ctx):
        return await for_watchers(ctx)
    origin = ctx.picked.partition("@")[0] or ctx.press.argument  # version 0.1 had a menu of pieces
    table, seen = await _moving(ctx)
    if not any(isinstance(move, Shift) and move.origin == origin for move in seen.legal):
        return await preview(ctx, None)
    return await preview(ctx, FACE.squares(table, seen, origin))


@press(TO, game=FACE.game.key)
async def _to(ctx: Context) -> Reply:
    """Preview a move."""
    if is_watching(ctx):
        return await for_watchers(ctx)
    table, seen = await _moving(ctx)
    move = next((move for move in seen.legal if str(move) == ctx.press.argument), None)
    return await preview(ctx, FACE.confirm(table, seen, move) if move else None)


async def _moving(ctx: Context) -> tuple[Table, Observation]:
    """Return the table and what the user sees there. Raises `IllegalMove` if it isn't their turn."""
    sight = await ctx.sight()
    seen = cast("Observation", sight.observation)
    waiting = waiting_line(FACE, sight)
    if seen.seat is not None and waiting is not None:
        raise IllegalMove("{waiting}", waiting=waiting)
    return sight.table, seen


def _square_of(move: Move) -> str | None:
    return move.square if isinstance(move, Place) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Frogs)
