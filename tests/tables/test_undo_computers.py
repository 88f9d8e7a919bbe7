"""Tests of undo at tables with computers."""

import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from bot import computer
from bot.errors import NotAllowed, PlayError
from bot.games import GAMES
from bot.games.cards import PACK
from bot.games.game import CHANCE, Observation, Value
from bot.records.table import Person, Table
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.tables import Tables
from tests.databases import new_file
from tests.doses import dose
from tests.going_on import go_on
from tests.tables.people import ANN, BEN, CY, HERE, Clock, in_turn, make_tables, started

SECRET_CHOICES = {"profit", "trap"}
"""Computers' moves that reveal nothing."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store. What an undo tells doesn't depend on the engine."""
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        yield store


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with that clock."""
    return make_tables(store, clock)


async def opened(tables: Tables, game: str, options: Mapping[str, object], *people: Person) -> Table:
    """Return a started table of these people, with computers on all other seats."""
    computers = GAMES[game].seats(tables.lobbies.settle(game, options, 0)) - len(people)
    table = (await tables.lobbies.open(game, options, people[0], HERE, computers)).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    return (await tables.lobbies.start(table.id, people[0].id)).table


async def computers_play(tables: Tables, table: Table, rng: random.Random) -> Table:
    """Let all computers move that are to move, after the only person has gone on to a new deal."""
    while seats := await tables.computers_turn(table := await go_on(tables, table.id)):
        sight = await tables.look_as_computer(table.id, seats[0])
        move = computer.choose(table.game, sight.observation, rng)
        await tables.play_computer(table.id, seats[0], str(move))
    return table


# ---- trying to gain information by undos


def cards_in(value: Any) -> Iterator[str]:
    """Return every card in a value."""
    if isinstance(value, str):
        if value in CARDS:
            yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from cards_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from cards_in(pair)
    elif isinstance(value, Sequence | frozenset | set):
        for each in value:
            yield from cards_in(each)


CARDS = frozenset(map(str, (*PACK, "XX")))


def known(observation: Observation) -> set[str]:
    """Return the cards that an observer knows."""
    return set(cards_in(observation))


async def try_undo(tables: Tables, table: Table, people: Sequence[Person], asker: Person) -> bool:
    """Ask for an undo, and let everybody agree; return whether it was done."""
    try:
        undoing = await tables.undos.undo(table.id, asker.id)
        for user in undoing.waiting:
            undoing = await tables.undos.agree(table.id, user, asker.id, undoing.table.version)
    except PlayError:
        return False
    assert {person.id for person in people} >= set(undoing.waiting)
    return not undoing.waiting


ATTACKED: list[tuple[str, dict[str, Value], int]] = [
    ("pond", {"players": 2, "rounds": 2}, 1),
    ("pond", {"players": 4, "rounds": 2}, 1),
    ("pond", {"players": 4, "rounds": 2}, 2),
    ("pontis", {"players": 3}, 1),
    ("pontis", {"players": 4, "fake": "on", "liar": "on"}, 1),
    ("pontis", {"players": 4, "fake": "on"}, 2),
    ("pot_black", {"players": 4}, 1),
    ("pot_black", {"players": 4}, 3),
]


@pytest.mark.parametrize(("game", "options", "humans"), dose(check=ATTACKED[::3], test=ATTACKED))
async def test_an_undo_and_another_move_tell_nothing_about_computers_hands(
    tables: Tables, game: str, options: dict[str, Value], humans: int
) -> None:
    """Let each person keep trying to undo moves and to play others, while all agree to everything.

    What an undo makes somebody unsee must not be in a computer's hand. One person alone may unsee what computers
    played, but nothing that was dealt, and such a game can't raise their rating any more.
    """
    people = (ANN, BEN, CY)[:humans]
    rng = random.Random(game)
    table = await opened(tables, game, options, *people)
    undone = 0
    for _ in range(dose(check=50, test=150)):
        if rng.random() < 0.7 or humans == 1:
            table = await computers_play(tables, table, rng)
        if table.status != "playing":
            break
        users = await tables.whose_turn(table)
        for user in users[:1]:
            moves = (await tables.look(table.id, user)).observation.legal
            await tables.play(table.id, user, str(rng.choice(moves)))
        if humans == 1:
            table = await computers_play(tables, table, rng)
        if rng.random() < 0.3:
            continue
        asker = rng.choice(people)
        before = {person: known((await tables.look(table.id, person.id)).observation) for person in people}
        if (await tables.table(table.id)).status == "playing" and await try_undo(tables, table, people, asker):
            undone += 1
            held = await cards_of_computers(tables, table)
            for person in people:
                after = known((await tables.look(table.id, person.id)).observation)
                assert humans == 1 or not (before[person] - after) & held
        table = await tables.table(table.id)
    computers = {sitter.seat for sitter in table.sitters if sitter.is_computer}
    gone = [each.entry for each in await tables.undos.taken_back(table.id)]
    assert not [entry for entry in gone if entry.seat is CHANCE]
    shown = [entry for entry in gone if entry.seat in computers and entry.move.split()[0] not in SECRET_CHOICES]
    assert shown == [] if humans > 1 else table.has_slips or not gone
    assert undone


async def cards_of_computers(tables: Tables, table: Table) -> set[str]:
    """Return the cards that only computers hold: four players use two packs."""
    held: dict[bool, set[str]] = {True: set(), False: set()}
    for sitter in (await tables.table(table.id)).sitters:
        if sitter.user_id is None:
            sight = await tables.look_as_computer(table.id, sitter.seat)
        else:
            sight = await tables.look(table.id, sitter.user_id)
        held[sitter.is_computer] |= set(cards_in(getattr(sight.observation, "hand")))  # noqa: B009 - card games have it
    return held[True] - held[False]


async def test_everything_in_frogs_can_be_undone(tables: Tables) -> None:
    table = await opened(tables, "frogs", {}, ANN)
    for _ in range(4):
        table = await computers_play(tables, table, random.Random(1))
        sight = await tables.look(table.id, ANN.id)
        await tables.play(table.id, ANN.id, str(sight.observation.legal[0]))
    table = await computers_play(tables, table, random.Random(1))
    for _ in range(4):
        assert (await tables.undos.undo(table.id, ANN.id)).waiting == ()


# ---- refusals


async def test_a_secret_choice_can_be_undone_after_computers_chose(tables: Tables) -> None:
    table = await started(tables, ANN, computers=1)
    await tables.play(table.id, ANN.id, "take 1")
    await tables.play_computer(table.id, 1, "take 2")
    assert (await tables.undos.undo(table.id, ANN.id)).waiting == ()


async def test_nothing_is_undone_past_a_deal(tables: Tables) -> None:
    table = await started(tables, ANN, computers=1)
    await in_turn(tables, table, "take 1")
    await tables.play_computer(table.id, 1, "take 2")
    await in_turn(tables, table, "keep")
    await tables.play_computer(table.id, 1, "keep")
    with pytest.raises(NotAllowed, match="Too late to undo: new cards have been dealt"):
        await tables.undos.undo(table.id, ANN.id)


async def test_a_deal_with_computers_cannot_be_undone(tables: Tables) -> None:
    table = (await tables.lobbies.open("pebbles", {"players": 3}, ANN, HERE)).table
    table = (await tables.computers.add(table.id, ANN.id)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await in_turn(tables, table, "take 1", "take 1")
    await tables.play_computer(table.id, 2, "take 1")
    await in_turn(tables, table, "keep", "keep")
    assert (await tables.undos.undo(table.id, ANN.id)).waiting == (BEN.id,), "so far only people have spoken"
    await tables.play_computer(table.id, 2, "keep")  # the second round is dealt
    with pytest.raises(NotAllowed, match="has played since"):
        await tables.undos.undo(table.id, BEN.id)


async def test_a_revealing_move_cannot_be_undone_with_a_computer(tables: Tables) -> None:
    table = await opened(tables, "pond", {"players": 2}, ANN)
    await computers_play(tables, table, random.Random(1))
    sight = await tables.look(table.id, ANN.id)
    await tables.play(table.id, ANN.id, str(sight.observation.legal[0]))  # all pick up the hidden five
    with pytest.raises(NotAllowed, match="Too late to undo: hidden cards have been revealed"):
        await tables.undos.undo(table.id, ANN.id)


# ---- kept seats


async def kept_for_cy(tables: Tables, clock: Clock) -> Table:
    """Return a table of three in its second phase, where a computer keeps Cy's seat."""
    table = await started(tables, ANN, BEN, CY)
    await in_turn(tables, table, "take 1", "take 1")
    clock.at += DAY
    await tables.waiting.move_on(table.id, ANN.id, "seat")
    await tables.play_computer(table.id, 2, "take 1")
    return await tables.table(table.id)


