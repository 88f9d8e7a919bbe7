"""Forced moves: the last card plays itself, others where their player wants it, and their time tells nothing."""

import asyncio
import random
from collections.abc import Mapping
from typing import Any

import pytest

from bot.fairness import Deals
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame
from bot.games.pot_black.state import Observation
from bot.records.preference import UserSettings, Wish
from bot.records.table import Person, Table
from bot.store.store import Store
from bot.tables.folds import Itself, Progress
from bot.tables.forced_moves import FEWEST_FREE, is_alone, only_move, wait_s, with_last_cards
from bot.tables.tables import Tables
from bot.thinking.turns import Turns
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables
from tests.waiting import until

DEALS = {"players": 3, "form": "individual", "end": "deals", "deals": 10}


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


# ---- which cards play themselves


def states(game: AnyGame, options: Mapping[str, object], seed: int, count: int) -> list[Any]:
    """Return the states of a game of random moves."""
    rng, dealt = random.Random(seed), 0
    state, found = game.start(game.settle(options)), list[Any]()
    while len(found) < count and state.outcome is None:
        if CHANCE in game.to_act(state):
            state, entries, _ = game.run_chance(state, dealt, Deals(bytes([seed]) * 32, ()))
            dealt += len(entries)
        else:
            seat = min(seat for seat in game.to_act(state) if seat is not CHANCE)
            state = game.apply(state, seat, rng.choice(game.legal(state, seat))).state
        found.append(state)
    return found


@pytest.mark.parametrize(
    ("key", "options", "is_known"),
    [
        pytest.param("pot_black", DEALS, True, id="Pot Black"),
        pytest.param("pot_black", {"players": 4}, True, id="partners"),
        pytest.param("pot_black", {"form": "classic"}, True, id="knock-out"),
        pytest.param("pontis", {"players": 2}, True, id="Pontis"),
        pytest.param("pontis", {"players": 3, "fake": "on"}, False, id="fakes"),
        pytest.param("pontis", {"players": 3, "fake": "on", "liar": "on"}, False, id="liars"),
        pytest.param("pond", {"rounds": 2}, False, id="Pond, where hands keep two cards"),
        pytest.param("frogs", {}, False, id="frogs"),
    ],
)
def test_a_last_card_is_the_only_move_and_everybody_knows_it(
    key: str,
    options: dict[str, object],
    is_known: bool,  # noqa: FBT001 - a case
) -> None:
    game, found = GAMES[key], 0
    for state in (state for seed in range(12) for state in states(game, options, seed, 300)):
        seat = game.observe(state, None).last_card
        if seat is None:
            continue
        found += 1
        assert only_move(game, state, seat) is not None
        assert [game.observe(state, other).last_card for other in (seat, 0, 1)] == [seat] * 3
        assert len(game.observe(state, seat).hand) == 1
        after = with_last_cards(game, Progress(state))
        assert after.automatic == frozenset(range(len(after.entries)))
        assert {type(by) for by in after.later} == {Itself}
        assert game.observe(after.state, None).last_card is None
    assert bool(found) == is_known


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        pytest.param((ANN,), True, id="computers alone"),
        pytest.param((ANN, BEN), False, id="two people"),
    ],
)
async def test_who_plays_with_others_isn_t_alone(tables: Tables, seats: tuple[Person, ...], expected: bool) -> None:  # noqa: FBT001
    table = await of_three(tables, *seats)
    assert is_alone(table, ANN.id) == expected
    if not expected:  # who may come back still learns what the time tells
        await tables.step_out(table.id, BEN.id)
        assert not is_alone(await tables.table(table.id), ANN.id)


def test_a_wait_is_one_of_the_free_decisions_own_times() -> None:
    free = [1.0, 2.5, 2.5, 40.0, 7.0]
    rng = random.Random(5)
    drawn = [wait_s(free, rng.choice) for _ in range(2000)]
    assert set(drawn) == set(free)
    for each in set(free):
        assert abs(drawn.count(each) / 2000 - free.count(each) / len(free)) < 0.05
    assert wait_s(free[: FEWEST_FREE - 1], rng.choice) is None


# ---- at tables


async def of_three(tables: Tables, *people: Person) -> Table:
    """Return a game of Pot Black for three in play, ten deals long."""
    table = (await tables.lobbies.open("pot_black", DEALS, people[0], HERE, 3 - len(people))).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    return (await tables.lobbies.start(table.id, people[0].id)).table


