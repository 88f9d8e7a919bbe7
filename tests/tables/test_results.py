"""Tests of results and ratings: what counts, and that another program computes the same from transcripts."""

import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import pytest

from bot.ratings import Rating
from bot.records.preference import UserSettings
from bot.records.standing import Best
from bot.records.table import Person, Place, Table
from bot.store.store import Store
from bot.tables.tables import Tables
from bot.transcript import write
from tests.databases import Database
from tests.tables.people import ANN, BEN, CY, HERE, in_turn, make_tables, started

DAN = Person(10, "Dan")
UNIT, DRIFT, DOUBT = 1.5, 0.06, 0.15


async def played(tables: Tables, *people: Person, keep: int | None = 0, computers: int = 0) -> Table:
    """Return a table of Pebbles that the person at ``keep`` has won; ``None`` is a draw."""
    table = await started(tables, *people, computers=computers)
    return await finished(tables, table, None if keep is None else people[keep].id)


async def finished(tables: Tables, table: Table, winner: int | None) -> Table:
    """Play a table of Pebbles to its end: the winner alone keeps what they take."""
    while (table := await tables.table(table.id)).status == "playing":
        for sitter in await tables.sitters_to_act(table):
            is_user = not sitter.is_computer
            sight = await tables.look_as_computer(table.id, sitter.seat, for_absent=is_user)
            move = "take 2" if "take 2" in map(str, sight.observation.legal) else "drop"
            move = "keep" if move == "drop" and winner and sitter.user_id == winner else move
            if sitter.user_id is None:
                await tables.play_computer(table.id, sitter.seat, move)
            else:
                await tables.play(table.id, sitter.user_id, move)
    return table


class Team(NamedTuple):
    """A side of a game, as docs/RATINGS.md sees it: its place, its ratings, and its limit if all are computers."""

    place: int
    ratings: list[Rating]
    limit: float | None

    @property
    def strength(self) -> float:
        """The sum of the ratings."""
        return sum(mu for mu, _ in self.ratings)

    @property
    def variance(self) -> float:
        """The sum of the variances."""
        return sum(sigma**2 for _, sigma in self.ratings)


def rated(teams: list[Team]) -> list[list[Rating]]:
    """Return the ratings after a game by the formulas in docs/RATINGS.md, without the program's own."""
    after: list[list[Rating]] = []
    for team in teams:
        others = [each for each in teams if each is not team]
        computers = sum(each.limit is not None for each in others)
        opponents = len(others) - max(0, computers - 1)
        g = h = 0.0
        for other in others:
            w = 3 / (opponents + 2) / (computers if other.limit is not None else 1)
            c = math.sqrt(UNIT**2 + DOUBT * (team.variance + other.variance))
            p = 1 / (1 + math.exp((other.strength - team.strength) / c))
            s = 0.5 + (other.place - team.place) / 2 / (abs(other.place - team.place) or 1)
            g, h = g + w / c * (s - p), h + w / c**2 * p * (1 - p)
        won = team.place == 1 < max(each.place for each in others)
        lost = min(each.place for each in others) < team.place >= max(each.place for each in others)
        limit = max(each.limit or 0.0 for each in others) if computers == len(others) else math.inf
        after.append([])
        for mu, sigma in team.ratings:
            variance = 1 / (1 / (sigma**2 + DRIFT**2) + h) if sigma else 0.0
            gain = max(variance * g, 0.0) if won else min(variance * g, 0.0) if lost else variance * g
            after[-1].append(Rating(mu + min(gain, max(0.0, limit - mu)), math.sqrt(variance)))
    return after


