"""Rows that can't be read or played on: one of them ends one table, and nothing else."""

import contextlib
import logging
import sqlite3
from typing import Final

import pytest

from tests.discord.play import World
from tests.discord.tables import legal, started

SET: Final = "UPDATE tables SET record = json_set(record, '$.{}', {}) WHERE id = 1"
BAD_ROWS: Final = {
    "options that are a text": SET.format("options", "'{'"),
    "a record that is no JSON": "UPDATE tables SET record = '{' WHERE id = 1",
    "a record of another type": "UPDATE tables SET record = '[1]' WHERE id = 1",
    "a record that is no text": "UPDATE tables SET record = CAST(x'ff7b' AS TEXT) WHERE id = 1",
    "no commitment": "UPDATE tables SET record = json_remove(record, '$.commitment') WHERE id = 1",
    "options of another type": SET.format("options", "json('[1]')"),
    "an unknown option": SET.format("options.hats", "3"),
    "an unknown value": """UPDATE tables SET record = replace(record, '"none"', '"tea"') WHERE id = 1""",
    "options for other seats": SET.format("options.players", "4"),
    "an unknown game": "UPDATE tables SET game = 'chess' WHERE id = 1",
    "an unknown status": "UPDATE tables SET status = 'paused' WHERE id = 1",
    "an unknown level": SET.format("level", "'genius'"),
    "an unknown clock": SET.format("clock", "'sundial'"),
    "no seats": SET.format("seats", "0"),
    "very many seats": SET.format("seats", "4611686018427387904"),
    "another number of moves": "UPDATE tables SET plies = plies + 1 WHERE id = 1",
    "an endless time": "UPDATE tables SET opened_at = 9e999 WHERE id = 1",
    "a seat that isn't there": SET.format("sitters[1].seat", "7"),
    "a negative seat": SET.format("sitters[1].seat", "-1"),
    "a missing player": "UPDATE tables SET record = json_remove(record, '$.sitters[1]') WHERE id = 1",
    "a level of a player": SET.format("sitters[0].level", "'genius'"),
    "an illegal move": "UPDATE entries SET move = 'play AS' WHERE table_id = 1 AND ply = 2",
    "no move": "UPDATE entries SET move = 'KSKSKS' WHERE table_id = 1 AND ply = 1",
    "a move that is no text": "UPDATE entries SET move = CAST(x'ff' AS TEXT) WHERE table_id = 1 AND ply = 2",
    "a move of nobody": "UPDATE entries SET seat = 99 WHERE table_id = 1 AND ply = 0",
    "a missing move": "DELETE FROM entries WHERE table_id = 1 AND ply = 1",
}
HARMLESS: Final = {
    "a name that is no text": "UPDATE tables SET name = CAST(x'48ff' AS TEXT) WHERE id = 1",
    "a player's name that is no text": (
        "UPDATE tables SET record = replace(record, '\"name\":\"', CAST(x'226e616d65223a2248ff' AS TEXT)) WHERE id = 1"
    ),
    "a message that is no JSON": "UPDATE messages SET notified = '{{' WHERE table_id = 1",
    "a message of no kind": "UPDATE messages SET kind = 'poster' WHERE table_id = 1",
    "a server that is no JSON": (
        "INSERT INTO servers (guild_id, channels, threads, clock) VALUES ({server}, '{{', 0, 'none')"
    ),
    "saved options that are no JSON": (
        "INSERT INTO option_sets (user_id, game, name, options, clock) VALUES ({user}, 'pond', 'ours', '{{', 'none')"
    ),
}


