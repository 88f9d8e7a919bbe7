"""Tests of what one person may decide for others: closing, conceding, resigning; and what that does to ratings."""

import random
from collections.abc import Sequence

import pytest

from bot import computer
from bot.errors import NotAllowed, NotSeated, Stale
from bot.ratings import Rated, Rating, after
from bot.records.table import Person, Place, Table
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.tables import Tables
from tests.databases import Database
from tests.tables.people import ANN, BEN, CY, HERE, Clock, in_turn, make_tables, started, waiting

DAN, EVE = Person(10, "Dan"), Person(11, "Eve")
EFFECTS = "SELECT user_id, place, won, effect FROM results ORDER BY nth, seat"


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


async def team_table(tables: Tables, *people: Person, game: str = "pot_black") -> Table:
    """Return a game of two teams in play: the first person and the third against the others, then computers."""
    table = (await tables.lobbies.open(game, {"players": 4}, people[0], HERE, 4 - len(people))).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    return (await tables.lobbies.start(table.id, people[0].id)).table


async def moves(tables: Tables, table: Table, count: int) -> Table:
    """Make so many moves as an easy computer would, whoever is to move."""
    for ply in range(count):
        table = await tables.table(table.id)
        seat = min(sitter.seat for sitter in await tables.sitters_to_act(table))
        is_user = not table.sitters[seat].is_computer
        sight = await tables.look_as_computer(table.id, seat, for_absent=is_user)
        move = str(computer.choose(table.game, sight.observation, random.Random(ply), "easy"))
        user_id = table.sitters[seat].user_id
        await (tables.play(table.id, user_id, move) if user_id else tables.play_computer(table.id, seat, move))
    return await tables.table(table.id)


async def ratings(tables: Tables, game: str = "pebbles") -> dict[str, float]:
    """Return how far each rated player is above a new one."""
    return {each.name: each.mu - Rating().mu for each in await tables.standings.of(1, game)}


# ---- closing


async def test_no_player_closes_a_game_of_others_not_even_a_moderator(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    for user, moderates in ((ANN, None), (ANN, HERE.guild_id), (BEN, HERE.guild_id)):
        with pytest.raises(NotAllowed, match="Vote to end"):
            await tables.close(table.id, user.id, moderates=moderates)
    with pytest.raises(NotAllowed, match="Only the host"):
        await tables.close(table.id, DAN.id, moderates=99)
    await tables.step_out(table.id, BEN.id)
    with pytest.raises(NotSeated):
        await tables.close(table.id, BEN.id, moderates=HERE.guild_id)
    await tables.resign(table.id, CY.id)
    with pytest.raises((NotAllowed, NotSeated)):
        await tables.close(table.id, CY.id, moderates=HERE.guild_id)
    assert (await tables.table(table.id)).status == "playing"
    closed = (await tables.close(table.id, DAN.id, moderates=HERE.guild_id, called="Dan")).table
    assert (closed.ended, closed.why, closed.closed_by) == ("closed", "moderator", DAN)


async def test_a_player_who_is_only_away_is_asked_before_a_table_closes(tables: Tables, clock: Clock) -> None:
    table = await waiting(tables, BEN, ANN)
    clock.at += DAY
    await tables.waiting.move_on(table.id, ANN.id, "seat")
    with pytest.raises(NotAllowed, match="Vote to end"):
        await tables.close(table.id, ANN.id)
    assert not (await tables.waiting.move_on(table.id, ANN.id, "count")).granted
    assert (await tables.table(table.id)).status == "playing"


async def test_a_moderator_who_deletes_their_data_is_named_nowhere(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN)
    zoe = Person(777_000_777, "Zoe the Unmistakable")
    await tables.close(table.id, zoe.id, moderates=HERE.guild_id, called=zoe.name)
    assert (await tables.personal_data.kept(zoe.id))["closed"]
    await tables.privacy.forget(zoe.id)
    assert (await tables.table(table.id)).closed_by is None
    assert not await database.traces(zoe.id, zoe.name)


async def test_a_host_who_leaves_hands_the_table_on(tables: Tables) -> None:
    table = await team_table(tables, ANN, BEN, CY)
    left = (await tables.resign(table.id, ANN.id)).table
    assert (left.host_id, left.sitters[0].is_given_up, left.status) == (BEN.id, True, "playing")


# ---- alone at the table


@pytest.mark.parametrize("how", ["close", "end", "resign"])
@pytest.mark.parametrize("takes", [0, 1])
async def test_a_game_that_its_only_person_ends_is_a_defeat(
    tables: Tables, database: Database, how: str, takes: int
) -> None:
    table = await started(tables, ANN, computers=2)
    for _ in range(takes):
        await tables.play(table.id, ANN.id, "take 1")
    if how == "close":
        await tables.close(table.id, ANN.id)
    elif how == "end":
        await tables.waiting.move_on(table.id, ANN.id, "end")
    else:
        await tables.resign(table.id, ANN.id)
    ended = await tables.table(table.id)
    assert (ended.status, ended.outcome) == ("closed", None)
    assert (await database.rows(EFFECTS))[0] == (ANN.id, 2, 0, "given up")
    assert (await ratings(tables))["Ann"] < 0


async def test_a_game_in_direct_messages_that_is_closed_counts_nowhere(tables: Tables, database: Database) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, Place(None, 5), 1)).table
    await tables.lobbies.start(table.id, ANN.id)
    await tables.close(table.id, ANN.id)
    assert await database.rows(EFFECTS) == []


