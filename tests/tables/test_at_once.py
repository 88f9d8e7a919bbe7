"""Tests of changes at the same moment, in one process and in two: facts are checked where they are used."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import cycle

import pytest

from bot.errors import Conflict, NotAllowed, PlayError
from bot.games.game import Seat
from bot.records.table import Person
from bot.records.taken_back import REFUSED
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY, DEAD_S
from bot.tables.tables import Tables
from bot.thinking.turns import Turns
from tests.databases import Database
from tests.store.lilypads import append
from tests.tables.people import ANN, BEN, CY, HERE, Clock, make_tables, started, waiting

DI = Person(10, "Di")

Press = Callable[[Tables, int], Awaitable[object]]


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


@pytest.fixture
async def processes(tables: Tables, database: Database, clock: Clock) -> AsyncIterator[Iterator[Tables]]:
    """Two processes at one database, in turn."""
    async with await database.open() as other_store:
        yield cycle((tables, make_tables(other_store, clock)))


async def at_once(*presses: Awaitable[object]) -> list[object]:
    """Return the results of presses at the same moment. Each is done or refused in a sentence."""
    results = await asyncio.gather(*presses, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, PlayError):
            raise result
    return list(results)


def done(results: list[object]) -> list[object]:
    """Return the results of the presses that weren't refused."""
    return [result for result in results if not isinstance(result, PlayError)]


LOBBY: dict[str, tuple[Press, int | None]] = {
    "join": (lambda tables, table: tables.lobbies.sit(table, DI), 1),
    "leave": (lambda tables, table: tables.lobbies.stand(table, BEN.id), 1),
    "remove": (lambda tables, table: tables.lobbies.remove(table, ANN.id, 1), 1),
    "cut": (lambda tables, table: tables.lobbies.cut(table, BEN.id, "deep"), None),
    "options": (lambda tables, table: tables.lobbies.set_options(table, ANN.id, {"players": 6}), None),
    "invite": (lambda tables, table: tables.guests.invite(table, ANN.id, [DI.id]), None),
    "find players": (lambda tables, table: tables.guests.look(table, ANN.id), 1),
    "hints": (lambda tables, table: tables.hints.allow(table, ANN.id, "on"), None),
    "level": (lambda tables, table: tables.computers.set_level(table, ANN.id, "easy"), None),
    "fill with computers": (lambda tables, table: tables.computers.add(table, ANN.id, fill=True), 1),
    "close": (lambda tables, table: tables.close(table, ANN.id), 1),
    "move": (lambda tables, table: tables.lobbies.move(table, ANN.id, HERE), 1),
    "start": (lambda tables, table: tables.lobbies.start(table, ANN.id), 0),
}
"""Presses in a lobby, and how many of them are done if they come at once; ``None`` is all of them."""


