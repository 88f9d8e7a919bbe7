"""Tables that can't go on: how damage is noticed, and which process closes them."""

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from bot.errors import DamagedTable, InvalidOption, PlayError, StoreError, TranscriptError, damage_to
from bot.games.game import AnyGame
from bot.records.table import Receipt, Table
from bot.records.table_damage import DAMAGED, damage_reference
from bot.store.store import Store
from bot.tables.absence.deadlines import CLOCKS

log: Final = logging.getLogger(__name__)


class Damages:
    """Closes tables that can't be read or folded when that is noticed, unless ``closes`` is false.

    Only the process that serves a table's shard closes it: another one may be of a version that can't play it.
    """

    def __init__(
        self, store: Store, now: Callable[[], float], announce: Callable[[Receipt], None], *, closes: bool
    ) -> None:
        self._store = store
        self._now = now
        self._announce = announce
        self.shards: Callable[[], tuple[frozenset[int], int]] = lambda: (frozenset({0} if closes else ()), 1)
        """Returns the shards that this process serves, and the number of all shards of the bot."""

    async def may_close(self, table_id: int) -> bool:
        """Return whether this process closes the table if it can't go on."""
        return table_id in await self._store.lists.of_shards([table_id], *self.shards())

    async def close(self, damage: DamagedTable) -> Table | None:
        """Close the table and return it. Raises the damage if the table has ended already, or isn't this process's."""
        table_id, reference = damage.table_id, secrets.token_hex(3).upper()
        if not await self.may_close(table_id):
            raise damage
        is_new = await self._store.close_damaged(table_id, f"{DAMAGED}{reference}", self._now())
        table = await self._store.table(table_id)
        if not is_new and table is not None and damage_reference(table) is None:
            raise damage
        if is_new and table is not None:
            values = (reference, table_id, damage.what)
            log.error("reference %s: table %s is closed; damaged: %s", *values, extra={"reference": reference})
            self._announce(Receipt(table, table.version - 1))
        return table

    @asynccontextmanager
    async def noticing(self, table: Table) -> AsyncIterator[None]:
        """Close the table if its log or its secret can't be used. Raises `DamagedTable`, which quotes neither."""
        try:
            yield
        except DamagedTable as error:
            damage = error
        except (PlayError, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever a rulebook raises for a log that it hasn't written
            damage = damage_to(table.id, _where(error))
        else:
            return
        closed = await self.close(damage)
        raise damage if closed is None else refusal(closed) from None


def refusal(table: Table) -> DamagedTable:
    """Return the refusal for a table that was closed because of damage."""
    return DamagedTable(
        "Table {name} was damaged, so I closed it. Reference **{id}**.",
        None,
        number=table.id,
        what="log",
        name=table.name,
        id=damage_reference(table),
    )


def _where(error: Exception) -> str:
    """Return where a fold failed, without what the error says: it may quote a card."""
    return error.where.rpartition(", ")[2] if isinstance(error, TranscriptError) else f"log ({type(error).__name__})"


def unsound(table: Table, games: Mapping[str, AnyGame], rulebook: AnyGame | None) -> str | None:
    """Return which part of an open table its game can't have; ``None`` if all is well.

    ``rulebook`` is that of the table. Without one, the table ends or gets the current rules anyway.
    """
    if not table.is_open:
        return None
    if table.game not in games:
        return "game"
    if table.clock not in CLOCKS:
        return "clock"
    return None if rulebook is None else _unplayable(table, rulebook)


def _unplayable(table: Table, game: AnyGame) -> str | None:
    try:
        settled = game.settle(table.options)
    except InvalidOption:
        return "options"
    if settled.keys() != table.options.keys():
        return "options"
    if game.seats(settled) != table.seats or (table.status == "playing" and not table.is_full):
        return "players"
    return None
