"""Tests of the lobby."""

import asyncio

import pytest

from bot.errors import InvalidOption, NotAllowed, NotSeated, PlayError, Stale, WrongPhase
from bot.records.table import Person, Place, Sitter
from bot.store.store import Store
from bot.tables.random_names import COMPUTER_NAMES, TABLE_NAMES, table_name
from bot.tables.seating import was_removed
from bot.tables.tables import Tables
from tests.pebbles import Pebbles, Said
from tests.tables.people import ANN, BEN, CY, HERE, THERE, Clock, make_tables, started


async def test_a_new_table_has_a_host_computers_and_a_commitment(tables: Tables) -> None:
    receipt = await tables.lobbies.open("pebbles", {"players": "3"}, ANN, HERE, computers=2)
    table = receipt.table
    assert (receipt.before, table.version, table.status, table.seed) == (0, 1, "lobby", None)
    assert table.name in TABLE_NAMES
    assert table.options == {"players": 3}
    assert table.sitters == (Sitter(0, "Ann", 7, nth_game=1), Sitter(1, "Moss", None), Sitter(2, "Fern", None))
    assert len(table.commitment) == 64


async def test_an_unknown_game_or_option_is_refused(tables: Tables) -> None:
    for key, options, computers in [("chess", {}, 0), ("pebbles", {"players": 4}, 0), ("pebbles", {}, 2)]:
        with pytest.raises(InvalidOption):
            await tables.lobbies.open(key, options, ANN, HERE, computers)
    assert await tables.lists.open_tables() == ()


def test_table_names_get_numbers_when_all_are_taken() -> None:
    assert len(TABLE_NAMES) == len(set(TABLE_NAMES)) >= 200
    assert len(COMPUTER_NAMES) == len(set(COMPUTER_NAMES)) >= 13
    assert table_name(TABLE_NAMES[1:], draw=12345) == TABLE_NAMES[0]
    assert table_name(TABLE_NAMES, draw=0) == f"{TABLE_NAMES[0]} 2"


