"""Tests of playing, stale presses, and the end of games."""

import asyncio
import hashlib
import random

import pytest

from bot.errors import IllegalMove, InvalidMove, NotAllowed, NotSeated, Stale, WrongPhase
from bot.games.game import Entry, Resigned
from bot.records.table import Receipt, Sitter
from bot.store.store import Store
from bot.tables.tables import Tables
from bot.transcript import verify
from tests.pebbles import Said
from tests.tables.people import ANN, BEN, CY, HERE, in_turn, started


async def test_a_move_is_parsed_as_people_type_it(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "  TAKE   2 ")
    assert (await tables.transcript(table.id, unfinished=True)).entries[1:] == (Entry(0, "take 2"),)


async def test_an_invalid_move_is_refused_with_an_example(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(InvalidMove, match="You could play: take 1"):
        await tables.play(table.id, ANN.id, "what now?")
    await tables.play(table.id, ANN.id, "take 1")
    with pytest.raises(InvalidMove, match=r"is no move of Pebbles\.$"):
        await tables.play(table.id, ANN.id, "what now?")


async def test_only_the_user_on_a_seat_plays_it(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(NotSeated):
        await tables.play(table.id, CY.id, "take 1")
    await tables.play(table.id, BEN.id, "take 1")
    assert (await tables.look(table.id)).events[-1:] == (Said(1, "take"),)
    with pytest.raises(IllegalMove, match="PB-3"):
        await tables.play(table.id, BEN.id, "take 1")
    with pytest.raises(IllegalMove, match="PB-3"):
        await tables.play(table.id, ANN.id, "stones 5")


async def test_a_refusal_changes_nothing(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(IllegalMove):
        await tables.play(table.id, ANN.id, "keep")
    assert await tables.table(table.id) == table


async def test_a_double_press_counts_once(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    results = await asyncio.gather(
        *(tables.play(table.id, ANN.id, "take 1", table.version) for _ in range(2)), return_exceptions=True
    )
    assert [type(result) for result in results] == [Receipt, Stale]
    assert (await tables.table(table.id)).version == table.version + 1


async def test_a_press_is_valid_while_only_other_seats_have_moved(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, BEN.id, "take 3", table.version)
    receipt = await tables.play(table.id, ANN.id, "take 1", table.version)
    assert receipt.table.version == table.version + 2


async def test_a_press_is_stale_once_chance_has_written(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(Stale):
        await tables.play(table.id, ANN.id, "take 1", table.version - 1)
    await in_turn(tables, table, "take 1", "take 1", "keep", "keep")
    with pytest.raises(Stale):  # the first round's button; "take 1" would be legal again
        await tables.play(table.id, ANN.id, "take 1", table.version)


async def test_a_press_is_stale_if_its_move_is_not_legal_any_more(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(IllegalMove):
        await tables.play(table.id, ANN.id, "keep", table.version)
    await tables.play(table.id, BEN.id, "take 1", table.version)
    with pytest.raises(Stale, match="moved on"):
        await tables.play(table.id, ANN.id, "keep", table.version)


async def test_a_press_from_the_future_is_stale(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(Stale):
        await tables.play(table.id, ANN.id, "take 1", table.version + 1)


async def test_the_end_publishes_the_outcome_and_the_seed(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 3", "keep", "keep")
    over = (await in_turn(tables, table, "take 1", "take 1", "drop", "keep")).table
    assert over == await tables.table(table.id)
    assert over.status == "over"
    assert over.outcome is not None
    assert (over.outcome.scores, over.outcome.places) == ((1, 4), (2, 1))
    assert over.seed is not None
    assert hashlib.sha256(bytes.fromhex(over.seed)).hexdigest() == table.commitment
    assert await tables.whose_turn(over) == ()
    with pytest.raises(WrongPhase, match="is over"):
        await tables.play(table.id, ANN.id, "keep")
    with pytest.raises(Stale):
        await tables.play(table.id, BEN.id, "keep", over.version - 1)


async def test_the_seed_is_secret_before_the_end(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    secret = await store.seed(table.id)
    table, fold = await tables._ledger.fold(table)
    sight, record = await tables.look(table.id, ANN.id), await tables.transcript(table.id, unfinished=True)
    for shown in (table, fold, sight, record, await store.log(table.id), tables):
        assert secret.hex() not in repr(shown)
        assert repr(secret) not in repr(shown)


async def test_a_whole_game_of_pond_verifies(tables: Tables) -> None:
    table = (await tables.lobbies.open("pond", {"rounds": 2}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.cut(table.id, BEN.id, "Grüße")
    table = (await tables.lobbies.start(table.id, ANN.id)).table
    rng = random.Random(5)
    while users := await tables.whose_turn(table):
        sight = await tables.look(table.id, users[-1])
        table = (await tables.play(table.id, users[-1], str(rng.choice(sight.observation.legal)), table.version)).table
    verify(await tables.transcript(table.id))


async def test_a_resigning_player_loses_with_two_sides(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(NotSeated):
        await tables.resign(table.id, CY.id)
    receipt = await tables.resign(table.id, BEN.id)
    assert (await tables.look(table.id)).events[-1:] == (Resigned(1),)
    assert receipt.table.outcome is not None
    assert (receipt.table.outcome.places, receipt.table.outcome.reason) == ((1, 2), "resigned")
    with pytest.raises(WrongPhase):
        await tables.resign(table.id, ANN.id)


async def test_a_computer_replaces_a_resigning_player_with_more_sides(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    with pytest.raises(WrongPhase, match="hasn't started"):
        await tables.resign(table.id, ANN.id)
    await tables.lobbies.cut(table.id, ANN.id, "mine")
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.sit(table.id, CY)
    await tables.lobbies.start(table.id, ANN.id)
    table = (await tables.resign(table.id, ANN.id)).table
    assert table.sitters[0] == Sitter(0, "Moss", None, "mine", "Ann", started_by=ANN.id)
    assert (table.host_id, table.names, table.cuts) == (BEN.id, ("Ann", "Ben", "Cy"), ("mine", "", ""))
    assert await tables.whose_turn(table) == (BEN.id, CY.id)
    assert await tables.computers_turn(table) == (0,)
    with pytest.raises(NotSeated):
        await tables.play(table.id, ANN.id, "take 1")
    await tables.resign(table.id, BEN.id)
    assert (await tables.resign(table.id, CY.id)).table.status == "closed"


async def test_only_computers_play_a_computers_seat(tables: Tables) -> None:
    table = await started(tables, ANN, computers=1)
    for play in (tables.play_computer(table.id, 0, "take 1"), tables.look_as_computer(table.id, 0)):
        with pytest.raises(NotAllowed):
            await play
    assert (await tables.look_as_computer(table.id, 1)).observation.seat == 1
    await tables.play_computer(table.id, 1, "take 2", table.version)
    with pytest.raises(Stale):
        await tables.play_computer(table.id, 1, "take 2", table.version)