def recomputed(transcripts: Iterable[Mapping[str, Any]], sides_of: Mapping[int, tuple[int, ...]]) -> dict[str, Rating]:
    """Return the ratings by the last name of each player, from transcripts of one game on one server in any order."""
    found: dict[tuple[int, int], Rating] = {}
    named: dict[str, Rating] = {}
    for thing in sorted(transcripts, key=lambda each: each["counted"]["nth"]):
        seats, nth = thing["counted"]["seats"], thing["counted"]["nth"]
        places = (thing["outcome"] or thing["standing"])["places"]
        before = [Rating(*seat["rating"]) if "rating" in seat else Rating() for seat in seats]
        before = [found.get(tuple(seat.get("last") or ()), old) for seat, old in zip(seats, before, strict=True)]
        sides = sides_of[len(seats)]
        teams = [[seat for seat, of in enumerate(sides) if of == side] for side in sorted(set(sides))]
        limits = [math.inf if "limit" in each and each["limit"] is None else each.get("limit") for each in seats]
        after = rated(
            [
                Team(
                    places[team[0]],
                    [before[seat] for seat in team],
                    None if None in [limits[seat] for seat in team] else max(limits[seat] for seat in team),
                )
                for team in teams
            ]
        )
        for seat, full in zip(chain(*teams), chain(*after), strict=True):
            effect = seats[seat].get("effect", "all")
            weight = seats[seat]["own"] / seats[seat]["decisions"] if seats[seat]["decisions"] else 0.0
            weight = {"given up": 1.0, "none": 0.0}.get(effect, weight)
            mu, sigma = before[seat]
            limited = full if effect == "all" else Rating(min(full.mu, mu), sigma)
            rating = [old + weight * (new - old) for old, new in zip(before[seat], limited, strict=True)]
            found[nth, seat] = named[thing["seats"][seat]] = Rating(*rating)
        given_up = [seat for seat, each in enumerate(seats) if each.get("effect") == "given up"]
        for seat, other in ((seat, other) for other in given_up for seat in range(len(sides))):
            if sides[seat] == sides[other] and seat not in given_up:
                least = before[seat].mu - (before[other].mu - found[nth, other].mu)
                spared = found[nth, seat]._replace(mu=max(found[nth, seat].mu, least))
                found[nth, seat] = named[thing["seats"][seat]] = spared
    return named


async def exported(tables: Tables, played: Iterable[Table]) -> list[dict[str, Any]]:
    return [json.loads(write(await tables.transcript(table.id))) for table in played]


async def test_ratings_are_recomputed_from_transcripts_whatever_the_restarts(tables: Tables, store: Store) -> None:
    rng, ended = random.Random(5), []
    for number in range(12):
        tables = make_tables(store) if number % 4 == 3 else tables  # clocks start again, too
        people = rng.sample([ANN, BEN, CY], rng.choice([2, 3]))
        computers = int(len(people) == 2 and rng.random() < 0.5)
        if number % 5 == 4:
            table = await started(tables, *people, computers=computers)
            ended.append((await tables.resign(table.id, people[0].id)).table) if len(people) + computers == 2 else None
            continue
        keep = None if number % 3 == 2 else rng.randrange(len(people))
        ended.append(await played(tables, *people, keep=keep, computers=computers))
    assert sum(table.outcome is not None and set(table.outcome.places) == {1} for table in ended) > 2
    await check_recomputed(tables, ended, "pebbles", {2: (0, 1), 3: (0, 1, 2)})


async def test_ratings_of_another_fold_are_recomputed_once(tables: Tables, store: Store, database: Database) -> None:
    kept = (
        "SELECT nth, seat, mu, sigma, gain FROM results ORDER BY nth, seat",
        "SELECT user_id, mu, sigma, wins, streak, longest, computer_streak, computer_longest FROM ratings ORDER BY 1",
    )
    for number in range(4):
        await played(tables, ANN, BEN, *([CY] if number == 2 else []), keep=number % 2, computers=number == 1)
        await played(tables, ANN, keep=None if number == 2 else 0, computers=1)
        await played(tables, BEN, computers=1)
    conceded = await started(tables, ANN, BEN)
    await tables.concede(conceded.id, ANN.id)
    assert await database.rows("SELECT effect FROM results WHERE nth = 13 ORDER BY seat") == [("given up",), ("falls",)]
    assert await store.recompute_ratings()
    before = [await database.rows(query) for query in kept]
    assert [len(rows) for rows in before] == [28, 3]
    assert [row[-4:] for row in before[1]] == [(0, 1, 1, 2), (2, 2, 4, 4), (0, 0, 0, 0)]
    await change(store, "UPDATE results SET mu = 25.0, sigma = 8.0, gain = 2.0")
    await change(store, "UPDATE ratings SET mu = 30.0, sigma = 7.0, streak = 7, longest = 8")
    await change(store, "UPDATE ratings SET computer_streak = 5, computer_longest = 6")
    assert not await store.recompute_ratings()
    await change(store, "UPDATE rating_fold SET number = 0")
    assert await store.recompute_ratings()
    assert not await store.recompute_ratings()
    for query, rows in zip(kept, before, strict=True):
        assert await database.rows(query) == [pytest.approx(row) for row in rows]


