"""Tests of remedies for absent players, of returning players, and of rematches."""

import asyncio
import json

import pytest

from bot.errors import InvalidOption, NotAllowed, NotSeated, WrongPhase
from bot.games import GAMES
from bot.records.table import Person, Sitter, Table
from bot.store.store import Store
from bot.tables.absence.deadlines import CLOCKS, DAY, steps
from bot.tables.absence.votes import REMEDIES
from bot.tables.folds import StandIn
from bot.tables.tables import Sight, Tables
from bot.transcript import write
from tests.pebbles import Pebbles
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables, names, waiting

HOUR = 3600.0
DI = Person(10, "Di")


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return Tables(store, games={**GAMES, "pebbles": Pebbles()}, now=clock)


# ---- deadlines


def test_reminders_become_rarer_and_stop() -> None:
    for clock in CLOCKS:
        at = [step.after_s for step in steps(clock) if step.what == "remind"]
        gaps = [later - earlier for earlier, later in zip([0.0, *at], at, strict=False)]
        assert gaps == sorted(gaps)
        assert max(at, default=0.0) <= 7 * DAY
        assert steps(clock)[-1].what == "close"
        assert list(steps(clock)) == sorted(steps(clock))


async def test_an_unknown_clock_is_refused(tables: Tables) -> None:
    with pytest.raises(InvalidOption, match="none, live, day, three-days"):
        await tables.lobbies.open("pebbles", {}, ANN, HERE, clock="blitz")


@pytest.mark.parametrize(
    ("clock_name", "patience_s"), [("none", 600.0), ("live", 90.0), ("day", DAY), ("three-days", 3 * DAY)]
)
async def test_the_only_other_player_can_act_after_the_time_limit_or_ten_moves(
    tables: Tables, clock: Clock, clock_name: str, patience_s: float
) -> None:
    table = await waiting(tables, ANN, BEN, clock=clock_name, computers=1)
    clock.at += patience_s - 1
    with pytest.raises(NotAllowed, match="One vote isn't enough"):
        await tables.waiting.move_on(table.id, BEN.id, "seat")
    clock.at += 1
    with pytest.raises(NotSeated):
        await tables.waiting.move_on(table.id, CY.id, "seat")
    assert (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted
    assert [sitter.held_for for sitter in (await tables.table(table.id)).sitters] == [ANN.id, None, None]


async def test_time_when_the_program_was_away_does_not_count(tables: Tables, clock: Clock) -> None:
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN, clock="day")
    clock.at += DAY / 2
    await tables.waiting.beat(gap_s=DAY)
    clock.at += 10 * DAY
    await tables.waiting.beat()
    standstill = await tables.waiting.standstill(table)
    assert (standstill.waited_s, standstill.is_due()) == (DAY / 2, False)
    assert standstill.due_at() == clock.at + DAY / 2
    clock.at += DAY / 2
    assert (await tables.waiting.standstill(table)).is_due()


async def test_a_clock_that_jumps_back_costs_no_time(tables: Tables, clock: Clock) -> None:
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN)
    clock.at -= DAY
    await tables.waiting.beat()
    standstill = await tables.waiting.standstill(table)
    assert (standstill.waited_s, standstill.is_due()) == (0.0, False)