async def test_names_do_not_repeat_on_a_server_within_a_month(store: Store) -> None:
    clock = Clock()
    tables = Tables(store, games={"pebbles": Pebbles()}, now=clock, entropy=bytes)  # always the first free name
    names = []
    for place in (HERE, THERE, Place(2, 300), Place(None, 400), Place(None, 400)):
        table = (await tables.lobbies.open("pebbles", {}, ANN, place)).table
        names.append(table.name)
        await tables.close(table.id, ANN.id)
    assert names == [TABLE_NAMES[0], TABLE_NAMES[1], TABLE_NAMES[0], TABLE_NAMES[0], TABLE_NAMES[1]]
    clock.at += 31 * 24 * 60 * 60
    assert (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table.name == TABLE_NAMES[0]


async def test_people_get_the_first_free_seat_or_one_they_choose(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN, 2)
    await tables.lobbies.sit(table.id, CY)
    assert [sitter.name for sitter in (await tables.table(table.id)).sitters] == ["Ann", "Cy", "Ben"]


async def test_taken_seats_and_full_tables_are_refused(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    with pytest.raises(NotAllowed, match="already"):
        await tables.lobbies.sit(table.id, ANN)
    for seat in (0, 3, -1):
        with pytest.raises(NotAllowed, match="isn't free"):
            await tables.lobbies.sit(table.id, BEN, seat)
    await tables.lobbies.sit(table.id, ANN, 1)
    await tables.lobbies.sit(table.id, BEN)
    table = (await tables.lobbies.sit(table.id, CY)).table
    assert [sitter.name for sitter in table.sitters] == ["Ben", "Ann", "Cy"]
    with pytest.raises(NotAllowed, match="is full"):
        await tables.lobbies.sit(table.id, Person(10, "Di"))


async def test_only_the_host_adds_and_removes_computers(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    with pytest.raises(NotAllowed, match="Only the host"):
        await tables.computers.add(table.id, BEN.id)
    with pytest.raises(NotAllowed, match="Nobody is in that seat"):
        await tables.lobbies.remove(table.id, ANN.id, 2)
    assert (await tables.computers.add(table.id, ANN.id)).table.is_full
    with pytest.raises(NotAllowed, match="is full"):
        await tables.computers.add(table.id, ANN.id)
    assert len((await tables.lobbies.remove(table.id, ANN.id, 2)).table.sitters) == 2


async def test_computers_have_levels(tables: Tables) -> None:
    opened = tables.lobbies.open("pot_black", {}, ANN, HERE, 2, levels=("strong", "easy"))
    table = (await opened).table
    assert table.level == "strong"
    table = (await tables.computers.add(table.id, ANN.id, "fair")).table
    assert [sitter.level for sitter in table.sitters[1:]] == ["fair", "strong", "easy"]
    assert table.level == "fair"
    table = await tables.table((await tables.computers.set_level(table.id, ANN.id, "easy")).table.id)
    assert {sitter.level for sitter in table.sitters if sitter.is_computer} == {table.level} == {"easy"}
    for user, level, refusal in ((BEN, "fair", "Only the host"), (ANN, "divine", "no level 'divine'")):
        with pytest.raises((NotAllowed, InvalidOption), match=refusal):
            await tables.computers.set_level(table.id, user.id, level)


async def test_a_seat_that_is_handed_over_has_the_level_of_the_table(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE, 1, levels=("strong",))).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await tables.resign(table.id, BEN.id)
    assert [sitter.level for sitter in (await tables.table(table.id)).sitters] == ["fair", "strong", "strong"]


async def test_the_next_user_becomes_host_and_the_last_one_closes_the_table(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE, computers=1)).table
    await tables.lobbies.sit(table.id, BEN)
    table = (await tables.lobbies.stand(table.id, ANN.id)).table
    assert (table.host_id, table.status) == (BEN.id, "lobby")
    with pytest.raises(NotSeated):
        await tables.lobbies.stand(table.id, ANN.id)
    assert (await tables.lobbies.stand(table.id, BEN.id)).table.status == "closed"
    with pytest.raises(WrongPhase, match="is closed"):
        await tables.lobbies.sit(table.id, ANN)


async def test_a_cut_can_be_changed_until_the_start(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    with pytest.raises(NotSeated):
        await tables.lobbies.cut(table.id, BEN.id, "hello")
    with pytest.raises(PlayError, match="G-12"):
        await tables.lobbies.cut(table.id, ANN.id, "a|b")
    await tables.lobbies.cut(table.id, ANN.id, "first")
    assert (await tables.lobbies.cut(table.id, ANN.id, "<b> @everyone ✂")).table.cuts == ("<b> @everyone ✂",)
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    with pytest.raises(WrongPhase, match="has started"):
        await tables.lobbies.cut(table.id, ANN.id, "too late")


async def test_any_player_can_start_a_full_table(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    with pytest.raises(NotAllowed, match="still free"):
        await tables.lobbies.start(table.id, ANN.id)
    with pytest.raises(WrongPhase, match="hasn't started yet"):
        await tables.look(table.id, ANN.id)
    await tables.lobbies.sit(table.id, BEN)
    with pytest.raises(NotSeated):
        await tables.lobbies.start(table.id, CY.id)
    receipt = await tables.lobbies.start(table.id, BEN.id)
    assert (receipt.table.status, receipt.before, receipt.table.version) == ("playing", 2, 3)
    assert [type(event) for event in (await tables.look(table.id)).events] == [Said]
    for late in (
        tables.lobbies.start(table.id, ANN.id),
        tables.lobbies.stand(table.id, ANN.id),
        tables.lobbies.sit(table.id, CY),
    ):
        with pytest.raises(WrongPhase, match="has started"):
            await late


async def test_only_the_host_closes_a_table(tables: Tables) -> None:
    lobby = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    table = await started(tables, ANN, computers=1)
    for each in (lobby, table):
        with pytest.raises(NotAllowed, match="Only the host"):
            await tables.close(each.id, BEN.id)
    assert (await tables.close(lobby.id, ANN.id)).table.status == "closed"
    closed = (await tables.close(table.id, ANN.id)).table
    assert (closed.status, closed.seed is None, closed.outcome) == ("closed", False, None)
    with pytest.raises(WrongPhase, match="is closed"):
        await tables.close(table.id, ANN.id)
    with pytest.raises(WrongPhase, match="is closed"):
        await tables.play(table.id, ANN.id, "take 1")


async def test_only_idle_lobbies_are_closed(store: Store) -> None:
    now = 0.0
    tables = Tables(store, now=lambda: now)
    idle = (await tables.lobbies.open("pond", {}, ANN, HERE)).table
    now = 50.0
    fresh = (await tables.lobbies.open("pond", {}, ANN, HERE)).table
    now = 101.0
    assert [receipt.table.id for receipt in await tables.lobbies.close_idle(100.0)] == [idle.id]
    assert (await tables.table(fresh.id)).status == "lobby"
    assert await tables.lobbies.close_idle(100.0) == ()


# ---- removing players


async def test_only_the_host_removes_players_and_computers(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE, 1)).table
    await tables.lobbies.sit(table.id, BEN)
    for refused, why in (((BEN.id, 0), "Only the host"), ((ANN.id, 0), "Leave"), ((ANN.id, 5), "Nobody")):
        with pytest.raises(NotAllowed, match=why):
            await tables.lobbies.remove(table.id, *refused)
    with pytest.raises(Stale):
        await tables.lobbies.remove(table.id, ANN.id, 1, seen=1)
    receipt = await tables.lobbies.remove(table.id, ANN.id, 1)
    assert [sitter.name for sitter in receipt.table.sitters] == ["Ann", "Moss"]
    assert [sitter.name for sitter in (await tables.lobbies.remove(table.id, ANN.id, 2)).table.sitters] == ["Ann"]


async def test_removals_hold_when_the_lobby_moves(tables: Tables) -> None:
    old = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    for forgets in (True, False):
        await tables.lobbies.sit(old.id, removed := BEN if forgets else CY)
        await tables.lobbies.remove(old.id, ANN.id, 1)
        if forgets:
            await tables.privacy.forget(removed.id)
    new = (await tables.lobbies.move(old.id, ANN.id, THERE)).table
    for removed in (BEN, CY):
        with pytest.raises(NotAllowed, match="host removed you"):
            await tables.lobbies.sit(new.id, removed)
    await tables.lobbies.sit(new.id, Person(10, "Di"))


async def test_a_removed_player_cannot_join_again(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    assert not was_removed(await tables.table(table.id), BEN.id)
    await tables.lobbies.remove(table.id, ANN.id, 1)
    assert was_removed(await tables.table(table.id), BEN.id)
    with pytest.raises(NotAllowed, match="host removed you"):
        await tables.lobbies.sit(table.id, BEN)
    other = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.lobbies.sit(other.id, BEN)
    assert (await tables.personal_data.kept(BEN.id))["removed_from"] == [{"table_id": table.id}]
    await tables.lobbies.sit(table.id, CY)
    await tables.lobbies.start(table.id, CY.id)
    assert was_removed(await tables.table(table.id), BEN.id)  # a seat may be offered later
    await tables.close(table.id, 99, moderates=HERE.guild_id)
    assert not was_removed(await tables.table(table.id), BEN.id)  # the table has ended
    with pytest.raises(WrongPhase):
        await tables.lobbies.remove(table.id, ANN.id, 1)


async def test_a_removal_holds_after_the_user_deleted_their_data(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.remove(table.id, ANN.id, 1)
    await tables.privacy.forget(BEN.id)
    assert not any((await tables.personal_data.kept(BEN.id)).values())
    assert (await tables.table(table.id)).former.removed == ()
    with pytest.raises(NotAllowed, match="host removed you"):
        await tables.lobbies.sit(table.id, BEN)
    await tables.guests.invite(table.id, ANN.id, [BEN.id])
    await tables.lobbies.sit(table.id, BEN)
    assert (await tables.table(table.id)).former.forgotten == ()


async def test_a_table_stays_for_invited_players_after_the_last_of_them_deleted_their_data(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    await tables.guests.invite(table.id, ANN.id, [BEN.id])
    await tables.privacy.forget(BEN.id)
    for stranger in (BEN, CY):
        with pytest.raises(NotAllowed, match="for invited players"):
            await tables.lobbies.sit(table.id, stranger)
    with pytest.raises(NotAllowed, match="for invited players"):
        await tables.guests.look(table.id, ANN.id)
    await tables.guests.invite(table.id, ANN.id, [CY.id])
    await tables.lobbies.sit(table.id, CY)
    await tables.guests.invite(table.id, ANN.id, [])
    await tables.lobbies.sit(table.id, BEN)


async def test_a_lobby_moves_with_everything_but_the_cuts(tables: Tables) -> None:
    old = (await tables.lobbies.open("pontis", {"players": 8}, ANN, HERE, 1, clock="day", levels=["easy"])).table
    await tables.guests.invite(old.id, ANN.id, [BEN.id])
    await tables.lobbies.sit(old.id, BEN, 2)
    await tables.lobbies.cut(old.id, BEN.id, "as I like it")
    await tables.hints.allow(old.id, ANN.id, "on")
    with pytest.raises(NotAllowed, match="Only the host"):
        await tables.lobbies.move(old.id, BEN.id, THERE)
    old = await tables.table(old.id)
    new = (await tables.lobbies.move(old.id, ANN.id, THERE)).table
    assert (await tables.table(old.id)).status == "closed"
    assert [(each.seat, each.name, each.cut) for each in new.sitters] == [
        (0, "Ann", ""),
        (2, "Ben", ""),
        (7, "Moss", ""),
    ]
    assert (new.clock, new.level, new.hints, new.place, new.host_id) == ("day", "easy", "on", THERE, ANN.id)
    assert new.commitment != old.commitment
    with pytest.raises(NotAllowed, match="for invited players"):
        await tables.lobbies.sit(new.id, CY)
    with pytest.raises(WrongPhase):
        await tables.lobbies.move(old.id, ANN.id, THERE)


async def test_players_who_come_while_a_lobby_moves_are_at_one_table_alone(store: Store, tables: Tables) -> None:
    table = (await tables.lobbies.open("pontis", {"players": 8}, ANN, HERE)).table
    others = make_tables(store)
    people = [Person(20 + number, f"Guest {number}") for number in range(6)]
    await tables.lobbies.sit(table.id, CY)
    await tables.lobbies.remove(table.id, ANN.id, 1)
    moved, *_ = await asyncio.gather(
        others.lobbies.move(table.id, ANN.id, THERE),
        *(tables.lobbies.sit(table.id, person) for person in (*people, CY)),
        return_exceptions=True,
    )
    assert not isinstance(moved, BaseException)
    old, new = await tables.table(table.id), await tables.table(moved.table.id)
    assert old.status == "closed"
    assert old.names == new.names
    assert was_removed(await tables.table(new.id), CY.id)


async def test_the_rematch_of_a_table_for_invited_players_is_for_them(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.guests.invite(table.id, ANN.id, [BEN.id])
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await tables.resign(table.id, BEN.id)
    again = (await tables.lobbies.rematch(table.id, ANN)).table
    with pytest.raises(NotAllowed, match="for invited players"):
        await tables.lobbies.sit(again.id, CY)
    await tables.lobbies.rematch(table.id, BEN)


async def test_a_rematch_that_moves_stays_the_rematch_of_its_players(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.resign(table.id, ANN.id)
    lobby = (await tables.lobbies.rematch(table.id, ANN)).table
    moved = (await tables.lobbies.move(lobby.id, ANN.id, THERE)).table
    assert (moved.rematch_of, moved.guests) == (table.id, lobby.guests)
    with pytest.raises(NotAllowed, match="kept for the last players"):
        await tables.lobbies.sit(moved.id, CY)
    assert (await tables.lobbies.rematch(table.id, BEN)).table.id == moved.id