async def test_nothing_is_undone_past_a_move_of_a_kept_seat(tables: Tables, clock: Clock) -> None:
    table = await kept_for_cy(tables, clock)
    with pytest.raises(NotAllowed, match=f"<@{CY.id}> is away"):
        await tables.undos.undo(table.id, BEN.id)


async def test_nothing_is_undone_past_what_a_kept_seat_learned(tables: Tables, clock: Clock) -> None:
    table = await kept_for_cy(tables, clock)
    await in_turn(tables, table, "keep")
    with pytest.raises(NotAllowed, match=f"<@{CY.id}> is away"):
        await tables.undos.undo(table.id, ANN.id)


async def test_a_player_who_has_returned_is_asked(tables: Tables, clock: Clock) -> None:
    table = await kept_for_cy(tables, clock)
    await tables.waiting.come_back(await tables.table(table.id), CY)
    assert (await tables.undos.undo(table.id, BEN.id)).waiting == (ANN.id, CY.id)


async def test_a_move_of_a_kept_seat_in_frogs_cannot_be_undone(tables: Tables, clock: Clock) -> None:
    table = await opened(tables, "frogs", {}, ANN, BEN)
    first, second = (ANN, BEN) if await tables.whose_turn(table) == (ANN.id,) else (BEN, ANN)
    legal = (await tables.look(table.id, first.id)).observation.legal
    await tables.play(table.id, first.id, str(legal[0]))
    clock.at += DAY
    await tables.waiting.move_on(table.id, first.id, "seat")
    await computers_play(tables, table, random.Random(1))
    with pytest.raises(NotAllowed, match=f"<@{second.id}> is away"):
        await tables.undos.undo(table.id, first.id)
