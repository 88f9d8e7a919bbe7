"""Tests of stored messages, and of leases."""

import asyncio
import logging
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from bot.records.live_message import Kind, LiveMessage, Stage
from bot.records.table import Place
from bot.store.bot_processes import Holder
from bot.store.store import Store
from tests.databases import Database
from tests.live import live_message
from tests.store.lilypads import append, opened


async def test_a_message_is_noted_posted_and_retired_by_the_next_one(store: Store) -> None:
    table = await opened(store)
    noted = await store.messages.note(live_message(table.id, message_id=None))
    assert [message.stage for message in await store.messages.of(table.id)] == [Stage.NOTED]
    first = await store.messages.posted(replace(noted, message_id=100))
    assert await store.messages.of(table.id) == (first,)
    second = await store.messages.posted(live_message(table.id, message_id=101))
    assert await store.messages.of(table.id) == (replace(first, stage=Stage.RETIRING), second)
    await store.messages.forget(first)
    assert await store.messages.of(table.id) == (second,)


async def test_messages_of_other_slots_stay_live(store: Store) -> None:
    table = await opened(store)
    others = [
        await store.messages.posted(live_message(table.id, kind, user_id))
        for kind, user_id in (("hand", 7), ("hand", 8), ("ping", None), ("question", 7))
    ]
    board = await store.messages.posted(live_message(table.id))
    assert await store.messages.of(table.id) == (*others, board)


async def test_each_deal_of_a_table_has_a_score_that_stays_live(store: Store) -> None:
    table = await opened(store)
    first = await store.messages.posted(live_message(table.id, "score", deal=0))
    second = await store.messages.posted(live_message(table.id, "score", deal=1))
    assert await store.messages.of(table.id) == (first, second)


async def test_a_replaced_board_becomes_a_score(store: Store) -> None:
    table = await opened(store)
    old = await store.messages.posted(live_message(table.id, message_id=100))
    board = await store.messages.posted(live_message(table.id, message_id=101))
    score = await store.messages.posted(replace(old, kind=Kind.SCORE, deal=1))
    assert await store.messages.of(table.id) == (score, board)
    assert (score.stage, score.slot) == (Stage.LIVE, (Kind.SCORE, None, 1))


async def test_an_update_leaves_the_stage_as_it_is(store: Store) -> None:
    table = await opened(store)
    first = await store.messages.posted(live_message(table.id, message_id=100))
    await store.messages.posted(live_message(table.id, message_id=101))
    await store.messages.update(replace(first, content="new", stage=Stage.LIVE))
    retired, _ = await store.messages.of(table.id)
    assert (retired.content, retired.stage) == ("new", Stage.RETIRING)


async def test_a_forgotten_message_is_not_brought_back_by_an_update(store: Store) -> None:
    table = await opened(store)
    message = await store.messages.posted(live_message(table.id))
    await store.messages.forget(message)
    await store.messages.update(replace(message, content="new"))
    assert await store.messages.of(table.id) == ()


async def test_a_lazy_update_is_written_with_the_next_commit(store: Store, database: Database) -> None:
    table = await opened(store)
    message = await store.messages.posted(live_message(table.id))
    store.messages.update_soon(replace(message, content="new"))
    await append(store, table, [], at=1.0)
    assert await database.rows("SELECT content FROM messages") == [("new",)]


async def test_the_next_reader_sees_a_lazy_update(store: Store) -> None:
    table = await opened(store)
    message = await store.messages.posted(live_message(table.id))
    store.messages.update_soon(replace(message, content="new"))
    assert [each.content for each in await store.messages.of(table.id)] == ["new"]


async def test_a_message_that_two_processes_have_edited_is_of_unknown_content(store: Store, database: Database) -> None:
    table = await opened(store)
    hand = await store.messages.posted(live_message(table.id, "hand", 7, content="old", message_id=5, version=1))
    async with await database.open() as other:
        other.messages.update_soon(replace(hand, content="answer", version=2), was_at=1)
        assert [each.content for each in await other.messages.of(table.id)] == ["answer"]
        store.messages.update_soon(replace(hand, content="edit", version=3), was_at=1)
        assert [(each.content, each.version) for each in await store.messages.of(table.id)] == [(None, 3)]
        other.messages.update_soon(replace(hand, content="again", version=3), was_at=3)
        assert [each.content for each in await other.messages.of(table.id)] == ["again"]


async def test_a_failed_update_is_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    table = await opened(store)
    message = await store.messages.posted(live_message(table.id))
    with caplog.at_level(logging.WARNING):
        store.messages.update_soon(replace(message, version=2**64))
        assert await store.messages.of(table.id) == (message,)
    assert "an edited message could not be recorded" in caplog.text


async def test_the_content_of_outdated_messages_is_unknown(store: Store) -> None:
    behind, current = await opened(store), await opened(store, "Coot")
    for table in (behind, current):
        await store.messages.posted(live_message(table.id, content="shown", notified=(7,)))
    await append(store, behind, [], at=1.0)
    await store.messages.doubt_stale()
    assert [message.content for message in await store.messages.of(behind.id)] == [None]
    assert [message.notified for message in await store.messages.of(behind.id)] == [()]
    assert [message.content for message in await store.messages.of(current.id)] == ["shown"]


