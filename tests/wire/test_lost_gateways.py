"""Moves work after every kind of lost gateway connection, and nothing happens twice."""

import asyncio

import pytest

from tests.wire.conftest import World
from tests.wire.gateway import INVALID_SESSION, RECONNECT, Outage
from tests.wire.moderators import delete_message, delete_unnoticed
from tests.wire.objects import GUILD_ID, Interaction
from tests.wire.people import Person, moves
from tests.wire.playing import boards, hands, open_table, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")

TWO = {"players": 2, "rounds": 2}


async def table(town: World) -> tuple[Person, Person]:
    """Ann and Ben at a table that has just started."""
    people = ann, ben = town.people()
    await open_table(people, **TWO)
    await town.discord.until(lambda: hands(ann) and hands(ben))
    town.discord.gateway.history.clear()
    return ann, ben


async def plays(person: Person) -> Interaction:
    """Pick the first move in the direct message."""
    return await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])


async def play_goes_on(town: World, ann: Person, ben: Person) -> None:
    """Play the first turn. One board has to show it, and the log has to have each move once."""
    before = town.moves(ann)
    for person in (ann, ben):
        await plays_by_board(person)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    assert town.moves(ann) == before + 2
    await town.discord.until(lambda: len(boards(ann)) == 1)
    assert [len(hands(person)) for person in (ann, ben)] == [1, 1]


async def test_missed_events_are_handled_after_resuming(town: World) -> None:
    ann, ben = await table(town)
    board = ann.board
    await town.discord.gateway.drop(0)
    await delete_message(town.discord, board)
    await plays(ann)
    await town.discord.until(lambda: boards(ann) and "**Ben**: set a card aside." in ann.board.text)
    town.forgives("10008")  # the edit of a missed message may come first
    assert town.discord.gateway.history == ["resume 0"]
    assert town.moves(ann) == 1
    await town.discord.until(lambda: len(boards(ann)) == 1)
    await plays_by_board(ben)


async def test_no_press_is_lost_on_a_reconnect_request(town: World) -> None:
    ann, ben = await table(town)
    press = asyncio.create_task(plays(ann))
    await town.discord.gateway.send(0, RECONNECT)
    await press
    await town.discord.gateway.until_ready()
    assert town.discord.gateway.history == ["resume 0"]
    assert town.moves(ann) == 1
    await plays_by_board(ben)


@pytest.mark.parametrize(("resumable", "history"), [(True, ["resume 0"]), (False, ["identify 0"])])
async def test_an_invalid_session_is_resumed_or_replaced_as_discord_says(
    town: World, *, resumable: bool, history: list[str]
) -> None:
    ann, ben = await table(town)
    await town.discord.gateway.send(0, INVALID_SESSION, resumable)
    await town.discord.gateway.until_lost()
    await town.discord.gateway.until_ready()
    assert town.discord.gateway.history == history
    await play_goes_on(town, ann, ben)


async def test_a_connection_without_heartbeat_acknowledgements_is_resumed(town: World) -> None:
    ann, ben = await table(town)
    town.discord.gateway.fall_silent(0)
    await delete_message(town.discord, ann.board)
    await town.discord.gateway.until_received("resume 0")
    await town.discord.until(lambda: boards(ann))
    assert town.discord.gateway.history == ["resume 0"]
    await play_goes_on(town, ann, ben)


async def test_a_board_deleted_between_sessions_is_posted_again(town: World) -> None:
    town.expects("10008")
    ann, ben = await table(town)
    board = ann.board
    await town.discord.gateway.drop(0, forget=True)
    delete_unnoticed(town.discord, board)
    await town.discord.gateway.until_ready()
    await town.discord.until(lambda: boards(ann))
    assert town.discord.gateway.history[-1] == "identify 0"
    await play_goes_on(town, ann, ben)


async def test_an_unreadable_hello_starts_another_session(town: World) -> None:
    ann, ben = await table(town)
    town.discord.gateway.garbled = 1
    await town.discord.gateway.drop(0, forget=True)
    await town.discord.until(lambda: town.discord.gateway.history.count("identify 0") == 2)
    await town.discord.gateway.until_ready()
    await play_goes_on(town, ann, ben)


async def test_an_unreadable_event_is_skipped(town: World) -> None:
    ann, ben = await table(town)
    channel = {"id": "77", "guild_id": GUILD_ID, "type": 0}  # without a name, and much else
    await town.discord.gateway.dispatch("CHANNEL_CREATE", channel, GUILD_ID)
    await play_goes_on(town, ann, ben)
    assert town.discord.gateway.history == []


@pytest.mark.parametrize("outage", ["unavailable", "silent", "closing"])
async def test_connecting_to_a_failing_gateway_is_retried_with_backoff(town: World, outage: Outage) -> None:
    ann, ben = await table(town)
    gateway = town.discord.gateway
    gateway.outage = outage
    await gateway.drop(0, forget=True)
    await gateway.until_connecting()
    await asyncio.sleep(2)
    assert len(gateway.history) < 20
    gateway.outage = ""
    await gateway.until_ready()
    await play_goes_on(town, ann, ben)
