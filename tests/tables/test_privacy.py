"""Tests of exporting and deleting data of users and servers."""

import random
import re
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.errors import NoSuchTable
from bot.records.live_message import Kind
from bot.records.table import Person, Place
from bot.store.personal_queries import KEPT, USER_COLUMNS
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from bot.tables.deletion import KEPT_AFTER_LEAVING_S
from bot.tables.tables import Tables
from bot.transcript import verify
from tests.databases import Database
from tests.live import live_message
from tests.tables.people import ANN, BEN, CY, HERE, in_turn, make_tables, started, tables_in
from tests.waiting import until

DAY = 24 * 60 * 60.0
ZOE = Person(777_000_777, "Zoe the Unmistakable")


async def test_every_column_with_ids_of_users_is_known(store: Store, database: Database) -> None:
    del store
    columns = [(table, name) for table, names in (await database.columns()).items() for name in names]
    people = ("user", "_by", "by_", "host", "asker", "_for", "person", "member")
    named = {(table, column) for table, column in columns if any(word in column for word in people)}
    named.discard(("leases", "host"))  # a machine
    known = {(table, column) for table, columns in USER_COLUMNS.items() for column in columns}
    assert named <= known
    assert known <= set(columns)


async def test_every_column_about_a_user_is_exported(store: Store, database: Database) -> None:
    del store
    left_out = {
        "entries": {"seat", "stand_in", "level", "seen"},  # those of the table, and of computers
        "event_results": {"player"},  # a keyed hash
        "matches": {"rooms"},  # of the bot's threads
        "messages": {"id", "stage", "nonce", "version", "content", "deal", "notified", "picture", "attachment_id"}
        | {"reminders", "subject"},
        "nights": {"opened_as"},
        "option_sets": {"id", "guild_id"},  # a set is of a user, or of a server
        "results": {"level"},  # of computers
        "taken_back": {"undone_at", "seat"},
    }
    for table, columns in (await database.columns()).items():
        queries = " ".join(query for query in KEPT.values() if re.search(rf"(FROM|JOIN) {table}\b", query))
        if table not in USER_COLUMNS or table in {"tables", "seats"} or "SELECT *" in queries:  # records are read apart
            continue
        named = {column for column in columns if re.search(rf"\b{column}\b", queries)}
        assert set(columns) - named == left_out.get(table, set()), table


async def test_nothing_is_stored_about_a_user_who_never_played(tables: Tables) -> None:
    assert not any((await tables.personal_data.kept(ZOE.id)).values())


async def test_a_player_can_export_seats_moves_and_messages(tables: Tables) -> None:
    table = await started(tables, ZOE, BEN)
    await in_turn(tables, table, "take 1")
    await tables.messages.posted(live_message(table.id, "hand", ZOE.id))
    await tables.users.set_dm_closed(ZOE.id, closed=True)
    kept = await tables.personal_data.kept(ZOE.id)
    (seat,) = kept["seats"]
    assert (seat["table_id"], seat["seat"], seat["name"]) == (table.id, 1, ZOE.name)
    assert [move["move"] for move in kept["moves"]] == ["take 1"]
    assert [message["message_id"] for message in kept["messages"]] == [6]
    assert kept["settings"][0]["dm_closed"] == 1
    assert [hosted["table_id"] for hosted in kept["hosted"]] == [table.id]
    assert str(BEN.id) not in [str(value) for rows in kept.values() for row in rows for value in row.values()]


async def test_a_deleted_user_leaves_no_trace(tables: Tables, database: Database) -> None:
    over = await started(tables, ZOE, BEN)
    await in_turn(tables, over, *["take 1"] * 2)
    await tables.resign(over.id, BEN.id)
    playing = await started(tables, ZOE, BEN, CY)
    await in_turn(tables, playing, "take 1")
    lobby = (await tables.lobbies.open("pebbles", {"players": 3}, BEN, HERE)).table
    await tables.lobbies.sit(lobby.id, ZOE)
    for_guests = (await tables.lobbies.open("pebbles", {}, BEN, HERE)).table
    await tables.guests.invite(for_guests.id, BEN.id, [ZOE.id, CY.id])
    assert [kept["table_id"] for kept in (await tables.personal_data.kept(ZOE.id))["invited_to"]] == [for_guests.id]
    alone = (await tables.lobbies.open("pebbles", {"players": 2}, ZOE, HERE)).table
    for table in (over, playing):
        await tables.messages.posted(live_message(table.id, "hand", ZOE.id))
        await tables.messages.posted(live_message(table.id, "ping", message_id=7, notified=(ZOE.id,)))
    await tables.users.set_dm_closed(ZOE.id, closed=True)
    assert await database.traces(ZOE.id, ZOE.name)

    await tables.privacy.forget(ZOE.id)
    assert await database.traces(ZOE.id, ZOE.name) == []
    assert not any((await tables.personal_data.kept(ZOE.id)).values())
    assert (await tables.table(over.id)).names == ("Player 1", "Ben")
    after = await tables.table(playing.id)
    assert after.status == "playing"
    assert after.names == ("Player 1", "Ben", "Cy")
    assert after.sitters[0].is_computer
    assert after.host_id == BEN.id
    assert [sitter.name for sitter in (await tables.table(lobby.id)).sitters] == ["Ben"]
    assert (await tables.table(alone.id)).status == "closed"
    await tables.lobbies.sit(for_guests.id, CY)
    assert await database.traces(ZOE.id, ZOE.name) == []