async def test_standings_are_in_the_order_of_the_lower_end(tables: Tables, store: Store) -> None:
    for _ in range(2):
        await played(tables, ANN, BEN, CY)
    for mu, sigma, person in ((30.0, 3.0, ANN), (28.0, 1.0, BEN), (27.0, 2.0, CY)):
        await change(store, f"UPDATE ratings SET mu = {mu}, sigma = {sigma} WHERE user_id = {person.id}")  # noqa: S608 - constants
    assert [each.name for each in await tables.standings.of(1, "pebbles")] == ["Ben", "Ann", "Cy"]


async def change(store: Store, statement: str) -> None:
    await store.database.writer.write(lambda db: db.execute(statement))


async def check_recomputed(
    tables: Tables, ended: Iterable[Table], game: str, sides_of: Mapping[int, tuple[int, ...]]
) -> None:
    """Compare all ratings with what another program computes from transcripts in any order."""
    transcripts = await exported(tables, ended)
    random.Random(1).shuffle(transcripts)
    other = recomputed(transcripts, sides_of)
    standings = await tables.standings.of(1, game)
    assert {standing.name for standing in standings} == other.keys() - {"Moss", "Fern", "Reed"}
    for standing in standings:
        assert (standing.mu, standing.sigma) == pytest.approx(other[standing.name], abs=0.001)


async def partners(tables: Tables, people: Sequence[Person], ends: str, computers: int = 0) -> Table:
    """Return a table of partners in Pot Black that one has resigned, or that all count as a draw."""
    table = (await tables.lobbies.open("pot_black", {"players": 4}, people[0], HERE, computers)).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    await tables.lobbies.start(table.id, people[0].id)
    if ends == "resigned":
        user_id = next(iter(await tables.whose_turn(await tables.table(table.id))), people[0].id)
        await tables.concede(table.id, user_id)
        for partner in await tables.waiting.partners(await tables.table(table.id), user_id):
            await tables.concede(table.id, partner)
        return await tables.table(table.id)
    for person in people:
        await tables.waiting.move_on(table.id, person.id, "count")
    return await tables.table(table.id)


async def test_partners_and_draws_are_rated_as_the_formulas_say(tables: Tables, store: Store) -> None:
    rng, ended = random.Random(3), []
    for number, ends in enumerate(("resigned", "counted", "resigned", "resigned", "counted", "resigned")):
        tables = make_tables(store) if number % 2 else tables
        people = rng.sample([ANN, BEN, CY, DAN], 3 if number == 2 else 4)
        ended.append(await partners(tables, people, ends, computers=4 - len(people)))
    places = [set((thing["outcome"] or thing["standing"])["places"]) for thing in await exported(tables, ended)]
    assert [each == {1} for each in places] == [False, True, False, False, True, False]
    assert len(await tables.standings.of(1, "pot_black")) == 4
    await check_recomputed(tables, ended, "pot_black", {4: (0, 1, 0, 1)})


async def test_what_has_no_result_changes_nothing(tables: Tables, database: Database) -> None:
    closed = await started(tables, ANN, BEN)
    await tables.close(closed.id, CY.id, moderates=HERE.guild_id)
    agreed = await started(tables, ANN, BEN)
    for person in (ANN, BEN):
        await tables.waiting.move_on(agreed.id, person.id, "end")
    left = await started(tables, ANN, BEN)
    await tables.privacy.leave(ANN.id)
    await tables.privacy.leave(BEN.id)
    assert (await tables.table(left.id)).ended == "abandoned"
    there = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, Place(None, 5), 1)).table
    await tables.lobbies.start(there.id, ANN.id)
    there = (await tables.resign(there.id, ANN.id)).table
    again = await tables.lobbies.open_to_play_on(there, 0, BEN, 1, HERE)
    await tables.lobbies.start_with(again.id, BEN, ())
    await tables.resign(again.id, BEN.id)
    assert await database.rows("SELECT * FROM results") == []
    assert await tables.standings.of(1, "pebbles") == ()


async def test_what_is_undone_changes_nothing(tables: Tables, database: Database) -> None:
    rows = "SELECT seat, place, score, decisions, own, mu, gain FROM results WHERE nth = {} ORDER BY seat"
    table = await started(tables, ANN, BEN)
    for move in ("take 3", "take 1"):
        await tables.play(table.id, ANN.id, move)
        await tables.undos.undo(table.id, ANN.id)
    await in_turn(tables, table, "take 2", "take 2", "keep")
    asked = (await tables.undos.undo(table.id, ANN.id)).table
    await tables.undos.agree(table.id, BEN.id, ANN.id, asked.version)
    assert len(await database.rows("SELECT * FROM taken_back")) == 3
    await finished(tables, table, ANN.id)
    await tables.privacy.forget(ANN.id)
    await tables.privacy.forget(BEN.id)
    await played(tables, ANN, BEN)
    first, second = await database.rows(rows.format(1)), await database.rows(rows.format(2))
    assert first == second
    assert len(first) == 2


