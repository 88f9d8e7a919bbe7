"""Return games: the same people, the other begins; the points of both make a match, and its loser begins a rematch."""

import random

import pytest
from msgspec.structs import replace

from bot import computer
from bot.errors import NotAllowed
from bot.games import GAMES
from bot.games.game import Outcome
from bot.records.beginner import Opening
from bot.records.table import Table
from bot.store.store import Store
from bot.tables.rematches import may_return, rematch_opening, totals
from bot.tables.tables import Tables
from bot.ui.messages.result_texts import match_line
from tests.tables.people import ANN, BEN, CY, HERE

FROGS = GAMES["frogs"]


@pytest.fixture
def tables(store: Store) -> Tables:
    """Tables of the real games."""
    return Tables(store)


async def begun(tables: Tables, **options: str) -> Table:
    """Start a game of frogs of two people."""
    table = (await tables.lobbies.open("frogs", options, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    return (await tables.lobbies.start(table.id, ANN.id)).table


async def finished(tables: Tables, table: Table) -> Table:
    """Play a game to its end."""
    rng = random.Random(table.id)
    while (table := await tables.table(table.id)).status == "playing":
        (user,) = await tables.whose_turn(table)
        seen = (await tables.look(table.id, user)).observation
        await tables.play(table.id, user, str(computer.choose("frogs", seen, rng, "easy")))
    return table


async def begins(tables: Tables, table: Table) -> int:
    """Return the user who has the first turn."""
    (user,) = await tables.whose_turn(table)
    return user


async def returned(tables: Tables, table: Table) -> Table:
    """Open the return game of a table, and let the other player join."""
    lobby = (await tables.lobbies.rematch(table.id, ANN, is_return=True)).table
    await tables.lobbies.sit(lobby.id, BEN)
    return lobby


@pytest.mark.parametrize("seed", range(4))
async def test_the_other_player_begins_the_return_game_and_it_is_rated(tables: Tables, seed: int) -> None:
    table = await begun(tables)
    other = ({ANN.id, BEN.id} - {await begins(tables, table)}).pop()
    table = await finished(tables, table)
    lobby = await returned(tables, table)
    assert lobby.options["first"] == "drawn"
    second = (await tables.lobbies.start(lobby.id, ANN.id)).table
    assert await begins(tables, second) == other, seed
    second = await finished(tables, second)
    assert second.counted is not None
    points = totals(second)
    assert points is not None
    assert table.outcome is not None
    assert second.outcome is not None
    for person in (ANN, BEN):
        before, after = table.seat_of(person.id), second.seat_of(person.id)
        assert before is not None
        assert after is not None
        assert points[after] == table.outcome.scores[before] + second.outcome.scores[after]
    with pytest.raises(NotAllowed, match="no return game"):
        await tables.lobbies.rematch(second.id, ANN, is_return=True)
    transcript = await tables.transcript(second.id)
    assert transcript.entries[0].move == f"first {second.options['first']}"


async def test_the_loser_of_a_match_begins_the_rematch_and_a_draw_is_drawn_again(tables: Tables) -> None:
    second = (
        await tables.lobbies.start((await returned(tables, await finished(tables, await begun(tables)))).id, ANN.id)
    ).table
    second = await finished(tables, second)
    points = totals(second)
    assert points is not None
    third = (await tables.lobbies.rematch(second.id, BEN)).table
    await tables.lobbies.sit(third.id, ANN)
    third = (await tables.lobbies.start(third.id, BEN.id)).table
    if len(set(points)) == 2:
        loser = second.sitters[points.index(min(points))].user_id
        assert await begins(tables, third) == loser
    assert second.outcome is not None
    scores = tuple(max(second.outcome.scores) + 1 - score for score in second.outcome.scores)
    level = replace(second, opening=Opening(0, scores))
    assert rematch_opening(level) is None
    assert "The match is drawn." in match_line(level)
    won = match_line(replace(second, opening=Opening(0, (9, 0)), outcome=Outcome((4, 7), (2, 1), "goal")))
    names = [each.name for each in second.sitters]
    assert won == f"Two games: {names[0]} 13, {names[1]} 7. **{names[0]} wins the match.**"
    assert may_return(FROGS, replace(third, status="over", outcome=Outcome((7, 3), (1, 2), "goal")))


async def test_a_host_cannot_give_themselves_the_edge(tables: Tables) -> None:
    chosen = await finished(tables, await begun(tables, first="0"))
    assert chosen.counted is None
    assert not may_return(FROGS, chosen)
    with pytest.raises(NotAllowed, match="no return game"):
        await tables.lobbies.rematch(chosen.id, ANN, is_return=True)
    rematch = (await tables.lobbies.rematch(chosen.id, ANN)).table
    with pytest.raises(NotAllowed, match="Who begins"):
        await tables.lobbies.set_options(rematch.id, ANN.id, {"first": "1"})


@pytest.mark.parametrize("how", ["options", "computer", "seat", "another"])
async def test_who_begins_is_drawn_once_a_return_game_is_not_the_same_any_more(tables: Tables, how: str) -> None:
    table = await finished(tables, await begun(tables))
    lobby = (await tables.lobbies.rematch(table.id, ANN, is_return=True)).table
    assert lobby.opening is not None
    own = lobby.seat_of(ANN.id)
    assert own is not None
    if how == "options":
        lobby = (await tables.lobbies.set_options(lobby.id, ANN.id, {"preset": "big"})).table
    elif how == "computer":
        lobby = (await tables.computers.add(lobby.id, ANN.id)).table
    elif how == "seat":
        lobby = (await tables.lobbies.sit(lobby.id, ANN, 1 - own)).table
    else:
        await tables.guests.invite(lobby.id, ANN.id, [CY.id])
        lobby = (await tables.lobbies.sit(lobby.id, CY)).table
    assert lobby.opening is None
