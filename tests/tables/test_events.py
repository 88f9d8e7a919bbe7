"""Events: the same cards for all, one try each, and nothing published before the day is over everywhere."""

import asyncio
import json
import random
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import permutations

import pytest

from bot import computer
from bot.errors import NotAllowed, NotSeated, WrongPhase
from bot.fairness import event_seed
from bot.games.game import CHANCE
from bot.records.event import Event, daily_name
from bot.records.table import Person, Place, Table
from bot.store.database import Transaction
from bot.store.store import Store
from bot.tables.events import WEEK, form_on, midnight, today
from bot.tables.replays import Vantage
from bot.tables.tables import Tables
from bot.thinking.thinkers import turn_of
from bot.transcript import verify
from tests.databases import Database
from tests.doses import dose
from tests.tables.people import ANN, BEN, Clock, make_tables

DAY = date(2026, 11, 26)
NOON = datetime(2026, 11, 26, 12, tzinfo=UTC).timestamp()
HOUR = 3600.0
COPIED = "game, guild_id, channel_id, opened_at, status, version, plies, host_id, changed_at, record"
DMS = {ANN.id: Place(None, 700), BEN.id: Place(None, 800)}


@pytest.fixture
def clock() -> Clock:
    """A clock that shows noon of the day."""
    clock = Clock()
    clock.at = NOON
    return clock


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


async def begun(tables: Tables, person: Person, day: date = DAY, guild_id: int = 1) -> Table:
    """Begin the daily in the time zone of London."""
    return await tables.events.begin(day, person, DMS[person.id], guild_id, midnight(day, UTC))


async def plays(tables: Tables, table_id: int, user_id: int, moves: int = 10_000) -> Table:
    """Let computers make their moves, and an easy one those of the user: so many, or all."""
    table = await tables.table(table_id)
    while table.status == "playing":
        (actor, *_) = sorted(await tables.sitters_to_act(table), key=lambda sitter: sitter.seat)
        if actor.is_computer:
            turn = await turn_of(tables, await tables.look_as_computer(table_id, actor.seat), actor.seat)
            move = computer.choose(table.game, turn.sight.observation, random.Random(turn.seed), turn.level)
            table = (await tables.play_computer(table_id, actor.seat, str(move))).table
        elif moves:
            sight = await tables.look(table_id, user_id)
            move = computer.choose(table.game, sight.observation, random.Random(sight.own_entries), "easy")
            table, moves = (await tables.play(table_id, user_id, str(move))).table, moves - 1
        else:
            break
    return table


@pytest.mark.parametrize("number", range(7))
async def test_equal_moves_meet_equal_replies_on_all_servers(tables: Tables, number: int, store: Store) -> None:
    day = DAY + timedelta(days=number)
    first = await tables.events.begin(day, ANN, DMS[ANN.id], 1, midnight(day, UTC))
    second = await tables.events.begin(day, BEN, DMS[BEN.id], 2, midnight(day, UTC))
    await plays(tables, first.id, ANN.id, 6)
    await plays(tables, second.id, BEN.id, 6)
    ours, theirs = await store.log(first.id), await store.log(second.id)
    assert ours is not None
    assert theirs is not None
    assert len(ours.entries) > 6
    assert ours.entries == theirs.entries
    assert first.commitment == second.commitment
    assert {each.level for each in first.sitters if each.is_computer} == {first.level}


def test_each_day_of_the_week_has_its_game() -> None:
    monday = date(2026, 11, 30)
    games = [form_on(monday + timedelta(days=day))[0] for day in range(7)]
    assert games == ["pond", "frogs", "pontis", "pot_black", "pond", "frogs", "pontis"]
    assert games == [form_on(monday + timedelta(weeks=4, days=day))[0] for day in range(7)]


def test_dailies_are_short_and_who_begins_changes() -> None:
    forms = dict(WEEK)
    assert {key: form.decisions for key, form in forms.items() if form.decisions > 26} == {"pond": 32}
    assert forms["pot_black"].options["deals"] == 2
    tuesdays = [forms["frogs"].of_deal((DAY + timedelta(days=5 + week * 7)).toordinal())["first"] for week in range(4)]
    assert sorted(tuesdays) == ["0", "0", "1", "1"]


async def test_there_is_one_try_even_for_those_who_delete_their_data(tables: Tables) -> None:
    await begun(tables, ANN)
    with pytest.raises(NotAllowed, match="only one try"):
        await begun(tables, ANN, guild_id=2)
    await tables.privacy.forget(ANN.id)
    with pytest.raises(NotAllowed, match="only one try"):
        await begun(tables, ANN)
    (result,) = await tables.events.records.results("daily 2026-11-26")
    assert (result.user_id, result.name, result.score) == (None, "", None)


