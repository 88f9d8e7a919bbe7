"""Databases of schema version 30, in which tables had a column for each field, are upgraded with everything in them."""

import re
from contextlib import closing
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from bot.errors import DamagedTable, NotAllowed
from bot.games.game import Outcome
from bot.store.former_players import how_gone
from bot.store.open_store import open_store
from bot.store.postgres import PostgresStore
from bot.store.postgres.postgres_store import migrations as postgres_migrations
from bot.store.records import FormerPlayers, Guest, Place, Sitter, Table
from bot.store.sqlite.connection import connect
from bot.store.sqlite.sqlite_schema import migrations, prepare
from bot.tables import Person, Tables

LAST: Final = 30
OLD: Final = """
INSERT INTO tables (id, number, name, game, rules, options, seats, status, version, plies, undone_at, host_id,
    guild_id, channel_id, commitment, reason, clock, opened_at, changed_at, looked_at, level, hints, invited_only)
VALUES
    (1, 1, 'Snail', 'frogs', 1, '{"preset": "standard", "repetition": "draw"}', 2, 'lobby', 4, 0, 0, 7,
        4194304, 50, 'c1', NULL, 'day', 10.5, 20.5, 15.25, 'easy', 'on', 1),
    (2, 2, 'Heron', 'frogs', 1, '{}', 2, 'playing', 5, 1, 3, 7,
        NULL, 51, 'c2', NULL, 'none', 10.0, 20.0, NULL, 'fair', 'auto', 0),
    (3, 3, 'Teal', 'frogs', 1, '{}', 2, 'over', 9, 0, 0, 7,
        NULL, 51, 'c3', 'goal', 'none', 1.0, 2.0, NULL, 'fair', 'off', 0),
    (4, 4, 'Coot', 'frogs', 1, '{}', 2, 'closed', 9, 0, 0, 7,
        NULL, 51, 'c4', 'agreed', 'none', 1.0, 2.0, NULL, 'fair', 'auto', 0),
    (5, 5, 'Rail', 'frogs', 1, '{', 2, 'playing', 9, 0, 0, 7,
        NULL, 51, 'c5', NULL, 'none', 1.0, 2.0, NULL, 'fair', 'auto', 0);
INSERT INTO secrets (table_id, seed) VALUES (1, <01*32>), (2, <02*32>), (3, <03*32>), (4, <04*32>), (5, <05*32>);
INSERT INTO seats (table_id, seat, name, user_id, cut, started_as, held_for, offered, started_by, owes, since, level,
    after_removal)
VALUES
    (1, 1, 'Ann "A"', 7, 'c', NULL, NULL, 0, NULL, 0, 20.5, 'fair', 0),
    (2, 0, 'Moss', NULL, '', 'Zoe', 9, 1, 9, 1, 20.0, 'strong', 1),
    (2, 1, 'Ben', 8, '', NULL, NULL, 0, NULL, 0, 20.0, 'fair', 0),
    (3, 1, 'Ben', 8, '', NULL, NULL, 0, NULL, 0, NULL, 'fair', 0);
INSERT INTO entries (table_id, ply, seat, move, by_user, at) VALUES (2, 0, 0, 'spawn', NULL, 12.0);
INSERT INTO results (table_id, seat, score, place) VALUES (3, 1, -2, 2), (3, 0, 7, 1);
INSERT INTO invitations (table_id, user_id, is_invited, is_called) VALUES (1, 12, 0, 1), (1, 11, 1, 0);
INSERT INTO removals (table_id, user_id) VALUES (1, 13);
INSERT INTO salts (table_id, salt) VALUES (2, <0a0b>);
INSERT INTO former_players (table_id, digest, was_removed)
VALUES (2, <8b6ce777ea1e33d0cb7fa4e681ef11a5a259b2236eb8cd0fae7e205f3754ff97>, 1)
"""
"""Bytes are written as ``<hex>``. The last ones are the HMAC-SHA256 of user 14."""
MOSS: Final = Sitter(0, "Moss", None, "", "Zoe", 9, offered=True, started_by=9, level="strong", after_removal=True)
SNAIL: Final = Table(
    id=1,
    number=1,
    name="Snail",
    game="frogs",
    options={"preset": "standard", "repetition": "draw"},
    seats=2,
    status="lobby",
    version=4,
    host_id=7,
    place=Place(4194304, 50),
    sitters=(Sitter(1, 'Ann "A"', 7, "c"),),
    commitment="c1",
    seed=None,
    outcome=None,
    opened_at=10.5,
    changed_at=20.5,
    clock="day",
    looked_at=15.25,
    level="easy",
    hints="on",
    invited_only=True,
    guests=(Guest(11, is_invited=True, is_called=False), Guest(12)),
    former=FormerPlayers(removed=(13,)),
)


