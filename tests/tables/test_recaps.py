"""Recaps: the days on which they are due, and figures that transcripts have, too."""

from collections import Counter
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.ratings import season_points
from bot.records.preference import Server, UserSettings
from bot.records.standing import Best, Bests, Recap, Year
from bot.store.store import Store
from bot.tables.recaps import latest_day
from bot.tables.tables import Tables
from tests.tables.people import ANN, BEN, CY, make_tables
from tests.tables.test_results import exported, played

EVER = 1e12


@pytest.mark.parametrize(
    ("weekday", "zone", "at", "day"),
    [
        (3, "UTC", "2026-11-26T09:00", "2026-11-26"),
        (3, "UTC", "2026-11-26T08:59", "2026-11-19"),
        (4, "UTC", "2026-11-26T12:00", "2026-11-20"),
        (3, "Pacific/Kiritimati", "2026-11-25T19:00", "2026-11-26"),
        (6, "Europe/Berlin", "2026-10-25T07:59", "2026-10-18"),  # the day on which summer time ends
        (6, "Europe/Berlin", "2026-10-25T08:00", "2026-10-25"),
    ],
)
def test_a_recap_is_due_on_its_day_at_nine(weekday: int, zone: str, at: str, day: str) -> None:
    assert latest_day(weekday, ZoneInfo(zone), timestamp(at)) == date.fromisoformat(day)


async def test_the_figures_are_those_of_the_transcripts(tables: Tables) -> None:
    ended = [await played(tables, ANN, BEN, keep=at, computers=computers) for at, computers in ((0, 0), (1, 0), (1, 1))]
    recap = await tables.standings.recap(1, 0.0, EVER)
    transcripts = await exported(tables, ended)
    names = [
        [thing["seats"][at] for at, place in enumerate(thing["outcome"]["places"]) if place == 1]
        for thing in transcripts
        if set(thing["outcome"]["places"]) != {1}
    ]
    won = Counter(name for each in names for name in each if name in {"Ann", "Ben"})
    (game,) = recap.played
    assert (game.game, game.games, dict(game.wins)) == ("pebbles", len(transcripts), dict(won))
    assert set(recap.newcomers) == {"Ann", "Ben"}
    bests = await tables.standings.bests(1, "pebbles")
    assert (recap.bests.catch, recap.bests.closest) == (bests.catch, bests.closest)


async def test_games_against_computers_are_counted_apart(tables: Tables) -> None:
    for person, keep in ((ANN, 0), (BEN, 0), (ANN, 0), (ANN, None)):
        await played(tables, person, keep=keep, computers=1)
    ended = await played(tables, ANN, BEN, keep=1, computers=1)
    now = datetime.fromtimestamp(ended.changed_at, UTC)
    (game,) = (await tables.standings.recap(1, 0.0, EVER)).played
    assert (game.games, game.computer_games) == (5, 4)
    assert (game.wins, game.computer_wins) == ((("Ben", 1),), (("Ann", 2), ("Ben", 1)))
    year = await tables.recaps.of_year(1, now.year)
    assert (year.games, year.computer_games) == ((("pebbles", 5),), 4)
    assert (year.wins, year.computer_wins) == (game.wins, game.computer_wins)
    for bests in (await tables.standings.bests(1, "pebbles"), year.bests):
        assert bests.apart is not None
        assert bests.catch is bests.streak is bests.apart.streak is None  # of one game, and of two wins
        assert bests.apart.catch is not None
        assert bests.apart.catch.names == ("Ann",)


async def test_records_need_three_games_of_two_people_and_streaks_three_wins(tables: Tables) -> None:
    for n in range(2):
        await played(tables, ANN, BEN, keep=0)
        assert await tables.standings.bests(1, "pebbles") == Bests(apart=Bests()), n
    await played(tables, ANN, BEN, keep=0)
    bests = await tables.standings.bests(1, "pebbles")
    assert bests.catch is not None
    assert bests.streak is not None
    assert (bests.catch.names, bests.streak) == (("Ann",), Best(("Ann",), 3))


@pytest.mark.parametrize(
    ("places", "points"),
    [((1, 2), (3.0, 0.0)), ((1, 1), (1.5, 1.5)), ((1, 2, 2, 4), (3.0, 1.5, 1.5, 0.0)), ((1, 2, 3), (3.0, 1.5, 0.0))],
)
def test_a_game_of_a_season_is_worth_three_points_for_beating_all(
    places: tuple[int, ...], points: tuple[float, ...]
) -> None:
    by_side = dict(enumerate(places))
    assert tuple(season_points(side, by_side) for side in by_side) == points


