"""Which tables allow hints, and noting those that were shown."""

from bot.errors import Conflict, InvalidOption, NotAllowed, Stale, Text
from bot.store.records import HINTS, Changes, Table
from bot.store.store import Store
from bot.tables.ledger import MOVED_ON, Ledger, Receipt
from bot.tables.seating import need_lobby_host, seated


class Hints:
    """Lets hosts allow hints, and notes hints for the transcript."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger

    async def allow(self, table_id: int, user_id: int, hints: str) -> Receipt:
        """Set whether players may ask for hints, for the host of the lobby. Raises `InvalidOption`."""
        if hints not in HINTS:
            raise InvalidOption(
                "Hints can't be {value}. Choose one of these: {values}.", value=repr(hints), values=", ".join(HINTS)
            )
        return await self._ledger.update(table_id, _allow, user_id, hints)

    async def note(self, table_id: int, user_id: int, seen: int) -> None:
        """Note that a hint is shown to the user, at this version of the table. Raises `Stale` if it has moved on."""
        table, folded = await self._ledger.fold(await self._ledger.table(table_id))
        if table.version != seen:
            raise Stale(MOVED_ON)
        try:
            await self._store.note_hint(table, len(folded.entries), seated(table, user_id).seat)
        except Conflict:
            raise Stale(MOVED_ON) from None


def _allow(table: Table, user_id: int, hints: str) -> Changes:
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can change the options."))
    return Changes(hints=hints)


def allows_hints(table: Table, user_id: int) -> bool:
    """Whether a player may ask for hints at the table."""
    others = [sitter for sitter in table.sitters if sitter.user_id != user_id]
    is_alone = all(sitter.is_computer and sitter.held_for is None for sitter in others)
    return table.hints == "on" or (table.hints == "auto" and is_alone)


def check_allowed(table: Table, user_id: int) -> None:
    """Raise an error unless the user may ask for hints at the table."""
    if table.hints == "off":
        raise NotAllowed("There are no hints at Table {name}.", name=table.name)
    if not allows_hints(table, user_id):
        raise NotAllowed(
            "Hints are off in games between people. The host can turn them on under **Options** in the lobby."
        )
