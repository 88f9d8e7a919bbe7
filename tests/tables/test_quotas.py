"""Tests of quotas: how much is open, and how much is done within an hour."""

import asyncio

import pytest

from bot.errors import TooManyTables
from bot.games import GAMES
from bot.records.quota import Quotas
from bot.records.table import Person, Place, Receipt
from bot.store.quotas import HOUR_S
from bot.store.store import Store
from bot.tables.tables import Tables
from tests.databases import Database
from tests.pebbles import Pebbles
from tests.tables.people import ANN, BEN, CY, HERE, THERE, Clock, in_turn

QUOTAS = Quotas(host=2, channel=3, server=4)
ELSEWHERE = Place(2, 300)


def limited(store: Store) -> Tables:
    """Return tables with small quotas."""
    return Tables(store, games={**GAMES, "pebbles": Pebbles()}, quotas=QUOTAS)


async def opens(tables: Tables, person: Person, place: Place = HERE) -> Receipt:
    """Open a table."""
    return await tables.lobbies.open("pebbles", {}, person, place)


async def test_a_closed_table_no_longer_counts_for_its_host(store: Store) -> None:
    tables = limited(store)
    first = (await opens(tables, ANN)).table
    await opens(tables, ANN, THERE)
    for place in (HERE, ELSEWHERE, Place(None, 9)):
        with pytest.raises(TooManyTables, match=r"You can't host more open tables \(limit 2\)"):
            await opens(tables, ANN, place)
    await opens(tables, BEN)
    await tables.close(first.id, ANN.id)
    await opens(tables, ANN)


async def test_channels_and_servers_have_quotas(store: Store) -> None:
    tables = limited(store)
    for number in range(3):
        await opens(tables, Person(100 + number, "Guest"))
    with pytest.raises(TooManyTables, match=r"This channel can't have more open tables \(limit 3\)"):
        await opens(tables, ANN)
    await opens(tables, ANN, THERE)
    with pytest.raises(TooManyTables, match=r"This server can't have more open tables \(limit 4\)"):
        await opens(tables, BEN, THERE)
    await opens(tables, BEN, ELSEWHERE)


async def test_direct_messages_belong_to_no_server(store: Store) -> None:
    tables = limited(store)
    for number in range(2 * QUOTAS.server):
        await opens(tables, Person(100 + number, "Guest"), Place(None, number))


async def test_two_processes_share_a_quota(database: Database) -> None:
    async with await database.open() as one, await database.open() as other:
        both = (limited(one), limited(other))
        tries = [opens(both[number % 2], Person(100 + number, "Guest")) for number in range(20)]
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(each, Receipt) for each in done) == QUOTAS.channel
        assert sum(isinstance(each, TooManyTables) for each in done) == 20 - QUOTAS.channel
        assert len(await both[0].lists.open_tables()) == QUOTAS.channel