@pytest.mark.parametrize("damaged", ["""'{' || record""", """replace(record, '"sitters":', '"sitters":7,"x":')"""])
@pytest.mark.parametrize("has_ended", [False, True])
async def test_a_deleted_user_leaves_no_trace_in_a_damaged_table(
    tables: Tables, store: Store, database: Database, damaged: str, *, has_ended: bool
) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, BEN, HERE)).table
    await tables.lobbies.sit(table.id, ZOE)
    await tables.lobbies.sit(table.id, CY)
    await tables.lobbies.start(table.id, BEN.id)
    await tables.resign(table.id, ZOE.id)
    if has_ended:
        await tables.close(table.id, 99, moderates=HERE.guild_id)
    await store.database.writer.execute(f"UPDATE tables SET record = {damaged}")  # noqa: S608 - constant text
    assert await database.traces(ZOE.id, ZOE.name)
    await tables.privacy.forget(ZOE.id)
    assert await database.traces(ZOE.id, ZOE.name) == []
    if not has_ended:
        assert (await make_tables(store).table(table.id)).status == "closed"


async def test_a_deal_can_be_verified_after_a_player_was_deleted(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ZOE, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.cut(table.id, ZOE.id, "as I like it")
    await tables.lobbies.start(table.id, BEN.id)
    await tables.resign(table.id, BEN.id)
    before = await tables.transcript(table.id)
    await tables.privacy.forget(ZOE.id)
    after = await tables.transcript(table.id)
    assert after.seats == ("Player 1", "Ben")
    assert after.fairness == before.fairness
    assert after.entries == before.entries
    verify(after)


async def test_a_deleted_users_seat_in_play_goes_to_a_computer(tables: Tables) -> None:
    table = await started(tables, ZOE, BEN)
    await tables.privacy.forget(ZOE.id)
    after = await tables.table(table.id)
    assert (after.status, after.outcome, after.sitters[0].is_computer) == ("playing", None, True)


async def test_a_seat_that_was_left_before_its_first_move_is_found(tables: Tables, database: Database) -> None:
    table = await started(tables, ZOE, BEN, CY)
    await tables.resign(table.id, ZOE.id)
    assert (await tables.personal_data.kept(ZOE.id))["seats_left"]
    await tables.privacy.forget(ZOE.id)
    assert await database.traces(ZOE.name) == []


async def test_deleting_a_user_changes_nothing_of_other_users(tables: Tables, database: Database) -> None:
    table = await started(tables, ZOE, BEN)
    await in_turn(tables, table, "take 1", "take 1")
    await tables.privacy.forget(ZOE.id)
    (seat,) = (await tables.personal_data.kept(BEN.id))["seats"]
    assert seat["name"] == "Ben"
    assert len((await tables.personal_data.kept(BEN.id))["moves"]) == 1
    assert await database.traces(BEN.id)


# ---- servers


async def test_a_server_that_the_bot_left_is_deleted_with_its_tables(store: Store, database: Database) -> None:
    clock = [1000.0]
    tables = Tables(store, now=lambda: clock[0])
    there, elsewhere = Place(424_242, 100), Place(2, 200)
    gone = [(await tables.lobbies.open("frogs", {}, ANN, there, 1)).table for _ in range(3)]
    await tables.lobbies.start(gone[0].id, ANN.id)
    stays = (await tables.lobbies.open("frogs", {}, BEN, elsewhere, 1)).table
    direct = (await tables.lobbies.open("frogs", {}, BEN, Place(None, 300), 1)).table
    await tables.privacy.note_left(424_242)
    clock[0] += KEPT_AFTER_LEAVING_S
    assert await tables.privacy.purge() == 0
    clock[0] += 1
    assert await tables.privacy.purge() == len(gone)
    assert await database.traces(424_242) == []
    assert await tables_in(database) == {stays.id, direct.id}
    with pytest.raises(NoSuchTable):
        await tables.table(gone[0].id)


async def test_a_server_that_the_bot_rejoins_keeps_its_tables(store: Store) -> None:
    clock = [1000.0]
    tables = Tables(store, now=lambda: clock[0])
    table = (await tables.lobbies.open("frogs", {}, ANN, HERE, 1)).table
    await tables.privacy.note_guilds([])
    clock[0] += KEPT_AFTER_LEAVING_S - 1
    await tables.privacy.note_guilds([HERE.guild_id or 0])
    clock[0] += KEPT_AFTER_LEAVING_S
    assert await tables.privacy.purge() == 0
    assert (await tables.table(table.id)).is_open


async def test_a_server_with_nothing_but_dailies_and_nights_is_deleted_after_a_missed_removal(
    store: Store, database: Database
) -> None:
    clock = [1000.0]
    tables = Tables(store, now=lambda: clock[0])
    day = date(2026, 11, 28)
    await tables.events.daily(day)
    await tables.messages.open(live_message(424_242, "card", subject="daily", deal=day.toordinal()))
    await tables.nights.plan(ANN, Place(525_252, 100), "pond", 2000.0)
    await tables.privacy.note_guilds([])
    clock[0] += KEPT_AFTER_LEAVING_S + 1
    await tables.privacy.purge()
    assert await database.traces(424_242, 525_252) == []


async def test_a_missed_removal_from_a_server_counts_from_the_next_start(store: Store) -> None:
    clock = [1000.0]
    tables = Tables(store, now=lambda: clock[0])
    await tables.lobbies.open("frogs", {}, ANN, HERE, 1)
    for _ in range(3):
        await tables.privacy.note_guilds([5, 6])
        clock[0] += KEPT_AFTER_LEAVING_S / 2
    assert await tables.privacy.purge() == 1
    assert await tables.lists.open_tables() == ()


async def test_a_process_says_nothing_about_servers_of_other_shards(store: SqliteStore) -> None:
    clock = [1000.0]
    tables = Tables(store, now=lambda: clock[0])
    there = Place(3 << 22, 100)  # on shard 3 of 4
    await tables.lobbies.open("frogs", {}, ANN, there, 1)
    for shards in ({0, 1}, {2}, {3}):
        assert await tables.privacy.purge() == 0
        await tables.privacy.note_guilds([], shards, 4)
        clock[0] += KEPT_AFTER_LEAVING_S + 1
    assert await tables.privacy.purge() == 1


# ---- messages, and the bytes of the files


async def test_a_deleted_user_is_removed_from_the_pings_of_messages(tables: Tables, database: Database) -> None:
    table = await started(tables, ZOE, BEN)
    await tables.resign(table.id, BEN.id)
    await tables.messages.posted(live_message(table.id, notified=(BEN.id, ZOE.id, CY.id)))
    await tables.messages.posted(live_message(table.id, "ping", message_id=7, notified=(BEN.id, ZOE.id)))
    await tables.privacy.forget(ZOE.id)
    assert await database.traces(ZOE.id) == []
    assert [message.notified for message in await tables.messages.of(table.id)] == [(BEN.id, CY.id), (BEN.id,)]


async def test_only_the_channel_of_the_deleted_users_messages_goes(tables: Tables, database: Database) -> None:
    """Guests can't join tables in direct messages any more, but old databases may have some."""
    bens, zoes = 600_600_600, 700_700_700
    table = (await tables.lobbies.open("pebbles", {"players": 3}, BEN, Place(None, bens), 1)).table
    await tables.lobbies.sit(table.id, ZOE)
    await tables.lobbies.start(table.id, BEN.id)
    await tables.messages.posted(live_message(table.id, "hand", ZOE.id, channel_id=zoes))
    await tables.messages.posted(live_message(table.id, "hand", BEN.id, channel_id=bens, message_id=7))
    await tables.privacy.forget(ZOE.id)
    assert await database.traces(ZOE.id, zoes) == []
    assert (await tables.table(table.id)).place == Place(None, bens)


async def test_several_users_with_tables_in_direct_messages_are_deleted(tables: Tables, database: Database) -> None:
    for person, channel_id in ((ANN, 700), (BEN, 800)):
        for _ in range(2):
            await tables.lobbies.open("pebbles", {"players": 2}, person, Place(None, channel_id), 1)
        await tables.privacy.forget(person.id, channel_id)
    assert await database.rows("SELECT DISTINCT channel_id FROM tables") == [(0,)]


async def test_guests_play_on_after_the_host_of_direct_messages_is_deleted(tables: Tables, database: Database) -> None:
    zoes = 700_700_700
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ZOE, Place(None, zoes))).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ZOE.id)
    await tables.play(table.id, BEN.id, "take 1")
    await tables.privacy.forget(ZOE.id, zoes)
    assert await database.traces(ZOE.id, zoes) == []
    await tables.play_computer(table.id, 0, "take 1")
    assert (await tables.table(table.id)).status == "playing"


