"""Pond · frogs on Discord: the commands of ``/frogs``, and choosing a piece, a square and the preview."""

from collections.abc import Mapping
from typing import cast

from discord import app_commands

from bot.client import LilypadBot
from bot.games.frogs import Observation, Place, Shift
from bot.games.game import Move
from bot.tables import Sight
from bot.ui.game_cog import Choice, GameCog, Interaction
from bot.ui.interactions.respond import Reply
from bot.ui.interactions.router import Handler, picked
from bot.ui.posts.custom_id import Press
from cogs.faces.frogs import FROM, TO, FrogsFace


class Frogs(
    GameCog,
    name="Pond · frogs",
    group_name="frogs",
    group_description="Pond, the board game: eggs, tadpoles and frogs on a small pond",
):
    """The ``/frogs`` group."""

    face = FrogsFace()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers of the steps between hand and move."""
        return {FROM: self._from, TO: self._to}

    async def _from(self, interaction: Interaction, press: Press) -> Reply:
        sight = await self.sight_pressed(interaction, press)
        if self._is_past(sight, press):
            return await self.actions.hand_here(interaction, press.table)
        post = self.face.squares(sight.table, _seen(sight), picked(interaction).partition("@")[0] or press.argument)
        return Reply(post, "here", press.table, press.version)

    async def _to(self, interaction: Interaction, press: Press) -> Reply:
        sight = await self.sight_pressed(interaction, press)
        move = next((move for move in sight.observation.legal if str(move) == press.argument), None)
        if move is None or self._is_past(sight, press):
            return await self.actions.hand_here(interaction, press.table)
        return Reply(self.face.confirm(sight.table, _seen(sight), move), "here", press.table, press.version)

    @staticmethod
    def _is_past(sight: Sight, press: Press) -> bool:
        return sight.table.version != press.version or not sight.observation.legal

    @app_commands.command(description="Place an egg from your spawn on an empty square")
    @app_commands.describe(square="The square, such as b2", table="Number or name of the table")
    async def place(self, interaction: Interaction, square: str, table: str | None = None) -> None:
        await self.play(interaction, f"place {square}", table)

    @app_commands.command(name="move-piece", description="Move one of your tadpoles or frogs")
    @app_commands.rename(origin="from", landing="to")
    @app_commands.describe(origin="Its square", landing="Where it goes", table="Number or name of the table")
    async def move_piece(self, interaction: Interaction, origin: str, landing: str, table: str | None = None) -> None:
        await self.play(interaction, f"move {origin} {landing}", table)

    @place.autocomplete("square")
    async def _autocomplete_square(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _square_of)

    @move_piece.autocomplete("origin")
    async def _autocomplete_origin(self, interaction: Interaction, typed: str) -> list[Choice]:
        moves = await self.legal(interaction)
        origins = dict.fromkeys(move.origin for move in moves if isinstance(move, Shift))
        return self.matching(typed, [(origin, origin) for origin in origins])

    @move_piece.autocomplete("landing")
    async def _autocomplete_landing(self, interaction: Interaction, typed: str) -> list[Choice]:
        origin = str(getattr(interaction.namespace, "from", "") or "").strip().lower()

        def landing_of(move: Move) -> str | None:
            return move.landing if isinstance(move, Shift) and origin in {"", move.origin} else None

        return await self.autocomplete_moves(interaction, typed, landing_of)

    @place.autocomplete("table")
    @move_piece.autocomplete("table")
    async def _table_named(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_tables(interaction, typed)


def _seen(sight: Sight) -> Observation:
    return cast("Observation", sight.observation)


def _square_of(move: Move) -> str | None:
    return move.square if isinstance(move, Place) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Frogs(bot.tables, bot.actions, bot.info_pages))
