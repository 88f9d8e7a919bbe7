# ruff: noqa: D102 - the methods are those that Game describes
"""Tests of tables whose rules have changed."""

import json
from collections.abc import Sequence

import pytest

from bot.errors import DamagedTable, IllegalMove, NotAllowed, WrongPhase
from bot.games import GAMES
from bot.games.game import AnyGame, Move, Option, Seat
from bot.store.store import Store
from bot.tables.finding import OPERATOR
from bot.tables.tables import Tables
from bot.transcript import verify, write
from tests.pebbles import Pebbles, PebblesState
from tests.tables.people import ANN, BEN, HERE, in_turn, started

DROP = Option("drop", ("allowed", "never"), "Whether stones can be dropped.", "PB-4", "allowed")


class NewPebbles(Pebbles):
    """Pebbles after an update that forbids three stones and adds an option."""

    rules = 2
    options = (*Pebbles.options, DROP)

    def legal(self, state: PebblesState, seat: Seat) -> tuple[Move, ...]:
        return tuple(move for move in super().legal(state, seat) if str(move) != "take 3")


class LonelyPebbles(Pebbles):
    """Pebbles after an update that allows only three players."""

    rules = 2
    options = (Option("players", (3,), "How many play.", "PB-1", 3),)


def program(store: Store, pebbles: AnyGame, older: Sequence[AnyGame] = ()) -> Tables:
    """Return the tables of a program with this rulebook of Pebbles, and older ones."""
    return Tables(store, games={**GAMES, "pebbles": pebbles}, older=older)


async def test_a_table_continues_under_old_rules(store: Store) -> None:
    table = await started(program(store, Pebbles()), ANN, BEN)
    await in_turn(program(store, Pebbles()), table, "take 3")
    tables = program(store, NewPebbles(), [Pebbles()])
    assert await tables.close_outdated() == 0
    await in_turn(tables, table, "take 3", "keep", "keep", "take 3", "take 3", "keep", "keep")
    over = await tables.table(table.id)
    assert (over.status, over.rules, over.outcome and over.outcome.scores) == ("over", 1, (6, 6))
    transcript = await tables.transcript(table.id)
    assert json.loads(write(transcript))["rules"] == 1
    verify(transcript)

    new = await started(tables, ANN, BEN)
    with pytest.raises(IllegalMove):
        await in_turn(tables, new, "take 3")
    assert (await tables.table(new.id)).rules == 2
    again = (await tables.lobbies.rematch(table.id, ANN)).table
    assert (again.rules, again.options) == (2, {"players": 2, "drop": "allowed"})


@pytest.mark.parametrize(("then", "now"), [(Pebbles(), NewPebbles()), (NewPebbles(), Pebbles())], ids=["up", "down"])
async def test_a_table_with_unknown_rules_ends_without_a_result(store: Store, then: AnyGame, now: AnyGame) -> None:
    before = program(store, then)
    table = await started(before, ANN, BEN)
    await in_turn(before, table, "take 2")
    lobby = (await before.lobbies.open("pebbles", {}, ANN, HERE)).table
    frogs = (await before.lobbies.open("frogs", {}, ANN, HERE, 1)).table
    await before.lobbies.start(frogs.id, ANN.id)

    tables = program(store, now)
    assert await tables.close_outdated() == 1
    assert await tables.close_outdated() == 0
    closed = await tables.table(table.id)
    assert (closed.status, closed.why, closed.ended, closed.rules) == ("closed", "rules", "abandoned", then.rules)
    assert closed.outcome is None
    assert [(await tables.table(other.id)).status for other in (lobby, frogs)] == ["lobby", "playing"]
    with pytest.raises(WrongPhase, match="rules have changed"):
        await tables.look(table.id)
    transcript = await tables.transcript(table.id)
    written = json.loads(write(transcript))
    assert (written["rules"], written["ended"], len(written["entries"])) == (then.rules, "abandoned", 2)
    verify(await before.transcript(table.id))  # the program has these rules


