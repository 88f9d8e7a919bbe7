"""Pontis on Discord: the commands of ``/pontis``."""

from typing import TYPE_CHECKING, cast

from discord import app_commands

from bot.games.cards import Card, Play, tidy
from bot.games.game import Move
from bot.games.pontis.moves import Liar, Sum
from bot.running.client import LilypadBot
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import play_about, preview
from bot.ui.autocomplete import Choice, matching
from bot.ui.game_cog import GameCog, Interaction
from bot.ui.interactions.reply import Reply
from cogs.pontis.face import FACE
from cogs.pontis.hand import TOP, pairs_below

if TYPE_CHECKING:
    from bot.games.pontis.state import Observation


class Pontis(
    GameCog,
    name="Pontis",
    group_name="pontis",
    group_description="Play Pontis, a game of differences between cards",
):
    """The ``/pontis`` group."""

    face = FACE

    @app_commands.command(name="play", description="Play a card")
    @app_commands.describe(card="The card, such as 5H", table="Number or name of the table")
    async def play_card(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        await self.play(interaction, f"play {card}", table)

    @app_commands.command(name="sum", description="Play two cards with the sum ability")
    @app_commands.describe(under="The card below", top="The card on top", table="Number or name of the table")
    async def sum_of(self, interaction: Interaction, under: str, top: str, table: str | None = None) -> None:
        await self.play(interaction, f"sum {under} {top}", table)

    @app_commands.command(description="Miss your turn, in games with faked misses")
    @app_commands.describe(table="Number or name of the table")
    async def miss(self, interaction: Interaction, table: str | None = None) -> None:
        await self.play(interaction, "miss", table)

    @app_commands.command(description="Pass the sum ability on, in games with faked misses")
    @app_commands.describe(table="Number or name of the table")
    async def decline(self, interaction: Interaction, table: str | None = None) -> None:
        await self.play(interaction, "decline", table)

    @app_commands.command(description="Call a player a liar")
    @app_commands.describe(player="The player who just played", table="Number or name of the table")
    async def liar(self, interaction: Interaction, player: str, table: str | None = None) -> None:
        await self.at_table(interaction, table, play_about, "liar", player, "PT-25")

    @play_card.autocomplete("card")
    async def _autocomplete_card(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(
            interaction, typed, lambda move: move.card if isinstance(move, Play) else None
        )

    @sum_of.autocomplete("under")
    async def _autocomplete_under(self, interaction: Interaction, typed: str) -> list[Choice]:
        moves = await self.legal(interaction)
        cards = dict.fromkeys(move.under for move in moves if isinstance(move, Sum))
        return matching(typed, [(card, card) for card in cards])

    @sum_of.autocomplete("top")
    async def _autocomplete_top(self, interaction: Interaction, typed: str) -> list[Choice]:
        under = tidy(str(getattr(interaction.namespace, "under", "") or ""))

        def top_of(move: Move) -> str | None:
            return move.top if isinstance(move, Sum) and under in {"", move.under} else None

        return await self.autocomplete_moves(interaction, typed, top_of)

    @liar.autocomplete("player")
    async def _autocomplete_player(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(
            interaction, typed, lambda move: str(move.seat + 1) if isinstance(move, Liar) else None
        )


@press(TOP, game=FACE.game.key)
async def _top(ctx: Context) -> Reply:
    """Show the pairs with a card on top. If there are none any more, show what the player can do."""
    sight = await ctx.sight()
    return await preview(ctx, pairs_below(sight.table, cast("Observation", sight.observation), Card(ctx.picked)))


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Pontis)
