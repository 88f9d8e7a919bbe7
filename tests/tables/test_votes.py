"""Tests of votes about absent players, and of ending a table by agreement."""

import asyncio

import pytest

from bot.errors import NotAllowed, NotSeated
from bot.records.table import Person, Table
from bot.store.store import Store
from bot.tables.absence.deadlines import CLOCKS, DAY, patience_s, steps
from bot.tables.absence.votes import REMEDIES, Remedy, early_s, tap_after_s, vote_after_s
from bot.tables.tables import Tables
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables, names, waiting

HOUR = 3600.0


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("moves_s", [(), (0.0,), (1e9,)])
def test_no_step_is_due_before_a_vote_is_possible(clock: str, moves_s: tuple[float, ...]) -> None:
    votes_s = [vote_after_s(clock, moves_s, remedy) for remedy in REMEDIES]
    assert 0 < early_s(clock) <= min(patience_s(clock), *votes_s, *(step.after_s for step in steps(clock)))


@pytest.mark.parametrize(
    ("clock", "moves_s", "vote_s", "end_s"),
    [
        ("none", (), HOUR, 4 * HOUR),  # nobody has moved yet
        ("none", (1.0, 2.0, 3.0), 600.0, 2400.0),  # a fast evening: at least ten minutes
        ("none", (60.0,), 600.0, 2400.0),
        ("none", (61.0,), 610.0, 2440.0),
        ("none", (1.0, 90.0, 7200.0), 900.0, 3600.0),  # the median, not the mean
        ("none", (60.0, 180.0), 1200.0, 4800.0),
        ("none", (DAY, DAY / 2, 60.0), DAY, 4 * DAY),  # a correspondence game: at most a day
        ("live", (1.0,), 22.5, 90.0),  # with a clock the moves don't matter
        ("day", (), DAY / 4, DAY),
        ("day", (1.0,), DAY / 4, DAY),
        ("three-days", (DAY,), 3 * DAY / 4, 3 * DAY),
    ],
)
def test_the_wait_for_a_majority_follows_the_pace_of_the_table(
    clock: str, moves_s: tuple[float, ...], vote_s: float, end_s: float
) -> None:
    by_remedy = {remedy: vote_after_s(clock, moves_s, remedy) for remedy in REMEDIES if remedy != "count"}
    assert by_remedy == {"play": vote_s, "seat": vote_s, "substitute": end_s, "end": end_s}
    for remedy, after_s in by_remedy.items():
        assert tap_after_s(clock, moves_s, remedy) == max(patience_s(clock), after_s), "no one player before a majority"


# ---- votes


async def slow(tables: Tables, clock: Clock, *people: Person, move_s: float) -> Table:
    """Return a table that waits for the first player; each move took this many seconds."""
    table = (await tables.lobbies.open("pebbles", {"players": len(people)}, people[0], HERE)).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    await tables.lobbies.start(table.id, people[0].id)
    for person in people[1:]:
        clock.at += move_s
        await tables.play(table.id, person.id, "take 1")
    return await tables.table(table.id)