async def test_a_begun_try_can_be_finished_three_hours_after_midnight(tables: Tables, clock: Clock) -> None:
    table = await begun(tables, ANN)
    assert table.finish_by == midnight(DAY, UTC) + 3 * HOUR
    await plays(tables, table.id, ANN.id, 2)
    clock.at = midnight(DAY, UTC)
    await tables.events.close_due()
    with pytest.raises(NotAllowed, match="over"):
        await begun(tables, BEN)
    clock.at += 3 * HOUR - 1
    await tables.events.close_due()
    assert (await plays(tables, table.id, ANN.id, 1)).status == "playing"
    clock.at += 1
    await tables.events.close_due()
    assert (await tables.table(table.id)).ended == "closed"
    result = await tables.events.records.result("daily 2026-11-26", ANN.id)
    assert result is not None
    assert (result.score, result.is_open) == (None, False)


async def test_a_try_begun_a_minute_before_midnight_counts_when_it_is_finished(tables: Tables, clock: Clock) -> None:
    clock.at = midnight(DAY, UTC) - 60
    table = await begun(tables, ANN)
    clock.at += 2 * HOUR
    await tables.events.close_due()
    await plays(tables, table.id, ANN.id)
    result = await tables.events.records.result("daily 2026-11-26", ANN.id)
    assert result is not None
    assert result.score is not None
    assert result.streak == 1


async def test_the_secret_stays_hidden_while_the_last_one_in_the_world_finishes(tables: Tables, clock: Clock) -> None:
    clock.at = (ends_at := midnight(DAY, timezone(timedelta(hours=-12)))) - 60
    table = await tables.events.begin(DAY, ANN, DMS[ANN.id], 1, ends_at)
    clock.at = ends_at + HOUR
    await tables.events.close_due()
    assert (await event_of(tables)).secret is None
    await plays(tables, table.id, ANN.id)
    await tables.events.close_due()
    assert (await event_of(tables)).secret is not None


async def test_nothing_is_published_before_the_day_is_over_everywhere(
    tables: Tables, clock: Clock, database: Database
) -> None:
    table = await plays(tables, (await begun(tables, ANN)).id, ANN.id)
    assert (table.status, table.seed, table.is_revealed) == ("over", None, False)
    seed, secret = (await tables.events.seed(await event_of(tables))).hex(), await secret_of(database)
    for at in (midnight(DAY, UTC), midnight(DAY, timezone(timedelta(hours=-12))) - 1):
        clock.at = at
        await tables.events.close_due()
        for refused in (
            tables.transcript(table.id),
            tables.transcript(table.id, unfinished=True),
            tables.replays.entries(table.id, 3),
            tables.replays.recollection(table.id, 3),
        ):
            with pytest.raises(WrongPhase, match="Others may still play"):
                await refused
        decided = await tables.replays.decisions(table.id, ANN.id)
        assert decided
        assert {each.observation.seat for each in decided} == {0}
        with pytest.raises(NotSeated):
            await tables.replays.decisions(table.id, BEN.id)
        with pytest.raises(NotAllowed, match="other hands"):
            await tables.replays.look(table.id, ANN.id, view=Vantage.EVERYONE)
        assert (await tables.replays.look(table.id, ANN.id)).views == (Vantage.PUBLIC, 0)
        stored = repr((await tables.table(table.id), await event_of(tables)))
        kept = json.dumps(await tables.personal_data.kept(ANN.id))
        for text in (stored, kept):
            assert seed not in text
            assert secret.hex() not in text
        assert (await tables.personal_data.kept(ANN.id))["events"][0]["table_id"] == table.id
    clock.at += 1
    await tables.events.close_due()
    event, table = await event_of(tables), await tables.table(table.id)
    assert event.secret == secret.hex()
    assert table.seed == event_seed(secret, table.game, 0).hex()
    assert (await tables.replays.look(table.id, ANN.id)).view is Vantage.EVERYONE
    transcript = await tables.transcript(table.id)
    verify(transcript, table.commitment)
    assert transcript.notes[0] == "event daily 2026-11-26, deal 0"
    assert transcript.entries[0].seat is CHANCE


async def event_of(tables: Tables) -> Event:
    """Return the daily of the day."""
    event = await tables.events.records.event("daily 2026-11-26")
    assert event is not None
    return event


async def secret_of(database: Database) -> bytes:
    """Return the secret of the only event."""
    ((secret,),) = await database.rows("SELECT secret FROM events")
    return bytes(secret)