async def test_a_given_channel_of_direct_messages_is_deleted(tables: Tables, database: Database) -> None:
    zoes = 700_700_700
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ZOE, Place(None, zoes))).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.stand(table.id, ZOE.id)
    await tables.privacy.forget(ZOE.id, zoes)
    assert await database.traces(ZOE.id, zoes) == []


@pytest.mark.parametrize("seed", [0, 2])
async def test_unused_space_in_the_files_has_no_trace_of_a_deleted_user(tmp_path: Path, seed: int) -> None:
    """SQLite leaves copies of rows behind when it moves them between pages."""
    async with await SqliteStore.open(path := tmp_path / "pond.db") as store:
        tables = make_tables(store)
        rng = random.Random(seed)
        zoe, zoes = Person(1_456_074_443_980_800_019, ZOE.name), 1_456_074_443_980_800_777
        for number in range(1, 200):
            if rng.random() < 0.5:
                table = (await tables.lobbies.open("frogs", {}, zoe, Place(None, zoes), 1)).table
            else:
                table = (await tables.lobbies.open("frogs", {}, Person(number, "P" * rng.randint(1, 60)), HERE)).table
                await tables.lobbies.sit(table.id, zoe)
            await tables.lobbies.start(table.id, zoe.id)
            for message in range(rng.randint(0, 3)):
                digest = "x" * rng.randint(0, 200)
                hand = live_message(table.id, "hand", zoe.id, channel_id=zoes, message_id=10 * number + message)
                await tables.messages.posted(replace(hand, content=digest))
                await tables.messages.posted(
                    replace(hand, kind=Kind.PING, user_id=None, channel_id=5, notified=(zoe.id,))
                )
        await tables.privacy.forget(zoe.id)
        kept = b"".join(file.read_bytes() for file in (path, path.with_name(f"{path.name}-wal")))
        forms = [form for number in (zoe.id, zoes) for form in (str(number).encode(), number.to_bytes(8))]
        assert [form for form in (zoe.name.encode(), *forms) if form in kept] == []