async def test_a_player_cannot_act_about_themself_or_after_the_end(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    with pytest.raises(NotAllowed, match="your turn at"):
        await tables.waiting.move_on(table.id, ANN.id, "seat")
    await tables.close(table.id, 99, moderates=HERE.guild_id)
    for remedy in REMEDIES:
        with pytest.raises(WrongPhase):
            await tables.waiting.move_on(table.id, BEN.id, remedy)


# ---- remedies


async def test_a_returning_player_gets_the_seat_back_from_a_computer(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "seat")
    kept = await tables.table(table.id)
    assert kept.sitters[0] == Sitter(0, "Moss", None, "", "Ann", held_for=ANN.id, started_by=ANN.id, nth_game=1)
    assert kept.host_id == BEN.id
    assert kept.names == ("Ann", "Ben")
    assert [table.id for table in await tables.finder.tables_of(ANN.id)] == [table.id]
    assert not await tables.waiting.come_back(await tables.table(table.id), CY)
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    assert (await tables.table(table.id)).sitters[0] == Sitter(0, "Ann", ANN.id, nth_game=1)
    assert not await tables.waiting.come_back(await tables.table(table.id), ANN)
    await tables.play(table.id, ANN.id, "take 1")


async def test_a_player_steps_out_and_comes_back_by_pressing(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN)
    left = (await tables.step_out(table.id, ANN.id)).table
    assert left.sitters[0] == Sitter(
        0, "Moss", None, "", "Ann", held_for=ANN.id, started_by=ANN.id, nth_game=1, stepped_out=True
    )
    assert left.host_id == BEN.id
    with pytest.raises(NotSeated):
        await tables.step_out(table.id, ANN.id)
    with pytest.raises(NotAllowed, match="waits for you"):
        await tables.step_out(table.id, BEN.id)
    assert await tables.waiting.come_back(left, ANN)
    assert (await tables.table(table.id)).sitters[0] == Sitter(0, "Ann", ANN.id, nth_game=1)
    await tables.play(table.id, ANN.id, "take 1")


async def test_the_table_waits_for_who_stepped_out_when_the_last_player_leaves(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN, computers=1)
    await tables.step_out(table.id, ANN.id)
    left = (await tables.resign(table.id, BEN.id)).table
    assert (left.status, left.host_id) == ("playing", ANN.id)
    assert left.sitters[0] == Sitter(0, "Ann", ANN.id, nth_game=1)
    assert left.sitters[1].is_computer
    assert await tables.whose_turn(left) == (ANN.id,)
    left = (await tables.resign(table.id, ANN.id)).table
    assert (left.status, left.why) == ("closed", "left")


async def test_the_table_waits_for_a_substitute_who_stepped_out_too(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN, computers=1)
    clock.at += DAY
    assert (await tables.waiting.move_on(table.id, BEN.id, "substitute")).granted
    await tables.waiting.take_seat(table.id, CY)
    await tables.step_out(table.id, CY.id)
    left = (await tables.resign(table.id, BEN.id)).table
    assert (left.status, left.host_id) == ("playing", CY.id)
    assert (left.sitters[0].name, left.sitters[0].began) == ("Player 1", ("Ann", ANN.id))
    await tables.play(table.id, CY.id, "take 1", called=("Cy", HERE.guild_id))
    assert (await tables.table(table.id)).sitters[0].name == "Cy"


async def test_of_two_players_who_step_out_at_once_one_stays(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN)
    left = await asyncio.gather(
        *(tables.step_out(table.id, person.id) for person in (ANN, BEN)), return_exceptions=True
    )
    assert len([refusal for refusal in left if isinstance(refusal, NotAllowed)]) == 1
    assert (await tables.table(table.id)).status == "playing"


async def test_two_presses_of_a_returning_player_are_one_return(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "seat")
    left = await tables.table(table.id)
    backs = await asyncio.gather(*(tables.waiting.come_back(left, ANN) for _ in range(2)))
    assert sorted(backs) == [False, True]


async def test_transcripts_keep_the_first_name_of_a_substitutes_seat(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    with pytest.raises(NotAllowed, match="no free seat"):
        await tables.waiting.take_seat(table.id, CY)
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "substitute")
    with pytest.raises(NotAllowed, match="already"):
        await tables.waiting.take_seat(table.id, BEN)
    taken = (await tables.waiting.take_seat(table.id, CY)).table
    assert (taken.sitters[0], taken.names) == (Sitter(0, "Cy", CY.id, "", "Ann", started_by=ANN.id), ("Ann", "Ben"))
    assert taken.host_id == CY.id
    assert not await tables.waiting.come_back(await tables.table(table.id), ANN)


async def test_a_seat_is_no_longer_offered_when_its_player_returns(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "substitute")
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    with pytest.raises(NotAllowed, match="no free seat"):
        await tables.waiting.take_seat(table.id, CY)


async def test_a_player_who_has_seen_another_hand_cannot_substitute(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    await tables.resign(table.id, CY.id)
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "substitute")
    with pytest.raises(NotAllowed, match="Someone else"):
        await tables.waiting.take_seat(table.id, CY)


async def test_a_press_without_a_move_restarts_the_wait(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    due = await tables.waiting.next_due(table)
    assert due is not None
    assert await tables.waiting.claim_step(table, due)
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    assert not (await tables.waiting.standstill(table)).is_due()


async def test_only_one_process_claims_a_step(tables: Tables, store: Store) -> None:
    table = await waiting(tables, ANN, BEN)
    assert await store.waits.claim_step(table, 1.0, 1)
    assert not await store.waits.claim_step(table, 1.0, 1)
    assert await store.waits.claim_step(table, 1.0, 2)
    await tables.play(table.id, ANN.id, "take 1")
    assert await store.waits.claim_step(await tables.table(table.id), 1.0, 1)
    assert not await store.waits.claim_step(table, 1.0, 3)


async def test_a_process_that_comes_late_does_not_claim_the_step_after_that(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    due = await tables.waiting.next_due(table)
    assert due is not None
    assert await tables.waiting.claim_step(table, due)
    assert not await tables.waiting.claim_step(table, due)


async def test_a_move_for_an_absent_player_is_a_normal_entry(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN, computers=1)
    with pytest.raises(NotAllowed, match="No player has seat 3"):
        await tables.play_computer(table.id, 2, "take 1", for_absent=True)
    receipt = await tables.play_computer(table.id, 0, "take 1", for_absent=True)
    assert receipt.table.sitters == table.sitters
    assert (await tables.snapshot(table.id)).reader(ANN.id).moved_at is None


async def test_moves_for_absent_players_are_noted(tables: Tables, store: Store, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    await tables.play_computer(table.id, 0, "take 1", for_absent=True)
    await tables.play(table.id, ANN.id, "keep")
    clock.at += DAY
    await tables.waiting.move_on(table.id, ANN.id, "seat")
    await tables.play_computer(table.id, 1, "keep")
    await tables.waiting.come_back(await tables.table(table.id), BEN)
    for reader in (tables, make_tables(store)):
        seen = [by for by in (await reader.look(table.id)).played_by if isinstance(by, StandIn)]
        assert {(by.seat, by.name) for by in seen} == {(0, "Moss"), (1, "Moss")}
    transcript = await tables.transcript(table.id, unfinished=True)
    note = "The computer Moss played for an absent player."
    assert list(transcript.notes.values()) == [note, note]
    assert json.loads(write(transcript))["notes"][0]["note"] == note


async def test_a_table_without_moves_for_fourteen_days_is_closed(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += 14 * DAY - 1
    with pytest.raises(WrongPhase):
        await tables.waiting.close_dead(table.id)
    clock.at += 1
    closed = (await tables.waiting.close_dead(table.id)).table
    assert (closed.status, closed.why) == ("closed", "idle")


# ---- rematches


async def over(tables: Tables, *people: Person, computers: int = 0) -> Table:
    """Return a finished table, where everybody played their first legal move."""
    options = {"players": len(people) + computers}
    table = (await tables.lobbies.open("pebbles", options, people[0], HERE, computers, clock="day")).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    await tables.lobbies.start(table.id, people[0].id)
    while (table := await tables.table(table.id)).status == "playing":
        for seat in await tables.computers_turn(table):
            await tables.play_computer(table.id, seat, first(await tables.look_as_computer(table.id, seat)))
        for user in await tables.whose_turn(await tables.table(table.id)):
            await tables.play(table.id, user, first(await tables.look(table.id, user)))
    return table


def first(sight: Sight) -> str:
    """Return the first legal move."""
    return str(sight.observation.legal[0])


async def test_a_rematch_moves_all_players_one_seat_further(tables: Tables) -> None:
    table = await over(tables, ANN, BEN, computers=1)
    again = (await tables.lobbies.rematch(table.id, BEN)).table
    assert (again.status, again.options, again.clock, again.place) == ("lobby", table.options, "day", HERE)
    assert (again.rematch_of, again.host_id, again.commitment != table.commitment) == (table.id, BEN.id, True)
    assert [(sitter.seat, sitter.name) for sitter in again.sitters] == [(0, "Moss"), (2, "Ben")]
    assert (await tables.lobbies.rematch(table.id, ANN)).table.id == again.id
    assert (await tables.lobbies.rematch(table.id, ANN)).table.id == again.id
    assert await names(tables, again) == ["Moss", "Ann", "Ben"]


async def test_players_find_their_seat_in_a_rematch_and_guests_of_the_host_a_free_one(tables: Tables) -> None:
    table = await over(tables, ANN, BEN, CY)
    with pytest.raises(NotAllowed, match="Only players of"):
        await tables.lobbies.rematch(table.id, DI)
    again = (await tables.lobbies.rematch(table.id, ANN)).table
    await tables.lobbies.sit(again.id, CY)
    with pytest.raises(NotAllowed, match="are kept"):
        await tables.lobbies.sit(again.id, DI)
    await tables.guests.invite(again.id, ANN.id, [BEN.id, DI.id])
    await tables.lobbies.sit(again.id, DI)
    assert await names(tables, again) == ["Cy", "Ann", "Di"]
    with pytest.raises(NotAllowed, match="is full"):
        await tables.lobbies.rematch(table.id, BEN)


async def test_simultaneous_requests_for_a_rematch_open_one_table(tables: Tables) -> None:
    table = await over(tables, ANN, BEN, CY)
    receipts = await asyncio.gather(*(tables.lobbies.rematch(table.id, person) for person in (ANN, BEN, CY)))
    assert len({receipt.table.id for receipt in receipts}) == 1
    assert await names(tables, receipts[0].table) == ["Cy", "Ann", "Ben"]


async def test_there_is_no_rematch_before_the_end(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN)
    with pytest.raises(WrongPhase):
        await tables.lobbies.rematch(table.id, ANN)