async def test_the_last_person_brings_nobody_anything(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN, CY)
    for person in (ANN, BEN, CY):
        await tables.play(table.id, person.id, "take 1")
    await tables.play(table.id, ANN.id, "keep")  # she's ahead
    await tables.step_out(table.id, BEN.id)
    await tables.resign(table.id, CY.id)
    await tables.waiting.move_on(table.id, ANN.id, "count")
    assert [effect for *_, effect in await database.rows(EFFECTS)] == ["falls", "none", "given up"]
    found = await ratings(tables)
    assert found["Ann"] == 0
    assert "Ben" not in found
    assert found["Cy"] < 0


async def test_ending_a_table_that_waits_for_others_alone_spares_nobody_a_defeat(
    tables: Tables, clock: Clock, database: Database
) -> None:
    for is_behind in (True, False):
        table = await started(tables, ANN, BEN)
        for person in (ANN, BEN):
            await tables.play(table.id, person.id, "take 1")
        await in_turn(tables, table, "keep" if is_behind else "drop", "drop")
        await tables.play(table.id, BEN.id, "take 1")
        clock.at += 5 * DAY
        assert (await tables.waiting.move_on(table.id, BEN.id, "end")).granted
        assert (await tables.table(table.id)).ended == "agreed"
    rows = await database.rows(EFFECTS)
    assert rows == [(ANN.id, 1, 0, "none"), (BEN.id, 2, 0, "given up")]
    assert list(await ratings(tables)) == ["Ben"]


@pytest.mark.parametrize("undoes", [True, False])
async def test_taking_back_what_a_computer_answered_brings_no_points(
    tables: Tables, database: Database, *, undoes: bool
) -> None:
    table = (await tables.lobbies.open("frogs", {}, ANN, HERE, 1)).table
    await tables.lobbies.start(table.id, ANN.id)
    table = await moves(tables, table, 8)
    if undoes:
        table = (await tables.undos.undo(table.id, ANN.id)).table
        assert {by for (by,) in await database.rows("SELECT by_user FROM taken_back")} == {ANN.id, None}
    while (table := await tables.table(table.id)).status == "playing":
        table = await won_by(tables, table, ANN)
    assert table.outcome is not None
    assert table.outcome.places[0] == 1
    gain = (await ratings(tables, "frogs"))["Ann"]
    assert gain == 0 if undoes else gain > 0


async def won_by(tables: Tables, table: Table, person: Person) -> Table:
    """Make a move: a strong one for the person, the last legal one for computers."""
    (sitter,) = await tables.sitters_to_act(table)
    if sitter.user_id == person.id:
        sight = await tables.look(table.id, person.id)
        move = computer.choose(table.game, sight.observation, random.Random(table.plies), "fair")
        return (await tables.play(table.id, person.id, str(move))).table
    sight = await tables.look_as_computer(table.id, sitter.seat)
    return (await tables.play_computer(table.id, sitter.seat, str(sight.observation.legal[-1]))).table


# ---- conceding early


async def test_a_game_conceded_early_brings_the_winners_nothing(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, BEN.id, "take 1")
    await tables.resign(table.id, BEN.id)
    found = await ratings(tables)
    assert found["Ann"] == 0
    assert found["Ben"] < 0


