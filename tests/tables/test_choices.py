"""What computers' choices draw from (G-16): the table's secret seed, so that nobody can try which hand fits them."""

import hashlib
import hmac
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from bot import computer
from bot.errors import NotAllowed
from bot.games import GAMES
from bot.games.game import Move
from bot.records.table import Change, Table
from bot.store.database import Transaction
from bot.store.store import Store
from bot.tables.tables import Tables
from bot.thinking.thinkers import Turn, turn_of
from bot.thinking.turns import Turns
from tests.databases import SqliteDatabase, new_file
from tests.leaks.at_tables import plain
from tests.recorded import Moment, recorded
from tests.tables.people import ANN, HERE, make_tables

SEEDS: Final = (bytes(range(32)), bytes(range(1, 33)))
LEVELS: Final = ("easy", "fair")
EVENTS: Final = [None, ("daily 2026-11-26", 0)]


def by_hand(seed: bytes, text: str) -> str:
    """Return the HMACs of G-16."""
    key = hmac.new(seed, b"computers", hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def replies(turn: Turn, seed: str) -> list[Move]:
    """Return what the computer would play with this seed, at each quick level."""
    table, seen = turn.sight.table, turn.sight.observation
    return [computer.choose(table.game, seen, random.Random(seed), level) for level in LEVELS]


async def put(store: Store, moment: Moment, seed: bytes, event: tuple[str, int] | None) -> Table:
    """Put the moment on a new table with this seed, whose seats are all computers'."""
    game, table = GAMES[moment.table.game], moment.table
    computers = tuple([replace(sitter, user_id=None, level="fair") for sitter in table.sitters])
    draft = replace(table, name=f"Heron {moment.ply}", version=1, status="lobby", sitters=computers, event=event)
    draft = replace(draft, rules=game.rules)
    opened = await store.open_table(draft, seed)
    to_act = frozenset(seat for seat in game.to_act(moment.state) if seat is not None)
    return await store.write(
        opened, Change(replace(opened, status="playing"), moment.log.entries[: moment.ply], to_act=to_act), 1000.0
    )


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[list[Store]]:
    """Two new databases, whose tables get the same numbers."""
    async with AsyncExitStack() as stack:
        files = [SqliteDatabase(new_file(tmp_path / f"{name}.db")) for name in ("one", "other")]
        yield [await stack.enter_async_context(await file.open()) for file in files]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("key", ["pond", "pontis"])
async def test_public_numbers_do_not_predict_a_choice(
    stores: list[Store], key: str, event: tuple[str, int] | None
) -> None:
    seeds: list[str] = []
    ours, theirs, guessed = list[Move](), list[Move](), list[Move]()
    for moment in recorded(key)[5:-1:3][:20]:
        turns: list[Turn] = []
        for store, secret in zip(stores, SEEDS, strict=True):
            tables, table = make_tables(store), await put(store, moment, secret, event)
            seat = (await tables.computers_turn(table))[0]
            turns.append(await turn_of(tables, await tables.look_as_computer(table.id, seat), seat))
            own = sum(entry.seat == seat for entry in moment.log.entries[: moment.ply])
            assert turns[-1].seed == by_hand(secret, f"{seat} {own}" if event else f"{moment.ply} {seat}")
            assert turns[-1].seed not in repr(turns[-1])
        one, other = turns
        assert plain(one.sight) == plain(other.sight), "all that anybody sees is equal"
        seeds += [one.seed, other.seed]
        ours += replies(one, one.seed)
        theirs += replies(other, other.seed)
        table = one.sight.table
        public = f"{event[0]} {event[1]} {seat} {own}" if event else f"{table.id} {table.plies} {seat}"
        guessed += replies(one, public)
    assert len({*seeds}) == len(seeds)
    assert ours != theirs
    assert guessed not in (ours, theirs)


async def lose_seeds(db: Transaction) -> None:
    """Delete all seeds, as no program would."""
    await db.execute("DELETE FROM secrets")


async def test_computers_play_on_where_the_seed_is_lost(
    tables: Tables, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = (await tables.lobbies.open("frogs", {}, ANN, HERE, 1)).table
    table = (await tables.lobbies.start(table.id, ANN.id)).table
    await store.database.writer.write(lose_seeds)
    if not await tables.computers_turn(table):
        (move, *_) = (await tables.look(table.id, ANN.id)).observation.legal
        table = (await tables.play(table.id, ANN.id, str(move))).table
    (seat,) = await tables.computers_turn(table)
    sight = await tables.look_as_computer(table.id, seat)
    assert len({(await turn_of(tables, sight, seat)).seed for _ in range(5)}) == 5
    assert "its seed is lost" in caplog.text
    turns, ply = Turns(tables), table.plies
    await turns.resume()
    table = await tables.table(table.id)
    assert (table.status, table.plies) == ("playing", ply + 1)
    await turns.close()
    await tables.close(table.id, ANN.id)
    with pytest.raises(NotAllowed, match="No computer has noted"):
        await tables.replays.recollection(table.id, ply)
