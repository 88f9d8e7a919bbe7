"""Refusals that last: few requests are made, those concerned are told, and all is over when the cause is."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.doses import on_demand
from tests.waiting import DEADLINE_S
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT, World
from tests.wire.discord_server import Discord
from tests.wire.failing import TWO, plays, seated
from tests.wire.faults import Fault, Refused
from tests.wire.people import Person
from tests.wire.playing import Door, by_board, by_direct_message, hands, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")

FEW = 4
"""Maximum number of refused requests in many moves: the first ones, with a picture and in words, and another try."""


async def play_moves(ann: Person, ben: Person, door: Door) -> None:
    """Let both play eight moves."""
    rng, played = Random(1), 0
    async with asyncio.timeout(DEADLINE_S):
        while played < 8:
            tries = [await door(person, rng) for person in (ann, ben)]
            played += sum(tries)
            await asyncio.sleep(0 if any(tries) else 0.05)


CODES = {
    "closed": (403, 50007),
    "nothing shared": (403, 50278),
    "unknown user": (404, 10013),
    "invalid recipient": (400, 50033),
    "verification": (403, 50009),
    "no access": (403, 50001),
    "unknown code": (403, 59999),
    "no code": (400, 0),
}
UNREACHED = [
    *(pytest.param("POST messages", *refusal, id=f"message-{name}") for name, refusal in CODES.items()),
    *(
        pytest.param("POST @me/channels", *refusal, id=f"channel-{name}", marks=() if name == "closed" else on_demand)
        for name, refusal in CODES.items()
    ),
]


@pytest.mark.parametrize(("kind", "status", "code"), UNREACHED)
async def test_a_player_who_cannot_be_reached_gets_their_hand_by_button(
    town: World, kind: str, status: int, code: int
) -> None:
    ann, ben = town.people()
    about = ben.id if kind == "POST @me/channels" else ben.dm_id
    fault = Fault(kind, refusal=Refused(status, code, "Refused"), about=about, times=999)
    town.discord.faults.append(fault)
    await ann.type("pond open", **TWO)
    await ben.press_label(ann.board, "Join")
    await town.discord.until(lambda: "**Ben** (hand by button)" in ann.board.text)
    await ann.press_label(ann.board, "Start")
    await town.discord.until(lambda: "Hand by button: **Ben**" in ann.board.text)
    await play_moves(ann, ben, by_board)
    assert 999 - fault.times <= FEW
    town.discord.faults.remove(fault)
    await ben.type("settings", pings="off")
    await town.discord.until(lambda: hands(ben) and "Hand by button" not in ann.board.text)
    await ben.type("settings", pings="on")


async def test_a_press_in_direct_messages_opens_them_again(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    fault = Fault("PATCH messages", refusal=Refused(403, 50007, "Closed"), about=ben.dm_id, times=999)
    town.discord.faults.append(fault)
    await plays_by_board(ben)
    await town.discord.until(lambda: "Hand by button: **Ben**" in ann.board.text)
    town.discord.faults.remove(fault)
    await plays(ben)  # too late, as the message couldn't be edited
    await town.discord.until(lambda: "Hand by button" not in ann.board.text)


async def test_a_hand_whose_edit_was_refused_is_edited_soon_and_direct_messages_stay_open(town: World) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    no_access = Fault("PATCH messages", refusal=Refused(403, 50001, "Missing Access"), about=ben.dm_id)
    town.discord.faults.append(no_access)
    await plays_by_board(ben)
    await town.discord.until(lambda: "Hand by button: **Ben**" in ann.board.text)
    await town.discord.until(lambda: "set aside" in hands(ben)[-1].text)  # without a press
    await town.discord.until(lambda: "Hand by button" not in ann.board.text)
    assert no_access.times == 0


CHANNEL_CODES = [
    pytest.param(400, 200000, "AutoMod blocks it", id="automod"),
    pytest.param(400, 240000, "takes a link", id="link"),
    pytest.param(403, 20016, "slow mode is on", id="slow mode"),
    pytest.param(403, 50009, "to be verified", id="verification"),
    pytest.param(403, 50001, "permissions: View Channel", id="access"),
    pytest.param(400, 160005, "thread is locked", id="locked"),
    pytest.param(400, 160006, "too many open threads", id="threads"),
    pytest.param(400, 30033, "Discord says “Maximum", id="maximum"),
    pytest.param(403, 59999, "Discord says “Maximum", id="unknown code"),
]


@pytest.mark.parametrize(("status", "code", "why"), CHANNEL_CODES)
async def test_hands_say_why_the_board_stands_still(town: World, status: int, code: int, why: str) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    before = ann.board.text
    denied = Refused(status, code, "Maximum number of something reached")
    faults = [
        Fault(kind, refusal=denied, about=ann.channel_id, times=999) for kind in ("POST messages", "PATCH messages")
    ]
    town.discord.faults += faults
    await plays(ann)
    await town.discord.until(lambda: all(why in hands(person)[-1].text for person in (ann, ben)))
    await play_moves(ann, ben, by_direct_message)
    assert ann.board.text == before
    assert sum(999 - fault.times for fault in faults) <= FEW
    town.discord.faults.clear()
    town.discord.backend.announce_channel_update(int(ann.channel_id))
    await town.discord.send_events()
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    await town.discord.until(lambda: not any(why in hands(person)[-1].text for person in (ann, ben)))


async def test_new_direct_messages_wait_together_while_the_bot_is_flagged(town: World) -> None:
    flagged = Fault("POST @me/channels", refusal=Refused(403, 20026, "Flagged"), times=999)
    town.discord.faults.append(flagged)
    tables = [town.people() for _ in range(3)]
    for ann, ben in tables:
        await ann.type("pond open", **TWO)
        await ben.press_label(ann.board, "Join")
        await town.discord.until(lambda: "**Ben** (hand by button)" in ann.board.text)  # noqa: B023 - awaited at once
    assert 999 - flagged.times <= 3
    town.discord.faults.remove(flagged)


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, 0), pytest.param(401, 40001, marks=on_demand), (403, 40333), pytest.param(403, 40002, marks=on_demand)],
)
async def test_a_blocked_bot_makes_no_requests_for_a_while_except_answers(
    tmp_path: Path, status: int, code: int
) -> None:
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        ann, ben, eve, fay = (
            Person(discord, name, channel) for name, channel in zip("ABEF", (0, 0, 1, 1), strict=True)
        )
        await seated(ann, ben)
        await seated(eve, fay)
        await plays(eve)  # the bot learns that the board's token has expired
        await discord.until(lambda: "**E**" not in eve.board.text)
        blocked = Fault("PATCH messages", refusal=Refused(status, code, "Blocked"), about=ann.channel_id)
        discord.faults.append(blocked)
        await plays(ann)
        await bot.line_with("can't be brought up to date")  # the bot knows of the refusal
        before, count = eve.board.text, len(discord.requests)
        await play_moves(eve, fay, by_direct_message)  # the board gets no token, with which it could be edited
        made = [path for _, path, _ in discord.requests[count:]]
        assert eve.board.text == before
        assert len([path for path in made if path.startswith("/channels/")]) <= 2  # those under way
