"""Tests of tables that end before the game is over."""

from collections.abc import Awaitable, Callable

import pytest

from bot.errors import NotAllowed, WrongPhase
from bot.games.game import Ended
from bot.records.table import Table
from bot.store.store import Store
from bot.tables.absence.deadlines import DEAD_S
from bot.tables.tables import Tables
from bot.transcript import verify
from tests.tables.people import ANN, BEN, CY, HERE, in_turn, make_tables, started


async def by_host(tables: Tables, table: Table) -> None:
    """Close the table as its host, whom the others have left."""
    for person in (BEN, CY):
        await tables.resign(table.id, person.id)
    await tables.close(table.id, ANN.id)


async def by_moderator(tables: Tables, table: Table) -> None:
    """Close the table as a moderator without a seat."""
    await tables.close(table.id, 99, moderates=HERE.guild_id)


async def by_leaving(tables: Tables, table: Table) -> None:
    """Remove all players."""
    for person in (ANN, BEN, CY):
        await tables.resign(table.id, person.id)


@pytest.mark.parametrize(
    ("end", "ended"),
    [(by_host, "closed"), (by_moderator, "closed"), (by_leaving, "abandoned")],
    ids=["host", "moderator", "leaving"],
)
async def test_the_seed_of_a_closed_table_is_published(
    tables: Tables, end: Callable[[Tables, Table], Awaitable[None]], ended: Ended
) -> None:
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 2")
    assert ((await tables.table(table.id)).seed, table.ended, table.has_ended) == (None, None, False)
    receipts: list[str | None] = []
    tables.on_change(lambda receipt: receipts.append(receipt.table.seed))
    await end(tables, table)
    closed = await tables.table(table.id)
    assert (closed.ended, closed.has_ended, closed.outcome) == (ended, True, None)
    assert receipts[-1] == closed.seed
    transcript = await tables.transcript(table.id)
    assert (transcript.ended, transcript.outcome, len(transcript.entries)) == (ended, None, 3)
    verify(transcript)


async def test_a_table_without_moves_is_abandoned(store: Store) -> None:
    clock = [1000.0]
    tables = make_tables(store, lambda: clock[0])
    table = await started(tables, ANN, BEN)
    clock[0] += DEAD_S
    await tables.waiting.close_dead(table.id)
    verify(await tables.transcript(table.id))
    assert (await tables.table(table.id)).ended == "abandoned"


async def test_a_table_that_never_started_has_no_seed_and_no_transcript(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE, 1)).table
    closed = (await tables.close(table.id, ANN.id)).table
    assert (closed.seed, closed.ended, (await tables.table(table.id)).seed) == (None, None, None)
    with pytest.raises(WrongPhase):
        await tables.transcript(table.id)
    with pytest.raises(WrongPhase):
        await tables.lobbies.rematch(table.id, ANN)


async def test_a_closed_table_can_have_a_rematch(tables: Tables) -> None:
    table = await started(tables, ANN, BEN)
    for person in (ANN, BEN):
        await tables.waiting.move_on(table.id, person.id, "end")
    with pytest.raises(NotAllowed):
        await tables.lobbies.rematch(table.id, CY)
    again = (await tables.lobbies.rematch(table.id, BEN)).table
    assert (again.rematch_of, again.host_id, again.why, again.seed) == (table.id, BEN.id, None, None)


async def test_a_game_against_computers_alone_cant_be_counted_as_it_stands(tables: Tables) -> None:
    table = await started(tables, ANN, computers=2)
    await tables.play(table.id, ANN.id, "take 1")
    with pytest.raises(NotAllowed, match="Nobody else is playing"):
        await tables.waiting.move_on(table.id, ANN.id, "count")
    assert (await tables.table(table.id)).status == "playing"
    assert (await tables.waiting.move_on(table.id, ANN.id, "end")).granted
    assert (await tables.table(table.id)).ended == "agreed"
