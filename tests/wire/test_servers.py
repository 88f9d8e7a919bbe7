"""Changes to servers, channels, threads and messages. Play goes on if possible, and players see what is wrong."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT, World
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault, Refused
from tests.wire.impatient import GUILDS_WITHIN_S
from tests.wire.moderators import (
    archive,
    delete_channel,
    delete_message,
    delete_unnoticed,
    deny,
    fail_server,
    invite_bot,
    remove_bot,
    restore_server,
)
from tests.wire.objects import GUILD_ID, Interaction
from tests.wire.people import Person, moves
from tests.wire.playing import boards, hands, may_bait, one_is_pinged, open_table, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")

TWO = {"players": 2, "rounds": 2}


async def seated(town: World) -> tuple[Person, Person]:
    """Ann and Ben with their hands at a table that has started."""
    people = ann, ben = town.people()
    await open_table(people, **TWO)
    await town.discord.until(lambda: hands(ann) and hands(ben))
    expire(town)
    return ann, ben


def expire(town: World) -> None:
    """Let all tokens expire, so that the bot edits boards as itself."""
    for interaction in town.discord.interactions.values():
        interaction.is_expired = True


async def plays(person: Person) -> Interaction:
    """Pick the first move in the direct message."""
    return await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])


async def is_said(town: World, *people: Person, what: str) -> None:
    """Wait until both hands show this text."""
    await town.discord.until(lambda: all(what in hands(person)[-1].text for person in people))


async def is_over(town: World, *people: Person, what: str) -> None:
    """Wait until no hand shows this text, and the board is back."""
    await town.discord.until(lambda: boards(people[0]))
    await town.discord.until(lambda: not any(what in hands(person)[-1].text for person in people))


# ---- messages, channels, threads


async def test_a_deleted_board_is_posted_again_at_once_or_with_the_next_move(
    town: World,
) -> None:
    town.expects("10008")
    ann, ben = await seated(town)
    await delete_message(town.discord, ann.board)
    await town.discord.until(lambda: boards(ann))
    delete_unnoticed(town.discord, ann.board)
    await plays(ann)
    await town.discord.until(lambda: boards(ann) and "\n**Ben**: set a card aside." in ann.board.text)
    await town.discord.until(lambda: len(boards(ann)) == 1)
    await plays_by_board(ben)


async def test_a_deleted_hand_is_sent_again(town: World) -> None:
    town.expects("10008")
    ann, ben = await seated(town)
    delete_unnoticed(town.discord, hands(ben)[-1])
    await plays_by_board(ben)
    await town.discord.until(lambda: hands(ben) and "set aside" in hands(ben)[-1].text)
    assert len(hands(ben)) == 1
    await plays_by_board(ann)


async def test_a_message_that_was_edited_too_often_is_replaced(town: World) -> None:
    ann, ben = await seated(town)
    old = ann.board
    too_many = Refused(429, 30046, "Maximum number of edits to messages older than 1 hour reached.", 0.05)
    town.discord.faults.append(Fault("PATCH messages", refusal=too_many, about=old.id, times=5))
    await plays(ann)
    await town.discord.until(lambda: ann.board.id != old.id and "\n**Ben**: set a card aside." in ann.board.text)
    await town.discord.until(lambda: len(boards(ann)) == 1)
    await plays_by_board(ben)


async def test_play_goes_on_in_the_hands_after_a_channel_is_deleted(town: World) -> None:
    town.expects("10003")
    ann, ben = await seated(town)
    await delete_channel(town.discord, ann.channel_id)
    await is_said(town, ann, ben, what="its channel is gone")
    for person in (ann, ben):
        await plays(person)
    assert town.moves(ann) == 2


async def in_a_thread(town: World) -> tuple[Person, Person]:
    """Ann and Ben at a started table with its own thread."""
    ann, ben = town.people()
    await ann.type("server threads", own=True)
    await ann.type("pond open", **TWO)
    await ann.type("server threads", own=False)
    ann.channel_id = ben.channel_id = str(town.discord.servers[0].thread_ids[-1])
    await town.discord.until(lambda: boards(ann) and ann.dms)
    await ben.press_label(ann.board, "Join")
    await ben.press_label(ann.board, "Start")
    await town.discord.until(lambda: hands(ann) and hands(ben))
    expire(town)
    return ann, ben


async def test_a_new_board_opens_an_archived_thread_but_not_a_locked_one(town: World) -> None:
    town.expects("50083")
    ann, ben = await in_a_thread(town)
    old = ann.board
    await archive(town.discord, ann.channel_id)
    await plays(ann)
    await town.discord.until(lambda: ann.board.id != old.id and "\n**Ben**: set a card aside." in ann.board.text)
    await archive(town.discord, ann.channel_id, locked=True)
    await plays(ben)
    await is_said(town, ann, ben, what="the thread is locked")
    await archive(town.discord, ann.channel_id, archived=False)
    await is_over(town, ann, ben, what="the thread is locked")
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)


async def test_a_ping_in_an_archived_thread_delays_no_board(town: World) -> None:
    town.expects("50083")
    ann, ben = await in_a_thread(town)
    second = await one_is_pinged(ann, ben, town.told)
    await archive(town.discord, ann.channel_id)
    old = ann.board
    await town.discord.until(lambda: may_bait(second))
    await plays(second)
    await town.discord.until(lambda: ann.board.id != old.id)
    await is_over(town, ann, ben, what="the thread is locked")


async def test_hands_say_that_a_thread_was_deleted(town: World) -> None:
    town.expects("10003")
    ann, ben = await in_a_thread(town)
    await delete_channel(town.discord, ann.channel_id)
    await is_said(town, ann, ben, what="its channel is gone")
    await plays(ann)


# ---- permissions, and people


@pytest.mark.parametrize(("code", "what"), [(50001, "permissions: View Channel"), (50013, "check my permissions")])
async def test_hands_say_which_permission_is_missing_until_it_is_restored(town: World, code: int, what: str) -> None:
    town.expects(str(code))
    ann, ben = await seated(town)
    await deny(town.discord, ann.channel_id, code)
    await plays(ann)
    await is_said(town, ann, ben, what=what)
    await plays(ben)
    await deny(town.discord, ann.channel_id)
    await is_over(town, ann, ben, what=what)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    assert town.moves(ann) == 2


@pytest.mark.parametrize("code", [50007, 50278])
async def test_unreachable_players_delay_no_one(town: World, code: int) -> None:
    town.expects(str(code))
    ann, ben = await seated(town)
    town.discord.closed_dms[ben.id] = code
    delete_unnoticed(town.discord, hands(ben)[-1])
    town.expects("10008")
    await plays(ann)
    await town.discord.until(lambda: "\n**Ben**: set a card aside." in ann.board.text)
    await plays_by_board(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    await town.discord.until(lambda: any(f" {code} " in each for each in town.discord.refused))
    assert [body for _, path, body in town.discord.requests if "/users/@me/channels" in path]
    assert len([each for each in town.discord.refused if f" {code} " in each]) == 1


# ---- servers


def left_since(town: World) -> list[float]:
    """Return since when the bot has been out of the server, from the database."""
    query = "SELECT left_at FROM left_guilds WHERE guild_id = {}"
    return [left_at for (left_at,) in town.database.rows_at_once(query.format(int(GUILD_ID)))]


async def test_an_unavailable_server_does_not_count_as_left(town: World) -> None:
    ann, ben = await seated(town)
    await fail_server(town.discord)
    await plays(ann)
    await town.discord.until(lambda: "\n**Ben**: set a card aside." in ann.board.text)
    assert left_since(town) == []
    await restore_server(town.discord)
    await plays(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)


@pytest.mark.parametrize("looks_new", [True, False])
async def test_nothing_is_lost_if_the_bot_is_removed_and_invited_again(town: World, *, looks_new: bool) -> None:
    town.expects("50001")
    ann, ben = await seated(town)
    board = ann.board
    await remove_bot(town.discord)
    await plays(ann)
    await is_said(town, ann, ben, what="permissions: View Channel")
    assert len(left_since(town)) == 1
    await invite_bot(town.discord, looks_new=looks_new)
    await is_over(town, ann, ben, what="permissions: View Channel")
    assert ann.board == board
    await town.discord.until(lambda: "\n**Ben**: set a card aside." in ann.board.text)
    await plays_by_board(ben)
    assert town.moves(ann) == 2
    await until(lambda: not left_since(town))


async def test_direct_messages_resume_when_the_bot_is_back_on_the_server(town: World) -> None:
    for code in ("50001", "50278", "10008"):
        town.expects(code)
    ann, ben = await seated(town)
    await town.discord.until(lambda: "[Open board]" in hands(ben)[-1].text)  # the hand is up to date
    town.discord.closed_dms[ben.id] = 50278
    delete_unnoticed(town.discord, hands(ben)[-1])
    await remove_bot(town.discord)
    await is_said(town, ann, what="permissions: View Channel")
    await plays(ann)
    await town.discord.until(lambda: any(" 50278 " in each for each in town.discord.refused))
    await ann.type("help")  # its answer comes after the refusal was handled
    del town.discord.closed_dms[ben.id]
    await invite_bot(town.discord)
    await town.discord.until(lambda: hands(ben))
    await plays(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    assert town.moves(ann) == 2


async def test_direct_messages_resume_even_if_they_are_refused_before_the_removal_is_reported(town: World) -> None:
    for code in ("50001", "50278", "10008"):
        town.expects(code)
    ann, ben = await seated(town)
    town.discord.closed_dms[ben.id] = 50278
    delete_unnoticed(town.discord, hands(ben)[-1])
    await plays(ann)
    await plays_by_board(ben)
    await town.discord.until(lambda: "Hand by button: **Ben**" in ann.board.text)
    expire(town)  # that of the board
    await remove_bot(town.discord)
    await is_said(town, ann, what="permissions: View Channel")
    del town.discord.closed_dms[ben.id]
    await invite_bot(town.discord)
    await town.discord.until(lambda: hands(ben) and "Hand by button" not in ann.board.text)


async def test_data_of_a_server_is_deleted_thirty_days_after_the_bot_left(
    tmp_path: Path,
) -> None:
    day_s, database = 24 * 60 * 60, tmp_path / "tables.db"

    def tables() -> int:
        with closing(sqlite3.connect(database)) as connection:
            count: int = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
        return count

    def left(days: int) -> None:
        with closing(sqlite3.connect(database)) as connection, connection:
            row = (int(GUILD_ID), time.time() - days * day_s)
            connection.execute("INSERT OR REPLACE INTO left_guilds VALUES (?, ?)", row)

    async with Discord() as discord:
        async with running(discord.url, database, arguments=IMPATIENT):
            await discord.gateway.until_ready()
            await Person(discord, "Ann").type("pond open", computers=1)
        for days, is_back, remain in ((29, False, 1), (31, True, 1), (31, False, 0)):
            left(days)
            discord.gateway.has_guild = is_back
            async with running(discord.url, database, arguments=IMPATIENT):
                await discord.gateway.until_ready()
                if remain:
                    await asyncio.sleep(GUILDS_WITHIN_S + 1)  # there is no sign that nothing will be deleted
                await until(lambda: tables() == remain)  # noqa: B023 - it is called in this turn of the loop