async def test_a_board_that_was_about_to_be_posted_keeps_whom_it_pings(store: Store) -> None:
    table = await opened(store)
    await store.messages.note(live_message(table.id, stage=Stage.NOTED, message_id=None, notified=(7,)))
    await append(store, table, [], at=1.0)
    await store.messages.doubt_stale()
    assert [message.notified for message in await store.messages.of(table.id)] == [(7,)]


async def test_messages_of_other_shards_stay_known(store: Store) -> None:
    table = await opened(store, place=Place(3 << 22, 1))
    await store.messages.posted(live_message(table.id, content="shown", notified=(7,)))
    await append(store, table, [], at=1.0)
    await store.messages.doubt_stale({0, 2}, 4)
    assert [(each.content, each.notified) for each in await store.messages.of(table.id)] == [("shown", (7,))]
    await store.messages.doubt_stale({1, 3}, 4)
    assert [message.content for message in await store.messages.of(table.id)] == [None]
    assert await store.lists.of_shards({table.id, 99}, {1, 3}, 4) == {table.id}
    assert await store.lists.of_shards({table.id}, {0, 2}, 4) == set()


async def test_the_boards_to_check_are_the_latest_of_one_shard(store: Store) -> None:
    first, second = [await opened(store, name, place=Place(3 << 22, 1)) for name in ("Heron", "Ibis")]
    other = await opened(store, "Jay", place=Place(2 << 22, 2))
    for at, table in enumerate((first, second, other)):
        await append(store, table, at=10.0 + at)
    assert await store.lists.latest_of_shard(3, 4, 2) == [second.id, first.id]
    assert await store.lists.latest_of_shard(3, 4, 1) == [second.id]
    assert await store.lists.latest_of_shard(2, 4, 1) == [other.id]


async def test_nonces_are_those_of_recorded_messages_and_of_messages_being_posted(store: Store) -> None:
    table = await opened(store)
    for message_id, nonce in ((100, 1), (101, 2)):
        await store.messages.posted(live_message(table.id, message_id=message_id, nonce=nonce))
    await store.messages.note(live_message(table.id, message_id=None, nonce=3))
    assert set(await store.messages.nonces([100, 7])) == {1, 3}


async def test_restored_are_the_messages_of_open_tables_except_scores(store: Store) -> None:
    tables = [await opened(store, f"Heron {number}") for number in range(3)]
    for table in tables:
        await store.messages.posted(live_message(table.id, content="shown", notified=(7,)))
        await store.messages.posted(live_message(table.id, "score", content="shown"))
    await append(store, tables[2], at=1.0, status="closed")

    async def restored() -> list[int]:
        return [each.subject_id for table in tables for each in await store.messages.of(table.id) if each.is_restored]

    await store.messages.mark_restored(tables[1].id)
    assert await restored() == [tables[1].id]
    await store.messages.mark_restored()
    assert await restored() == [tables[0].id, tables[1].id]
    (board, _score) = await store.messages.of(tables[0].id)
    assert (board.content, board.notified) == (None, (7,))


async def test_a_reminder_changes_nothing_else_in_a_record(store: Store) -> None:
    table = await opened(store)
    hand = await store.messages.posted(live_message(table.id, "hand", 7, content="shown", notified=(7,)))
    board = await store.messages.posted(live_message(table.id, content="old", notified=(7,)))
    store.messages.update_soon(newer := replace(board, content="new", version=2, notified=(7, 8)))
    assert await store.waits.claim_step(table, 1.0, 1, pings=True)
    assert await store.messages.of(table.id) == (replace(hand, reminders=1), replace(newer, notified=(), reminders=1))


async def test_a_step_without_pings_is_no_reminder(store: Store) -> None:
    table = await opened(store)
    board = await store.messages.posted(live_message(table.id, notified=(7,)))
    assert await store.waits.claim_step(table, 1.0, 1)
    assert await store.messages.of(table.id) == (board,)


async def test_records_of_pings_before_a_reminder_do_not_undo_it(store: Store) -> None:
    table = await opened(store)
    board = await store.messages.posted(live_message(table.id))
    ping = await store.messages.note(live_message(table.id, "ping", notified=(7,), reminders=board.reminders))
    assert await store.waits.claim_step(table, 1.0, 1, pings=True)
    await store.messages.update(replace(board, notified=(7,)))
    await store.messages.posted(ping)
    await store.messages.posted(live_message(table.id, "question", 7, notified=(7,), reminders=board.reminders))
    board, ping, question = await store.messages.of(table.id)
    assert [each.notified for each in (board, ping, question)] == [(), (), (7,)]
    await store.messages.update(replace(board, notified=(7,)))
    assert [each.notified for each in await store.messages.of(table.id)] == [(7,), (), (7,)]


async def test_a_record_from_before_a_reminder_does_not_undo_its_pings(store: Store) -> None:
    table = await opened(store)
    old = await store.messages.posted(live_message(table.id))
    assert await store.waits.claim_step(table, 1.0, 1, pings=True)
    (board,) = await store.messages.of(table.id)
    await store.messages.update(replace(board, notified=(7,)))
    await store.messages.update(replace(old, content="new"))
    (board,) = await store.messages.of(table.id)
    assert (board.content, board.notified) == ("new", (7,))


