"""Invitations to lobbies, and the search for more players. Pure, except for `Guests`."""

from collections.abc import Collection

from msgspec.structs import replace

from bot.errors import NotAllowed, Text
from bot.store.records import Changes, Guest, Table
from bot.tables.finding import MAX_CHOICES
from bot.tables.ledger import Ledger, Receipt
from bot.tables.seating import need_lobby_host


class Guests:
    """Lets hosts choose who may join their lobbies."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def invite(
        self, table_id: int, user_id: int, invited: Collection[int], *, are_called: bool = True
    ) -> Receipt:
        """Let only these users join the lobby, for the host; with none, anybody may join.

        ``are_called``: whether those who weren't invited before get a ping.
        """
        return await self._ledger.update(table_id, invite, user_id, invited, are_called=are_called)

    async def look(self, table_id: int, user_id: int) -> Receipt:
        """Let everybody know that the lobby needs players, for the host; once a table."""
        return await self._ledger.update(table_id, look, user_id)


def look(table: Table, user_id: int) -> Changes:
    """Note that the host looks for players."""
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can look for players."))
    if table.is_full:
        raise NotAllowed("Table {name} is full.", name=table.name)
    if table.invited_only or table.place.guild_id is None:
        raise NotAllowed("This table is for invited players.")
    if table.looked_at is not None:
        raise NotAllowed("You've already looked for players for Table {name}.", name=table.name)
    return Changes(is_looking=True)


def invite(table: Table, user_id: int, invited: Collection[int], *, are_called: bool = True) -> Changes:
    """Replace the invited users of a lobby, for its host."""
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can invite players."))
    others = [user for user in dict.fromkeys(invited) if user != user_id]
    if len(others) > MAX_CHOICES:
        raise NotAllowed("You can invite at most {most} players.", most=MAX_CHOICES)
    before = {guest.user_id: guest for guest in table.guests}
    guests = [
        replace(before[user], is_invited=True)
        if user in before
        else Guest(user, is_invited=True, is_called=are_called and table.sitter(user) is None)
        for user in others
    ]
    still = [guest for guest in table.guests if guest.user_id not in others and not guest.is_invited]
    return Changes(guests=(*guests, *still), invited_only=bool(guests))
