"""The computers of lobbies, and how they play. Pure, except for `Computers`."""

from msgspec.structs import replace

from bot.errors import InvalidOption, Text
from bot.store.records import LEVELS, Changes, Sitter, Table
from bot.tables.ledger import Ledger, Receipt
from bot.tables.random_names import computer_name
from bot.tables.seating import free_seats, need_lobby_host


class Computers:
    """Lets hosts add computers to their lobbies."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def add(self, table_id: int, user_id: int, level: str | None = None, *, fill: bool = False) -> Receipt:
        """Give the last free seat to a computer, or all free seats if ``fill``, for the host.

        Without a ``level``, it plays at the table's own, which is the one chosen last. Raises `InvalidOption`.
        """
        settled = None if level is None else settle_level(level)
        return await self._ledger.update(table_id, _added, user_id, settled, fill=fill)

    async def set_level(self, table_id: int, user_id: int, level: str) -> Receipt:
        """Let all computers of the lobby play at a level, for the host. Raises `InvalidOption`."""
        settled = settle_level(level)
        return await self._ledger.update(table_id, _set_level, user_id, settled)


def settle_level(level: str) -> str:
    """Return the level. Raises `InvalidOption` if there is no such level."""
    if level not in LEVELS:
        raise InvalidOption(
            "Computers have no level {level}. Choose one of these: {levels}.",
            level=repr(level),
            levels=", ".join(LEVELS),
        )
    return level


def _added(table: Table, user_id: int, level: str | None, *, fill: bool) -> Changes:
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can add computers."))
    free = free_seats(table)
    sitters = table.sitters
    for seat in free if fill else free[-1:]:
        sitters = (*sitters, Sitter(seat, computer_name(sitters), None, level=level or table.level))
    return Changes(sitters=tuple(sorted(sitters, key=lambda sitter: sitter.seat)), level=level)


def _set_level(table: Table, user_id: int, level: str) -> Changes:
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can change how computers play."))
    sitters = [replace(sitter, level=level) if sitter.is_computer else sitter for sitter in table.sitters]
    return Changes(sitters=tuple(sitters), level=level)