def statements(blob: str) -> list[str]:
    """Return the statements, with bytes as ``blob`` says."""
    script = re.sub(r"<(\w\w)\*32>", lambda found: f"<{32 * found[1]}>", OLD)
    return [re.sub("<(.*?)>", blob, statement) for statement in script.split(";")]


@pytest.fixture(params=["sqlite", "postgres"])
async def old(request: pytest.FixtureRequest) -> Path | str:
    """The address of an old database."""
    if request.param == "sqlite":
        path: Path = request.getfixturevalue("path")
        with closing(connect(path)) as file:
            prepare(path, migrations()[:LAST], file)
            for statement in statements(r"x'\1'"):
                file.execute(statement)
        return path
    url: str = request.getfixturevalue("url")
    async with await PostgresStore.open(url, [each for each in postgres_migrations() if each.number <= LAST]):
        pass
    connection = await asyncpg.connect(url)
    await connection.execute(";".join(statements(r"decode('\1', 'hex')")))
    await connection.close()
    return url


async def test_tables_are_as_they_were(old: Path | str) -> None:
    async with await open_store(old) as store:
        assert await store.table(1) == SNAIL
        playing, over, closed = [await store.table(number) for number in (2, 3, 4)]
        assert playing is not None
        assert (playing.sitters, playing.seed, playing.plies, playing.undone_at) == (
            (MOSS, Sitter(1, "Ben", 8)),
            None,
            1,
            3,
        )
        assert how_gone(playing, 14) == "removed"
        assert over is not None
        assert (over.outcome, over.seed, over.why) == (Outcome((7, -2), (1, 2), "goal"), "03" * 32, None)
        assert closed is not None
        assert (closed.ended, closed.seed, closed.outcome) == ("agreed", "04" * 32, None)


async def test_a_table_that_cannot_be_read_stops_no_upgrade(old: Path | str) -> None:
    async with await open_store(old) as store:
        with pytest.raises(DamagedTable):
            await store.table(5)
        assert {table.id for table in await store.lists.open_tables()} == {1, 2}
        assert await store.close_damaged(5, "damaged ABC", 30.0)
        rail = await store.table(5)
        assert rail is not None
        assert (rail.name, rail.status, rail.version, rail.why) == ("Rail", "closed", 10, "damaged ABC")


async def test_an_old_table_is_played_on(old: Path | str) -> None:
    async with await open_store(old) as store:
        tables = Tables(store)
        for stranger, why in ((Person(13, "Di"), "removed you"), (Person(12, "Eve"), "for invited players")):
            with pytest.raises(NotAllowed, match=why):
                await tables.lobbies.sit(1, stranger)
        lobby = (await tables.lobbies.sit(1, Person(11, "Cy"))).table
        assert [sitter.user_id for sitter in lobby.sitters] == [11, 7]
        started = (await tables.lobbies.start(1, 7)).table
        assert (started.status, started.version) == ("playing", 6)
        assert started.invited == (11,)
        assert [seat.table.id for seat in await store.lists.seats(7, None, None, 25)] == [1]