async def test_a_rematch_counts_like_any_other_table(store: Store) -> None:
    tables = limited(store)
    table = (await opens(tables, ANN)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await in_turn(tables, table, *("take 1", "take 1", "keep", "keep") * 2)
    for _ in range(2):
        await opens(tables, ANN, THERE)
    with pytest.raises(TooManyTables):
        await tables.lobbies.rematch(table.id, ANN)
    again = (await tables.lobbies.rematch(table.id, BEN)).table
    assert (await tables.lobbies.rematch(table.id, ANN)).table.id == again.id


async def test_a_user_who_becomes_host_can_exceed_the_quota(store: Store) -> None:
    tables = limited(store)
    for _ in range(2):
        await opens(tables, BEN, THERE)
    table = (await opens(tables, ANN)).table
    await tables.lobbies.sit(table.id, BEN)
    assert (await tables.lobbies.stand(table.id, ANN.id)).table.host_id == BEN.id
    with pytest.raises(TooManyTables, match=r"You can't host more open tables \(limit 2\)"):
        await opens(tables, BEN)


async def test_without_quotas_any_number_of_tables_may_be_open(tables: Tables) -> None:
    for _ in range(60):
        await tables.lobbies.open("pebbles", {}, CY, HERE)


# ---- within an hour


def hourly(store: Store, clock: Clock, opened: tuple[int, int] = (3, 5)) -> Tables:
    """Return tables where a user does everything three times an hour, and a server five times."""
    quotas = Quotas(100, 100, 100, opened=opened, invited=(3, 5), looked=(3, 5))
    return Tables(store, games={**GAMES, "pebbles": Pebbles()}, now=clock, quotas=quotas)


async def opens_and_leaves(tables: Tables, person: Person, place: Place = HERE) -> None:
    """Open a table and leave it, so that it's closed."""
    await tables.lobbies.stand((await opens(tables, person, place)).table.id, person.id)


async def invites(tables: Tables, host: Person, *people: Person) -> Receipt:
    """Open a table for these people."""
    table = (await opens(tables, host)).table
    return await tables.guests.invite(table.id, host.id, [person.id for person in people])


async def test_openings_are_counted_per_user_and_hour_even_if_nothing_stays_open(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock)
    for _ in range(3):
        await opens_and_leaves(tables, ANN)
    again_at = f"<t:{clock.at + HOUR_S:.0f}:R>"
    clock.at += HOUR_S - 1
    for place in (HERE, ELSEWHERE, Place(None, 9)):
        with pytest.raises(TooManyTables, match="You've opened too many tables") as refused:
            await opens(tables, ANN, place)
        assert again_at in str(refused.value)
        with pytest.raises(TooManyTables, match="You've opened too many tables"):
            await tables.lobbies.check_quotas(ANN, place)
    await opens(tables, BEN)
    clock.at += 1
    await opens(tables, ANN)


async def test_openings_are_counted_per_server_and_hour(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock)
    for number in range(5):
        await opens_and_leaves(tables, Person(100 + number, "Guest"))
    with pytest.raises(TooManyTables, match="Too many tables were opened on this server"):
        await opens(tables, ANN)
    for number in range(7):
        await opens(tables, Person(200 + number, "Guest"), Place(None, number))
    await opens(tables, ANN, ELSEWHERE)
    clock.at += HOUR_S
    await opens(tables, ANN)


async def test_rematches_and_moved_lobbies_count_as_openings(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock)
    table = (await opens(tables, ANN)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await in_turn(tables, table, *("take 1", "take 1", "keep", "keep") * 2)
    again = (await tables.lobbies.rematch(table.id, ANN)).table
    again = (await tables.lobbies.move(again.id, ANN.id, THERE)).table
    with pytest.raises(TooManyTables):
        await tables.lobbies.move(again.id, ANN.id, HERE)
    assert (await tables.table(again.id)).status == "lobby"
    await tables.lobbies.stand(again.id, ANN.id)
    with pytest.raises(TooManyTables):
        await tables.lobbies.rematch(table.id, ANN)
    await tables.lobbies.rematch(table.id, BEN)


async def test_a_refused_opening_is_not_counted(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock)
    for number in range(5):
        await opens(tables, Person(100 + number, "Guest"))
    for _ in range(4):
        with pytest.raises(TooManyTables, match="on this server"):
            await opens(tables, ANN)
    for _ in range(3):
        await opens(tables, ANN, ELSEWHERE)


async def test_deleting_their_data_or_a_restart_gives_nobody_more(database: Database, clock: Clock) -> None:
    zoe = Person(1_456_074_443_980_800_019, "Zoe")
    for _ in range(3):
        async with await database.open() as store:
            await opens_and_leaves(hourly(store, clock), zoe)
    async with await database.open() as store:
        tables = hourly(store, clock)
        with pytest.raises(TooManyTables):
            await opens(tables, zoe)
        await tables.privacy.forget(zoe.id)
        assert await database.traces(zoe.id) == []
        with pytest.raises(TooManyTables):
            await opens(tables, zoe)


async def test_two_processes_count_together(database: Database, clock: Clock) -> None:
    async with await database.open() as one, await database.open() as other:
        both = (hourly(one, clock), hourly(other, clock))
        tries = [opens(both[number % 2], ANN, Place(number, number)) for number in range(10)]
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(each, Receipt) for each in done) == 3
        assert sum(isinstance(each, TooManyTables) for each in done) == 7


async def test_only_newly_invited_players_count(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock, opened=(50, 50))
    table = (await invites(tables, ANN, BEN, CY)).table
    for _ in range(5):
        await tables.guests.invite(table.id, ANN.id, [BEN.id, CY.id])
    await tables.guests.invite(table.id, ANN.id, [BEN.id, CY.id, 50])
    with pytest.raises(TooManyTables, match="You've invited too many players"):
        await tables.guests.invite(table.id, ANN.id, [BEN.id, CY.id, 50, 51])
    assert set((await tables.table(table.id)).invited) == {BEN.id, CY.id, 50}
    with pytest.raises(TooManyTables, match="Too many players were invited on this server"):
        await invites(tables, BEN, ANN, CY, Person(52, "Guest"))
    clock.at += HOUR_S
    await tables.guests.invite(table.id, ANN.id, [51])


async def test_searches_for_players_are_counted(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock, opened=(50, 50))
    for number in range(2):
        table = (await opens(tables, Person(100 + number, "Guest"))).table
        await tables.guests.look(table.id, 100 + number)
    for _ in range(3):
        table = (await opens(tables, ANN)).table
        await tables.guests.look(table.id, ANN.id)
        clock.at += 1
    clock.at += HOUR_S - 4
    table = (await tables.lobbies.open("pebbles", {}, ANN, Place(3, 3))).table
    with pytest.raises(TooManyTables, match="You've looked for players too often"):
        await tables.guests.look(table.id, ANN.id)
    table = (await tables.lobbies.open("pebbles", {}, BEN, Place(3, 3))).table
    await tables.guests.look(table.id, BEN.id)
    for number, place in enumerate((THERE, HERE)):
        host = Person(200 + number, "Guest")
        table = (await tables.lobbies.open("pebbles", {}, host, place)).table
        with pytest.raises(TooManyTables, match="on this server have looked for players"):
            await tables.guests.look(table.id, host.id)


async def test_counts_are_deleted_after_a_day(store: Store, clock: Clock, database: Database) -> None:
    tables = hourly(store, clock)
    for number in range(40):
        await opens_and_leaves(tables, Person(number, "Guest"), Place(number, number))
    clock.at += 25 * HOUR_S
    await opens(tables, ANN)
    kept = await database.rows("SELECT number FROM recent_uses")
    assert sorted(number for (number,) in kept) == [0, 1, 1]


async def test_a_clock_that_was_put_back_locks_nobody_out(store: Store, clock: Clock) -> None:
    tables = hourly(store, clock)
    for _ in range(3):
        await opens_and_leaves(tables, ANN)
    clock.at -= 30 * 24 * HOUR_S
    await opens(tables, ANN)


# ---- pings


async def was_called(store: Store, table_id: int, user_id: int) -> bool:
    """Return whether a guest of the lobby gets a ping there."""
    snapshot = await store.snapshot(table_id)
    assert snapshot is not None
    return snapshot.reader(user_id).pinged_at is None


async def test_a_host_has_somebody_pinged_once_an_hour(store: Store, clock: Clock) -> None:
    tables = Tables(store, games={**GAMES, "pebbles": Pebbles()}, now=clock)
    for host, guest, pause_s, is_called in (
        (ANN, BEN, 0, True),
        (ANN, BEN, 0, False),
        (ANN, CY, 0, True),
        (CY, BEN, 0, True),
        (ANN, BEN, HOUR_S - 1, False),
        (ANN, BEN, 1, True),
    ):
        clock.at += pause_s
        table = (await invites(tables, host, guest)).table
        assert table.invited == (guest.id,)
        assert await was_called(store, table.id, guest.id) == is_called
        await tables.guests.invite(table.id, host.id, [])
        await tables.guests.invite(table.id, host.id, [guest.id])
        assert not await was_called(store, table.id, guest.id)
        await tables.privacy.forget(host.id)


async def test_a_rematch_that_is_opened_again_and_again_calls_once_an_hour(store: Store, clock: Clock) -> None:
    tables = Tables(store, games={**GAMES, "pebbles": Pebbles()}, now=clock)
    table = (await opens(tables, ANN)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await in_turn(tables, table, *("take 1", "take 1", "keep", "keep") * 2)
    for pause_s, is_called in ((0, True), (0, False), (HOUR_S, True)):
        clock.at += pause_s
        again = (await tables.lobbies.rematch(table.id, ANN)).table
        assert await was_called(store, again.id, BEN.id) == is_called
        await tables.lobbies.stand(again.id, ANN.id)
