"""Records for the tests of the store."""

from typing import Final

from msgspec.structs import replace

from bot.games.game import CHANCE, Entry
from bot.store.records import Changes, Place, Sitter, Table
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
NOW: Final = Changes(at=2.5)
DEAL: Final = Entry(CHANCE, "dealer 1")
MOVE: Final = Entry(0, "play QS")


async def opened(store: Store, name: str = "Heron", **fields: object) -> Table:
    """Store a table with this name."""
    return await store.open_table(replace(DRAFT, name=name, **fields), SEED)
