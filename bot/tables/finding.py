"""Finds the table that a user means."""

import re
from collections.abc import Mapping
from typing import Final

from bot.errors import AmbiguousTable, InvalidOption, NoSuchTable
from bot.games.game import AnyGame
from bot.games.typed import clean
from bot.store.damage import damage_reference
from bot.store.records import Table
from bot.store.store import Store
from bot.tables.ledger import Ledger, no_table
from bot.tables.soundness import refusal
from bot.tables.viewing import Viewer

_KEY: Final = re.compile(r"[0-9]{1,18}-[0-9]{1,9}-[0-7]?[0-9a-f]{1,15}")
_DIGITS: Final = 19
"""Numbers are shorter than this."""
MAX_CHOICES: Final = 25
"""Discord's maximum of choices in a menu or in autocomplete. Lists of tables and of invited players aren't longer."""


class Finder:
    """Looks up tables by number, name or place. A viewer finds only tables that they may see."""

    def __init__(self, store: Store, ledger: Ledger, games: Mapping[str, AnyGame]) -> None:
        self._store = store
        self._ledger = ledger
        self._games = games

    async def by_number(self, table_id: int, viewer: Viewer) -> Table:
        """Return the table with this number. Raises `NoSuchTable`."""
        table = await self._ledger.table(table_id)
        if not await viewer.sees(table):
            raise no_table(str(table_id))
        return _sound(table, viewer)

    async def by_key(self, key: str, viewer: Viewer) -> Table:
        """Return the table with this `Table.key`, or the one that a button of an older version names.

        The tag isn't checked, the form is the caller's. Raises `NoSuchTable`.
        """
        number, _, rest = key.partition("-")
        scope = rest.partition("-")[2]
        if not scope:
            return await self.by_number(int(number), viewer)
        table = await self._store.numbered(int(number), int(scope, 16))
        if table is None or not await viewer.sees(table):
            raise no_table(number)
        return table

    async def find(self, ref: str, viewer: Viewer) -> Table:
        """Return the table a person means: ``81``, ``#81``, ``heron`` or ``Table Heron``, finished ones included.

        Numbers are those of the viewer's server, then those of their tables elsewhere; for the operator, they are those
        of all tables. Of several tables with this name, the open one comes first, then the latest. Autocomplete gives
        `Table.key`. Raises `NoSuchTable`.
        """
        if _KEY.fullmatch(ref):
            return await self.by_key(ref, viewer)
        words = clean(ref).split()
        name = " ".join(words[1:] if len(words) > 1 and words[0].lower() == "table" else words)
        number = name.removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < _DIGITS:
            if viewer.user_id is None:
                return await self.by_number(int(number), viewer)
            found = await self._store.numbered_for(int(number), viewer.user_id, viewer.guild_id)
        else:
            found = await self._store.named(name, user_id=viewer.user_id, guild_id=viewer.guild_id)
        for table in found:
            if await viewer.sees(table):
                return _sound(await self._ledger.table(table.id), viewer)
        raise no_table(name)

    async def choose(self, viewer: Viewer, game_key: str, channel_id: int | None, ref: str | None = None) -> Table:
        """Return the table that a user's command is about.

        That is the table they name; else the one of this game in this channel where they sit; else their only one of
        this game. A game in play goes before a lobby. Raises `NoSuchTable` or `AmbiguousTable`.
        """
        game = self.game(game_key)
        if ref and ref.strip():
            table = await self.find(ref, viewer)
            if table.game != game_key:
                raise NoSuchTable("Table {name} isn't a game of {game}.", name=table.name, game=game.title)
            return table
        own = await self.tables_of(viewer.user_id, game_key) if viewer.user_id else ()
        if not own:
            raise NoSuchTable("You're not in a game of {game}. Open or join one.", game=game.title)
        if channel_id and viewer.user_id:
            own = await self.tables_of(viewer.user_id, game_key, channel_id) or own
        fitting = [table for table in own if table.status == "playing"] or own
        if len(fitting) > 1:
            raise AmbiguousTable(
                "You're in several games of {game}. Which one?",
                tuple(table.id for table in fitting),
                game=game.title,
            )
        return fitting[0]

    async def tables_of(
        self, user_id: int, game_key: str | None = None, channel_id: int | None = None
    ) -> tuple[Table, ...]:
        """Return up to `MAX_CHOICES` open tables of the user, in the order of `Lists.seats`."""
        seats = await self._store.lists.seats(user_id, game_key, channel_id, MAX_CHOICES)
        return tuple(seat.table for seat in seats)

    def game(self, key: str) -> AnyGame:
        """Return the current rulebook of a game. Raises `InvalidOption` if there is no such game."""
        game = self._games.get(key)
        if game is None:
            raise InvalidOption("There's no game {key}. Games: {games}.", key=repr(key), games=", ".join(self._games))
        return game


def _sound(table: Table, viewer: Viewer) -> Table:
    """Return the table. Raises `DamagedTable` if it was closed because of damage: only the operator can use it."""
    if damage_reference(table) is not None and viewer.user_id is not None:
        raise refusal(table)
    return table