async def test_a_game_conceded_to_those_who_are_ahead_is_won(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    for person in (ANN, BEN):
        await tables.play(table.id, person.id, "take 1")
    await in_turn(tables, table, "keep", "drop")
    await tables.resign(table.id, BEN.id)
    found = await ratings(tables)
    assert found["Ann"] > 0 > found["Ben"]


# ---- partners


@pytest.mark.parametrize("game", ["pond", "pot_black"])
async def test_resigning_in_a_team_leaves_the_seat_to_a_computer(tables: Tables, game: str) -> None:
    table = await moves(tables, await team_table(tables, ANN, BEN, CY, DAN, game=game), 6)
    left = (await tables.resign(table.id, CY.id)).table
    assert (left.status, left.outcome, left.sitters[2].is_given_up) == ("playing", None, True)


async def test_conceding_needs_the_partner_and_typing_it_is_no_way_around(tables: Tables) -> None:
    table = await team_table(tables, ANN, BEN, CY, DAN)
    with pytest.raises(NotAllowed, match="play alone"):
        await tables.play(table.id, CY.id, "resign")
    verdict = await tables.concede(table.id, CY.id)
    assert (verdict.granted, verdict.votes, verdict.needed) == (False, 1, 2)
    assert not (await tables.concede(table.id, BEN.id)).granted, "the other side has its own vote"
    assert not (await tables.concede(table.id, CY.id)).granted
    assert (await tables.concede(table.id, ANN.id)).granted
    over = await tables.table(table.id)
    assert over.outcome is not None
    assert over.outcome.places == (2, 1, 2, 1)
    entries = (await tables.transcript(table.id)).entries
    assert (entries[-1].seat, entries[-1].move) == (2, "resign"), "whoever asked has resigned"


async def test_a_move_cancels_the_question_and_a_partner_may_refuse(tables: Tables) -> None:
    table = await team_table(tables, ANN, BEN, CY, DAN)
    await tables.concede(table.id, CY.id)
    await moves(tables, table, 1)
    assert not (await tables.concede(table.id, ANN.id)).granted
    table = await tables.table(table.id)
    await tables.waiting.refuse_to_end(table.id, CY.id, table.version)
    assert (await tables.waiting.standstill(table)).refusals == (CY.id,)
    with pytest.raises(Stale):
        await tables.waiting.refuse_to_end(table.id, CY.id, table.version - 1)


@pytest.mark.parametrize("partner", ["computer", "kept", "late", "out"])
async def test_whoever_has_no_partner_to_ask_concedes_alone(tables: Tables, clock: Clock, partner: str) -> None:
    people = (ANN, BEN) if partner == "computer" else (ANN, BEN, CY, DAN)
    table = await team_table(tables, *people)
    if partner == "out":
        await tables.step_out(table.id, CY.id)
    elif partner != "computer":
        while CY.id not in await tables.whose_turn(table):
            table = await moves(tables, table, 1)
        assert not (await tables.concede(table.id, ANN.id)).granted
        clock.at += DAY
        if partner == "kept":
            await tables.waiting.move_on(table.id, ANN.id, "seat")
    assert (await tables.concede(table.id, ANN.id)).granted
    outcome = (await tables.table(table.id)).outcome
    assert outcome is not None
    assert outcome.places == (2, 1, 2, 1)


async def test_nobody_concedes_a_game_of_more_than_two_sides(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CY)
    with pytest.raises(NotAllowed, match="two sides"):
        await tables.concede(table.id, ANN.id)
    with pytest.raises(NotSeated):
        await tables.concede(table.id, DAN.id)


async def test_a_partner_falls_no_further_than_whoever_resigned(tables: Tables, store: Store) -> None:
    await store.database.writer.execute(
        "INSERT INTO ratings (guild_id, game, user_id, name, mu, sigma, games, wins, streak, longest)"
        " VALUES (1, 'pot_black', ?, 'Cy', ?, 2.0, 9, 0, 0, 0)",
        (CY.id, Rating().mu),
    )
    table = await moves(tables, await team_table(tables, CY, BEN, EVE, DAN), 4)
    await tables.concede(table.id, CY.id)
    await tables.concede(table.id, EVE.id)
    found = await ratings(tables, "pot_black")
    assert found["Cy"] == found["Eve"] < 0
    assert found["Ben"] == found["Dan"] == 0


# ---- ratings


def team(mus: Sequence[float], sigmas: Sequence[float], effects: Sequence[str]) -> list[Rated]:
    """Return a game that the first two seats lost against the others."""
    given = zip((0, 0, 1, 1), (2, 2, 1, 1), mus, sigmas, effects, strict=True)
    return [Rated(side, place, Rating(mu, sigma), 0.5, effect) for side, place, mu, sigma, effect in given]  # type: ignore[arg-type]


def test_effects_limit_what_a_game_changes() -> None:
    mus, sigmas = (25.0,) * 4, (2.0, 8.0, 4.0, 4.0)
    plain = [new.mu - 25.0 for new in after(team(mus, sigmas, ("all",) * 4))]
    assert plain[0] < 0 < plain[2]
    assert plain[1] < 5 * plain[0], "who is less certain falls further"
    gave_up = [new.mu - 25.0 for new in after(team(mus, sigmas, ("given up", "all", "falls", "none")))]
    assert gave_up[0] == pytest.approx(2 * plain[0]), "whatever the share"
    assert gave_up[1] == pytest.approx(gave_up[0]), "no further than the partner"
    assert gave_up[2:] == [0.0, 0.0]
    fell = [new.mu - 25.0 for new in after(team(mus, sigmas, ("falls", "none", "all", "all")))]
    assert fell == pytest.approx([plain[0], 0.0, plain[2], plain[3]])


@pytest.mark.parametrize("effect", ["falls", "given up", "none"])
def test_no_limited_result_lifts_the_lower_end_of_a_rating(effect: str) -> None:
    for sigmas in ((6.0, 1.0, 6.0, 1.0), (1.0, 6.0, 1.0, 6.0)):
        seats = team((22.0, 25.0, 27.0, 20.0), sigmas, (effect,) * 4)
        for seat, new in zip(seats, after(seats), strict=True):
            assert new.mu - 2 * new.sigma <= seat.rating.mu - 2 * seat.rating.sigma
