"""Finds the table that a user means, among those that they may see."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from bot.errors import AmbiguousTable, InvalidOption, NoSuchTable
from bot.games.game import AnyGame
from bot.games.typed import clean
from bot.records.table import Table
from bot.records.table_damage import damage_reference
from bot.store.store import Store
from bot.tables.damage import refusal
from bot.tables.ledger import Ledger
from bot.tables.seating import no_table

_KEY: Final = re.compile(r"[0-9]{1,18}-[0-9]{1,9}-[0-7]?[0-9a-f]{1,15}")
_DIGITS: Final = 19
"""Numbers are shorter than this."""
MAX_CHOICES: Final = 25
"""Discord's maximum of choices in a menu or in autocomplete. Lists of tables and of invited players aren't longer."""


class Viewer(Protocol):
    """A user on Discord, or the operator on the command line."""

    @property
    def user_id(self) -> int | None:
        """The user; ``None`` for the operator."""

    @property
    def guild_id(self) -> int | None:
        """The server where the user acts; ``None`` in direct messages."""

    async def first_seen(self, tables: Sequence[Table]) -> Table | None:
        """Return the first table that the viewer may know of. Hidden tables take as long as none."""


class _Operator:
    user_id: int | None = None
    guild_id: int | None = None

    async def first_seen(self, tables: Sequence[Table], /) -> Table | None:
        return next(iter(tables), None)


OPERATOR: Final[Viewer] = _Operator()
"""Sees all tables. Nothing that people reach on Discord may use it."""


def is_seated(table: Table, user_id: int | None) -> bool:
    """Return whether the user has a seat there, or a computer keeps one for them."""
    return user_id is not None and any(user_id in {sitter.user_id, sitter.held_for} for sitter in table.sitters)


class Finder:
    """Looks up tables by number, name or place. A viewer finds only tables that they may see."""

    def __init__(self, store: Store, ledger: Ledger, games: Mapping[str, AnyGame]) -> None:
        self._store = store
        self._ledger = ledger
        self._games = games

    async def by_number(self, table_id: int, viewer: Viewer) -> Table:
        """Return the table with this number. Raises `NoSuchTable`."""
        found = await self._ledger.found(table_id)
        table = await self._first_seen(() if found is None else (found,), viewer, str(table_id))
        return _sound(await self._ledger.table(table.id), viewer)

    async def by_key(self, key: str, viewer: Viewer) -> Table:
        """Return the table with this `Table.key`, or the one that a button of an older version names.

        The tag isn't checked, the form is the caller's. Raises `NoSuchTable`.
        """
        number, _, rest = key.partition("-")
        scope = rest.partition("-")[2]
        if not scope:
            return await self.by_number(int(number), viewer)
        return await self._first_seen(await self._store.lists.numbered(int(number), int(scope, 16)), viewer, number)

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
            found = await self._store.lists.numbered_for(int(number), viewer.user_id, viewer.guild_id)
        else:
            found = await self._store.lists.named(name, user_id=viewer.user_id, guild_id=viewer.guild_id)
        table = await self._first_seen(found, viewer, name)
        return _sound(await self._ledger.table(table.id), viewer)

    async def _first_seen(self, found: Sequence[Table], viewer: Viewer, ref: str) -> Table:
        """Return the first of the tables that the viewer sees. Raises `NoSuchTable`."""
        table = await viewer.first_seen(found)
        if table is None:
            raise no_table(ref)
        return table

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
        own = await self._own(viewer.user_id, game_key, channel_id) if viewer.user_id else ()
        fitting = [table for table in own if table.status == "playing"] or own
        if not fitting:
            raise NoSuchTable("You're not in a game of {game}. Open or join one.", game=game.title)
        if len(fitting) > 1:
            several = tuple(table.id for table in fitting)
            raise AmbiguousTable("You're in several games of {game}. Which one?", several, game=game.title)
        return fitting[0]

    async def _own(self, user_id: int, game_key: str, channel_id: int | None) -> Sequence[Table]:
        """Return the user's tables of a game in this channel, or if there are none, everywhere."""
        own = await self.tables_of(user_id, game_key)
        here = [table for table in own if table.place.channel_id == channel_id]
        if not here and len(own) == MAX_CHOICES:  # there may be more
            here = [*await self.tables_of(user_id, game_key, channel_id)]
        return here or own

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
