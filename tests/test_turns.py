"""Tests of computers' turns."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot import computer
from bot.fairness import choice_seed
from bot.games.game import Move, Observation
from bot.records.table import Receipt, Table
from bot.store.sqlite import SqliteStore, connection
from bot.tables.absence.deadlines import DAY, HOUR
from bot.tables.tables import Tables
from bot.thinking.thinkers import NoThought, Think, Turn
from bot.thinking.turns import Choose, Turns
from tests import virtual_time
from tests.databases import new_file
from tests.going_on import go_on
from tests.outage import cut_off
from tests.pebbles import Word
from tests.tables.people import ANN, BEN, HERE, make_tables, started
from tests.waiting import DEADLINE_S, until


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """An open store."""
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        yield store


@pytest.fixture
def tables(store: SqliteStore) -> Tables:
    """Tables whose computers don't play."""
    return make_tables(store)


@asynccontextmanager
async def playing(
    tables: Tables,
    choose: Choose = computer.choose,
    think: Think | None = None,
    thought_s: float = 2,
    retry_s: float = 1,
) -> AsyncIterator[Turns]:
    """Let computers play at these tables."""
    turns = Turns(tables, choose=choose, think=think, thought_s=thought_s, retry_s=retry_s)
    tables.on_change(turns.changed)
    try:
        yield turns
    finally:
        await turns.close()


@pytest.fixture
def think(monkeypatch: pytest.MonkeyPatch) -> Think:
    """All computers are slow, but choose at once; their moves follow when they are due."""
    monkeypatch.setattr(computer, "is_slow", lambda _game, _level: True)

    async def choose(turn: Turn) -> Move:
        return computer.choose(turn.sight.table.game, turn.sight.observation, random.Random(turn.seed), turn.level)

    return choose


@pytest.fixture
async def turns(tables: Tables) -> AsyncIterator[Turns]:
    """Computers that play at these tables, without delay."""
    async with playing(tables) as turns:
        yield turns


async def settled(turns: Turns) -> None:
    """Wait until no computer is to move."""
    async with asyncio.timeout(DEADLINE_S):
        while turns._tasks:
            await asyncio.wait(list(turns._tasks.values()))


async def to_the_end(tables: Tables, table: Table, turns: Turns) -> Table:
    """Play Ann's first legal move whenever it is her turn, and return the table at the end."""
    while await tables.whose_turn(await tables.table(table.id)):
        move = (await tables.look(table.id, ANN.id)).observation.legal[0]
        await tables.play(table.id, ANN.id, str(move))
        await settled(turns)
        await go_on(tables, table.id)
        await settled(turns)
    return await tables.table(table.id)


async def test_computers_play_until_a_person_is_to_move(tables: Tables, turns: Turns) -> None:
    table = await started(tables, ANN, computers=2)
    await settled(turns)
    table = await tables.table(table.id)
    assert await tables.whose_turn(table) == (ANN.id,)
    assert await tables.computers_turn(table) == ()
    assert (await to_the_end(tables, table, turns)).status == "over"
    assert turns._woken == set()


async def test_a_game_of_pond_with_three_computers_ends(tables: Tables, turns: Turns) -> None:
    table = (await tables.lobbies.open("pond", {"players": 4, "rounds": 2}, ANN, HERE, computers=3)).table
    await tables.lobbies.start(table.id, ANN.id)
    await settled(turns)
    assert (await to_the_end(tables, table, turns)).status == "over"


async def test_tables_without_computers_have_no_task(tables: Tables, turns: Turns) -> None:
    await started(tables, ANN, BEN)
    assert turns._tasks == {}


async def test_computers_continue_after_a_restart(tables: Tables, store: SqliteStore) -> None:
    table = await started(tables, ANN, computers=1)
    await started(tables, ANN, BEN)
    async with playing(make_tables(store)) as turns:
        await turns.resume()
        await settled(turns)
    assert await tables.computers_turn(await tables.table(table.id)) == ()


async def test_a_computer_plays_at_once_for_a_player_who_resigned(tables: Tables, turns: Turns) -> None:
    table = await started(tables, ANN, BEN, computers=1)
    await settled(turns)
    await tables.resign(table.id, BEN.id)
    await settled(turns)
    assert await tables.whose_turn(await tables.table(table.id)) == (ANN.id,)


async def test_closing_stops_a_computer_that_thinks(tables: Tables, think: Think) -> None:
    async with playing(tables, think=think, thought_s=60) as turns:
        table = await started(tables, ANN, computers=1)
        await asyncio.sleep(0)
        assert len(turns._tasks) == 1
    assert turns._tasks == {}
    assert await tables.computers_turn(table) == (1,)


async def test_a_table_that_is_closed_during_a_thought_stays_as_it_is(
    tables: Tables, think: Think, caplog: pytest.LogCaptureFixture
) -> None:
    async with playing(tables, think=think, thought_s=1) as turns:
        table = await started(tables, ANN, computers=1)
        await asyncio.sleep(0.01)
        closed = (await tables.close(table.id, ANN.id)).table
        await settled(turns)
    assert await tables.table(table.id) == closed
    assert caplog.records == []


async def test_other_computers_play_on_after_a_player_returns(
    store: SqliteStore, think: Think, caplog: pytest.LogCaptureFixture
) -> None:
    now = [1000.0]
    tables = make_tables(store, lambda: now[0])
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, BEN.id, "take 1")
    now[0] += DAY
    async with playing(tables, think=think, thought_s=1) as turns:
        await tables.waiting.move_on(table.id, BEN.id, "seat")
        await asyncio.sleep(0.01)
        assert await tables.waiting.come_back(await tables.table(table.id), ANN)
        await settled(turns)
    assert await tables.whose_turn(await tables.table(table.id)) == (ANN.id,)
    assert caplog.records == []


