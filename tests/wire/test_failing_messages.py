"""Posts, edits and deletions that fail are retried; nothing is posted twice, and play goes on."""

from pathlib import Path

import pytest

from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT, World
from tests.wire.discord_server import Discord
from tests.wire.failing import TWO, Fail, in_every_way, plays, replaced, seated
from tests.wire.faults import Fault, How, Refused
from tests.wire.moderators import delete_message
from tests.wire.people import Person, presses
from tests.wire.playing import boards, chooses_profit, hands, may_bait, one_is_pinged, pings, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_board_whose_edit_fails_is_edited_later(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await seated(ann, ben)
        fail("PATCH messages", ann.channel_id)
        await plays(ann)
        await town.discord.until(lambda: "**Ben**: set a card aside." in ann.board.text)
        await plays(ben)
        await town.discord.until(lambda: "set a card aside." not in ann.board.text)
        assert town.moves(ann) == 2
        await town.discord.until(lambda: len(boards(ann)) == 1)

    await in_every_way(town, scene)


async def test_a_board_whose_post_fails_is_posted_once(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await seated(ann, ben)
        fail("POST messages", ann.channel_id)
        await delete_message(town.discord, ann.board)
        await town.discord.until(lambda: boards(ann))
        await plays(ann)
        await town.discord.until(lambda: "**Ben**: set a card aside." in ann.board.text)
        await town.discord.until(lambda: len(boards(ann)) == 1)

    town.forgives("10008")
    await in_every_way(town, scene)


@pytest.mark.parametrize("what", ["POST @me/channels", "POST messages"])
async def test_a_hand_that_cannot_be_sent_is_sent_once_later(town: World, what: str) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await ann.type("pond open", **TWO)
        fail(what, ben.id if what == "POST @me/channels" else ben.dm_id)
        await ben.press_label(ann.board, "Join")
        await town.discord.until(lambda: ben.dms)
        await ben.press_label(ann.board, "Start")
        await town.discord.until(lambda: hands(ann) and hands(ben))
        await plays(ben)
        assert len(hands(ben)) == 1

    await in_every_way(town, scene)


async def test_a_hand_whose_edit_fails_is_edited_later(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await seated(ann, ben)
        fail("PATCH messages", ann.dm_id)
        await plays_by_board(ann)
        await town.discord.until(lambda: "set aside" in hands(ann)[-1].text)
        assert len(hands(ann)) == 1

    await in_every_way(town, scene)


async def test_posting_and_deleting_a_ping_are_retried(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await seated(ann, ben)
        await plays(ann)
        await plays(ben)
        await town.discord.until(lambda: "set a card aside." not in ann.board.text)
        first, second = (ann, ben) if "**Ann**: " in ann.board.text else (ben, ann)
        await until(lambda: may_bait(first) and second.id not in town.told(second))
        earlier = [each.id for each in pings(second)]
        fail("POST messages", ann.channel_id)
        await plays(first)
        await town.discord.until(lambda: pings(second, earlier))
        (ping,) = pings(second, earlier)
        if presses(ping):  # it is the board, posted again as it was buried
            return
        await town.discord.until(lambda: may_bait(second))
        fail("DELETE messages", ann.channel_id)
        await plays(second)
        await town.discord.until(lambda: ping.is_deleted)
        await town.discord.until(lambda: len(boards(ann)) == 1)

    town.forgives("10008")  # if a message was deleted, but the response got lost
    await in_every_way(town, scene)


@pytest.mark.parametrize("how", ["cut", "hanging"])
async def test_a_ping_that_cannot_be_deleted_delays_no_board(town: World, how: How) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    second = await one_is_pinged(ann, ben, town.told)
    await town.discord.until(lambda: may_bait(second))
    town.discord.faults.append(Fault("DELETE messages", how, about=ann.channel_id, times=99))
    await plays(second)
    await town.discord.until(lambda: f"**{second.name}**: " not in ann.board.text)
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


async def test_a_hanging_edit_is_sent_again(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    for where in (ann.channel_id, ben.dm_id):
        town.discord.faults.append(Fault("PATCH messages", "hanging", about=where))
    await plays(ann)
    await plays_by_board(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text and not chooses_profit(ben))
    assert town.moves(ann) == 2


async def test_an_edit_carried_out_after_a_newer_one_is_overwritten(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(late := Fault("PATCH messages", "late", about=ann.channel_id))
    await plays(ann)
    await town.discord.until(lambda: town.discord.went_wrong)
    await plays(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    late.overtaken.set()
    await town.discord.until(lambda: "set a card aside." in ann.board.text)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)


async def test_deleting_a_replaced_board_is_retried(town: World) -> None:
    async def scene(town: World, ann: Person, ben: Person, fail: Fail) -> None:
        await seated(ann, ben)
        fail("DELETE messages", ann.channel_id)
        old = await replaced(ann, ben)
        await town.discord.until(lambda: old.is_deleted)

    town.forgives("10008")  # if a message was deleted, but the response got lost
    await in_every_way(town, scene)


async def test_a_replaced_board_that_may_not_be_deleted_becomes_one_line(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    forbidden = Refused(403, 50013, "Missing Permissions")
    fault = Fault("DELETE messages", refusal=forbidden, about=ann.channel_id, times=99)  # there may be pings, too
    town.discord.faults.append(fault)
    old = await replaced(ann, ben)
    await town.discord.until(lambda: not presses(old))
    town.discord.faults.remove(fault)
    assert ann.board.id in old.text


async def test_a_ping_that_cannot_be_deleted_does_not_keep_the_board_in_its_place(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    await one_is_pinged(ann, ben, town.told)
    outage = Fault(
        "DELETE messages", refusal=Refused(503, 0, "503: Service Unavailable"), about=ann.channel_id, times=99
    )
    town.discord.faults.append(outage)
    await passes_the_turn(ann, ben)
    await town.discord.until(lambda: outage.times < 99)
    for person in (ann, ben):
        await person.type("settings", pings="off")  # a ping would move the board down, too
    await ben.says("what a day")
    old = ann.board
    await passes_the_turn(ann, ben)
    await town.discord.until(lambda: ann.board.id != old.id)
    town.discord.faults.remove(outage)


async def passes_the_turn(ann: Person, ben: Person) -> None:
    """Let whoever is to move play until the other is."""
    mover = ann if is_to_move(ann) else ben
    while is_to_move(mover):
        before = ann.board.text
        await plays_by_board(mover)
        await ann.discord.until(lambda: ann.board.text != before)  # noqa: B023 - it is awaited at once


def is_to_move(person: Person) -> bool:
    """Return whether the board says that it's this person's turn."""
    return f"**{person.name}**: " in person.board.text


async def test_a_board_overwritten_by_a_late_edit_is_shown_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUEST_S", "2")
    monkeypatch.setenv("LATE_S", "3600")  # boards that may have been overwritten are edited again only in minutes
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
        await seated(ann, ben)
        discord.faults.append(late := Fault("PATCH messages", "late", about=ann.channel_id))
        await plays(ann)
        await discord.until(lambda: discord.went_wrong)
        await plays(ben)
        await discord.until(lambda: "set a card aside." not in ann.board.text)
        late.overtaken.set()
        await discord.until(lambda: "set a card aside." in ann.board.text)
        await discord.until(lambda: "set a card aside." not in ann.board.text)


async def test_a_hand_overwritten_by_a_late_edit_is_shown_again(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    town.discord.faults.append(late := Fault("PATCH messages", "late", about=ann.dm_id))
    await plays_by_board(ann)
    await town.discord.until(lambda: town.discord.went_wrong)
    await plays(ben)
    await town.discord.until(lambda: not chooses_profit(ann))
    late.overtaken.set()
    edits = len(edits_of(town, ann))
    await town.discord.until(lambda: len(edits_of(town, ann)) >= edits + 2)  # the late edit, and what is shown after it
    assert not chooses_profit(ann)


def edits_of(town: World, person: Person) -> list[str]:
    """Return the edits of the person's direct messages so far."""
    return [path for method, path, _ in town.discord.requests if method == "PATCH" and person.dm_id in path]
