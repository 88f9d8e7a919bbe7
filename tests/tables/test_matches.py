"""Matches: the same deals for two members, one try each, and nothing published before both have finished."""

import json
import math
import random

import pytest

from bot import computer
from bot.errors import InvalidOption, NotAllowed, WrongPhase
from bot.fairness import event_seed
from bot.games import GAMES
from bot.records.event import GRACE_S, EventResult
from bot.records.match import Match
from bot.records.table import Person, Place, Table
from bot.store.store import Store
from bot.tables.matches import CHALLENGES, OFFER_S, is_done, total
from bot.tables.tables import Tables
from bot.thinking.thinkers import turn_of
from bot.transcript import verify
from tests.databases import Database
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables

HOUR, DAY = 3600.0, 24 * 3600.0
DMS = {ANN.id: Place(None, 700), BEN.id: Place(None, 800), CY.id: Place(None, 900)}


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with a clock that only the test moves."""
    return make_tables(store, clock)


async def accepted(tables: Tables, game: str = "pond", deals: int = 1, days: int = 7) -> Match:
    """Return a challenge of Ann that Ben has accepted."""
    match = await tables.matches.challenge(ANN, BEN, HERE, game, deals=deals, days=days)
    await tables.matches.accept(match, BEN.id)
    return await found(tables, match)


async def found(tables: Tables, match: Match) -> Match:
    """Return the match as it is now."""
    now = await tables.matches.update(match.id)
    assert now is not None
    return now


async def begins(tables: Tables, match: Match, person: Person) -> Table:
    """Begin or resume the person's game."""
    table = await tables.matches.play(match, person, DMS[person.id])
    assert table is not None
    return table


async def plays(tables: Tables, table: Table, user_id: int, moves: int = 10_000, taste: int = 0) -> Table:
    """Let computers make their moves, and an easy one those of the user: so many, or all."""
    while table.status == "playing":
        (actor, *_) = sorted(await tables.sitters_to_act(table), key=lambda sitter: sitter.seat)
        if actor.is_computer:
            turn = await turn_of(tables, await tables.look_as_computer(table.id, actor.seat), actor.seat)
            move = computer.choose(table.game, turn.sight.observation, random.Random(turn.seed), turn.level)
            table = (await tables.play_computer(table.id, actor.seat, str(move))).table
        elif moves:
            sight = await tables.look(table.id, user_id)
            move = computer.choose(table.game, sight.observation, random.Random(sight.own_entries + taste), "easy")
            table, moves = (await tables.play(table.id, user_id, str(move))).table, moves - 1
        else:
            break
    return table


@pytest.mark.parametrize("game", CHALLENGES)
async def test_equal_moves_meet_equal_replies_at_each_deal(tables: Tables, store: Store, game: str) -> None:
    match = await accepted(tables, game, deals=2)
    logs = []
    for person in (ANN, BEN):
        table = await begins(tables, match, person)
        await plays(tables, table, person.id, 6)
        logs.append(await store.log(table.id))
    ours, theirs = logs
    assert ours is not None
    assert theirs is not None
    assert len(ours.entries) > 6
    assert ours.entries == theirs.entries
    assert GAMES[game].sides(table.options) == tuple(range(table.seats))


@pytest.mark.parametrize(("wished", "deals"), [(1, 2), (2, 2), (3, 4), (9, 10)])
async def test_each_player_begins_half_of_the_games_of_frogs(tables: Tables, wished: int, deals: int) -> None:
    match = await accepted(tables, "frogs", deals=wished)
    assert match.deals == deals
    for person in (ANN, BEN):
        begin = []
        for _ in range(2):
            table = await begins(tables, match, person)
            begin.append(table.options["first"])
            await plays(tables, table, person.id)
        assert begin == ["0", "1"]


