"""Initial responses, and threads for new tables, if Discord's answers fail."""

import signal
from pathlib import Path

import pytest

from tests.databases import SqliteDatabase
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT, World
from tests.wire.discord_server import Discord
from tests.wire.failing import TWO, Fail, in_every_way, plays, seated
from tests.wire.faults import Fault, How, Refused
from tests.wire.people import Person
from tests.wire.playing import boards, hands, open_table, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_failed_initial_response_is_retried(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await seated(ann, ben)
        fail("POST callback", ann.id)
        pressed = await plays(ann)
        assert pressed.kind
        await town.discord.until(lambda: "set aside" in hands(ann)[-1].text)
        fail("POST callback", ben.id)
        await ben.opens(ben.board, "My hand")
        assert town.moves(ann) == 1

    town.expects("40060")  # if the first one arrived, but its answer got lost
    await in_every_way(town, scene)


async def test_a_banned_bot_makes_few_attempts_to_respond(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with Discord() as discord, running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        town = World(discord, bot, SqliteDatabase(database))
        ann, ben = town.people()
        await seated(ann, ben)
        ban = Fault("POST callback", "unreadable", Refused(429, 0, "error code: 1015"), about=ann.id, times=99)
        discord.faults.append(ban)
        await discord.until_given_up(plays(ann), lambda: ban.times < 98)
        await discord.until(lambda: "set aside" in hands(ann)[-1].text)
        assert town.moves(ann) == 1
        pressed = max(interaction.record.id for interaction in discord.interactions.values())
        status, said = await bot.end(signal.SIGTERM)  # pending responses are finished first
    assert status == 0
    assert said.count(f"interaction {pressed} could not be answered") == 1
    assert 99 - ban.times < 8


async def test_a_hanging_initial_response_is_sent_again(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(Fault("POST callback", "hanging", about=ann.id))
    assert (await plays(ann)).kind
    assert town.moves(ann) == 1


async def test_a_deferral_is_followed_by_the_answer_even_if_its_receipt_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEFER_AFTER_S", "0")
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        ann = Person(discord, "Ann")
        await open_table([ann], computers=1, **TWO)
        discord.faults.append(Fault("POST callback", "cut after", about=ann.id))
        assert "Your hand" in (await ann.opens(ann.board, "My hand")).text
        assert len(discord.repeated) == 1
        assert discord.refused == []


async def test_a_move_stands_even_if_its_response_comes_too_late(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(Fault("POST callback", refusal=Refused(500, 0, "500"), about=ann.id))
    await town.discord.until_given_up(plays(ann), lambda: town.discord.went_wrong)
    await town.discord.until(lambda: town.discord.refused)
    town.expects("10062")
    assert town.moves(ann) == 1
    await town.discord.until(lambda: "set aside" in hands(ann)[-1].text)
    assert "Your hand" in (await ann.opens(ann.board, "My hand")).text
    await plays_by_board(ben)


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        pytest.param("bare", Refused(429, 0, "You are being rate limited.", 0.4), id="without headers"),
        pytest.param("unreadable", Refused(429, 0, "error code: 1015"), id="by Cloudflare"),
        pytest.param("unreadable", Refused(502, 0, "Bad Gateway"), id="by a proxy"),
    ],
)
async def test_a_lobby_has_one_board_even_if_a_proxy_garbles_its_response(
    town: World, how: How, refusal: Refused
) -> None:
    ann, ben = town.people()
    town.discord.faults.append(Fault("POST callback", how, refusal, about=ann.id))
    assert (await ann.type("pond open", **TWO)).kind
    await ben.press_label(ann.board, "Join")
    await ann.press_label(ann.board, "Start")
    await town.discord.until(lambda: hands(ann) and hands(ben) and "set a card aside." in ann.board.text)
    assert len(boards(ann)) == 1


async def test_a_response_returned_without_its_message_becomes_the_board(town: World) -> None:
    ann, ben = town.people()
    town.discord.omits_messages = True
    await ann.type("pond open", **TWO)
    town.discord.omits_messages = False
    await ben.press_label(ann.board, "Join")
    await ann.press_label(ann.board, "Start")
    await town.discord.until(lambda: hands(ann) and hands(ben) and "set a card aside." in ann.board.text)
    assert len(boards(ann)) == 1


async def test_a_thread_that_cannot_be_created_is_reported_and_can_be_tried_again(town: World) -> None:
    (moderator,) = town.people("Mod")
    await moderator.type("server threads", own=True)

    async def scene(town: World, ann: Person, _ben: Person, fail: Fail) -> None:
        fail("POST threads", ann.channel_id)
        answer = await ann.type("pond open", **TWO)
        await town.discord.until(lambda: answer.original and answer.original.text.strip())
        assert answer.original is not None
        if "couldn't create a thread" in answer.original.text:
            answer = await ann.type("pond open", **TWO)
        assert answer.original is not None
        assert "is open in <#" in answer.original.text

    await in_every_way(town, scene)
    await moderator.type("server threads", own=False)