async def move(tables: Tables, table: Table, clock: Clock, after_s: float = 1.0) -> Table:
    """Make the next move after this time."""
    (sitter,) = await tables.sitters_to_act(table)
    sight = await tables.look_as_computer(table.id, sitter.seat, for_absent=not sitter.is_computer)
    chosen = str(random.Random(table.plies).choice(sight.observation.legal))
    clock.at += after_s
    if sitter.user_id is None:
        return (await tables.play_computer(table.id, sitter.seat, chosen)).table
    return (await tables.play(table.id, sitter.user_id, chosen)).table


async def board(tables: Tables, table: Table) -> Observation:
    """Return what everybody sees of the table."""
    seen = (await tables.look(table.id)).observation
    assert isinstance(seen, Observation)
    return seen


async def wishes(tables: Tables, user: Person, wish: Wish) -> None:
    """Store whether forced moves of a user play themselves."""
    await tables.users.set_settings(user.id, UserSettings(forced=wish))


async def forced_turn(tables: Tables, table: Table, clock: Clock, user: Person) -> Table:
    """Play until the user has to move without a choice, after enough free decisions, each 3, 4, 5 … seconds long."""
    free, table = 0, await tables.table(table.id)
    for _ in range(400):
        assert table.status == "playing"
        is_own = await tables.whose_turn(table) == (user.id,)
        choices = len((await tables.look(table.id, user.id)).observation.legal) if is_own else 0
        if choices == 1 and free >= FEWEST_FREE:
            return table
        free += choices > 1
        table = await move(tables, table, clock, 3.0 + free if choices > 1 else 1.0)
    raise AssertionError("no move was forced")


async def due_at(store: Store, table: Table) -> float:
    """Return when the calendar looks at the table's forced move, once it knows."""
    await until(lambda: _rows(store))
    (row,) = await store.due.of_kind("forced")
    assert row.id == table.id
    return row.at


async def _rows(store: Store) -> bool:
    return bool(await store.due.of_kind("forced"))


async def test_the_last_trick_plays_itself_with_the_deal_that_follows(tables: Tables, clock: Clock) -> None:
    table = await of_three(tables, ANN, BEN)
    while sum((await board(tables, table)).hand_counts) > 4:
        table = await move(tables, table, clock)
    before = table.plies
    table = await move(tables, table, clock)
    sight = await tables.look(table.id, ANN.id)
    assert ((await board(tables, table)).deal, table.plies) == (2, before + 1 + 3 + 1)
    assert [type(by) for by in sight.played_by[-8:] if by] == [Itself] * len([by for by in sight.played_by[-8:] if by])
    transcript = await tables.transcript(table.id, unfinished=True)
    assert [entry.seat for entry in transcript.entries[-4:-1]].count(CHANCE) == 0
    afresh = make_tables(tables._store)
    assert (await afresh.look(table.id, ANN.id)).played_by == sight.played_by


async def test_undo_goes_to_the_move_before_what_played_itself(tables: Tables, clock: Clock, store: Store) -> None:
    table = await of_three(tables, ANN)
    await wishes(tables, ANN, "off")
    table = await forced_turn(tables, table, clock, ANN)
    own = [
        ply for ply, entry in enumerate((await tables.transcript(table.id, unfinished=True)).entries) if entry.seat == 0
    ]
    await wishes(tables, ANN, "on")
    assert await tables.forced.play_at_once(table)
    done = await tables.undos.undo(table.id, ANN.id)
    assert done.table.plies == own[-1]
    assert {entry.by_user for entry in await store.undos.taken_back(table.id) if entry.entry.seat == 0} == {ANN.id}


async def test_alone_a_forced_move_is_made_among_those_of_the_computers(tables: Tables, clock: Clock) -> None:
    table = await forced_turn(tables, await of_three(tables, ANN), clock, ANN)
    turns = Turns(tables)
    await turns.resume()
    assert (await tables.table(table.id)).plies == table.plies, "nobody has asked for it"
    await wishes(tables, ANN, "on")
    await turns.resume()
    await turns.settle(table.id, 5)
    after = await tables.table(table.id)
    assert after.plies > table.plies
    assert len((await tables.look(table.id, ANN.id)).observation.legal) != 1 or after.status != "playing"
    await turns.close()