async def test_each_deal_has_one_try_and_both_get_the_same_seed(
    tables: Tables, clock: Clock, database: Database
) -> None:
    match = await accepted(tables, deals=2)
    first = await begins(tables, match, ANN)
    assert (await begins(tables, match, ANN)).id == first.id
    await plays(tables, first, ANN.id)
    second = await begins(tables, match, ANN)
    assert (first.event, second.event) == ((match.event, 0), (match.event, 1))
    event = await tables.events.records.event(match.event)
    (try_,) = [each for each in await tables.matches.results(match) if each.deal == 0]
    assert event is not None
    with pytest.raises(NotAllowed, match="only one try"):
        await tables.events.begin_try(event, DMS[ANN.id], try_)
    await plays(tables, second, ANN.id)
    assert await tables.matches.play(match, ANN, DMS[ANN.id]) is None
    with pytest.raises(NotAllowed, match="not in this challenge"):
        await tables.matches.play(match, CY, DMS[CY.id])
    for _ in range(2):
        await plays(tables, await begins(tables, match, BEN), BEN.id, taste=5)
    match = await found(tables, match)
    assert match.status == "over"
    ((secret,),) = await database.rows("SELECT secret FROM events")
    for person in (ANN, BEN):
        for deal, table in (await tables.matches.tables(match, person.id)).items():
            assert table.seed == event_seed(bytes(secret), "pond", deal).hex()
            transcript = await tables.transcript(table.id)
            verify(transcript, table.commitment)
            assert transcript.notes[0] == f"event {match.event}, deal {deal}"
    with pytest.raises(NotAllowed, match="over"):
        await tables.matches.play(match, ANN, DMS[ANN.id])
    assert clock.at < match.until + 7 * DAY


async def test_nothing_is_published_while_the_other_plays(tables: Tables, database: Database) -> None:
    match = await accepted(tables)
    table = await plays(tables, await begins(tables, match, ANN), ANN.id)
    await plays(tables, await begins(tables, match, BEN), BEN.id, 3)
    match = await found(tables, match)
    assert (match.status, table.seed, table.is_revealed) == ("playing", None, False)
    for refused in (
        tables.transcript(table.id),
        tables.transcript(table.id, unfinished=True),
        tables.replays.entries(table.id, 3),
        tables.replays.decisions(table.id, ANN.id),
        tables.replays.recollection(table.id, 3),
    ):
        with pytest.raises(WrongPhase, match="Others may still play"):
            await refused
    ((secret,),) = await database.rows("SELECT secret FROM events")
    seed = event_seed(bytes(secret), "pond", 0).hex()
    stored = [await tables.events.records.event(match.event), match, await tables.table(table.id)]
    kept = [await tables.personal_data.kept(person.id) for person in (ANN, BEN)]
    for text in (repr(stored), json.dumps(kept)):
        assert seed not in text
        assert bytes(secret).hex() not in text
    assert [row["score"] for row in kept[1]["events"]] == [None]


async def test_a_match_ends_in_time_and_a_table_without_a_result_is_lost(tables: Tables, clock: Clock) -> None:
    match = await accepted(tables, days=2)
    for again in (tables.matches.accept(match, BEN.id), tables.matches.decline(match, BEN.id)):
        with pytest.raises(NotAllowed, match="answered already"):
            await again
    await plays(tables, await begins(tables, match, ANN), ANN.id)
    table = await plays(tables, await begins(tables, match, BEN), BEN.id, 2)
    clock.at += 2 * DAY - 1
    assert (await found(tables, match)).status == "playing"
    assert (await tables.matches.update(match.id, -math.inf)) is not None
    clock.at += 1
    assert (await found(tables, match)).status == "playing"
    assert (await begins(tables, match, BEN)).id == table.id  # begun in time, it may be finished
    clock.at += GRACE_S - 1
    assert (await plays(tables, table, BEN.id, 1)).status == "playing"
    assert (await found(tables, match)).status == "playing"
    clock.at += 1
    match = await found(tables, match)
    assert match.status == "over"
    assert (await tables.table(table.id)).ended == "closed"
    result = total(match, await tables.matches.results(match))
    assert (result.match_points, result.winner, result.ahead) == ((2, 0), 0, 0)


