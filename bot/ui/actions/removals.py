"""Actions that remove players: from a lobby, for its host; from a game in play, also for moderators."""

from collections.abc import Mapping, Sequence

import discord

from bot.errors import NotAllowed, Stale
from bot.games.game import Seat
from bot.tables import StandIn, Table, Tables
from bot.texts import gettext as _
from bot.ui.actions.permissions import moderated_server
from bot.ui.interactions.reply import Reply, Where, sentence
from bot.ui.interactions.router import Handler, picked
from bot.ui.posts.custom_id import Press, parse_number
from bot.ui.posts.names import label_of, name_of, seats_named, with_stand_in
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import plain


class RemovalActions:
    """The button **Remove a player**, and the command that does the same."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {"remove": self._ask_whom, "removed": self._picked, "expel": self._expel}

    async def remove(self, interaction: discord.Interaction, table_id: int, who: str) -> Reply:
        """Remove the player with this name or seat; if several match, ask which."""
        table = await self._tables.table(table_id)
        seats = seats_named(table, who)
        if not seats:
            raise NotAllowed("There's nobody called {who} at Table {name}.", who=plain(who), name=table.name)
        if len(seats) > 1:
            return _question(table, seats)
        return await self._remove(interaction, table, seats[0])

    async def _ask_whom(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table)
        _check_may_remove(interaction, table)
        seats = removable(interaction, table)
        if not seats:
            raise NotAllowed("There's nobody to remove at Table {name}.", name=table.name)
        return _question(table, seats)

    async def _picked(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table)
        if table.version != press.version and table.status != "playing":
            raise Stale("The lobby has changed. Press **Remove a player** again.")
        return await self._remove(interaction, table, parse_number(picked(interaction)))

    async def _remove(self, interaction: discord.Interaction, table: Table, seat: Seat) -> Reply:
        """Remove a player from the lobby; in play, ask for confirmation."""
        if table.status == "playing":
            return _confirmation(interaction, table, seat)
        await self._tables.claim(interaction.id)
        await self._tables.remove(table.id, interaction.user.id, seat, table.version)
        name, sitter = name_of(table, seat), table.sitter_at(seat)
        if sitter is None or sitter.is_computer:
            done = _("You removed {player} from **Table {name}**.", player=name, name=table.name)
        else:
            done = _(
                "You removed {player} from **Table {name}**. They can't join it again.", player=name, name=table.name
            )
        return Reply(sentence(done), "private" if interaction.message is None else "here")

    async def _expel(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        table, player_id = await self._tables.table(press.table), parse_number(press.argument)
        moderates = moderated_server(interaction, table)
        await self._tables.expel(table.id, interaction.user.id, player_id, moderates=moderates)
        names = [name_of(_with_absent(table), sitter.seat) for sitter in table.sitters if player_id == sitter.player_id]
        done = _("You removed {player} from **Table {name}**.", player="".join(names), name=table.name)
        return Reply(sentence(done), "here")


def removable(interaction: discord.Interaction, table: Table) -> tuple[Seat, ...]:
    """Return the seats that the user can clear: all others in a lobby, those of people in play."""
    if not _may_remove(interaction, table):
        return ()
    others = (sitter for sitter in table.sitters if sitter.player_id != interaction.user.id)
    return tuple(sitter.seat for sitter in others if table.status == "lobby" or sitter.player_id is not None)


def _may_remove(interaction: discord.Interaction, table: Table) -> bool:
    is_host = interaction.user.id == table.host_id
    moderates = table.status == "playing" and moderated_server(interaction, table) is not None
    return table.is_open and (is_host or moderates)


def _check_may_remove(interaction: discord.Interaction, table: Table) -> None:
    if not _may_remove(interaction, table):
        raise NotAllowed("Only the host of Table {name} can remove players.", name=table.name)


def _with_absent(table: Table) -> Table:
    """Return the table with the names of the players for whom computers keep their seats."""
    for sitter in table.sitters:
        if sitter.held_for is not None:
            table = with_stand_in(table, StandIn(sitter.seat, sitter.name))
    return table


def _confirmation(interaction: discord.Interaction, table: Table, seat: Seat) -> Reply:
    _check_may_remove(interaction, table)
    sitter = table.sitter_at(seat)
    if sitter is None or sitter.player_id is None:
        raise NotAllowed("A computer already has that seat at Table {name}.", name=table.name)
    if sitter.player_id == interaction.user.id:
        raise NotAllowed("Press **Resign** to give up your own seat.")
    asked = _(
        "Remove **{player}** from **Table {name}**? A computer takes the seat for good, and they can't come back.",
        player=name_of(_with_absent(table), seat),
        name=table.name,
    )
    row = (Button("expel", _("Remove"), "danger", argument=str(sitter.player_id)), Button("more", _("Keep them")))
    where: Where = "private" if interaction.message is None else "here"
    return Reply(Post((asked,), rows=(row,)), where, table.key, table.version)


def _question(table: Table, seats: Sequence[Seat]) -> Reply:
    shown = _with_absent(table)
    choices = tuple(Choice(str(seat), label_of(shown, seat), _("Seat {n}", n=seat + 1)) for seat in seats)
    if table.status == "playing":
        line = _("Who do you want to remove from **Table {name}**?", name=table.name)
    elif any(sitter.seat in seats and not sitter.is_computer for sitter in table.sitters):
        line = _("Who do you want to remove from **Table {name}**? They can't join it again.", name=table.name)
    else:
        line = _("Which computer do you want to remove from **Table {name}**?", name=table.name)
    return Reply(Post((line,), (Choices(_("Player"), choices, verb="removed"),)), "private", table.key, table.version)
