"""Records for the tests of the store."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from bot.games.game import CHANCE, Entry
from bot.records.table import Change, Place, Sitter, Table
from bot.store.store import Store

SEED: Final = bytes(range(32))
DRAFT: Final = Table(
    id=0,
    name="Heron",
    game="pond",
    options={"players": 2, "tie": "leader"},
    seats=2,
    status="lobby",
    version=1,
    host_id=2**63 - 1,
    place=Place(None, 5),
    sitters=(Sitter(0, "Ann", 2**63 - 1, "cut; DROP TABLE tables"), Sitter(1, "Computer Moss", None)),
    commitment="ab" * 32,
    seed=None,
    outcome=None,
    opened_at=1.5,
    changed_at=1.5,
)
DEAL: Final = Entry(CHANCE, "dealer 1")
MOVE: Final = Entry(0, "play QS")


async def opened(store: Store, name: str = "Heron", **fields: object) -> Table:
    """Store a table with this name."""
    return await store.open_table(replace(DRAFT, name=name, **fields), SEED)


_OF_CHANGES: Final = frozenset(Change.__struct_fields__)


async def append(store: Store, table: Table, entries: Sequence[Entry] = (), *, at: float = 2.5, **fields: Any) -> Table:
    """Append entries to the table, and give it and its change these fields. Return it after that."""
    known = {name: value for name, value in fields.items() if name in _OF_CHANGES}
    changed = replace(table, **{name: value for name, value in fields.items() if name not in known})
    return await store.write(table, Change(changed, entries, **known), at)
