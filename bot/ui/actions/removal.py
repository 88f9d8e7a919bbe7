"""Removing somebody from a lobby, which only its host can do."""

from collections.abc import Mapping, Sequence

import discord

from bot.errors import NotAllowed, Stale
from bot.games.game import Seat
from bot.tables import Table, Tables
from bot.ui.interactions.respond import Reply, sentence
from bot.ui.interactions.router import Handler, picked
from bot.ui.posts.custom_id import Press, number
from bot.ui.posts.post import Choice, Choices, Post
from bot.ui.posts.text import label_of, name_of, plain, seats_named


class Removal:
    """The work of **Remove** and of ``remove`` in each game's group."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What each verb of a `Press` does."""
        return {"remove": self._ask, "removed": self._remove_picked}

    async def remove_named(self, interaction: discord.Interaction, table: Table, who: str) -> Reply:
        """Remove the player with this name or seat; if several fit, ask which."""
        seats = seats_named(table, who)
        if not seats:
            raise NotAllowed(f"Nobody called {plain(who)} sits at Table {table.name}.")
        if len(seats) > 1:
            return _question(table, seats)
        return await self._remove(interaction, table, seats[0])

    @staticmethod
    def removable(table: Table, user_id: int) -> tuple[Seat, ...]:
        """Return the seats that this user could free: all others of a lobby they host."""
        if table.status != "lobby" or user_id != table.host_id:
            return ()
        return tuple(sitter.seat for sitter in table.sitters if sitter.user_id != user_id)

    async def _ask(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table)
        if interaction.user.id != table.host_id:
            raise NotAllowed(f"Only the host of Table {table.name} can remove players.")
        seats = self.removable(table, interaction.user.id)
        if not seats:
            raise NotAllowed(f"There is nobody to remove at Table {table.name}.")
        return _question(table, seats)

    async def _remove_picked(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table)
        if table.version != press.version:
            raise Stale("The lobby has changed. Press **Remove** again.")
        return await self._remove(interaction, table, number(picked(interaction)))

    async def _remove(self, interaction: discord.Interaction, table: Table, seat: Seat) -> Reply:
        await self._tables.claim(interaction.id)
        await self._tables.remove(table.id, interaction.user.id, seat, table.version)
        name, sitter = name_of(table, seat), table.sitter_at(seat)
        again = "" if sitter is None or sitter.is_computer else " They can't join it again."
        done = sentence(f"You removed {name} from **Table {table.name}**.{again}")
        return Reply(done, "private" if interaction.message is None else "here")


def _question(table: Table, seats: Sequence[Seat]) -> Reply:
    choices = tuple(Choice(str(seat), label_of(table, seat), f"Seat {seat + 1}") for seat in seats)
    line = f"Who has to leave **Table {table.name}**? Players can't join it again."
    return Reply(Post((line,), (Choices("Player", choices, verb="removed"),)), "private", table.id, table.version)
