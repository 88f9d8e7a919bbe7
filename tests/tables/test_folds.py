"""Tests of folds and their cache."""

import pytest

from bot.errors import DamagedTable
from bot.games.game import Entry
from bot.store.store import Store
from bot.tables.folds import KEPT_EVENTS, Fold, Progress, VersionCache
from bot.tables.tables import Tables
from tests.pebbles import Said
from tests.store.lilypads import append
from tests.tables.people import ANN, BEN, make_tables, started


def test_the_cache_has_recently_used_folds() -> None:
    folds = VersionCache[Fold](2)
    for table_id in (1, 2):
        folds.put(table_id, Fold(5, None))
    assert folds.latest(1) == Fold(5, None)
    folds.put(3, Fold(1, None))
    assert [folds.latest(table_id) is None for table_id in (1, 2, 3)] == [False, True, False]


def test_an_older_fold_does_not_replace_a_newer_one() -> None:
    folds = VersionCache[Fold](2)
    folds.put(1, Fold(6, None))
    folds.put(1, Fold(5, None))
    assert folds.latest(1) == Fold(6, None)


def test_only_the_last_events_are_kept() -> None:
    fold = Fold(1, None)
    for number in range(KEPT_EVENTS + 2):
        fold = fold.after(Progress(None, (), (Said(0, str(number)),)))
    assert fold.events[0] == Said(0, "2")
    assert len(fold.events) == KEPT_EVENTS


async def test_a_table_with_an_illegal_entry_is_closed_without_quoting_it(
    tables: Tables, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = await started(tables, ANN, BEN)
    await append(store, table, [Entry(0, "keep")], at=1.0)
    again = make_tables(store)
    with pytest.raises(DamagedTable, match="was damaged, so I closed it") as caught:
        await again.look(table.id)
    assert "keep" not in f"{caught.value}{caplog.text}"
    assert "damaged: entry 1" in caplog.text
    assert (await again.table(table.id)).status == "closed"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET record = '{' WHERE id = ?",
        """UPDATE tables SET record = replace(record, '"options":{', '"options":7,"x":{') WHERE id = ?""",
        "UPDATE tables SET game = 'chess' WHERE id = ?",
        """UPDATE tables SET record = replace(record, '"level":"fair"', '"level":"genius"') WHERE id = ?""",
        """UPDATE tables SET record = replace(record, '"seats":2', '"seats":0') WHERE id = ?""",
        """UPDATE tables SET record = replace(record, '"seat":1', '"seat":7') WHERE id = ?""",
    ],
)
async def test_a_damaged_table_is_closed_at_the_start_and_left_out_before(
    tables: Tables, store: Store, statement: str
) -> None:
    damaged, sound = await started(tables, ANN, BEN), await started(tables, ANN, BEN)
    await store.database.writer.execute(statement, (damaged.id,))
    again = make_tables(store)
    assert sound in await again.lists.open_tables()
    assert await again.close_outdated() == 1
    assert (await again.table(damaged.id)).status == "closed"
    assert await again.lists.open_tables() == (sound,)
    assert [table.id for table in await store.lists.all()] == [damaged.id, sound.id]
    await again.look(sound.id, ANN.id)