@pytest.mark.parametrize("move", [Word("take", 9), None])
async def test_a_computers_bad_choice_is_logged_and_replaced(
    tables: Tables, move: Move | None, caplog: pytest.LogCaptureFixture
) -> None:
    def choose(game_key: str, observation: Observation, rng: random.Random, _level: str) -> Move:
        if move is None:
            raise ZeroDivisionError(game_key, observation, rng)
        return move

    async with playing(tables, choose=choose) as turns:
        table = await started(tables, ANN, computers=1)
        await settled(turns)
    assert await tables.computers_turn(await tables.table(table.id)) == ()
    assert f"table {table.id}: the computer on seat 1" in caplog.text


@pytest.mark.parametrize("fails", [False, True])
async def test_slow_computers_think_elsewhere(tables: Tables, monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> None:
    monkeypatch.setattr(computer, "is_slow", lambda _game, level: level == "strong")
    outcomes: list[str] = []

    async def think(turn: Turn) -> Move:
        assert turn.level == "strong"
        if fails:
            raise NoThought("killed")
        return turn.sight.observation.legal[-1]

    turns = Turns(tables, think=think, thought_s=0.02, tick_s=0.02)
    turns.on_thought(lambda game, outcome: outcomes.append(f"{game} {outcome}"))
    tables.on_change(turns.changed)
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE, 1, levels=("strong",))).table
    await tables.lobbies.start(table.id, ANN.id)
    await settled(turns)
    assert await tables.computers_turn(await tables.table(table.id)) == ()
    assert outcomes[0] in ({"pebbles failed"} if fails else {"pebbles in_time", "pebbles late"})
    await turns.stand_in(table.id, 0)  # returns before the move
    assert await tables.whose_turn(await tables.table(table.id)) == (ANN.id,)
    await until(lambda: len(outcomes) > 1)
    await turns.close()


async def test_a_computer_sees_its_own_seat_and_draws_from_the_secret(tables: Tables, store: SqliteStore) -> None:
    seen: list[tuple[int | None, float]] = []

    def choose(_: str, observation: Observation, rng: random.Random, _level: str) -> Move:
        seen.append((observation.seat, rng.random()))
        return observation.legal[0]

    async with playing(tables, choose=choose) as turns:
        table = await started(tables, ANN, computers=1)
        await until(lambda: seen)
        assert seen[0][0] == 1
        await settled(turns)
    drawn = random.Random(choice_seed(await store.seed(table.id), table.plies, 1)).random()
    assert seen == [(1, drawn)]


async def test_computers_wait_for_a_locked_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_S", 0.01)
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        tables = make_tables(store)
        with closing(sqlite3.connect(tmp_path / "pond.db", isolation_level=None)) as other:
            async with playing(tables, retry_s=0.01) as turns:
                tables.on_change(lambda receipt: lock(other, receipt))
                table = await started(tables, ANN, computers=1)
                await until(lambda: "computers retry in 0.01 s" in caplog.text)
                assert await tables.computers_turn(table) == (1,)
                other.execute("ROLLBACK")
                await settled(turns)
        assert await tables.computers_turn(await tables.table(table.id)) == ()
    assert f"table {table.id}: computers retry in 0.01 s" in caplog.text


def lock(connection: sqlite3.Connection, receipt: Receipt) -> None:
    """Lock the database when the first table starts."""
    if receipt.table.status == "playing" and receipt.before == 1:
        connection.execute("BEGIN IMMEDIATE")


def test_computers_move_soon_after_a_long_outage_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waited_s() -> float:
        async with await SqliteStore.open(tmp_path / "pond.db") as store:
            tables, time = make_tables(store), asyncio.get_running_loop().time
            table = await started(tables, ANN, computers=1)
            cut_off(monkeypatch, tables, "table", lambda: time() < HOUR)
            moved = asyncio.Event()
            async with playing(tables) as turns:
                tables.on_change(lambda _: moved.set())
                turns.changed(Receipt(table, table.version))
                await moved.wait()
            return time() - HOUR

    assert virtual_time.run(waited_s()) <= 30


def test_a_slow_computer_moves_for_an_absent_user_after_an_outage_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, think: Think
) -> None:
    async def waited_s() -> float:
        async with await SqliteStore.open(tmp_path / "pond.db") as store:
            tables, time = make_tables(store), asyncio.get_running_loop().time
            table = await started(tables, ANN, BEN)
            cut_off(monkeypatch, tables, "look_as_computer", lambda: time() < HOUR)
            moved = asyncio.Event()
            async with playing(tables, think=think) as turns:
                tables.on_change(lambda _: moved.set())
                await turns.stand_in(table.id, 0)
                await moved.wait()
            return time() - HOUR

    assert virtual_time.run(waited_s()) <= 32


async def test_a_computer_plays_one_turn_for_an_absent_user(tables: Tables, turns: Turns) -> None:
    table = await started(tables, ANN, BEN)
    await turns.stand_in(table.id, 0)
    assert await tables.whose_turn(await tables.table(table.id)) == (BEN.id,)
    version = (await tables.table(table.id)).version
    await turns.stand_in(table.id, 0)
    assert (await tables.table(table.id)).version == version
    assert (await tables.table(table.id)).sitters == table.sitters


async def test_nothing_is_played_for_a_player_who_has_just_left(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.privacy.leave(ANN.id)
    version = (await tables.table(table.id)).version
    await Turns(tables).stand_in(table.id, 0)
    assert (await tables.table(table.id)).version == version
