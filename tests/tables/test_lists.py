"""Tests of lists of open tables: order, length, and that they don't fold logs."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from bot.games.game import Value
from bot.records.table import Person, Place, Sitter
from bot.store.sqlite.sqlite_schema import migrations, prepare
from bot.store.store import Store
from bot.store.table_lists import CHANNEL, COUNT, LAST_GAME, LOBBIES, RECENT_NAMES, SEATS, SERVER
from bot.tables.finding import MAX_CHOICES
from bot.tables.tables import Tables
from tests.doses import IS_COMPLETE
from tests.pebbles import Pebbles, PebblesState
from tests.store.lilypads import append, opened
from tests.tables.people import ANN, BEN, CY, HERE, THERE, Looker, in_turn, make_tables, started

MANY = 6000 if IS_COMPLETE else 1000


class CountedPebbles(Pebbles):
    """Pebbles that counts how often a log is folded."""

    folds = 0

    def start(self, options: Mapping[str, Value]) -> PebblesState:
        """Count, and fold the log."""
        self.folds += 1
        return super().start(options)


async def crowd(store: Store, count: int = MANY) -> None:
    """Store this many open tables of Ann in one channel."""
    sitters = (Sitter(0, ANN.name, ANN.id), Sitter(1, "Moss", None))
    names = [f"Crowd {number}" for number in range(count)]
    openings = [opened(store, name, game="pebbles", host_id=ANN.id, place=THERE, sitters=sitters) for name in names]
    await asyncio.gather(*openings)


async def mine(tables: Tables, person: Person) -> list[tuple[int, bool]]:
    """Return the numbers of a user's tables, and whether each waits for them."""
    return [(seat.table.id, seat.is_waiting) for seat in await tables.lists.seats(person.id, None, None, MAX_CHOICES)]


async def test_stored_turns_follow_every_move_undo_and_end(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    assert await mine(tables, ANN) == await mine(tables, BEN) == [(table.id, True)]
    await tables.play(table.id, ANN.id, "take 1")
    assert (await mine(tables, ANN), await mine(tables, BEN)) == ([(table.id, False)], [(table.id, True)])
    await tables.undos.undo(table.id, ANN.id)
    assert await mine(tables, ANN) == [(table.id, True)]
    await in_turn(tables, table, *("take 1", "take 1", "keep", "keep") * 2)
    assert await mine(tables, ANN) == await mine(tables, BEN) == []


async def test_a_seat_that_changes_hands_still_owes_its_move(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await tables.play(table.id, CY.id, "take 1")
    await tables.resign(table.id, ANN.id)
    assert (await mine(tables, ANN), await mine(tables, BEN)) == ([], [(table.id, True)])
    assert await mine(tables, CY) == [(table.id, False)]


async def test_lobbies_and_closed_tables_wait_for_no_player(tables: Tables) -> None:
    lobby = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    await tables.lobbies.sit(lobby.id, BEN)
    assert await mine(tables, BEN) == [(lobby.id, False)]
    await tables.close(lobby.id, ANN.id)
    assert await mine(tables, ANN) == await mine(tables, BEN) == []


async def test_a_seat_that_a_computer_keeps_is_listed(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    kept = tuple(
        Sitter(sitter.seat, "Moss", None, held_for=ANN.id) if sitter.user_id == ANN.id else sitter
        for sitter in table.sitters
    )
    await append(store, table, (), at=1.0, sitters=kept)
    assert await mine(tables, ANN) == [(table.id, False)]
    assert await tables.lists.count(ANN.id) == 1


async def test_a_crowd_of_tables_is_listed_without_folding_any(store: Store) -> None:
    game = CountedPebbles()
    playing = make_tables(store)
    waits = [(await started(playing, ANN, BEN)).id for _ in range(3)]
    await crowd(store)
    lobby = (await playing.lobbies.open("pebbles", {}, CY, THERE)).table
    tables = Tables(store, games={"pebbles": game})
    assert [table.id for table in await tables.finder.tables_of(ANN.id)][:3] == waits
    assert (
        len(await tables.finder.tables_of(ANN.id))
        == len(await tables.lists.in_channel(THERE.channel_id, None, MAX_CHOICES))
        == MAX_CHOICES
    )
    assert await tables.lists.count(ANN.id) == MANY + 3
    assert await tables.finder.tables_of(CY.id) == (lobby,)
    assert await tables.finder.choose(Looker(CY.id), "pebbles", THERE.channel_id) == lobby
    assert len(await tables.lists.seats(ANN.id, None, None, MAX_CHOICES, MANY)) == 3
    assert game.folds == 0


async def test_a_table_in_the_channel_is_found_among_many_others(tables: Tables, store: Store) -> None:
    await crowd(store, 2 * MAX_CHOICES)
    here = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    assert await tables.finder.choose(Looker(ANN.id), "pebbles", HERE.channel_id) == here
    assert [table.id for table in await tables.finder.tables_of(ANN.id, "pebbles", HERE.channel_id)] == [here.id]


async def test_lobbies_are_found_among_many_full_tables(store: Store, tables: Tables) -> None:
    await crowd(store, 2 * MAX_CHOICES)
    lobby = (await tables.lobbies.open("pebbles", {}, BEN, THERE)).table
    await tables.lobbies.open("pebbles", {}, CY, HERE)
    assert await tables.lists.lobbies(THERE.channel_id, "pebbles", MAX_CHOICES) == (lobby,)


async def test_the_tables_of_a_server_are_found_by_name_and_number(store: Store, tables: Tables) -> None:
    await opened(store, "Heron 2", place=Place(8, 3))
    heron = await opened(store, "Heron", place=Place(7, 1))
    coot = await opened(store, "Coot", place=Place(7, 2))
    assert await tables.lists.on_server(7, "", MAX_CHOICES) == (heron, coot)
    assert await tables.lists.on_server(7, "her", MAX_CHOICES) == (heron,)
    assert await tables.lists.on_server(7, "2", MAX_CHOICES) == (coot,)
    assert await tables.lists.on_server(7, "", 1) == (heron,)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (SEATS, (1, None, None, 25)),
        (COUNT, (1,)),
        (CHANNEL, (1, None, 25)),
        (LOBBIES, (1, "pond")),
        (SERVER, (1, "", 25)),
        (RECENT_NAMES, (1, 0.0)),
        (LAST_GAME, (1,)),
    ],
    ids=["seats", "count", "channel", "lobbies", "server", "names", "last"],
)
def test_every_list_uses_an_index(tmp_path: Path, query: str, asked: tuple[object, ...]) -> None:
    path = tmp_path / "pond.db"
    with closing(sqlite3.connect(path)) as connection:
        prepare(path, migrations(), connection)
        steps = [step for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {query}", asked)]
    found = {step.replace("CO-ROUTINE", "SCAN") for step in steps if step.startswith("CO-ROUTINE")}  # a few rows each
    reads = [step for step in steps if step.startswith(("SCAN", "SEARCH")) and step not in found]
    assert all("SEARCH" in step for step in reads if "CONSTANT ROW" not in step), steps
    assert not any("TEMP B-TREE" in step for step in steps), steps