async def test_a_new_message_counts_for_the_reminders_so_far(store: Store) -> None:
    table = await opened(store)
    for steps in (1, 2):
        assert await store.waits.claim_step(table, 1.0, steps, pings=True)
    posted = await store.messages.posted(live_message(table.id, notified=(7,)))
    assert await store.messages.of(table.id) == (posted,)


@pytest.mark.parametrize(
    ("incomplete", "messages"),
    [
        (True, lambda _: []),
        (False, lambda table: [live_message(table)]),
        (False, lambda table: [live_message(table), live_message(table, "hand", 7, version=0)]),
        (True, lambda table: [live_message(table, version=0)]),
        (True, lambda table: [live_message(table, message_id=100), live_message(table, message_id=101)]),
    ],
    ids=["no board", "a board", "a hand nobody waits for", "an old board", "a board to be removed"],
)
async def test_tables_whose_messages_are_incomplete_are_found(
    store: Store, *, incomplete: bool, messages: Callable[[int], list[LiveMessage]]
) -> None:
    table = await opened(store)
    for message in messages(table.id):
        await store.messages.posted(message)
    assert await store.messages.to_reconcile() == ((table.id,) if incomplete else ())


async def test_the_tables_of_messages_are_found(store: Store) -> None:
    one, two = await opened(store), await opened(store, "Coot")
    await store.messages.posted(live_message(one.id, message_id=100))
    await store.messages.posted(live_message(two.id, message_id=101))
    assert [each.subject_id for each in await store.messages.among([100, 102])] == [one.id]


# ---- leases


ONE, TWO, THREE = Holder("one", "here", 11), Holder("two", "there", 22), Holder("three")


async def test_a_lease_belongs_to_one_process_until_it_is_released(store: Store) -> None:
    assert await store.leases.acquire({0, 1}, ONE, 60, 4)
    assert await store.leases.acquire({0, 1}, ONE, 60, 4)
    assert await store.leases.acquire({2, 3}, TWO, 60, 4)
    assert not await store.leases.acquire({1, 2}, THREE, 60, 4)
    assert sorted(await store.leases.holders({1, 2}, "three", 4)) == [(ONE, 4), (TWO, 4)]
    await store.leases.release("one")
    assert await store.leases.holders({1, 2}, "three", 4) == [(TWO, 4)]
    assert await store.leases.acquire({0, 1}, THREE, 60, 4)


async def test_a_process_gets_all_of_its_leases_or_none(store: Store) -> None:
    assert await store.leases.acquire({1}, ONE, 60, 4)
    assert not await store.leases.acquire({0, 1}, TWO, 60, 4)
    assert await store.leases.acquire({0}, THREE, 60, 4)


async def test_an_expired_lease_can_be_taken(store: Store) -> None:
    await store.leases.acquire({0}, ONE, -1)
    assert await store.leases.holders({0}, "two") == []
    assert await store.leases.acquire({0}, TWO, 60)
    assert not await store.leases.acquire({0}, ONE, 60)


async def test_only_one_of_several_processes_gets_a_lease(database: Database) -> None:
    async with await database.open() as first, await database.open() as second:
        tries = [store.leases.acquire({0}, each, 60) for each in (ONE, TWO, THREE) for store in (first, second)]
        assert sum(await asyncio.gather(*tries)) == 2  # one process, by both connections


async def test_nobody_gets_a_lease_while_others_count_another_number_of_shards(store: Store) -> None:
    assert await store.leases.acquire({0}, ONE, -1, 4)
    assert await store.leases.acquire({1}, TWO, 60, 16)
    assert not await store.leases.acquire({5}, THREE, 60, 8)
    assert await store.leases.holders({5}, "three", 8) == [(TWO, 16)]
    assert await store.leases.holders({5}, "three", 16) == []


async def test_a_dead_process_leaves_its_leases_and_its_share_to_others(store: Store) -> None:
    for each, shard in ((ONE, 0), (TWO, 1)):
        assert await store.leases.acquire({shard}, each, 60, 2)
        await store.bot_processes.renew(each.process, "", 0, 46, 60)
    await store.leases.end("one")
    assert await store.leases.acquire({0}, THREE, 60, 2)
    assert not await store.leases.acquire({0, 1}, THREE, 60, 2)
    assert (await store.bot_processes.renew("three", "", 0, 46, 60)).fair == 23
    await store.leases.end_all()
    assert await store.leases.acquire({0, 1}, THREE, 60, 2)
    assert (await store.bot_processes.renew("three", "", 0, 46, 60)).slots == 46


async def test_requests_to_update_a_table_are_taken_once(store: Store) -> None:
    table = await opened(store)
    for _ in range(2):
        await store.leases.request_update(table.id, table.place.guild_id)
    assert await store.leases.requests() == ((table.id, table.place.guild_id),)
    await store.leases.take_requests([table.id])
    assert await store.leases.requests() == ()
