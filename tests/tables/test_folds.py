"""Tests of folds and their cache."""

import pytest

from bot.errors import TranscriptError
from bot.games.game import Entry
from bot.store.records import Changes
from bot.store.store import Store
from bot.tables import Tables
from bot.tables.folds import KEPT_EVENTS, Fold, Progress, VersionCache
from tests.pebbles import Said
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
        fold = fold.after(Progress(None, (), (Said(0, str(number)),)), fold.version + 1, 0)
    assert fold.events[0] == Said(0, "2")
    assert len(fold.events) == KEPT_EVENTS


async def test_an_illegal_entry_in_a_log_is_reported(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    await store.append(table.id, table.version, [Entry(0, "keep")], Changes(1.0))
    with pytest.raises(TranscriptError, match=f"table {table.id}, entry 1: You can't keep now"):
        await make_tables(store).look(table.id)