async def test_a_majority_can_apply_a_remedy(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    clock.at += 599
    with pytest.raises(NotAllowed, match=f"You can vote <t:{clock.at + 1:.0f}:R>"):
        await tables.waiting.move_on(table.id, BEN.id, "seat")
    clock.at += 1
    verdict = await tables.waiting.move_on(table.id, BEN.id, "seat")
    assert (verdict.granted, verdict.votes, verdict.needed) == (False, 1, 2)
    assert not (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted
    assert (await tables.waiting.move_on(table.id, CY.id, "seat")).granted
    assert await names(tables, table) == ["Moss", "Ben", "Cy"]


@pytest.mark.parametrize("remedy", ["substitute", "end"])
async def test_irreversible_remedies_take_four_times_as_long(tables: Tables, clock: Clock, remedy: Remedy) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    clock.at += 2399
    if remedy == "substitute":
        with pytest.raises(NotAllowed, match="too early for a vote"):
            await tables.waiting.move_on(table.id, BEN.id, remedy)
    else:
        assert (await tables.waiting.move_on(table.id, BEN.id, remedy)).needed == 3, "so far all have to agree"
    clock.at += 1
    verdicts = [await tables.waiting.move_on(table.id, person.id, remedy) for person in (BEN, CY)]
    assert [verdict.granted for verdict in verdicts] == [False, True]


async def test_nobody_is_voted_out_within_a_day_in_a_slow_game(tables: Tables, clock: Clock) -> None:
    table = await slow(tables, clock, ANN, BEN, CY, move_s=5 * HOUR)
    clock.at += DAY - 1
    for remedy in ("play", "seat", "substitute"):
        with pytest.raises(NotAllowed, match="too early for a vote"):
            await tables.waiting.move_on(table.id, BEN.id, remedy)
    clock.at += 1
    standstill = await tables.waiting.standstill(table)
    assert [remedy for remedy in REMEDIES if standstill.is_due(remedy)] == ["play", "seat"]
    clock.at += 3 * DAY
    assert (await tables.waiting.move_on(table.id, BEN.id, "substitute")).granted


@pytest.mark.parametrize(("move_s", "after_s"), [(20.0, 600.0), (300.0, 3000.0), (5 * HOUR, DAY)])
async def test_the_only_person_there_can_bring_in_a_computer_after_ten_median_moves(
    tables: Tables, clock: Clock, move_s: float, after_s: float
) -> None:
    table = await slow(tables, clock, ANN, BEN, move_s=move_s)
    clock.at += after_s - 1
    for remedy in ("play", "seat"):
        with pytest.raises(NotAllowed, match=f"You can do this alone <t:{clock.at + 1:.0f}:R>"):
            await tables.waiting.move_on(table.id, BEN.id, remedy)
    clock.at += 1
    standstill = await tables.waiting.standstill(table)
    assert [remedy for remedy in REMEDIES if not standstill.is_early(remedy)] == ["play", "seat", "end", "count"]
    assert not (await tables.waiting.move_on(table.id, BEN.id, "end")).granted, "what can't be reversed takes a day"
    assert (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted


async def test_one_of_two_people_there_is_no_majority(tables: Tables, clock: Clock) -> None:
    table = await slow(tables, clock, ANN, BEN, CY, move_s=20.0)
    clock.at += 600
    assert not (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted
    clock.at += DAY - 601
    assert not (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted


async def test_nobody_is_replaced_who_has_just_pressed_something(tables: Tables, clock: Clock) -> None:
    table = await slow(tables, clock, ANN, BEN, move_s=20.0)
    clock.at += 601
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    assert not await tables.waiting.come_back(await tables.table(table.id), ANN), "once a minute is enough"
    with pytest.raises(NotAllowed, match="alone"):
        await tables.waiting.move_on(table.id, BEN.id, "seat")
    clock.at += 600
    assert (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted


async def test_the_pace_ignores_computers_and_the_programs_absence(tables: Tables, clock: Clock, store: Store) -> None:
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN, computers=1)
    assert await store.waits.move_times_s(table.id) == (0.0,)
    clock.at += 7
    await tables.play_computer(table.id, 2, "take 1")
    clock.at += 20
    await tables.waiting.beat(gap_s=60.0)
    clock.at += DAY
    await tables.waiting.beat()
    clock.at += 30
    await tables.play(table.id, ANN.id, "take 1")
    assert await store.waits.move_times_s(table.id) == (0.0, 50.0)


async def test_a_later_vote_replaces_an_earlier_one(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    clock.at += 600
    assert not (await tables.waiting.move_on(table.id, BEN.id, "play")).granted
    assert not (await tables.waiting.move_on(table.id, CY.id, "seat")).granted
    assert (await tables.waiting.standstill(table)).votes == {BEN.id: "play", CY.id: "seat"}
    assert (await tables.waiting.move_on(table.id, BEN.id, "seat")).granted


async def test_players_to_move_have_no_vote_and_a_move_voids_votes(tables: Tables, clock: Clock) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    for person in (BEN, CY):
        await tables.lobbies.sit(table.id, person)
    await tables.lobbies.start(table.id, ANN.id)
    clock.at += HOUR
    with pytest.raises(NotAllowed, match="your turn too"):
        await tables.waiting.move_on(table.id, BEN.id, "seat")
    for person in (BEN, CY):
        await tables.play(table.id, person.id, "take 1")
    clock.at += 10 * HOUR
    await tables.waiting.move_on(table.id, BEN.id, "seat")
    await tables.play(table.id, ANN.id, "take 1")
    assert (await tables.waiting.standstill(await tables.table(table.id))).votes == {}


# ---- agreement


async def test_all_players_together_can_end_a_table_at_any_time(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    for votes, person in enumerate((BEN, ANN), 1):
        verdict = await tables.waiting.move_on(table.id, person.id, "end")
        assert (verdict.granted, verdict.votes, verdict.needed) == (False, votes, 3)
    assert (await tables.waiting.move_on(table.id, CY.id, "end")).granted
    closed = await tables.table(table.id)
    assert (closed.status, closed.why, closed.outcome, closed.ended) == ("closed", "agreed", None, "agreed")


async def test_votes_to_end_the_table_stay_when_an_absent_player_presses(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += 700
    await tables.waiting.move_on(table.id, BEN.id, "end")
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    assert (await tables.waiting.move_on(table.id, ANN.id, "end")).granted


async def test_a_move_cancels_votes_to_end_the_table(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN)
    await tables.waiting.move_on(table.id, BEN.id, "end")
    await tables.play(table.id, ANN.id, "take 1")
    verdict = await tables.waiting.move_on(table.id, ANN.id, "end")
    assert (verdict.granted, verdict.votes, verdict.needed) == (False, 1, 2)


async def test_simultaneous_votes_of_all_players_end_the_table(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN)
    await asyncio.gather(
        *(tables.waiting.move_on(table.id, person.id, "end") for person in (ANN, BEN)), return_exceptions=True
    )
    assert (await tables.table(table.id)).status == "closed"


async def test_the_player_of_a_kept_seat_has_to_agree_to_the_end(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DAY
    await tables.waiting.move_on(table.id, BEN.id, "seat")
    verdict = await tables.waiting.move_on(table.id, BEN.id, "end")
    assert (verdict.granted, verdict.votes, verdict.needed) == (False, 1, 2)
    assert await tables.waiting.come_back(await tables.table(table.id), ANN)
    await tables.waiting.move_on(table.id, BEN.id, "end")
    assert (await tables.waiting.move_on(table.id, ANN.id, "end")).granted


async def test_who_stepped_out_need_not_agree_to_the_end(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    await tables.step_out(table.id, ANN.id)
    assert not (await tables.waiting.move_on(table.id, BEN.id, "end")).granted
    assert (await tables.waiting.move_on(table.id, CY.id, "end")).granted


async def test_only_players_of_the_table_vote_on_its_end(tables: Tables) -> None:
    table = await waiting(tables, ANN, BEN)
    await tables.waiting.move_on(table.id, ANN.id, "end")
    with pytest.raises(NotSeated):
        await tables.waiting.move_on(table.id, CY.id, "end")
    assert (await tables.table(table.id)).status == "playing"
