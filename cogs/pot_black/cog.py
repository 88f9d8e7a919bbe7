"""Pot Black on Discord: the commands of ``/potblack``."""

from typing import Final

from discord import app_commands

from bot.games.cards import Play
from bot.games.game import Move
from bot.running.client import LilypadBot
from bot.ui.actions.happened_page import scores
from bot.ui.actions.press import press
from bot.ui.autocomplete import Choice
from bot.ui.game_cog import GameCog, Interaction
from cogs.pot_black.face import FACE

_CHIPS_AT: Final = "chips-at"
"""The verb of the menu of tables whose chips are asked for."""
press(_CHIPS_AT, picks_table=True)(scores)


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
        await self.watching(interaction, table, scores, _CHIPS_AT)

    @play_card.autocomplete("card")
    async def _autocomplete_card(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _card_of)


def _card_of(move: Move) -> str | None:
    return move.card if isinstance(move, Play) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(PotBlack)
