"""Tests of removing players from a game in play."""

import asyncio

import pytest

from bot.errors import NotAllowed, NotSeated, WrongPhase
from bot.records.table import FormerPlayers, Person
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.seating import was_removed
from bot.tables.tables import Tables
from tests.databases import Database
from tests.tables.people import ANN, BEN, CY, HERE, Clock, in_turn, make_tables, started, waiting
from tests.tables.test_former_players import seat_on_offer

DI = Person(10, "Di")


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


async def test_a_moderator_gives_a_players_seat_to_a_computer(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await tables.play(table.id, BEN.id, "take 1")
    after = (await tables.expel(table.id, DI.id, BEN.id, moderates=HERE.guild_id)).table
    sitter = after.sitters[1]
    assert (after.status, sitter.is_computer, sitter.held_for, sitter.after_removal) == ("playing", True, None, True)
    assert after.names == ("Ann", "Ben", "Cy")  # as it started
    with pytest.raises(NotSeated):
        await tables.play(table.id, BEN.id, "take 1")
    with pytest.raises(NotSeated):
        await tables.expel(table.id, DI.id, BEN.id, moderates=HERE.guild_id)


async def test_only_the_host_and_moderators_of_the_server_remove_players_in_play(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    for user, moderates in ((BEN, None), (DI, None), (BEN, 99)):
        with pytest.raises(NotAllowed, match="Only the host"):
            await tables.expel(table.id, user.id, CY.id, moderates=moderates)
    with pytest.raises(NotAllowed, match="Resign"):
        await tables.expel(table.id, ANN.id, ANN.id)
    with pytest.raises(NotSeated):
        await tables.expel(table.id, ANN.id, DI.id)
    after = (await tables.expel(table.id, DI.id, ANN.id, moderates=HERE.guild_id)).table
    assert (after.host_id, after.sitters[0].is_computer) == (BEN.id, True)


async def test_nobody_who_plays_or_has_played_removes_a_player_who_is_there(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, CY, ANN, BEN)
    for user, moderates in ((CY, None), (CY, HERE.guild_id), (BEN, HERE.guild_id)):
        with pytest.raises(NotAllowed, match="Only"):
            await tables.expel(table.id, user.id, ANN.id, moderates=moderates)
    await tables.resign(table.id, BEN.id)
    with pytest.raises(NotAllowed, match="Only the host"):
        await tables.expel(table.id, BEN.id, ANN.id, moderates=HERE.guild_id)
    clock.at += DAY
    await tables.waiting.move_on(table.id, ANN.id, "seat")
    assert (await tables.table(table.id)).host_id == ANN.id
    after = (await tables.expel(table.id, ANN.id, CY.id)).table
    assert after.sitters[0].after_removal, "the host removes players who are away"


async def test_players_are_removed_only_from_games_in_play(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    with pytest.raises(WrongPhase):
        await tables.expel(table.id, ANN.id, BEN.id)
    await tables.lobbies.start(table.id, ANN.id)
    await tables.resign(table.id, BEN.id)
    with pytest.raises(WrongPhase):
        await tables.expel(table.id, ANN.id, BEN.id)


async def test_a_game_without_people_is_closed(tables: Tables) -> None:
    table = await started(tables, ANN, computers=1)
    after = (await tables.expel(table.id, DI.id, ANN.id, moderates=HERE.guild_id)).table
    assert (after.status, after.why) == ("closed", "left")
    assert after.former == FormerPlayers()


@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize("how", ["present", "kept by a computer", "offered"])
async def test_a_removed_player_comes_back_by_no_door(tables: Tables, clock: Clock, how: str, *, forgets: bool) -> None:
    table = await waiting(tables, BEN, ANN, CY)
    if how != "present":
        clock.at += 4 * DAY
        await tables.waiting.move_on(table.id, ANN.id, "seat" if how == "kept by a computer" else "substitute")
    await tables.expel(table.id, DI.id, BEN.id, moderates=HERE.guild_id)
    if forgets:
        await tables.privacy.forget(BEN.id)
    assert not await tables.waiting.come_back(await tables.table(table.id), BEN)
    with pytest.raises(NotAllowed, match="no free seat"):
        await tables.waiting.take_seat(table.id, BEN)
    with pytest.raises(WrongPhase):
        await tables.lobbies.sit(table.id, BEN)
    await seat_on_offer(tables, await tables.table(table.id), clock, CY, ANN)
    with pytest.raises(NotAllowed, match="removed you"):
        await tables.waiting.take_seat(table.id, BEN)
    assert was_removed(await tables.table(table.id), BEN.id)
    await tables.close(table.id, DI.id, moderates=HERE.guild_id)
    with pytest.raises(NotAllowed, match="Only players"):
        await tables.lobbies.rematch(table.id, BEN)


@pytest.mark.parametrize("presses", [2, 7])
async def test_a_player_who_returns_while_being_removed_gets_no_seat(
    tables: Tables, database: Database, clock: Clock, presses: int
) -> None:
    table = await waiting(tables, BEN, ANN, CY)
    clock.at += DAY
    await tables.waiting.move_on(table.id, ANN.id, "seat")
    table = await tables.table(table.id)
    async with await database.open() as other_store:
        both = (tables, make_tables(other_store, clock))
        results = await asyncio.gather(
            *(both[number % 2].waiting.come_back(table, BEN) for number in range(presses)),
            *(both[number % 2].expel(table.id, DI.id, BEN.id, moderates=HERE.guild_id) for number in range(presses)),
            return_exceptions=True,
        )
    assert sum(not isinstance(result, BaseException) for result in results[presses:]) == 1
    after = await tables.table(table.id)
    assert after.sitter(BEN.id) is None
    assert [sitter.held_for for sitter in after.sitters] == [None] * 3


async def test_the_game_goes_on_after_a_removal(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.expel(table.id, DI.id, BEN.id, moderates=HERE.guild_id)
    await in_turn(tables, table, "take 1")
    (seat,) = await tables.computers_turn(await tables.table(table.id))
    await tables.play_computer(table.id, seat, "take 2")
