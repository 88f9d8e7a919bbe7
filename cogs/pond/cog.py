"""Pond · cards on Discord: the commands of ``/pond``."""

from collections.abc import Mapping
from typing import Final, cast

from discord import app_commands

from bot.errors import NotSeated
from bot.games.card_table import Play
from bot.games.game import Move
from bot.games.pond.moves import Award, Bait, Profit, Trap
from bot.games.pond.observation import Observation
from bot.running.client import LilypadBot
from bot.texts import gettext as _
from bot.ui.autocomplete import Choice
from bot.ui.game_cog import GameCog, Interaction
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.router import Handler
from bot.ui.posts.custom_id import Press
from cogs.pond.face import FACE
from cogs.pond.scores import pile_in_full


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
        await self.at_table(interaction, table, self._play_card, card)

    async def _play_card(self, interaction: Interaction, table_id: int, card: str) -> Reply:
        """Play a card as bait, as a trap or to the trick, depending on the phase."""
        seen = await self._seen(table_id, interaction)
        return await self.actions.play(interaction, table_id, f"{_VERBS.get(seen.phase, 'play')} {card}")

    @app_commands.command(name="pass", description="Lay no trap")
    @app_commands.describe(table="Number or name of the table")
    async def lay_no_trap(self, interaction: Interaction, table: str | None = None) -> None:
        await self.play(interaction, "pass", table)

    @app_commands.command(description="Choose who takes the tied trick you led")
    @app_commands.describe(to="One of the tied players", table="Number or name of the table")
    async def award(self, interaction: Interaction, to: str, table: str | None = None) -> None:
        await self.at_table(interaction, table, self.play_at, "award", to, "PC-24")

    @app_commands.command(description="See the cards you took this round")
    @app_commands.describe(table="Number or name of the table")
    async def won(self, interaction: Interaction, table: str | None = None) -> None:
        await self.at_table(interaction, table, lambda _, table_id: self._won(interaction, Press("won", table_id)))

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers of buttons that only this game has."""
        return {"won": self._won}

    async def _won(self, interaction: Interaction, press: Press) -> Reply:
        table = await self.tables.table(press.table)
        if table.game != self.game.key or table.sitter(interaction.user.id) is None:
            raise NotSeated("You're not playing at Table {name}.", name=table.name)
        pile = pile_in_full(await self._seen(table.id, interaction))
        text = _("### Your pile · Table {name}", name=table.name), (pile,)
        return self.info_pages.page(interaction, press, table, text)

    async def _seen(self, table_id: int, interaction: Interaction) -> Observation:
        return cast("Observation", (await self.tables.look(table_id, interaction.user.id)).observation)

    @profit.autocomplete("card")
    async def _autocomplete_profit(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _profit_of)

    @play_card.autocomplete("card")
    async def _autocomplete_card(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _card_of)

    @award.autocomplete("to")
    async def _autocomplete_seat(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, _seat_of)


_VERBS: Final = {"bait": "bait", "trap": "trap", "traps": "trap"}


def _profit_of(move: Move) -> str | None:
    return move.card if isinstance(move, Profit) else None


def _card_of(move: Move) -> str | None:
    return move.card if isinstance(move, Bait | Trap | Play) else None


def _seat_of(move: Move) -> str | None:
    return str(move.seat + 1) if isinstance(move, Award) else None


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Pond)