async def test_a_table_that_all_agree_to_count_counts(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await in_turn(tables, table, "take 1", "take 1", "keep")
    for person in (ANN, BEN):
        await tables.waiting.move_on(table.id, person.id, "count")
    table = await tables.table(table.id)
    assert table.counted is not None
    assert table.counted.wins == (1, 0)
    best = (await tables.standings.of(1, "pebbles"))[0]
    assert (best.name, best.wins) == ("Ann", 1)
    other = recomputed(await exported(tables, [table]), {2: (0, 1)})
    assert best.mu == pytest.approx(other["Ann"].mu, abs=0.001)


async def test_a_hint_and_a_stand_in_lessen_what_a_game_counts(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play_computer(table.id, 0, "take 1", for_absent=True)
    await tables.play(table.id, BEN.id, "take 1")
    await tables.hints.note(table.id, ANN.id, (await tables.table(table.id)).version)
    await finished(tables, table, ANN.id)
    assert await database.rows("SELECT seat, decisions, own FROM results ORDER BY seat") == [(0, 4, 2), (1, 4, 4)]


async def test_who_leaves_has_the_result_of_their_share(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN, CY)
    await tables.play(table.id, ANN.id, "take 1")
    await tables.resign(table.id, ANN.id)
    await finished(tables, table, BEN.id)
    rows = await database.rows("SELECT user_id, place, decisions, own FROM results ORDER BY seat")
    assert rows == [(ANN.id, 2, 4, 1), (BEN.id, 1, 4, 4), (CY.id, 2, 4, 4)]


async def test_a_rematch_counts_and_tells_the_wins_of_each_side(tables: Tables) -> None:
    first = await played(tables, ANN, BEN)
    rematch = (await tables.lobbies.rematch(first.id, ANN)).table
    await tables.lobbies.sit(rematch.id, BEN)
    await tables.lobbies.start(rematch.id, ANN.id)
    second = await finished(tables, rematch, BEN.id)
    third = await played(tables, ANN, BEN)
    assert first.counted is not None
    assert second.counted is not None
    assert third.counted is not None
    assert first.counted.wins == (1, 0)
    assert second.counted.wins == (1, 1)
    assert third.counted.wins == (2, 1)
    assert [each.has_won for each in await tables.standings.meetings(1, ANN.id, BEN.id)] == [True, False, True]


async def test_deleting_a_player_leaves_the_numbers_of_others(tables: Tables, database: Database) -> None:
    ended = [await played(tables, ANN, BEN, keep=number % 2) for number in range(3)]
    before = {each.name: each for each in await tables.standings.of(1, "pebbles")}
    await tables.privacy.forget(BEN.id)
    assert await tables.standings.of(1, "pebbles") == (before["Ann"],)
    assert await database.rows("SELECT count(*) FROM results WHERE user_id IS NULL") == [(3,)]
    assert recomputed(await exported(tables, ended), {2: (0, 1)})["Ann"].mu == pytest.approx(before["Ann"].mu)
    assert await tables.standings.meetings(1, ANN.id, BEN.id) == ()


async def test_results_outlive_their_tables(tables: Tables) -> None:
    for _ in range(3):
        await played(tables, ANN, BEN)
    before = await tables.standings.of(1, "pebbles")
    await tables.privacy.delete_ended(-1000.0)
    assert await tables.standings.of(1, "pebbles") == before
    bests = await tables.standings.bests(1, "pebbles")
    assert bests.catch == bests.closest == Best(("Ann",), 4)
    assert bests.streak == Best(("Ann",), 3)


async def test_whoever_is_hidden_is_in_no_list(tables: Tables) -> None:
    await played(tables, ANN, BEN)
    await tables.users.set_settings(ANN.id, UserSettings(ranking=False))
    assert [each.name for each in await tables.standings.of(1, "pebbles")] == ["Ben"]
    assert (await tables.standings.bests(1, "pebbles")).streak is None
    hidden = (await played(tables, ANN, BEN)).counted
    assert hidden is not None
    assert hidden.gains[0] is None
    assert hidden.wins == ()