async def test_among_people_a_forced_move_waits_as_long_as_a_free_one(
    tables: Tables, clock: Clock, store: Store
) -> None:
    tables.on_change(tables.forced.changed)
    await wishes(tables, ANN, "on")
    table = await forced_turn(tables, await of_three(tables, ANN, BEN), clock, ANN)
    at = await due_at(store, table)
    assert at - clock.at in {float(n) for n in range(3, 30)}
    assert await tables.forced.due(table.id, at - 0.5) == at
    assert (await tables.table(table.id)).plies == table.plies
    assert await tables.forced.due(table.id, at) is None
    assert (await tables.table(table.id)).plies > table.plies
    await tables.forced.close()


async def test_a_wait_is_drawn_again_after_a_restart(tables: Tables, clock: Clock, store: Store) -> None:
    await wishes(tables, ANN, "on")
    table = await forced_turn(tables, await of_three(tables, ANN, BEN), clock, ANN)
    clock.at += 1000
    afresh = make_tables(store, clock)
    await afresh.forced.resume(lambda _table: True)
    at = await due_at(store, table)
    assert at - clock.at in {float(n) for n in range(3, 30)}
    assert await afresh.forced.due(table.id, at) is None
    assert (await tables.table(table.id)).plies > table.plies
    await afresh.forced.close()


@pytest.mark.parametrize("how", ["moved", "undone", "handed over", "ended", "changed their mind"])
async def test_a_wait_ends_with_its_position(tables: Tables, clock: Clock, store: Store, how: str) -> None:
    await wishes(tables, ANN, "on")
    table = await forced_turn(tables, await of_three(tables, ANN, BEN, CY), clock, ANN)
    tables.on_change(tables.forced.changed)
    await tables.forced.reconsider(ANN.id)
    at = await due_at(store, table)
    match how:
        case "moved":
            await move(tables, table, clock)
        case "undone":
            await tables.undos.undo(table.id, BEN.id)
            for person in (ANN, CY):
                await tables.undos.agree(table.id, person.id, BEN.id, table.version)
        case "handed over":
            await tables.resign(table.id, ANN.id)
        case "ended":
            for person in (ANN, BEN, CY):
                await tables.waiting.move_on(table.id, person.id, "end")
        case _:
            await wishes(tables, ANN, "off")
    plies = (await tables.table(table.id)).plies
    for _ in range(5):
        await asyncio.sleep(0)
    assert await tables.forced.due(table.id, at) is None or how == "moved"
    assert (await tables.table(table.id)).plies == plies
    await tables.forced.close()


async def test_a_question_for_an_undo_keeps_a_forced_move_waiting(tables: Tables, clock: Clock, store: Store) -> None:
    await wishes(tables, ANN, "on")
    table = await forced_turn(tables, await of_three(tables, ANN, BEN, CY), clock, ANN)
    tables.on_change(tables.forced.changed)
    await tables.forced.reconsider(ANN.id)
    at = await due_at(store, table)
    assert (await tables.undos.undo(table.id, BEN.id)).waiting == (ANN.id, CY.id)
    later = await tables.forced.due(table.id, at)
    assert later is not None
    assert (await tables.table(table.id)).plies == table.plies
    await tables.forced.close()


async def test_nobody_waits_before_five_free_decisions(tables: Tables, clock: Clock, store: Store) -> None:
    tables.on_change(tables.forced.changed)
    await wishes(tables, ANN, "on")
    table, free, forced = await of_three(tables, ANN, BEN), 0, 0
    while free < FEWEST_FREE:
        is_own = await tables.whose_turn(table) == (ANN.id,)
        choices = len((await tables.look(table.id, ANN.id)).observation.legal) if is_own else 0
        free, forced = free + (choices > 1), forced + (choices == 1)
        assert not await _rows(store)
        table = await move(tables, table, clock)
    assert forced, "another seed is needed"
    await tables.forced.close()


async def test_the_offer_comes_once_at_the_third_forced_move(tables: Tables, clock: Clock) -> None:
    offered: list[tuple[int, int]] = []
    tables.forced.offer = lambda table, user_id: offered.append((table.id, user_id))
    table, forced, at = await of_three(tables, ANN), 0, []
    while table.status == "playing":
        if await tables.whose_turn(table) == (ANN.id,):
            await tables.forced.play_at_once(table)
            sight = await tables.look(table.id, ANN.id)
            forced += len(sight.observation.legal) == 1
            at += [forced] if sight.offers_forced else []
            assert not (await tables.look(table.id)).offers_forced
        table = await move(tables, table, clock)
    assert (at, offered) == ([3], [(table.id, ANN.id)])
    assert (await tables.users.settings(ANN.id)).forced == "off"