def spoil(world: World, statement: str) -> None:
    """Change the database as no program would."""
    world.was_broken = True  # the error about it is expected
    with contextlib.closing(sqlite3.connect(world.database)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        assert connection.execute(statement).rowcount > 0


@pytest.mark.parametrize("statement", BAD_ROWS.values(), ids=BAD_ROWS.keys())
async def test_a_bad_row_ends_one_table(world: World, statement: str, caplog: pytest.LogCaptureFixture) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    for player in (ann, ben):
        await player.types("pond move", move=(await legal(world, player))[0])
    await started(ann, [ben])
    board = next(seen for seen in ann.messages() if "Your hand" not in seen.text)

    async def meanwhile() -> None:
        spoil(world, statement)

    with caplog.at_level(logging.INFO):
        await world.crash(meanwhile)
    (named,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    reference = getattr(named, "reference", "")
    assert len(reference) == 6
    explanation = f"This table was damaged, so I closed it. Reference **{reference}**."
    assert explanation in ann.now(board).text
    assert any(explanation in seen.text for seen in ben.dms)
    for command in ("pond board", "pond hand", "pond resign", "potblack board"):
        told = (await ann.types(command, table="1")).text
        assert told.endswith(f"was damaged, so I closed it. Reference **{reference}**."), told
    listed = (await ann.types("tables")).text
    assert "(number 2)" in listed
    assert "(number 1)" not in listed
    version = (await world.tables.table(2)).version
    await ann.types("pond move", move=(await legal(world, ann, 2))[0], table="2")
    assert (await world.tables.table(2)).version > version
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == [named.getMessage()]


@pytest.mark.parametrize("statement", HARMLESS.values(), ids=HARMLESS.keys())
async def test_other_bad_rows_end_no_table(world: World, statement: str, caplog: pytest.LogCaptureFixture) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])

    async def meanwhile() -> None:
        spoil(world, statement.format(server=world.server.id, user=ann.id))

    await world.crash(meanwhile)
    version = (await world.tables.table(1)).version
    await ann.types("pond move", move=(await legal(world, ann))[0], table="1")
    assert (await world.tables.table(1)).version > version
    assert "2 seats left" in (await ann.types("pond open", players=4, computers=1)).text
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE matches SET rooms = '{' WHERE id = (SELECT min(id) FROM matches)",
        "UPDATE events SET options = '[1]' WHERE event = (SELECT min(event) FROM matches)",
    ],
)
async def test_a_damaged_challenge_is_left_out(world: World, statement: str, caplog: pytest.LogCaptureFixture) -> None:
    ann, ben, cleo = world.people(3)
    for guest in (ben, cleo):
        await ann.types("challenge", player=guest.member)
    await ann.types("night", when="in 2 hours")
    await world.wait(1)
    spoil(world, statement)
    spoil(world, "UPDATE nights SET status = 'paused'")
    await world.restart()
    shown = (await ann.types("challenge")).text
    assert "1. Pond" in shown
    assert "2. Pond" not in shown
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_table_without_its_secret_ends_at_its_start(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    spoil(world, "DELETE FROM secrets")
    refused = await ann.types("pond start")
    assert "was damaged, so I closed it. Reference **" in refused.text
    assert "This table was damaged, so I closed it." in ann.now(lobby).text
    assert "2 seats left" in (await ann.types("pond open", players=4, computers=1)).text


UNREADABLE: Final = "There's no table 1 here."
UNPLAYABLE: Final = "This table is damaged and can't be read."


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (SET.format("options", "'{'"), UNREADABLE),
        (SET.format("sitters[1].seat", "7"), UNREADABLE),
        ("UPDATE entries SET move = 'play AS' WHERE table_id = 1 AND ply = 1", UNPLAYABLE),
        ("DELETE FROM entries WHERE table_id = 1 AND ply = 0", UNPLAYABLE),
    ],
)
async def test_a_bad_row_of_an_ended_table_is_told_in_a_line(world: World, statement: str, told: str) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.at_table("Resign", "Resign")

    async def meanwhile() -> None:
        spoil(world, statement)

    await world.crash(meanwhile)
    for command in ("pond board", "pond hand"):
        assert (await ann.types(command, table="1")).text == told
    assert "2 seats left" in (await ann.types("pond open", players=4, computers=1)).text


async def test_boards_deleted_together_with_that_of_a_damaged_table_come_back(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.at_table("Resign", "Resign")
    await started(ann, [ben])
    spoil(world, SET.format("options", "'{'"))
    await world.restart()
    together = [seen.id for seen in ann.messages()]
    world.env.backend.bulk_delete_messages(ann.home.id, together)
    await world.wait(2)
    assert "set a card aside." in ann.board.text
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