@pytest.mark.parametrize("presses", [2, 7])
@pytest.mark.parametrize("verb", LOBBY)
async def test_equal_presses_in_a_lobby_count_once(
    tables: Tables, processes: Iterator[Tables], verb: str, presses: int
) -> None:
    table = (await tables.lobbies.open("pontis", {"players": 8}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    press, count = LOBBY[verb]
    results = await at_once(*(press(next(processes), table.id) for _ in range(presses)))
    assert len(done(results)) == (presses if count is None else count)
    after = await tables.table(table.id)
    users = [sitter.user_id for sitter in after.sitters if sitter.user_id is not None]
    assert len(users) == len(set(users))


@pytest.mark.parametrize("presses", [2, 7])
@pytest.mark.parametrize("verb", ["start", "resign", "expel", "close"])
async def test_equal_presses_in_a_game_count_once(
    tables: Tables, processes: Iterator[Tables], verb: str, presses: int
) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    for person in (BEN, CY):
        await tables.lobbies.sit(table.id, person)
    if verb != "start":
        await tables.lobbies.start(table.id, ANN.id)
    press: Press = {
        "start": lambda each, number: each.lobbies.start(number, ANN.id),
        "resign": lambda each, number: each.resign(number, BEN.id),
        "expel": lambda each, number: each.expel(number, 99, BEN.id, moderates=HERE.guild_id),
        "close": lambda each, number: each.close(number, 99, moderates=HERE.guild_id),
    }[verb]
    assert len(done(await at_once(*(press(next(processes), table.id) for _ in range(presses))))) == 1


@pytest.mark.parametrize("presses", [2, 7])
async def test_a_computer_plays_one_turn_however_many_ask_for_it(
    tables: Tables, processes: Iterator[Tables], clock: Clock, presses: int
) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    clock.at += DAY
    every = [next(processes) for _ in range(presses)]
    verdicts = await asyncio.gather(*(each.waiting.move_on(table.id, BEN.id, "play") for each in every))
    for each, verdict in zip(every, verdicts, strict=True):
        for seat in verdict.seats:
            await Turns(each).stand_in(table.id, seat, verdict.version)
    entries = (await tables.transcript(table.id, unfinished=True)).entries
    assert [entry.seat for entry in entries].count(Seat(0)) == 1


@pytest.mark.parametrize("order", range(4))
async def test_a_table_with_a_move_is_not_closed_as_dead(
    tables: Tables, processes: Iterator[Tables], clock: Clock, order: int
) -> None:
    table = await waiting(tables, ANN, BEN)
    clock.at += DEAD_S
    presses: list[Awaitable[object]] = [next(processes).waiting.close_dead(table.id) for _ in range(3)]
    presses.insert(order, next(processes).play(table.id, ANN.id, "take 1"))
    await at_once(*presses)
    moves = (await tables.transcript(table.id, unfinished=True)).entries
    has_moved = any(entry.seat == 0 for entry in moves)
    assert (await tables.table(table.id)).status == ("playing" if has_moved else "closed")


@pytest.mark.parametrize("presses", [2, 7])
async def test_players_and_others_find_seats_in_a_rematch_at_once(
    tables: Tables, processes: Iterator[Tables], presses: int
) -> None:
    people = [Person(20 + number, f"Guest {number}") for number in range(8)]
    table = (await tables.lobbies.open("pontis", {"players": 8}, people[0], HERE)).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    await tables.lobbies.start(table.id, people[0].id)
    await tables.close(table.id, 99, moderates=HERE.guild_id)
    again = (await tables.lobbies.rematch(table.id, people[0])).table
    await tables.guests.look(again.id, people[0].id)  # so that others may join
    others = [Person(40 + number, f"Other {number}") for number in range(presses)]
    joining = [next(processes).lobbies.sit(again.id, person) for person in others]
    coming = [next(processes).lobbies.rematch(table.id, person) for person in people[1:presses]]
    results = await at_once(
        *(each for pair in zip(joining, coming, strict=False) for each in pair), *joining[len(coming) :]
    )
    refused = [str(result) for result in results if isinstance(result, PlayError)]
    assert not [refusal for refusal in refused if "isn't free" in refusal]
    most = 13  # a full lobby becomes one for more players
    assert len({sitter.seat for sitter in (await tables.table(again.id)).sitters}) == min(most, 1 + len(results))


@pytest.mark.parametrize("order", [0, 1])
async def test_an_undo_is_never_both_refused_and_made(tables: Tables, processes: Iterator[Tables], order: int) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "take 1")
    await tables.play(table.id, BEN.id, "take 1")
    asked = (await tables.undos.undo(table.id, ANN.id)).table
    presses: list[Awaitable[object]] = [next(processes).undos.agree(table.id, BEN.id, ANN.id, asked.version)]
    presses.insert(order, next(processes).undos.refuse(table.id, ANN.id, ANN.id, asked.version))
    results = await at_once(*presses)
    is_undone = (await tables.table(table.id)).version > asked.version
    assert isinstance(results[order], PlayError) == is_undone


# ---- what a change rests on, in the transaction that writes


async def test_a_remedy_conflicts_with_the_return_of_the_player(tables: Tables, store: Store, clock: Clock) -> None:
    table = await waiting(tables, ANN, BEN, CY)
    clock.at += DAY / 4
    await tables.waiting.move_on(table.id, BEN.id, "seat")
    ground = await store.waits.ground(table)
    assert await tables.waiting.come_back(table, ANN)
    with pytest.raises(Conflict):
        await append(store, table, (), at=clock.at, status="closed", ground=ground)
    ground = await store.waits.ground(table)
    await append(store, table, (), at=clock.at, status="closed", ground=ground)


async def test_what_belongs_to_a_past_version_is_not_stored(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "take 1")
    for late in (
        store.waits.record_vote(table, BEN.id, "end"),
        store.waits.end_absence(table, 5.0),
        store.undos.answer(table.id, table.version, ANN.id, BEN.id),
        store.undos.answer(table.id, table.version, ANN.id, REFUSED),
        store.note_hint(table, 1, 0),
    ):
        with pytest.raises(Conflict):
            await late


async def test_an_undo_conflicts_with_its_refusal(tables: Tables, store: Store) -> None:
    table = await started(tables, ANN, BEN)
    await tables.play(table.id, ANN.id, "take 1")
    await tables.play(table.id, BEN.id, "take 1")
    asked = (await tables.undos.undo(table.id, ANN.id)).table
    await store.undos.answer(table.id, asked.version, ANN.id, REFUSED)
    with pytest.raises(Conflict):
        await append(store, asked, at=9.0, by_user=ANN.id, taken_back=1)
    with pytest.raises(NotAllowed, match="Not everyone agreed"):
        await tables.undos.agree(table.id, BEN.id, ANN.id, asked.version)
