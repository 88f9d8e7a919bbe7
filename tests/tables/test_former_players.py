"""Tests that players who left a seat can't be substitutes, and of what is stored for that."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.errors import NotAllowed
from bot.records.table import FormerPlayers, Person, Table
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.tables import Tables
from tests.databases import Database
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables, started

DI = Person(10, "Di")
ZOE = Person(777_000_777_000_777_001, "Zoe the Unmistakable")

Leave = Callable[[Tables, Table, Clock], Awaitable[None]]


@pytest.fixture
def tables(store: SqliteStore, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


async def seat_on_offer(tables: Tables, table: Table, clock: Clock, absent: Person, by: Person) -> None:
    """Play until the table waits for the absent player alone, and offer their seat."""
    while (waits_for := await tables.whose_turn(latest := await tables.table(table.id))) != (absent.id,):
        for seat in await tables.computers_turn(latest):
            sight = await tables.look_as_computer(table.id, seat)
            await tables.play_computer(table.id, seat, str(sight.observation.legal[0]))
        for user in waits_for:
            if user != absent.id:
                await tables.play(table.id, user, str((await tables.look(table.id, user)).observation.legal[0]))
    clock.at += DAY
    assert (await tables.waiting.move_on(table.id, by.id, "substitute")).granted


async def resigns(tables: Tables, table: Table, _: Clock) -> None:
    """Let Zoe resign before her first move."""
    await tables.resign(table.id, ZOE.id)


async def deletes_her_data(tables: Tables, _table: Table, _: Clock) -> None:
    """Delete Zoe's data."""
    await tables.privacy.forget(ZOE.id)


async def is_replaced(tables: Tables, table: Table, clock: Clock) -> None:
    """Let a substitute take Zoe's seat."""
    await seat_on_offer(tables, table, clock, ZOE, BEN)
    await tables.waiting.take_seat(table.id, DI)


async def loses_her_seat_to_a_computer(tables: Tables, table: Table, clock: Clock) -> None:
    """Let a computer keep Zoe's seat, then delete her data, so that it isn't kept for her any more."""
    for person in (ANN, BEN):
        await tables.play(table.id, person.id, "take 1")
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "seat")
    await tables.privacy.forget(ZOE.id)


@pytest.mark.parametrize("leave", [resigns, deletes_her_data, is_replaced, loses_her_seat_to_a_computer])
async def test_a_player_who_left_a_seat_cannot_take_another(tables: Tables, clock: Clock, leave: Leave) -> None:
    table = await started(tables, ANN, BEN, ZOE)
    await leave(tables, table, clock)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    with pytest.raises(NotAllowed, match="Someone else"):
        await tables.waiting.take_seat(table.id, ZOE)
    assert (await tables.waiting.take_seat(table.id, CY)).table.sitter(CY.id)


async def test_a_player_can_take_back_a_seat_that_is_kept(tables: Tables, clock: Clock) -> None:
    table = await started(tables, ANN, BEN, ZOE)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    await tables.play_computer(table.id, 0, "take 1", for_absent=True)
    clock.at += DAY
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    await tables.play(table.id, ANN.id, "keep")
    clock.at += DAY
    await tables.waiting.move_on(table.id, ZOE.id, "seat")
    assert (await tables.table(table.id)).sitter(BEN.id) is None
    assert await tables.waiting.come_back(await tables.table(table.id), BEN)
    assert (await tables.table(table.id)).sitter(BEN.id)


async def test_leaving_a_lobby_is_not_recorded(tables: Tables, clock: Clock) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, ZOE)
    await tables.lobbies.stand(table.id, ZOE.id)
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    assert (await tables.waiting.take_seat(table.id, ZOE)).table.sitter(ZOE.id)


@pytest.mark.parametrize("own_process", [True, False])
@pytest.mark.parametrize(("takes", "resigns_after"), [(1, 0), (1, 1), (6, 0), (6, 3), (6, 6)])
async def test_resigning_and_taking_a_seat_at_once_brings_no_second_hand(
    store: Store, database: Database, takes: int, resigns_after: int, *, own_process: bool
) -> None:
    tables = make_tables(store, clock := Clock())
    table = await started(tables, ANN, BEN, ZOE)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    async with await database.open() as other_store:
        others = tables if own_process else make_tables(other_store, clock)
        changes: list[Awaitable[object]] = [others.waiting.take_seat(table.id, ZOE) for _ in range(takes)]
        changes.insert(resigns_after, tables.resign(table.id, ZOE.id))
        results = await asyncio.gather(*changes, return_exceptions=True)
    assert sum(isinstance(result, NotAllowed) for result in results) == takes
    assert (await tables.table(table.id)).sitter(ZOE.id) is None


