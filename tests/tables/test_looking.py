"""Tests of observations, finding tables, and listeners."""

import logging

import pytest

from bot.errors import AmbiguousTable, NoSuchTable, WrongPhase
from bot.games.game import CHANCE
from bot.records.table import Place, Receipt, Table
from bot.store.store import Store
from bot.tables.finding import MAX_CHOICES, OPERATOR
from bot.tables.tables import Tables
from bot.transcript import Fairness
from tests.live import live_message
from tests.pebbles import PebblesSight, Said
from tests.tables.people import ANN, BEN, CY, HERE, THERE, Clock, Looker, in_turn, make_tables, started


async def test_players_see_their_own_hand_and_others_the_public_board(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "take 3")
    mine = []
    for user_id in (ANN.id, BEN.id, CY.id, None):
        observation = (await tables.look(table.id, user_id)).observation
        assert isinstance(observation, PebblesSight)
        mine.append((observation.seat, observation.mine))
    assert mine == [(0, 3), (1, None), (None, None), (None, None)]


async def test_the_last_events_are_the_same_after_a_restart(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 3", "keep", "drop", "take 1")
    sight = await tables.look(table.id)
    assert sight == await make_tables(store).look(table.id)
    assert [event.text for event in sight.events if isinstance(event, Said) and event.seat is not CHANCE] == [
        *("take", "take", "keep", "drop", "take")
    ]


async def test_only_the_operator_gets_an_unfinished_transcript(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    with pytest.raises(WrongPhase):
        await tables.transcript(table.id)
    transcript = await tables.transcript(table.id, unfinished=True)
    assert transcript.outcome is None
    assert isinstance(transcript.fairness, Fairness)
    assert transcript.fairness.seed is None
    with pytest.raises(NoSuchTable):
        await tables.transcript(table.id + 1)


async def test_a_table_is_found_by_number_and_by_name(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    for ref in (str(table.id), f"#{table.id}", f" {table.name.upper()} ", f"table {table.name}"):
        assert await tables.finder.find(ref, OPERATOR) == table
    closed = (await tables.close(table.id, ANN.id)).table
    assert await tables.finder.find(str(table.id), OPERATOR) == closed
    for ref in ("Nowhere", "0", "", "#", "٣", "9" * 40):
        with pytest.raises(NoSuchTable):
            await tables.finder.find(ref, OPERATOR)


async def named_alike(store: Store, *places: Place) -> list[Table]:
    """Return Ann's tables of one name in these places, opened months apart, all closed except the last."""
    found: list[Table] = []
    clock = Clock()
    for place in places:
        tables = make_tables(store, clock)
        clock.at += 31 * 24 * 60 * 60
        if found:
            await tables.close(found[-1].id, ANN.id)
        found.append((await tables.lobbies.open("pebbles", {}, ANN, place)).table)
    assert len({table.name for table in found}) == 1
    return found


async def test_a_hidden_table_does_not_shadow_one_of_the_same_name(store: Store) -> None:
    first, second, hidden = await named_alike(store, HERE, HERE, THERE)
    tables = make_tables(store)
    cy = Looker(CY.id, blind_to=frozenset({THERE.channel_id}))
    assert (await tables.finder.find(first.name, OPERATOR)).id == hidden.id
    assert (await tables.finder.find(first.name, cy)).id == second.id
    assert (await tables.finder.choose(cy, "pebbles", THERE.channel_id, first.name)).id == second.id


async def test_names_find_tables_of_the_server_and_of_the_user(store: Store) -> None:
    own, elsewhere = await named_alike(store, HERE, Place(2, 300))
    tables = make_tables(store)
    assert (await tables.finder.find(own.name, Looker(CY.id))).id == own.id
    assert (await tables.finder.find(own.name, Looker(CY.id, guild_id=2))).id == elsewhere.id
    assert (await tables.finder.find(own.name, Looker(ANN.id, guild_id=None))).id == elsewhere.id
    with pytest.raises(NoSuchTable):
        await tables.finder.find(own.name, Looker(CY.id, guild_id=None))


@pytest.mark.parametrize("ref", ["1", "#1", "Table 1", "NAME", "table NAME"])
async def test_a_hidden_table_is_refused_like_one_that_does_not_exist(tables: Tables, ref: str) -> None:
    stranger = Looker(CY.id, blind_to=frozenset({HERE.channel_id}))
    asked = ref.replace("NAME", "heron")
    with pytest.raises(NoSuchTable) as before:
        await tables.finder.find(asked, stranger)
    name = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table.name
    with pytest.raises(NoSuchTable) as hidden:
        await tables.finder.find(ref.replace("NAME", name), stranger)
    assert hidden.value.sentence == before.value.sentence.replace("heron", name)


async def test_a_command_chooses_the_table_here_or_the_only_one(tables: Tables) -> None:
    with pytest.raises(NoSuchTable, match="You're not in a game of Pebbles"):
        await tables.finder.choose(Looker(ANN.id), "pebbles", HERE.channel_id)
    here = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    assert await tables.finder.choose(Looker(ANN.id), "pebbles", THERE.channel_id) == here
    there = (await tables.lobbies.open("pebbles", {}, ANN, THERE)).table
    assert await tables.finder.choose(Looker(ANN.id), "pebbles", THERE.channel_id) == there
    with pytest.raises(AmbiguousTable, match="Which one") as refusal:
        await tables.finder.choose(Looker(ANN.id), "pebbles", None)
    assert refusal.value.tables == (here.id, there.id)
    assert await tables.finder.choose(Looker(ANN.id), "pebbles", None, there.name) == there
    with pytest.raises(NoSuchTable, match="isn't a game of Pond"):
        await tables.finder.choose(Looker(ANN.id), "pond", HERE.channel_id, here.name)


async def test_a_command_prefers_a_table_in_play_to_a_lobby(tables: Tables) -> None:
    await tables.lobbies.open("pebbles", {}, ANN, HERE)
    playing = await started(tables, ANN, BEN)
    assert await tables.finder.choose(Looker(ANN.id), "pebbles", HERE.channel_id) == playing


async def test_tables_that_have_waited_longest_for_the_user_come_first(tables: Tables) -> None:
    lobby = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    first, second = await started(tables, ANN, BEN), await started(tables, ANN, BEN)
    done = await started(tables, ANN, BEN)
    await tables.play(done.id, ANN.id, "take 1")
    await tables.play(first.id, BEN.id, "take 1")
    assert [table.id for table in await tables.finder.tables_of(ANN.id)] == [first.id, second.id, lobby.id, done.id]
    assert await tables.finder.tables_of(CY.id) == ()
    assert len(await tables.lists.in_channel(HERE.channel_id, None, MAX_CHOICES)) == 4


async def test_listeners_are_called_in_order_after_the_commit(tables: Tables) -> None:
    receipts: list[tuple[int, int]] = []
    tables.on_change(lambda receipt: receipts.append((receipt.before, receipt.table.version)))
    await in_turn(tables, await started(tables, ANN, BEN), "take 1", "take 1", "keep", "keep")
    assert receipts == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 8)]


async def test_a_listeners_error_is_logged_and_undoes_nothing(tables: Tables, caplog: pytest.LogCaptureFixture) -> None:
    receipts: list[Receipt] = []

    def fail(_: Receipt) -> None:
        raise RuntimeError("no channel")

    tables.on_change(fail)
    tables.on_change(receipts.append)
    with caplog.at_level(logging.ERROR):
        table = (await tables.lobbies.open("pebbles", {}, ANN, HERE)).table
    assert [receipt.table for receipt in receipts] == [table]
    assert "a listener failed" in caplog.text
    assert await tables.table(table.id) == table


async def test_last_moves_and_closed_direct_messages_are_stored(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    assert await tables.messages.to_reconcile() == (table.id,)
    board = await tables.messages.posted(live_message(table.id, version=table.version))
    assert await tables.messages.of(table.id) == (board,)
    assert await tables.messages.to_reconcile() == ()
    await tables.play(table.id, ANN.id, "take 1")
    assert await tables.messages.to_reconcile() == (table.id,)
    await tables.messages.forget(board)
    assert await tables.messages.of(table.id) == ()
    readers = (await tables.snapshot(table.id)).readers
    assert [user for user in (ANN.id, BEN.id) if readers[user].moved_at is not None] == [ANN.id]
    await tables.users.set_dm_closed(ANN.id, closed=True)
    assert (await tables.snapshot(table.id)).reader(ANN.id).dm_closed