async def test_the_average_orders_a_season_and_four_games_make_a_place(tables: Tables, store: Store) -> None:
    for keep in (0, 0, 0, 1):
        ended = await played(tables, ANN, BEN, keep=keep)
    await played(tables, ANN, CY, keep=None)
    await played(tables, ANN, keep=0, computers=1)
    now = ended.changed_at
    change = "UPDATE results SET ended_at = ?1 WHERE nth <= 4"
    month, season = await tables.recaps.of_month(1, "pebbles")
    assert month == datetime.fromtimestamp(now, UTC).date().replace(day=1)
    found = [(each.name, each.games, each.points, each.has_place) for each in season.people]
    assert found == [("Ann", 5, 2.1, True), ("Ben", 4, 0.75, True), ("Cy", 1, 1.5, False)]
    assert [(each.name, each.games, each.points) for each in season.apart] == [("Ann", 1, 3.0)]
    assert season.champion == "Ann"
    before = datetime.combine(month, datetime.min.time(), UTC).timestamp() - 1
    await store.database.writer.execute(change, (before,))
    _month, season = await tables.recaps.of_month(1, "pebbles")
    assert (season.champion, len(season.people)) == (None, 2)
    month, season = await tables.recaps.of_month(1, "pebbles", 1)
    assert (month.day, season.champion, len(season.people)) == (1, "Ann", 2)
    await tables.servers.save(Server(1, timezone="Europe/Berlin"))  # there, it is the next month already
    assert (await tables.recaps.of_month(1, "pebbles"))[1].champion == "Ann"
    await tables.users.set_settings(ANN.id, UserSettings(ranking=False))
    assert "Ann" not in repr(await tables.recaps.of_month(1, "pebbles"))


async def test_games_outside_of_the_time_count_nowhere_and_only_newcomers_are_new(tables: Tables) -> None:
    first = await played(tables, ANN, BEN)
    second = await played(tables, ANN, CY)
    assert second.changed_at > first.changed_at
    recap = await tables.standings.recap(1, second.changed_at, EVER)
    assert (recap.played[0].games, recap.newcomers) == (1, ("Cy",))
    assert await tables.standings.recap(1, 0.0, first.changed_at) == Recap()
    assert await tables.standings.recap(2, 0.0, EVER) == Recap()


async def test_a_year_tells_what_transcripts_do(tables: Tables, store: Store) -> None:
    keeps, december, march = (0, 1, 1, None, 1, 1), timestamp("2025-12-31T23:30"), timestamp("2026-03-31T21:59")
    ended = [await played(tables, ANN, BEN, keep=keep, computers=keep or 0) for keep in keeps]
    ended.append(await played(tables, CY, ANN))
    change = "UPDATE results SET ended_at = CASE nth WHEN 1 THEN ?1 WHEN 2 THEN ?2 - 60 ELSE ?2 + 60 END"
    await store.database.writer.execute(change, (december, march))
    await tables.servers.save(Server(1, timezone="Europe/Berlin"))
    year = await tables.recaps.of_year(1, 2026)
    transcripts = await exported(tables, ended)
    wins = Counter[str]()
    for thing in transcripts:
        places, seats = thing["outcome"]["places"], thing["seats"]
        wins.update(seats[at] for at, place in enumerate(places) if place == 1 and set(places) != {1})
    assert (year.games, year.players) == ((("pebbles", len(transcripts)),), 3)
    assert year.months == (1, 0, 1, 5, *[0] * 8)  # in the time zone of the server
    assert dict(year.wins) == dict(wins)
    assert year.bests.streak is None
    assert set(year.newcomers) == {"Ann", "Ben", "Cy"}
    assert await tables.recaps.years(1) == range(2026, 2027)
    assert await tables.recaps.of_year(1, 2025) == Year()
    assert list(await tables.recaps.years(2)) == []
    await tables.users.set_settings(BEN.id, UserSettings(ranking=False))
    hidden = await tables.recaps.of_year(1, 2026)
    assert (hidden.games, hidden.players) == (year.games, 2)
    assert "Ben" not in repr(hidden)


def timestamp(text: str) -> float:
    """Return a time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


async def test_a_server_has_its_recaps_in_its_settings(store: Store) -> None:
    await store.servers.save(Server(7, recap_channel_id=8, recap_day=2))
    assert await store.due.find("recap", 7) == ("recap", 7, 7, 0.0)
    assert (await store.servers.settings(7)).recap_day == 2
    for day in (5, 9, 3):
        await store.servers.note_recap(7, day)
    assert await store.servers.last_recap(7) == 9
    await store.servers.save(Server(7))
    assert await make_tables(store).recaps.next_at(7) is None
    assert await store.servers.last_recap(7) == 9