async def test_a_removal_from_the_lobby_holds_for_an_offered_seat(tables: Tables, clock: Clock) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, ZOE)
    await tables.lobbies.remove(table.id, ANN.id, 1)
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    with pytest.raises(NotAllowed, match="removed you"):
        await tables.waiting.take_seat(table.id, ZOE)
    assert (await tables.waiting.take_seat(table.id, CY)).table.sitter(CY.id)


async def test_an_invitation_holds_for_an_offered_seat(tables: Tables, clock: Clock) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.guests.invite(table.id, ANN.id, [BEN.id, CY.id])
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    with pytest.raises(NotAllowed, match="invited"):
        await tables.waiting.take_seat(table.id, ZOE)
    assert (await tables.waiting.take_seat(table.id, CY)).table.sitter(CY.id)


async def test_a_host_invites_somebody_for_an_offered_seat(tables: Tables, clock: Clock) -> None:
    table = await started(tables, ANN, BEN, ZOE)
    await tables.resign(table.id, ZOE.id)
    for host, invited, refusal in ((BEN, CY, "Only the host"), (ANN, ZOE, "has left Table .* and can't come back")):
        with pytest.raises(NotAllowed, match=refusal):
            await tables.guests.invite(table.id, host.id, [CY.id, invited.id])
    assert not (await tables.table(table.id)).invited_only
    table = (await tables.guests.invite(table.id, ANN.id, [CY.id])).table
    assert not any(guest.is_called for guest in table.guests)
    await seat_on_offer(tables, table, clock, ANN, BEN)
    with pytest.raises(NotAllowed, match="invited"):
        await tables.waiting.take_seat(table.id, DI)
    assert (await tables.waiting.take_seat(table.id, CY)).table.sitter(CY.id)


# ---- stored hashes


async def stored(store: Store) -> list[FormerPlayers]:
    """Return what is stored about former players, of the tables that have any."""
    return [table.former for table in await store.lists.all() if table.former != FormerPlayers()]


def traces_of(user_id: int) -> dict[str, bytes]:
    """Return the texts that would identify the user in a file."""
    text = str(user_id).encode()
    return {
        "as text": text,
        "as SQLite stores numbers": user_id.to_bytes(8, "big"),
        "as machines store numbers": user_id.to_bytes(8, "little"),
        "hashed without a salt": hashlib.sha256(text).digest(),
        "the hash in hex": hashlib.sha256(text).hexdigest().encode(),
    }


async def test_data_that_stays_after_deletion_does_not_identify_the_user(tmp_path: Path) -> None:
    path = tmp_path / "raw.db"
    async with await SqliteStore.open(path) as store:
        tables = make_tables(store)
        for _ in range(2):
            table = await started(tables, ANN, BEN, ZOE)
            await tables.play(table.id, ZOE.id, "take 1")
        lobby = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
        await tables.lobbies.sit(lobby.id, ZOE)
        await tables.lobbies.remove(lobby.id, ANN.id, 1)
        await tables.privacy.forget(ZOE.id)
        assert not any((await tables.personal_data.kept(ZOE.id)).values())
        kept = await stored(store)
    raw = path.read_bytes()
    assert ANN.name.encode() in raw
    assert ZOE.name.encode() not in raw
    assert [how for how, trace in traces_of(ZOE.id).items() if trace in raw] == []
    assert [each.removed for each in kept] == [()] * 3
    digests = {digest for each in kept for digest in (*each.left, *each.forgotten)}
    assert len(digests) == len({each.salt for each in kept}) == 3, "each table has a salt of its own"


@pytest.mark.parametrize("end", ["over", "closed"])
async def test_the_hash_is_deleted_when_the_table_ends(tables: Tables, store: Store, end: str) -> None:
    table = await started(tables, ANN, BEN)
    await tables.privacy.forget(BEN.id)
    assert await stored(store)
    if end == "closed":
        await tables.close(table.id, ANN.id)
    else:
        await tables.resign(table.id, ANN.id)
    assert not await stored(store)


async def test_the_hash_is_deleted_with_its_table(tables: Tables, database: Database, clock: Clock) -> None:
    table = await started(tables, ANN, BEN)
    await tables.privacy.forget(BEN.id)
    await tables.privacy.note_left(table.place.guild_id or 0)
    clock.at += 31 * DAY
    assert await tables.privacy.purge() == 1
    assert not await database.rows("SELECT * FROM tables")
