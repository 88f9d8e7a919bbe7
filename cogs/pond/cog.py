"""Pond · cards on Discord: the commands of ``/pond``."""

from typing import TYPE_CHECKING, cast

from discord import app_commands

from bot.games.cards import Play
from bot.games.game import Move
from bot.games.pond.moves import Award, Bait, Profit, Trap
from bot.running.client import LilypadBot
from bot.texts import gettext as _
from bot.ui.actions.info_pages import page
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import play_about
from bot.ui.autocomplete import Choice
from bot.ui.game_cog import GameCog, Interaction
from bot.ui.interactions.reply import Reply
from cogs.pond.face import FACE
from cogs.pond.scores import pile_in_full

if TYPE_CHECKING:
    from bot.games.pond.state import Observation


class Pond(
    GameCog,
    name="Pond · cards",
    group_name="pond",
    group_description="Play Pond · cards, with poison, traps and secret profits",
):
    """The ``/pond`` group."""

    face = FACE

    @app_commands.command(description="Choose your secret profit")
    @app_commands.describe(card="The card to set aside: an ace, 2, 3 or 5 to 10", table="Number or name of the table")
    async def profit(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        await self.play(interaction, f"profit {card}", table)

    @app_commands.command(name="play", description="Play a card as bait, as a trap or to the trick")
    @app_commands.describe(card="The card, such as 7S", table="Number or name of the table")
    async def play_card(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        await self.play(interaction, f"card {card}", table)

    @app_commands.command(name="pass", description="Lay no trap")
    @app_commands.describe(table="Number or name of the table")
    async def lay_no_trap(self, interaction: Interaction, table: str | None = None) -> None:
        await self.play(interaction, "pass", table)

    @app_commands.command(description="Choose who takes the tied trick you led")
    @app_commands.describe(to="One of the tied players", table="Number or name of the table")
    async def award(self, interaction: Interaction, to: str, table: str | None = None) -> None:
        await self.at_table(interaction, table, play_about, "award", to, "PC-24")

    @app_commands.command(description="See the cards you took this round")
    @app_commands.describe(table="Number or name of the table")
    async def won(self, interaction: Interaction, table: str | None = None) -> None:
        await self.at_table(interaction, table, _won)

    @profit.autocomplete("card")
    async def _autocomplete_profit(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _profit_of)

    @play_card.autocomplete("card")
    async def _autocomplete_card(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _card_of)

    @award.autocomplete("to")
    async def _autocomplete_seat(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _seat_of)


@press("won", game=FACE.game.key)
async def _won(ctx: Context) -> Reply:
    """Show the cards that the user has taken in this round."""
    ctx.sitter()
    pile = pile_in_full(cast("Observation", (await ctx.sight()).observation))
    return page(ctx, "won", _("### Your pile · Table {name}", name=ctx.table.name), pile)


def _profit_of(move: Move) -> str | None:
    return move.card if isinstance(move, Profit) else None


def _card_of(move: Move) -> str | None:
    return move.card if isinstance(move, Bait | Trap | Play) else None


def _seat_of(move: Move) -> str | None:
    return str(move.seat + 1) if isinstance(move, Award) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Pond)
