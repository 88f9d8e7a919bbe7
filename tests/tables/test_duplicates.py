"""Duplicates: two tables with the same deals, the seats exchanged, and nothing seen of the other one."""

import random

import pytest
from msgspec.structs import replace

from bot import computer
from bot.errors import NotAllowed
from bot.records.match import Match
from bot.records.table import Person, Table
from bot.store.store import Store
from bot.tables.matches import DUPLICATES, total
from bot.tables.tables import Tables
from bot.thinking.thinkers import turn_of
from bot.transcript import verify
from tests.databases import Database
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables

DAN = Person(10, "Dan")
ROOMS = (501, 502)


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with a clock that only the test moves."""
    return make_tables(store, clock)


async def found(tables: Tables, match: Match) -> Match:
    """Return the match as it is now."""
    now = await tables.matches.update(match.id)
    assert now is not None
    return now


async def begun(tables: Tables, form: str, deals: int = 1) -> Match:
    """Begin a duplicate of Ann and Ben against Cy and Dan."""
    match = await tables.duplicates.offer(ANN, HERE, form, deals=deals, days=7)
    for person, side in ((BEN, 0), (CY, 1), (DAN, 1)):
        await tables.duplicates.join(match, person, side)
    match = await found(tables, match)
    tables.duplicates.check_may_begin(match, ANN.id)
    await tables.duplicates.begin(match, ROOMS)
    match = await found(tables, match)
    await tables.duplicates.open_tables(match)
    return match


async def open_in(tables: Tables, room: int) -> Table:
    """Return the only open table of a room."""
    (table,) = [table for table in await tables.lists.open_tables() if table.place.channel_id == ROOMS[room]]
    return table


async def plays(tables: Tables, table: Table, moves: int = 10_000) -> Table:
    """Make so many moves, or all: people as an easy computer that all follow the same taste."""
    while table.status == "playing" and moves:
        (actor, *_) = sorted(await tables.sitters_to_act(table), key=lambda sitter: sitter.seat)
        sight = await tables.look_as_computer(table.id, actor.seat) if actor.is_computer else None
        if sight is not None:
            turn = await turn_of(tables, sight, actor.seat)
            move = computer.choose(table.game, turn.sight.observation, random.Random(turn.seed), turn.level)
            table = (await tables.play_computer(table.id, actor.seat, str(move))).table
        else:
            assert actor.user_id is not None
            seen = await tables.look(table.id, actor.user_id)
            move = computer.choose(table.game, seen.observation, random.Random(table.plies), "easy")
            table = (await tables.play(table.id, actor.user_id, str(move))).table
        moves -= 1
    return table


@pytest.mark.parametrize("form", DUPLICATES)
async def test_both_tables_get_the_same_cards_with_the_seats_exchanged(tables: Tables, store: Store, form: str) -> None:
    await begun(tables, form)
    one, other = await open_in(tables, 0), await open_in(tables, 1)
    assert one.commitment == other.commitment
    people = [[(each.seat, each.user_id) for each in table.sitters if each.user_id] for table in (one, other)]
    assert people == [[(0, ANN.id), (1, CY.id)], [(0, DAN.id), (1, BEN.id)]]
    logs = [await store.log((await plays(tables, table, 8)).id) for table in (one, other)]
    assert len({log.entries for log in logs if log}) == 1


async def test_equal_play_at_both_tables_is_a_draw(tables: Tables) -> None:
    match = await begun(tables, "pond-2")
    one, other = await open_in(tables, 0), await open_in(tables, 1)
    await plays(tables, one)
    assert (await found(tables, match)).status == "playing"
    await plays(tables, other)
    match = await found(tables, match)
    assert match.status == "over"
    results = await tables.matches.results(match)
    assert len({each.score for each in results}) == 1
    result = total(match, results)
    assert (result.match_points, result.ahead, result.winner) == ((1, 1), 0, None)
    for table in (one, other):
        verify(await tables.transcript(table.id), table.commitment)
    assert (await tables.table(one.id)).counted is None


async def test_each_room_plays_its_next_deal_and_none_twice(tables: Tables, database: Database) -> None:
    match = await begun(tables, "pond-2", deals=2)
    first = await plays(tables, await open_in(tables, 0))
    for _ in range(2):
        await tables.duplicates.open_tables(await found(tables, match))
    second = await open_in(tables, 0)
    assert (first.event, second.event) == ((match.event, 0), (match.event, 1))
    await plays(tables, second)
    await tables.duplicates.open_tables(await found(tables, match))
    played = await database.rows("SELECT deal, side FROM event_results ORDER BY side, deal")
    assert played == [(0, 0), (1, 0), (0, 1)]
    one, other = replace(match, kind="duplicate"), await tables.matches.results(match)
    assert total(one, other).match_points == (0, 0)


async def test_nobody_resigns_closes_or_takes_moves_back_after_others(tables: Tables) -> None:
    await begun(tables, "pond-2")
    table = await plays(tables, await open_in(tables, 0), 8)
    users = {each.user_id for each in table.sitters if each.user_id}
    assert users == {ANN.id, CY.id}
    (mover, *_) = await tables.whose_turn(table)
    for asking in (
        tables.resign(table.id, CY.id),
        tables.close(table.id, ANN.id),
        tables.undos.undo(table.id, mover),
    ):
        with pytest.raises(NotAllowed, match="plays these cards"):
            await asking
    for player in (ANN, BEN):  # also at the other table
        with pytest.raises(NotAllowed):
            await tables.close(table.id, player.id, moderates=HERE.guild_id)
        with pytest.raises(NotAllowed):
            await tables.expel(table.id, player.id, CY.id, moderates=HERE.guild_id)
    await tables.step_out(table.id, CY.id)
    with pytest.raises(NotAllowed, match="plays these cards"):
        await tables.waiting.move_on(table.id, ANN.id, "end")
    assert (await tables.close(table.id, 99, moderates=HERE.guild_id)).table.ended == "closed"


async def test_sides_have_as_many_players_before_it_begins(tables: Tables) -> None:
    match = await tables.duplicates.offer(ANN, HERE, "pond-2", deals=1, days=1)
    with pytest.raises(NotAllowed, match="Each side needs 2 players"):
        tables.duplicates.check_may_begin(await found(tables, match), ANN.id)
    for person, side in ((BEN, 0), (CY, 0), (CY, 1), (DAN, 1)):
        if person == CY and side == 0:
            with pytest.raises(NotAllowed, match="full"):
                await tables.duplicates.join(match, person, side)
        else:
            await tables.duplicates.join(match, person, side)
    with pytest.raises(NotAllowed, match="Only the host"):
        tables.duplicates.check_may_begin(await found(tables, match), BEN.id)
    await tables.duplicates.leave(match.id, ANN.id)
    await tables.duplicates.join(match, ANN, 0)
    match = await found(tables, match)
    assert [(each.name, each.side, each.number) for each in match.players] == [
        *(("Ben", 0, 0), ("Ann", 0, 1)),
        *(("Cy", 1, 0), ("Dan", 1, 1)),
    ]
    tables.duplicates.check_may_begin(match, ANN.id)
    await tables.duplicates.begin(match, ROOMS)
    for late in (
        tables.duplicates.begin(match, ROOMS),
        tables.duplicates.join(match, ANN, 1),
        tables.matches.accept(match, DAN.id),
    ):
        with pytest.raises(NotAllowed):
            await late
    await tables.duplicates.leave(match.id, ANN.id)
    assert len((await found(tables, match)).players) == 4


async def test_players_move_up_when_others_delete_their_data_before_it_begins(tables: Tables) -> None:
    match = await tables.duplicates.offer(ANN, HERE, "pond-4", deals=1, days=1)
    eve, fay = Person(11, "Eve"), Person(12, "Fay")
    for person, side in ((BEN, 0), (eve, 0), (fay, 0), (CY, 1), (DAN, 1)):
        await tables.duplicates.join(match, person, side)
    for person in (BEN, fay):
        await tables.privacy.forget(person.id)
    match = await found(tables, match)
    assert [(each.name, each.number) for each in match.players_of(0)] == [("Ann", 0), ("Eve", 1)]
    tables.duplicates.check_may_begin(match, ANN.id)


async def test_players_who_delete_their_data_get_computers(tables: Tables) -> None:
    match = await begun(tables, "pond-4", deals=2)
    await tables.privacy.forget(ANN.id)
    match = await found(tables, match)
    assert (match.host_id, match.players[0].name) == (None, "")
    await plays(tables, await open_in(tables, 0))
    await tables.duplicates.open_tables(match)
    table = await open_in(tables, 0)
    assert [each.user_id for each in table.sitters] == [None, CY.id, None, None]
    assert not any((await tables.personal_data.kept(ANN.id)).values())