async def test_progress_in_lessons_is_kept_exported_and_deleted(tables: Tables) -> None:
    await tables.users.set_lesson_step(ZOE.id, "pond", 10, finished=True)
    await tables.users.set_lesson_step(ZOE.id, "pond", 3, finished=False)
    await tables.users.set_lesson_step(BEN.id, "pond", 1, finished=False)
    assert await tables.users.lesson_step(ZOE.id, "pond") == 3
    assert await tables.users.lesson_step(ZOE.id, "frogs") == 0
    assert (await tables.personal_data.kept(ZOE.id))["lessons"] == [{"game": "pond", "step": 4, "finished": 1}]
    await tables.privacy.forget(ZOE.id)
    assert not any((await tables.personal_data.kept(ZOE.id)).values())
    assert await tables.users.lesson_step(BEN.id, "pond") == 1


def vacuums(path: Path) -> int:
    """Return how often the file was vacuumed: a vacuum counts as a change of the schema."""
    with closing(sqlite3.connect(path)) as connection:
        ((version,),) = connection.execute("PRAGMA schema_version")
    return int(version)


async def test_data_deleted_again_and_again_has_the_database_vacuumed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe, path = Person(1_456_074_443_980_800_019, ZOE.name), tmp_path / "pond.db"

    async def deletes(store: SqliteStore) -> None:
        tables = make_tables(store)
        for _ in range(5):
            await tables.lobbies.open("pebbles", {}, zoe, HERE)
            await tables.privacy.forget(zoe.id)
            kept = b"".join(file.read_bytes() for file in (path, path.with_name(f"{path.name}-wal")))
            assert [form for form in (zoe.name.encode(), zoe.id.to_bytes(8)) if form in kept] == []

    async with await SqliteStore.open(path) as store:
        before = vacuums(path)
        await deletes(store)
        assert vacuums(path) == before + 1
    assert vacuums(path) == before + 2  # what is due is done before the database is closed
    monkeypatch.setattr("bot.store.personal_data.VACUUM_PAUSE_S", 0.5)
    async with await SqliteStore.open(path) as store:
        await deletes(store)
        await until(lambda: vacuums(path) >= before + 4)
