"""Tests of undo: free, by consent, and its effect on caches and old presses."""

import asyncio

import pytest

from bot.errors import NotAllowed, NotSeated, Stale, StoreError, WrongPhase
from bot.games.game import CHANCE, Entry
from bot.records.table import Table
from bot.records.taken_back import TakenBack
from bot.store.store import Store
from bot.tables.tables import Tables
from bot.transcript import verify
from tests.databases import Database
from tests.outage import cut_off
from tests.tables.people import ANN, BEN, CY, in_turn, make_tables, started


async def log_of(tables: Tables, table: Table) -> tuple[Entry, ...]:
    """Return all entries of the log."""
    return (await tables.transcript(table.id, unfinished=True)).entries


async def test_a_secret_choice_is_free_to_undo_until_another_seat_acts(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    before = await log_of(tables, table)
    await tables.play(table.id, ANN.id, "take 1")
    assert (await tables.look(table.id, ANN.id)).may_undo
    assert not (await tables.look(table.id, BEN.id)).may_undo
    assert not (await tables.look(table.id)).may_undo
    done = await tables.undos.undo(table.id, ANN.id, table.version + 1)
    assert done.waiting == ()
    assert done.table == await tables.table(table.id)
    assert (done.table.version, done.table.undone_at) == (table.version + 2, table.version + 2)
    assert await log_of(tables, table) == before
    assert await tables.whose_turn(done.table) == (ANN.id, BEN.id)
    assert not (await tables.look(table.id, ANN.id)).may_undo


async def test_undone_entries_are_stored_with_the_user_and_the_time(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "take 1")
    done = await tables.undos.undo(table.id, ANN.id)
    (gone,) = await store.undos.taken_back(table.id)
    at = done.table.changed_at
    assert gone == TakenBack(done.table.version, 1, Entry(0, "take 1"), ANN.id, ANN.id, at)
    await tables.play(table.id, ANN.id, "take 2")
    assert (await log_of(tables, table))[1:] == (Entry(0, "take 2"),)


async def test_a_move_that_reveals_something_is_not_free_to_undo(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 2", "keep")
    assert not (await tables.look(table.id, ANN.id)).may_undo
    assert (await tables.undos.undo(table.id, ANN.id)).waiting == (BEN.id,)


async def test_a_move_settles_the_questions_of_a_snapshot_before_it(tables: Tables) -> None:
    """Found by evening 7001: what was asked isn't looked for in the log after the move, where it may be impossible."""
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 2")
    await tables.undos.undo(table.id, ANN.id)
    before = await tables.snapshot(table.id)
    assert len(await tables.undos.questions(before)) == 1
    await tables.play(table.id, (await tables.whose_turn(before.table))[0], "keep")
    assert await tables.undos.questions(before) == ()


@pytest.mark.parametrize("cached", [True, False])
async def test_a_move_made_by_a_stand_in_is_not_free_to_undo(tables: Tables, store: Store, *, cached: bool) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play_computer(table.id, 0, "take 1", for_absent=True)
    if not cached:
        tables = make_tables(store)
    sight = await tables.look(table.id, ANN.id)
    assert (sight.may_undo, sight.may_ask_undo) == (False, True)
    asked = await tables.undos.undo(table.id, ANN.id)
    assert asked.waiting == (BEN.id,)
    done = await tables.undos.agree(table.id, BEN.id, ANN.id, asked.table.version)
    assert await tables.whose_turn(done.table) == (ANN.id, BEN.id)


async def test_a_stand_ins_move_is_not_free_again_after_an_undo_of_what_followed(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await tables.play_computer(table.id, 0, "take 1", for_absent=True)
    await tables.play(table.id, BEN.id, "take 2")
    assert (await tables.undos.undo(table.id, BEN.id)).waiting == ()
    assert (await tables.undos.undo(table.id, ANN.id)).waiting == (BEN.id, CY.id)


async def test_all_others_have_to_agree_after_another_seat_has_acted(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    asked = await tables.undos.undo(table.id, ANN.id)
    assert asked.waiting == (BEN.id, CY.id)
    version = asked.table.version
    assert (await tables.undos.agree(table.id, BEN.id, ANN.id, version)).waiting == (CY.id,)
    assert (await tables.table(table.id)).version == version
    done = await tables.undos.agree(table.id, CY.id, ANN.id, version)
    assert done.table.version == version + 1
    assert [entry.seat for entry in await log_of(tables, table)] == [CHANCE]


async def test_an_agreement_whose_undo_fails_can_be_given_again(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    await tables.undos.agree(table.id, BEN.id, ANN.id, version)
    failures = [True]
    cut_off(monkeypatch, store, "write", lambda: bool(failures) and failures.pop())
    with pytest.raises(StoreError):
        await tables.undos.agree(table.id, CY.id, ANN.id, version)
    (question,) = await tables.undos.questions(await tables.snapshot(table.id))
    assert question.waiting == (CY.id,)
    assert (await tables.undos.agree(table.id, CY.id, ANN.id, version)).table.version == version + 1


async def test_the_last_two_may_agree_at_once(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    both = (tables.undos.agree(table.id, user.id, ANN.id, version) for user in (BEN, CY))
    await asyncio.gather(*both, return_exceptions=True)
    assert (await tables.table(table.id)).version == version + 1


async def test_a_refusal_stands_until_the_next_version(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    await tables.undos.agree(table.id, BEN.id, ANN.id, version)
    await tables.undos.refuse(table.id, CY.id, ANN.id, version)
    for wish in (tables.undos.agree(table.id, CY.id, ANN.id, version), tables.undos.undo(table.id, ANN.id)):
        with pytest.raises(NotAllowed, match="Not everyone agreed"):
            await wish
    await tables.play(table.id, CY.id, "take 3")
    assert (await tables.undos.undo(table.id, ANN.id)).waiting == (BEN.id, CY.id)


async def test_a_question_is_asked_once_and_can_be_withdrawn(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    asked = [await tables.undos.undo(table.id, ANN.id) for _ in range(2)]
    assert [each.waiting for each in asked] == [(BEN.id, CY.id)] * 2
    assert len(await tables.undos.questions(await tables.snapshot(table.id))) == 1
    version = asked[0].table.version
    await tables.undos.refuse(table.id, ANN.id, ANN.id, version)
    with pytest.raises(NotAllowed, match="stopped asking"):
        await tables.undos.agree(table.id, BEN.id, ANN.id, version)


async def test_a_withdrawn_question_waits_for_the_next_move(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    await tables.undos.refuse(table.id, ANN.id, ANN.id, version)
    with pytest.raises(NotAllowed, match="after the next move"):
        await tables.undos.undo(table.id, ANN.id)
    await tables.play(table.id, CY.id, "take 3")
    assert (await tables.undos.undo(table.id, ANN.id)).waiting == (BEN.id, CY.id)


async def test_any_change_of_the_table_voids_a_question(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    await tables.play(table.id, CY.id, "take 3")
    with pytest.raises(Stale):
        await tables.undos.agree(table.id, BEN.id, ANN.id, version)
    with pytest.raises(Stale):
        await tables.undos.undo(table.id, ANN.id, version)


async def test_only_players_of_the_table_undo_agree_or_refuse(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    for wish in (
        tables.undos.undo(table.id, CY.id),
        tables.undos.agree(table.id, CY.id, ANN.id, version),
        tables.undos.refuse(table.id, CY.id, ANN.id, version),
    ):
        with pytest.raises(NotSeated):
            await wish
    with pytest.raises(NotAllowed):  # Ben hasn't asked
        await tables.undos.agree(table.id, ANN.id, BEN.id, version)


async def test_a_player_without_a_move_cannot_undo(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, BEN.id, "take 1")
    with pytest.raises(NotAllowed, match="nothing to undo"):
        await tables.undos.undo(table.id, ANN.id)
    over = (await tables.resign(table.id, ANN.id)).table
    with pytest.raises(WrongPhase, match="is over"):
        await tables.undos.undo(over.id, BEN.id)


async def test_a_repeated_deal_is_the_same(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 2", "keep", "keep")
    dealt = (await log_of(tables, table))[-1]
    assert dealt.seat is CHANCE
    asked = await tables.undos.undo(table.id, ANN.id)
    await tables.undos.agree(table.id, BEN.id, ANN.id, asked.table.version)
    await in_turn(tables, table, "drop", "keep")
    again = await log_of(tables, table)
    assert again[-1] == dealt
    assert again[-3:-1] == (Entry(0, "drop"), Entry(1, "keep"))


async def test_a_game_with_undone_moves_verifies(tables: Tables) -> None:
    table = (await tables.lobbies.open("pond", {"rounds": 2}, ANN, (await started(tables, ANN, BEN)).place)).table
    await tables.lobbies.sit(table.id, BEN)
    table = (await tables.lobbies.start(table.id, ANN.id)).table
    backs = 0
    while users := await tables.whose_turn(table):
        moves = (await tables.look(table.id, users[0])).observation.legal
        table = (await tables.play(table.id, users[0], str(moves[0]), table.version)).table
        if table.version % 5 == 0 and table.status == "playing":
            other = BEN.id if users[0] == ANN.id else ANN.id
            done = await tables.undos.undo(table.id, users[0], table.version)
            if done.waiting:
                done = await tables.undos.agree(table.id, other, users[0], table.version)
            assert done.waiting == ()
            backs += 1
            table = (await tables.play(table.id, users[0], str(moves[-1]))).table
    assert backs > 10
    verify(await tables.transcript(table.id))


async def test_every_press_from_before_an_undo_is_stale(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "take 1", table.version)
    undone = (await tables.undos.undo(table.id, ANN.id)).table
    for seen in range(undone.version):
        for person in (ANN, BEN):
            with pytest.raises(Stale):
                await tables.play(table.id, person.id, "take 3", seen)
    await tables.play(table.id, BEN.id, "take 3", undone.version)
    receipt = await tables.play(table.id, ANN.id, "take 2", undone.version)  # Ben acted at the same time
    assert receipt.table.version == undone.version + 2


async def test_a_double_press_on_undo_undoes_one_move(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.table(table.id)).version
    results = await asyncio.gather(
        *(tables.undos.undo(table.id, BEN.id, version) for _ in range(3)), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Stale", "Stale", "Undoing"]
    assert (await log_of(tables, table))[1:] == (Entry(0, "take 1"),)


async def test_another_process_sees_an_undo_and_refuses_older_presses(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN)
    async with await database.open() as other_store:
        others = make_tables(other_store)
        played = (await tables.play(table.id, ANN.id, "take 1")).table
        assert (await others.look(table.id, ANN.id)).may_undo
        await tables.undos.undo(table.id, ANN.id)
        with pytest.raises(Stale):
            await others.play(table.id, BEN.id, "take 2", played.version)
        assert await others.whose_turn(await others.table(table.id)) == (ANN.id, BEN.id)
        assert await log_of(others, table) == await log_of(tables, table)


async def test_a_question_and_its_answers_survive_a_restart(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    version = (await tables.undos.undo(table.id, ANN.id)).table.version
    await tables.undos.agree(table.id, BEN.id, ANN.id, version)
    async with await database.open() as store:
        done = await make_tables(store).undos.agree(table.id, CY.id, ANN.id, version)
    assert done.waiting == ()
