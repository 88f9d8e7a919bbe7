"""Pond · frogs on Discord: the commands of ``/frogs``, and the taps on the board."""

from collections.abc import Callable, Mapping
from typing import cast

from discord import app_commands

from bot.errors import IllegalMove
from bot.games.frogs.moves import Place, Shift
from bot.games.frogs.observation import Observation
from bot.games.game import Move
from bot.games.typed import clean
from bot.running.client import LilypadBot
from bot.tables import Table
from bot.ui.autocomplete import Choice, matching
from bot.ui.game_cog import GameCog, Interaction
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.router import Handler, picked
from bot.ui.posts.custom_id import Press
from bot.ui.posts.face import waiting_line
from bot.ui.posts.post import Post
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

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers of the steps between the board and a move."""
        return {FROM: self._from, TO: self._to}

    async def _from(self, interaction: Interaction, press: Press) -> Reply:
        """Show the squares that a piece can move to."""
        origin = picked(interaction).partition("@")[0] or press.argument  # version 0.1 had a menu of pieces

        with_pond = await self.actions.hands.is_own_board(interaction, press.table)

        def squares(table: Table, seen: Observation) -> Post | None:
            is_movable = any(isinstance(move, Shift) and move.origin == origin for move in seen.legal)
            return self.face.squares(table, seen, origin, with_pond=with_pond) if is_movable else None

        return await self._step(interaction, press, squares)

    async def _to(self, interaction: Interaction, press: Press) -> Reply:
        """Preview a move."""

        def preview(table: Table, seen: Observation) -> Post | None:
            move = next((move for move in seen.legal if str(move) == press.argument), None)
            return self.face.confirm(table, seen, move) if move else None

        return await self._step(interaction, press, preview)

    async def _step(
        self, interaction: Interaction, press: Press, draw: Callable[[Table, Observation], Post | None]
    ) -> Reply:
        """Return the post of ``draw``. If the move isn't possible any more, return what the player can do."""
        sight = await self.sight_pressed(interaction, press)
        table, seen = sight.table, cast("Observation", sight.observation)
        waiting = waiting_line(self.face, sight)
        if seen.seat is not None and waiting is not None:
            raise IllegalMove("{waiting}", waiting=waiting)
        return await self.actions.preview(interaction, table, draw(table, seen))

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


def _square_of(move: Move) -> str | None:
    return move.square if isinstance(move, Place) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Frogs)