async def test_a_game_begun_in_time_counts_when_it_is_finished_after_the_end(tables: Tables, clock: Clock) -> None:
    match = await accepted(tables, days=2, deals=2)
    clock.at = match.until - 60
    table = await begins(tables, match, ANN)
    clock.at = match.until + HOUR
    await plays(tables, table, ANN.id)
    with pytest.raises(NotAllowed, match="over"):
        await begins(tables, match, ANN)  # the next game would begin too late
    match = await found(tables, match)
    assert match.status == "over"
    assert total(match, await tables.matches.results(match)).match_points == (2, 0)


async def test_only_the_challenged_member_answers_and_in_time(tables: Tables, clock: Clock) -> None:
    match = await tables.matches.challenge(ANN, BEN, HERE, "pontis", deals=1, days=1)
    for refused in (tables.matches.accept(match, ANN.id), tables.matches.decline(match, CY.id)):
        with pytest.raises(NotAllowed, match="Only <@8> can answer"):
            await refused
    with pytest.raises(NotAllowed, match="over"):
        await tables.matches.play(match, ANN, DMS[ANN.id])
    clock.at += OFFER_S
    with pytest.raises(NotAllowed, match="expired"):
        await tables.matches.accept(match, BEN.id)
    assert (await found(tables, match)).status == "expired"
    with pytest.raises(NotAllowed, match="expired"):
        await tables.matches.accept(match, BEN.id)
    with pytest.raises(InvalidOption, match="no challenges"):
        await tables.matches.challenge(ANN, BEN, HERE, "chess", deals=1, days=1)


async def test_old_matches_are_deleted_with_their_events(tables: Tables, clock: Clock, database: Database) -> None:
    await accepted(tables, days=1)
    declined = await tables.matches.challenge(BEN, CY, HERE, "pond", deals=1, days=1)
    await tables.matches.decline(declined, CY.id)
    clock.at += 2 * DAY
    await tables.events.close_due()
    clock.at += 400 * DAY
    await tables.privacy.delete_ended(365 * DAY)
    for part in ("matches", "match_players", "events", "event_results"):
        assert await database.rows(f"SELECT 1 FROM {part}") == []  # noqa: S608 - constant names


def result(deal: int, side: int, score: int | None, *, is_open: bool = False) -> EventResult:
    """Return a result of a deal."""
    return EventResult("match 1", side, 1, "", score=score, deal=deal, side=side, is_open=is_open)


async def test_points_and_match_points_are_summed_up(tables: Tables) -> None:
    match = await accepted(tables, deals=4)
    scores = [(0, 0, 20), (0, 1, -10), (1, 0, 5), (1, 1, 5), (2, 0, None), (2, 1, -40), (3, 0, 1), (3, 1, 2)]
    results = [result(*each) for each in scores]
    summed = total(match, results)
    assert [deal.match_points for deal in summed.deals] == [(2, 0), (1, 1), (0, 2), (0, 2)]
    assert (summed.match_points, summed.ahead, summed.winner) == ((3, 5), 29, 1)
    assert is_done(match, results)
    assert not is_done(match, [*results[:-1], result(3, 1, None, is_open=True)])
    assert not is_done(match, results[:-1])
    drawn = total(match, [])
    assert (drawn.match_points, drawn.winner) == ((0, 0), None)


async def test_nobody_withdraws_a_match_that_ended_with_the_data_of_its_host(tables: Tables) -> None:
    match = await tables.duplicates.offer(ANN, HERE, "pond-2", deals=1, days=7)
    await tables.duplicates.leave(match.id, ANN.id)
    await tables.privacy.forget(ANN.id)
    with pytest.raises(NotAllowed, match="answered already"):
        await tables.matches.withdraw(await found(tables, match), BEN.id)