async def test_a_table_with_unknown_rules_is_closed_when_it_is_read(store: Store) -> None:
    """Store the table like a process of another version."""
    tables = program(store, NewPebbles())
    await tables.close_outdated()
    table = await started(program(store, Pebbles()), ANN, BEN)
    with pytest.raises(WrongPhase):
        await tables.play(table.id, ANN.id, "take 1")
    assert await tables.whose_turn(table) == ()
    assert {each.status for each in await tables.finder.tables_of(ANN.id)} <= {"playing"}
    assert (await tables.finder.find(table.name, OPERATOR)).id == table.id
    assert (await tables.table(table.id)).ended == "abandoned"
    with pytest.raises(WrongPhase):
        await program(store, Pebbles()).play(table.id, ANN.id, "take 1")


@pytest.mark.parametrize("change", ["", "UPDATE tables SET game = 'chess'", "UPDATE tables SET record = '{'"])
async def test_what_another_version_plays_is_closed_only_by_the_process_that_serves_it(
    store: Store, change: str
) -> None:
    table = await started(program(store, NewPebbles()), ANN, BEN)
    if change:  # a newer version may write what this one can't read
        await store.database.writer.execute(change)
    before = await store.database.reading.rows("SELECT * FROM tables")
    tables = program(store, Pebbles())
    for shards in (frozenset({1}), frozenset[int]()):  # the server is on shard 0
        tables.serve(lambda shards=shards: (shards, 2))  # type: ignore[misc]
        assert await tables.close_outdated() == 0
        with pytest.raises((WrongPhase, DamagedTable)):
            await tables.look(table.id)
        with pytest.raises((WrongPhase, DamagedTable)):
            await tables.play(table.id, ANN.id, "take 1")
    assert await store.database.reading.rows("SELECT * FROM tables") == before
    tables.serve(lambda: (frozenset({0}), 2))
    assert await tables.close_outdated() == 1


async def test_commands_end_no_table_of_another_version(store: Store) -> None:
    table = await started(program(store, NewPebbles()), ANN, BEN)
    tables = Tables(store, games={**GAMES, "pebbles": Pebbles()}, closes=False)
    found = await tables.finder.find(table.name, OPERATOR)
    assert found.status == "playing"
    assert (await store.table(table.id)) == table


async def test_a_finished_table_has_a_transcript_without_its_rulebook(store: Store) -> None:
    before = program(store, Pebbles())
    table = await started(before, ANN, BEN)
    await before.resign(table.id, BEN.id)
    over = program(store, NewPebbles())
    assert await over.close_outdated() == 0
    assert (await over.table(table.id)).status == "over"
    assert write(await over.transcript(table.id)) == write(await before.transcript(table.id))
    with pytest.raises(WrongPhase, match="rules have changed"):
        await over.look(table.id)


async def test_a_lobby_starts_under_the_current_rules(store: Store) -> None:
    before = program(store, Pebbles())
    table = (await before.lobbies.open("pebbles", {"players": 2}, ANN, HERE, 1)).table
    tables = program(store, NewPebbles(), [Pebbles()])
    await tables.close_outdated()
    receipt = await tables.lobbies.start(table.id, ANN.id)
    for seen in (receipt.table, await tables.table(table.id), await program(store, NewPebbles()).table(table.id)):
        assert (seen.status, seen.rules, seen.options) == ("playing", 2, {"players": 2, "drop": "allowed"})
    with pytest.raises(IllegalMove):
        await tables.play(table.id, ANN.id, "take 3")


async def test_a_lobby_with_removed_options_is_not_started(store: Store) -> None:
    table = (await program(store, Pebbles()).lobbies.open("pebbles", {"players": 2}, ANN, HERE, 1)).table
    tables = program(store, LonelyPebbles())
    with pytest.raises(NotAllowed, match="rules of Pebbles have changed"):
        await tables.lobbies.start(table.id, ANN.id)
    assert (await tables.close(table.id, ANN.id)).table.status == "closed"
