"""Tables that are deleted some time after they ended, or were closed before they started."""

import pytest

from bot.errors import NoSuchTable
from bot.records.table import Place
from bot.store.store import Store
from tests.databases import Database
from tests.live import live_message
from tests.tables.people import ANN, BEN, CY, HERE, Clock, in_turn, make_tables, started, tables_in

DAY = 24 * 60 * 60.0

MODERATOR = 999
"""Somebody who plays nowhere."""


async def test_tables_are_deleted_some_time_after_they_end(store: Store, database: Database) -> None:
    clock = [1000.0]
    tables = make_tables(store, lambda: clock[0])
    for place in (HERE, Place(None, 300)):
        for _ in range(12):  # more than one transaction deletes
            table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, place)).table
            await tables.lobbies.sit(table.id, BEN)
            await tables.lobbies.start(table.id, ANN.id)
            await in_turn(tables, table, "take 1")
            await tables.undos.undo(table.id, ANN.id)
            await tables.messages.posted(live_message(table.id, message_id=table.id))
            if place.guild_id is None or table.id % 2:
                await tables.resign(table.id, ANN.id)
            else:
                await tables.close(table.id, MODERATOR, moderates=place.guild_id)
    ended = await tables_in(database)
    again = (await tables.lobbies.rematch(1, BEN)).table
    playing = await started(tables, ANN, BEN)
    clock[0] += 10 * DAY
    late = await started(tables, ANN, BEN)
    await tables.resign(late.id, ANN.id)

    assert await tables.privacy.delete_ended(10 * DAY) == 0
    clock[0] += 1
    assert await tables.privacy.delete_ended(10 * DAY) == len(ended) == 24
    assert await tables_in(database) == {again.id, playing.id, late.id}
    with pytest.raises(NoSuchTable):
        await tables.table(1)
    assert (await tables.lobbies.sit(again.id, ANN)).table.is_full  # a rematch of a deleted table
    assert (await make_tables(store).lobbies.start(again.id, BEN.id)).table.rematch_of is None
    with pytest.raises(NoSuchTable):
        await tables.lobbies.rematch(1, ANN)


async def test_tables_that_ended_in_the_future_are_deleted_in_time(store: Store) -> None:
    clock = [1000.0]
    tables = make_tables(store, lambda: clock[0])
    table = await started(tables, ANN, BEN)
    clock[0] += 1000 * DAY
    await tables.resign(table.id, ANN.id)
    clock[0] -= 1000 * DAY
    assert await tables.privacy.delete_ended(10 * DAY) == 0
    clock[0] += 10 * DAY + 1
    assert await tables.privacy.delete_ended(10 * DAY) == 1


async def test_nothing_is_left_of_the_only_table(store: Store, database: Database) -> None:
    clock = [1000.0]
    tables = make_tables(store, lambda: clock[0])
    table = await started(tables, ANN, BEN, CY)
    await tables.resign(table.id, CY.id)
    await tables.close(table.id, MODERATOR, moderates=HERE.guild_id)
    clock[0] += DAY
    assert await tables.privacy.delete_ended(DAY / 2) == 1
    assert [cell for cell in await database.cells() if cell[0] not in {"migrations", "sqlite_stat1"}] == []


async def test_a_lobby_that_never_started_is_deleted_a_day_after_it_closed(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    for person in (ANN, BEN, CY):
        table = (await tables.lobbies.open("pebbles", {}, person, HERE)).table
        await tables.messages.posted(live_message(table.id, message_id=person.id, version=2))
        await tables.lobbies.stand(table.id, person.id)
    untidy = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    await tables.messages.posted(live_message(untidy.id, message_id=50, version=1))  # it doesn't say so
    await tables.lobbies.stand(untidy.id, ANN.id)
    played = await started(tables, ANN, BEN)
    await tables.close(played.id, MODERATOR, moderates=HERE.guild_id)
    lobby = (await tables.lobbies.open("pebbles", {}, BEN, HERE)).table
    assert await tables.privacy.delete_lobbies() == 0
    clock.at += DAY
    assert await tables.privacy.delete_lobbies() == 0
    clock.at += 1
    assert await tables.privacy.delete_lobbies() == 3
    assert [table.id for table in await store.lists.all()] == [untidy.id, played.id, lobby.id]
    clock.at += 7 * DAY
    assert await tables.privacy.delete_lobbies() == 1
    assert [table.id for table in await store.lists.all()] == [played.id, lobby.id]