async def test_the_day_closes_only_when_all_its_tables_have_ended(tables: Tables, clock: Clock, store: Store) -> None:
    table = await begun(tables, ANN)
    clock.at = midnight(DAY, timezone(timedelta(hours=-12))) + 3 * HOUR
    assert await store.events.close_due(clock.at) == 0
    assert (await event_of(tables)).secret is None
    await tables.events.close_due()
    assert (await event_of(tables)).secret is not None
    assert (await tables.table(table.id)).seed is not None


async def copied(db: Transaction) -> None:
    """Copy the only table, and its try, to a thousand."""
    await db.execute(
        f"""WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
        INSERT INTO tables ({COPIED}, name, number) SELECT {COPIED}, name || n, n FROM tables, numbers"""  # noqa: S608
    )
    await db.execute(
        "INSERT INTO secrets SELECT tables.id, seed FROM tables, secrets WHERE tables.id > secrets.table_id"
    )
    await db.execute(
        """INSERT INTO entries (table_id, ply, seat, move, at)
        SELECT tables.id, ply, seat, move, at FROM tables, entries WHERE tables.id > table_id"""
    )
    await db.execute(
        """INSERT INTO event_results (event, player, user_id, played, ends_at)
        SELECT event, player || id, user_id + id, id, ends_at FROM tables, event_results WHERE id > played"""
    )


async def test_a_thousand_tables_are_revealed_together(tables: Tables, clock: Clock, store: Store) -> None:
    await begun(tables, ANN)
    await store.database.writer.write(copied)
    clock.at = midnight(DAY, timezone(timedelta(hours=-12))) + 3 * HOUR
    await tables.events.close_due()
    every = await store.lists.all()
    assert len(every) == 1000
    assert len({table.seed for table in every}) == 1
    assert all(table.is_revealed for table in every)


async def test_results_and_streaks_are_stored_with_the_end(tables: Tables, clock: Clock) -> None:
    streaks = []
    for number in (0, 1, 3, 5):
        clock.at = NOON + number * 24 * HOUR
        day = today(UTC, clock.at)
        table = await plays(tables, (await begun(tables, ANN, day)).id, ANN.id)
        result = await tables.events.records.result(f"daily {day}", ANN.id)
        assert result is not None
        assert table.outcome is not None
        ahead = table.outcome.scores[0] - max(table.outcome.scores[1:])
        assert result.score == ahead
        streaks.append(result.streak)
        clock.at += 48 * HOUR
        await tables.events.close_due()
    assert streaks == [1, 2, 3, 2]


@pytest.mark.parametrize("order", [*permutations(range(3))])
async def test_a_streak_follows_from_the_days_in_whatever_order(
    tables: Tables, clock: Clock, order: tuple[int, ...]
) -> None:
    # The server is in UTC, then moves to where it is the day after, and direct messages are further ahead.
    zones = (UTC, timezone(timedelta(hours=10)), timezone(timedelta(hours=14)))
    before = DAY - timedelta(days=1)
    clock.at = midnight(before, zones[0]) - 60
    days = [before, DAY, DAY + timedelta(days=1)]
    games = [await tables.events.begin(days[0], ANN, DMS[ANN.id], 1, midnight(days[0], zones[0]))]
    clock.at += 120
    games += [await tables.events.begin(days[1], ANN, DMS[ANN.id], 2, midnight(days[1], zones[1]))]
    clock.at += 120
    games += [await tables.events.begin(days[2], ANN, DMS[ANN.id], None, midnight(days[2], zones[2]))]
    for number in order:
        assert (await plays(tables, games[number].id, ANN.id)).status == "over"
    results = [await tables.events.records.result(daily_name(day), ANN.id) for day in days]
    assert [result and result.streak for result in results] == [1, 2, 3]


async def test_a_day_that_was_not_finished_is_a_day_of_rest(tables: Tables, clock: Clock) -> None:
    first = await begun(tables, ANN)
    second = await tables.events.begin(DAY + timedelta(days=1), ANN, DMS[ANN.id], None, clock.at + HOUR)
    third = await tables.events.begin(DAY + timedelta(days=2), ANN, DMS[ANN.id], None, clock.at + HOUR)
    for table in (third, first):
        await plays(tables, table.id, ANN.id)
    await tables.resign(second.id, ANN.id)
    for number, streak in ((0, 1), (1, 0), (2, 2)):
        result = await tables.events.records.result(daily_name(DAY + timedelta(days=number)), ANN.id)
        assert result is not None
        assert result.streak == streak


