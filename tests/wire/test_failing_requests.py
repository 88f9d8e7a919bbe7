"""Every kind of request fails in every way: play goes on, what is shown is brought up to date, nothing comes twice."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.wire.bot_process import running
from tests.wire.conftest import World
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault, How, Refused
from tests.wire.impatient import AWAKE_S
from tests.wire.moderators import delete_message
from tests.wire.objects import Interaction, Message, new_id
from tests.wire.people import Person, button, moves, presses
from tests.wire.playing import boards, hands, one_is_pinged, open_table, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")

TWO = {"players": 2, "rounds": 2}

WAYS: tuple[tuple[How, int], ...] = (
    ("refused", 500),
    ("refused", 502),
    ("refused", 503),
    ("cut", 0),
    ("cut after", 0),
    ("half", 0),
)
"""How a request fails, and with which status."""

Scene = Callable[[World, Person, Person, Callable[[str, str], None]], Awaitable[None]]
"""What two people do; the last argument lets the next request of a kind fail that has to do with an id."""


async def in_every_way(town: World, scene: Scene) -> None:
    """The scene at a table for each way to fail, all at the same time."""

    async def at_a_table(how: How, status: int) -> None:
        ann, ben = town.people()

        def fails(what: str, about: str) -> None:
            town.discord.faults.append(Fault(what, how, Refused(status, 0, f"{status}: Server Error"), about))

        await scene(town, ann, ben, fails)

    await asyncio.gather(*(at_a_table(how, status) for how, status in WAYS))


async def seated(ann: Person, ben: Person) -> None:
    """Both at a table that has started, with their hands."""
    await open_table([ann, ben], **TWO)
    await ann.discord.until(lambda: hands(ann) and hands(ben))


async def plays(person: Person) -> Interaction:
    """The person picks the first move offered in his direct message."""
    return await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])


def pings(person: Person) -> list[Message]:
    """The messages that ping the person."""
    return [message for message in person.seen if f"<@{person.id}>" in message.text]


def dm_of(person: Person) -> str:
    """The channel of the person's direct messages."""
    return person.discord.dm_channels[person.id]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def patient(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A bot with its ordinary timeouts: it gives no request up while a test lasts."""
    database = tmp_path_factory.mktemp("patient") / "tables.db"
    async with Discord() as discord, running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        yield World(discord, bot, database)


# ---- what is shown


async def test_a_board_whose_edit_fails_is_edited_later(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        await seated(ann, ben)
        fails("PATCH messages", ann.channel_id)
        await plays(ann)
        await town.discord.until(lambda: "still to choose: Ben" in ann.board.text)
        await plays(ben)
        await town.discord.until(lambda: "still to choose" not in ann.board.text)
        assert town.moves(ann) == 2
        await town.discord.until(lambda: len(boards(ann)) == 1)

    await in_every_way(town, scene)


async def test_a_board_whose_post_fails_is_posted_once(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        await seated(ann, ben)
        fails("POST messages", ann.channel_id)
        await delete_message(town.discord, ann.board)
        await town.discord.until(lambda: boards(ann))
        await plays(ann)
        await town.discord.until(lambda: "still to choose: Ben" in ann.board.text)
        await town.discord.until(lambda: len(boards(ann)) == 1)

    town.forgives("10008")
    await in_every_way(town, scene)


@pytest.mark.parametrize("what", ["POST @me/channels", "POST messages"])
async def test_a_hand_whose_direct_message_fails_comes_once(town: World, what: str) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        where = town.discord.dm_channels.setdefault(ben.id, new_id())
        await ann.type("pond open", **TWO)
        fails(what, ben.id if what == "POST @me/channels" else where)
        await ben.press_label(ann.board, "Join")
        await town.discord.until(lambda: ben.dms)
        await ben.press_label(ann.board, "Start")
        await town.discord.until(lambda: hands(ann) and hands(ben))
        await plays(ben)
        assert len(hands(ben)) == 1

    await in_every_way(town, scene)


async def test_a_hand_whose_edit_fails_is_edited_later(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        await seated(ann, ben)
        fails("PATCH messages", town.discord.dm_channels[ann.id])
        await plays_by_board(ann)
        await town.discord.until(lambda: "you set" in hands(ann)[-1].text)
        assert len(hands(ann)) == 1

    await in_every_way(town, scene)


async def test_a_ping_that_fails_is_given_once_and_one_that_can_not_be_deleted_goes_later(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        await seated(ann, ben)
        await plays(ann)
        await plays(ben)
        await town.discord.until(lambda: "still to choose" not in ann.board.text)
        first, second = (ann, ben) if "**Ann to play**" in ann.board.text else (ben, ann)
        await town.discord.until(lambda: "It isn't your turn" not in hands(first)[-1].text)
        await asyncio.sleep(AWAKE_S + 0.1)
        fails("POST messages", ann.channel_id)
        await plays(first)
        await town.discord.until(lambda: pings(second))
        (ping,) = pings(second)
        if presses(ping):  # the board itself, as another message had come after it
            return
        await town.discord.until(lambda: moves(hands(second)[-1]))
        fails("DELETE messages", ann.channel_id)
        await plays(second)
        await town.discord.until(lambda: ping.id not in town.discord.messages)
        await town.discord.until(lambda: len(boards(ann)) == 1)

    town.forgives("10008")  # where it was deleted, and only the receipt was lost
    await in_every_way(town, scene)


@pytest.mark.parametrize("how", ["cut", "hanging"])
async def test_a_ping_that_can_not_be_deleted_at_all_keeps_no_board_back(town: World, how: How) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    second = await one_is_pinged(ann, ben)
    await town.discord.until(lambda: moves(hands(second)[-1]))
    town.discord.faults.append(Fault("DELETE messages", how, about=ann.channel_id, times=99))
    await plays(second)
    await town.discord.until(lambda: f"**{second.name} to play**" not in ann.board.text)
    town.discord.faults.clear()


async def test_play_goes_on_while_requests_hang(patient: World) -> None:
    ann, ben = patient.people()
    await seated(ann, ben)
    stuck = Fault("PATCH messages", "hanging", about=ann.channel_id)
    patient.discord.faults.append(stuck)
    await plays(ann)
    await patient.discord.until(lambda: stuck.hanging)
    await plays_by_board(ben)
    assert stuck.hanging == 1
    assert patient.moves(ann) == 2


async def test_what_a_request_that_hangs_should_have_shown_is_shown_by_another(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    for where in (ann.channel_id, dm_of(ben)):
        town.discord.faults.append(Fault("PATCH messages", "hanging", about=where))
    await plays(ann)
    await plays_by_board(ben)
    await town.discord.until(lambda: "still to choose" not in ann.board.text and "you set" in hands(ben)[-1].text)
    assert town.moves(ann) == 2


async def test_an_edit_carried_out_after_a_newer_one_is_overwritten(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(Fault("PATCH messages", "late", about=ann.channel_id))
    await plays(ann)
    await town.discord.until(lambda: town.discord.went_wrong)
    await plays(ben)
    await town.discord.until(lambda: "still to choose" not in ann.board.text)
    await town.discord.until(lambda: "still to choose" in ann.board.text)
    await town.discord.until(lambda: "still to choose" not in ann.board.text)


async def replaced(ann: Person, ben: Person) -> Message:
    """Let the turn pass at a table whose board is buried; return the old board once the new one is there."""
    for person in (ann, ben):
        await plays(person)
    await ann.discord.until(lambda: "still to choose" not in ann.board.text)
    old, first = ann.board, ann if "**Ann to play**" in ann.board.text else ben
    await ann.discord.until(lambda: moves(hands(first)[-1]))
    await ben.says("what a day")
    await plays(first)
    await ann.discord.until(lambda: ann.board.id != old.id)
    return old


async def test_a_replaced_board_is_deleted_as_soon_as_discord_lets_it(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        await seated(ann, ben)
        fails("DELETE messages", ann.channel_id)
        old = await replaced(ann, ben)
        await town.discord.until(lambda: old.id not in town.discord.messages)

    town.forgives("10008")  # where it was deleted, and only the receipt was lost
    await in_every_way(town, scene)


async def test_a_replaced_board_that_may_not_be_deleted_becomes_one_line(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    forbidden = Refused(403, 50013, "Missing Permissions")
    town.discord.faults.append(Fault("DELETE messages", refusal=forbidden, about=ann.channel_id))
    old = await replaced(ann, ben)
    await town.discord.until(lambda: not presses(old))
    assert ann.board.id in old.text


# ---- threads


async def test_a_thread_that_can_not_be_made_is_said_and_the_next_try_makes_it(town: World) -> None:
    (moderator,) = town.people("Mod")
    await moderator.type("server threads", own=True)

    async def scene(town: World, ann: Person, _ben: Person, fails: Callable[[str, str], None]) -> None:
        fails("POST threads", ann.channel_id)
        answer = await ann.type("pond open", **TWO)
        await town.discord.until(lambda: answer.original and answer.original.text.strip())
        assert answer.original is not None
        if "did not make a thread" in answer.original.text:
            answer = await ann.type("pond open", **TWO)
        assert answer.original is not None
        assert "is open in <#" in answer.original.text

    await in_every_way(town, scene)
    await moderator.type("server threads", own=False)


# ---- answers


async def test_an_answer_that_fails_once_still_comes(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fails: Callable[[str, str], None]) -> None:
        await seated(ann, ben)
        fails("POST callback", ann.id)
        pressed = await plays(ann)
        assert pressed.kind
        await town.discord.until(lambda: "you set" in hands(ann)[-1].text)
        fails("POST callback", ben.id)
        shown = (await ben.press_label(ben.board, "My hand")).original
        assert shown is not None
        assert shown.only_for == ben.id
        assert town.moves(ann) == 1

    town.expects("40060")  # where only the receipt was lost
    await in_every_way(town, scene)


async def test_an_answer_is_not_tried_without_end_while_discord_has_enough_of_the_bot(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with Discord() as discord, running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        town = World(discord, bot, database)
        ann, ben = town.people()
        await seated(ann, ben)
        ban = Fault("POST callback", "unreadable", Refused(429, 0, "error code: 1015"), about=ann.id, times=99)
        discord.faults.append(ban)
        await discord.until_given_up(plays(ann), lambda: ban.times < 98)
        await discord.until(lambda: "you set" in hands(ann)[-1].text)
        assert town.moves(ann) == 1
        status, said = await bot.end(signal.SIGTERM)  # it finishes what it tries
    assert status == 0
    assert said.count("could not be answered") == 1
    assert 99 - ban.times < 8


async def test_an_answer_that_hangs_is_given_once_more(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(Fault("POST callback", "hanging", about=ann.id))
    assert (await plays(ann)).kind
    assert town.moves(ann) == 1


async def test_where_discord_takes_no_answer_in_time_the_move_stands_and_the_next_press_works(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(Fault("POST callback", refusal=Refused(500, 0, "500"), about=ann.id))
    await town.discord.until_given_up(plays(ann), lambda: town.discord.went_wrong)
    await town.discord.until(lambda: town.discord.refused)
    town.expects("10062")
    assert town.moves(ann) == 1
    await town.discord.until(lambda: "you set" in hands(ann)[-1].text)
    assert (await ann.press_label(ann.board, "My hand")).kind == 4
    await plays_by_board(ben)


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        pytest.param("bare", Refused(429, 0, "You are being rate limited.", 0.4), id="without headers"),
        pytest.param("unreadable", Refused(429, 0, "error code: 1015"), id="by Cloudflare"),
        pytest.param("unreadable", Refused(502, 0, "Bad Gateway"), id="by a proxy"),
    ],
)
async def test_a_table_whose_first_answer_a_proxy_spoils_has_one_board_all_the_same(
    town: World, how: How, refusal: Refused
) -> None:
    ann, ben = town.people()
    town.discord.faults.append(Fault("POST callback", how, refusal, about=ann.id))
    assert (await ann.type("pond open", **TWO)).kind
    await ben.press_label(ann.board, "Join")
    await ann.press_label(ann.board, "Start")
    await town.discord.until(lambda: hands(ann) and hands(ben) and "still to choose" in ann.board.text)
    assert len(boards(ann)) == 1


async def test_a_first_answer_of_which_discord_tells_no_message_is_found_and_is_the_board(town: World) -> None:
    ann, ben = town.people()
    town.discord.is_curt = True
    await ann.type("pond open", **TWO)
    town.discord.is_curt = False
    await ben.press_label(ann.board, "Join")
    await ann.press_label(ann.board, "Start")
    await town.discord.until(lambda: hands(ann) and hands(ben) and "still to choose" in ann.board.text)
    assert len(boards(ann)) == 1


# ---- limits


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        pytest.param("refused", Refused(429, 0, "You are being rate limited.", 0.7), id="of the route"),
        pytest.param("refused", Refused(429, 0, "The resource is being rate limited.", 0.7, "shared"), id="shared"),
        pytest.param("bare", Refused(429, 0, "You are being rate limited.", 0.7), id="without headers"),
        pytest.param("unreadable", Refused(429, 0, "error code: 1015"), id="by Cloudflare"),
    ],
)
async def test_what_is_slowed_down_is_shown_later_and_is_asked_for_no_oftener(
    town: World, how: How, refusal: Refused
) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    where = {ann.channel_id, dm_of(ben)}
    town.discord.faults += [Fault("PATCH messages", how, refusal, about=each) for each in where]
    went_wrong = len(town.discord.went_wrong)
    await plays_by_board(ann)
    await plays_by_board(ben)
    await town.discord.until(lambda: "still to choose" not in ann.board.text and "you set" in hands(ben)[-1].text)
    assert len(town.discord.went_wrong) - went_wrong == len(where)


async def test_the_global_limit_stops_everything_but_answers_until_it_is_over(patient: World) -> None:
    town = patient
    ann, ben = town.people()
    cat, dan = town.people("Cat", "Dan")
    await seated(ann, ben)
    await seated(cat, dan)
    await town.discord.until(lambda: all(button(person.board, "My hand") for person in (ann, cat)))
    limit = Refused(429, 0, "You are being rate limited, globally.", 15.0, "global")
    town.discord.faults.append(Fault("PATCH messages", refusal=limit, about=ann.channel_id))
    await plays(ann)
    await town.discord.until(town.discord.is_pausing)
    for person in (cat, dan, ben):
        await plays_by_board(person)
    assert town.discord.is_pausing(), town.discord.went_wrong
    await town.discord.until(lambda: not any("still to choose" in person.board.text for person in (ann, cat)))
    assert not town.discord.is_pausing()
    assert len(set(town.discord.slowed_down)) == len(town.discord.slowed_down)  # what was on its way already
    town.discord.slowed_down.clear()


@pytest.mark.parametrize("scope", ["user", "shared"])
async def test_an_answer_that_is_slowed_down_comes_as_soon_as_discord_takes_it(town: World, scope: str) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    limit = Refused(429, 0, "You are being rate limited.", 0.5, scope)
    town.discord.faults.append(Fault("POST callback", refusal=limit, about=ann.id))
    assert await (await plays(ann)).answered > 0.4
    assert town.moves(ann) == 1
