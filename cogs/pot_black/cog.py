"""Pot Black on Discord: the commands of ``/potblack``."""

from collections.abc import Mapping
from typing import Final

from discord import app_commands

from bot.games.card_table import Play
from bot.games.game import Move
from bot.running.client import LilypadBot
from bot.ui.autocomplete import Choice
from bot.ui.game_cog import GameCog, Interaction
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.router import Handler
from bot.ui.posts.custom_id import Press
from cogs.pot_black.face import FACE

_CHIPS_AT: Final = "chips-at"
"""The verb of the menu of tables whose chips are asked for."""


class PotBlack(
    GameCog,
    name="Pot Black",
    group_name="potblack",
    group_description="Play Pot Black, with tricks for chips and two black tens to avoid",
):
    """The ``/potblack`` group."""

    face = FACE

    @app_commands.command(name="play", description="Play a card")
    @app_commands.describe(card="The card, such as 7S", table="Number or name of the table")
    async def play_card(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        await self.play(interaction, f"play {card}", table)

    @app_commands.command(description="See chips, pots and finished deals")
    @app_commands.describe(table="Number or name of the table")
    async def chips(self, interaction: Interaction, table: str | None = None) -> None:
        await self.watching(interaction, table, self._chips, _CHIPS_AT)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the handler of the menu that only this game has."""
        return {_CHIPS_AT: self.actions.at_picked(self._chips)}

    async def _chips(self, interaction: Interaction, table_id: int) -> Reply:
        return await self.info_pages.scores(interaction, Press("scores", table_id))

    @play_card.autocomplete("card")
    async def _autocomplete_card(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _card_of)


def _card_of(move: Move) -> str | None:
    return move.card if isinstance(move, Play) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(PotBlack)