async def test_a_streak_goes_on_when_its_first_days_have_been_deleted(
    tables: Tables, clock: Clock, store: Store
) -> None:
    for number in range(3):
        clock.at = NOON + number * 24 * HOUR
        await plays(tables, (await begun(tables, ANN, DAY + timedelta(days=number))).id, ANN.id)
    clock.at = NOON + 3 * 24 * HOUR
    await tables.events.close_due()
    await store.events.delete_closed(midnight(DAY + timedelta(days=1), UTC))
    day = DAY + timedelta(days=3)
    await plays(tables, (await begun(tables, ANN, day)).id, ANN.id)
    result = await tables.events.records.result(daily_name(day), ANN.id)
    assert result is not None
    assert result.streak == 4


async def test_each_computer_has_one_result(tables: Tables, store: Store) -> None:
    name = (await tables.events.daily(DAY)).name
    for number, score in enumerate((-5, 0, 0, 7)):
        await store.events.note_field(name, number, score)
        await store.events.note_field(name, number, 99)
    results = await tables.events.records.results(name)
    assert [result.score for result in results] == [-5, 0, 0, 7]
    assert all(result.is_computer for result in results)
    assert await store.events.field_left(name, 6) == [4, 5]


async def test_who_resigns_or_leaves_has_no_result(tables: Tables) -> None:
    table = await begun(tables, ANN)
    await tables.resign(table.id, ANN.id)
    await plays(tables, table.id, ANN.id)
    result = await tables.events.records.result("daily 2026-11-26", ANN.id)
    assert result is not None
    assert result.score is None


async def test_nobody_can_change_the_deal(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stays(table: Table) -> Table:
        return table

    monkeypatch.setattr(tables.events, "resume", stays)  # as if the program had been killed before the start
    table = await begun(tables, ANN)
    for changing in (
        tables.hints.allow(table.id, ANN.id, "on"),
        tables.lobbies.cut(table.id, ANN.id, "mine"),
        tables.lobbies.set_options(table.id, ANN.id, {}, "live"),
        tables.lobbies.remove(table.id, ANN.id, 1),
        tables.lobbies.sit_with(table.id, ANN.id, 1, table.version),
        tables.lobbies.sit(table.id, BEN),
    ):
        with pytest.raises(NotAllowed, match="Everything is fixed"):
            await changing
    monkeypatch.undo()
    assert (await tables.events.resume(table)).status == "playing"


async def test_old_events_are_deleted(tables: Tables, clock: Clock) -> None:
    await plays(tables, (await begun(tables, ANN)).id, ANN.id)
    clock.at += 400 * 24 * HOUR
    await tables.events.close_due()
    await tables.privacy.delete_ended(365 * 24 * HOUR)
    assert await tables.events.records.event("daily 2026-11-26") is None
    assert await tables.events.records.results("daily 2026-11-26") == ()


async def test_a_day_that_ends_during_the_last_move_leaves_a_result_or_none(tables: Tables, clock: Clock) -> None:
    people = [Person(number, f"P{number}") for number in range(50, dose(check=53, test=57))]
    begun = [await tables.events.begin(DAY, each, Place(None, each.id), 1, midnight(DAY, UTC)) for each in people]
    await plays(tables, begun[0].id, people[0].id)
    moves = (await tables.look(begun[0].id, people[0].id)).own_entries
    for table, person in zip(begun[1:], people[1:], strict=True):
        await plays(tables, table.id, person.id, moves - 1)
    clock.at = midnight(DAY, UTC) + 3 * HOUR
    for number, (table, person) in enumerate(zip(begun[1:], people[1:], strict=True)):
        acts = (plays(tables, table.id, person.id, 1), tables.events.close_due())
        await asyncio.gather(*(acts if number % 2 else reversed(acts)), return_exceptions=True)
    await tables.events.close_due()
    results = {each.played: each for each in await tables.events.records.results(daily_name(DAY))}
    for table in begun:
        ended = await tables.table(table.id)
        assert ended.status in {"over", "closed"}
        assert (results[table.id].score is not None) == (ended.status == "over")
        assert not results[table.id].is_open


async def test_no_day_is_played_twice_where_the_time_zone_changes(tables: Tables, clock: Clock) -> None:
    clock.at = midnight(DAY, UTC) - 1800
    zones = [UTC, timezone(timedelta(hours=1)), UTC, timezone(timedelta(hours=-3))]
    days = [today(zone, clock.at) for zone in zones]
    assert days == [DAY, DAY + timedelta(days=1), DAY, DAY]
    for zone, day, is_first in zip(zones, days, (True, True, False, False), strict=True):
        begins = tables.events.begin(day, ANN, DMS[ANN.id], 1, midnight(day, zone))
        if is_first:
            assert (await begins).event == (daily_name(day), 0)
        else:
            with pytest.raises(NotAllowed, match="only one try"):
                await begins
