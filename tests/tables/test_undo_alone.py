"""A slip against computers can be taken back at a table of one person, but not past chance, and for no rating."""

import random
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from bot import computer
from bot.errors import NotAllowed
from bot.games.game import CHANCE
from bot.records.table import Place, Table
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.tables import Tables
from tests.databases import new_file
from tests.going_on import go_on
from tests.tables.people import ANN, HERE, Clock, make_tables
from tests.tables.test_undo_computers import computers_play, opened

GAMES_OF_ONE = [
    ("pond", {"players": 2, "rounds": 2}),
    ("pontis", {"players": 3}),
    ("pot_black", {"players": 4}),
    ("frogs", {}),
]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        yield store


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    return make_tables(store, clock)


async def entries(tables: Tables, table: Table) -> list[tuple[int | None, str]]:
    written = await tables.transcript(table.id, unfinished=True)
    return [(entry.seat, entry.move) for entry in written.entries]


async def plays(tables: Tables, table: Table, rng: random.Random) -> Table:
    """Let Ann make a random move, and the computers answer."""
    legal = (await tables.look(table.id, ANN.id)).observation.legal
    await tables.play(table.id, ANN.id, str(rng.choice(legal)))
    return await computers_play(tables, table, rng)


@pytest.mark.parametrize(("game", "options"), GAMES_OF_ONE)
async def test_the_last_own_move_is_taken_back_with_all_that_followed_but_never_past_chance(
    tables: Tables, game: str, options: dict[str, object]
) -> None:
    rng = random.Random(game)
    table = await computers_play(tables, await opened(tables, game, options, ANN), rng)
    undone = refused = 0
    for _ in range(40):
        before, saw = await entries(tables, table), (await tables.look(table.id, ANN.id)).observation
        table = await plays(tables, table, rng)
        if table.status != "playing":
            break
        after = await entries(tables, table)
        own = max(at for at, (seat, _move) in enumerate(after) if seat == table.seat_of(ANN.id))
        may = (await tables.look(table.id, ANN.id)).may_ask_undo
        if any(seat is CHANCE for seat, _move in after[own:]):
            with pytest.raises(NotAllowed, match="new cards have been dealt"):
                await tables.undos.undo(table.id, ANN.id)
            assert not may
            refused += 1
        elif may:
            assert (await tables.undos.undo(table.id, ANN.id)).waiting == ()
            assert await entries(tables, table) == before
            assert (await tables.look(table.id, ANN.id)).observation == saw
            undone += 1
            table = await plays(tables, table, rng)
            if table.status != "playing":
                break
    assert undone
    assert refused or game in {"frogs", "pontis"}


async def test_cards_that_were_picked_up_stay_picked_up(tables: Tables) -> None:
    table = await computers_play(tables, await opened(tables, "pond", {"players": 2}, ANN), random.Random(1))
    await tables.play(table.id, ANN.id, str((await tables.look(table.id, ANN.id)).observation.legal[0]))
    with pytest.raises(NotAllowed, match="hidden cards have been revealed"):
        await tables.undos.undo(table.id, ANN.id)


async def test_no_slip_is_taken_back_in_a_daily(tables: Tables, clock: Clock) -> None:
    table = await tables.events.begin(date(2026, 11, 29), ANN, Place(None, 777), HERE.guild_id, clock.at + DAY)
    rng = random.Random(1)
    table = await plays(tables, await computers_play(tables, table, rng), rng)
    assert table.status == "playing"
    with pytest.raises(NotAllowed, match="others play the same"):
        await tables.undos.undo(table.id, ANN.id)


@pytest.mark.parametrize("slips", [False, True])
async def test_a_game_with_a_slip_taken_back_never_raises_a_rating(tables: Tables, slips: bool) -> None:  # noqa: FBT001
    """Ann beats computers that play at random. Without a slip, that raises her rating."""
    best = 0.0
    for number in range(4):
        rng = random.Random(number)
        table = await against_random(tables, await opened(tables, "frogs", {}, ANN), rng)
        for _ in range(2):
            table = await against_random(tables, table, rng, plays=True)
            if slips and not table.has_slips:
                assert await tables.undos.costs_rating(table.id, ANN.id)
                await tables.undos.undo(table.id, ANN.id)
                table = await tables.table(table.id)
                assert table.has_slips
        while table.status == "playing":
            assert not slips or not await tables.undos.costs_rating(table.id, ANN.id), "it is said once"
            table = await against_random(tables, table, rng, plays=True)
        assert table.counted is not None
        best = max(best, table.counted.gains[table.part_of(ANN.id) or 0] or 0.0)
    assert (best > 0) != slips


async def against_random(tables: Tables, table: Table, rng: random.Random, *, plays: bool = False) -> Table:
    """Let computers move at random, and before that Ann as a computer would, if she ``plays``."""
    if plays:
        seen = (await tables.look(table.id, ANN.id)).observation
        await tables.play(table.id, ANN.id, str(computer.choose(table.game, seen, rng, "fair")))
    while seats := await tables.computers_turn(table := await go_on(tables, table.id)):
        sight = await tables.look_as_computer(table.id, seats[0])
        await tables.play_computer(table.id, seats[0], str(rng.choice(sight.observation.legal)))
    return table
