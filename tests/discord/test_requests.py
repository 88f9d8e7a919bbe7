"""The number of requests and reads that a move costs. Discord limits the requests of the whole bot."""

from typing import Any
from unittest.mock import patch

import pytest

from bot.store.sqlite.connection import Connection, T, Work
from bot.store.sqlite.sqlite_store import commit
from bot.ui.live import drawings
from bot.ui.live.plan import AFTER_TRICK_S
from bot.ui.messages.hand import hand
from tests.discord.play import Player, World
from tests.discord.tables import started, started_in

GROUPS = ("pond", "pontis", "potblack")
MOVES = 60


def made(world: World) -> int:
    """Return the number of requests, with those that have an interaction's token."""
    return len(world.env.http_requests)


def counted(world: World) -> int:
    """Return the number of requests that count against the limit. Those with an interaction's token don't."""
    return len([each for each in world.env.http_requests if not each.path.startswith(("/interactions", "/webhooks"))])


async def mover(world: World, people: list[Player]) -> Player:
    """Return the first of the players to move."""
    turn = await world.tables.whose_turn(await world.tables.table(1))
    return next(player for player in people if player.id in turn)


@pytest.mark.parametrize(("writes", "most"), [(False, 1.2), (True, 2.2)], ids=["in a quiet channel", "if people chat"])
@pytest.mark.parametrize(
    ("group", "options"), [("pond", {"players": 4}), ("pontis", {"players": 4}), ("potblack", {})], ids=GROUPS
)
async def test_a_move_at_a_table_of_four_costs_few_requests(
    world: World, group: str, options: dict[str, Any], *, writes: bool, most: float
) -> None:
    people = world.people(4)
    await started_in(group, people[0], people[1:], **options)
    world.expire_tokens()  # of the press of **Start**, so that nobody has pressed the board
    before, moves = counted(world), 0
    while moves < MOVES and (await world.tables.table(1)).status == "playing":
        if writes:
            await people[0].says("What a pond!")
        player = await mover(world, people)
        await player.picks(player.hand, next(iter(player.hand.moves)))
        moves += 1
    a_move = (counted(world) - before) / moves
    print(f"{group}: {a_move:.2f} counted requests a move")  # noqa: T201 - pytest shows it with -s
    assert a_move <= most


async def test_a_press_of_the_board_makes_its_edits_free(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    world.expire_tokens()
    await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    page = await ben.clicks(ben.board, "My hand")
    assert page.is_private, "it follows an acknowledgement, as the board was edited by the bot"
    before = counted(world)
    await ben.picks(page, next(iter(page.moves)))
    assert " · poison" in ben.now(page).text.replace("\N{NO-BREAK SPACE}", " ")
    paths = [each.path for each in world.env.http_requests[-20:] if each.method == "PATCH"]
    assert f"/channels/{world.channel.id}/messages/{ben.board.id}" not in paths[-3:]
    assert counted(world) - before <= 2, "the hands in direct messages, which nobody has pressed"


async def test_a_move_at_a_table_of_four_costs_few_reads(world: World) -> None:
    people = world.people(4)
    await started_in("potblack", people[0], people[1:])
    reads = 0
    run = Connection.run

    async def counted_run(connection: Connection, work: Work[T]) -> T:
        nonlocal reads
        reads += getattr(work, "func", None) is not commit
        return await run(connection, work)

    for _ in range(12):
        player = await mover(world, people)
        hand = player.hand
        with patch.object(Connection, "run", counted_run):
            await player.picks(hand, next(iter(hand.moves)))
    assert reads / 12 <= 8


async def test_a_move_draws_each_hand_once(world: World) -> None:
    people = world.people(2)
    await started(people[0], people[1:])
    player = await mover(world, people)
    with patch.object(drawings, "hand", wraps=hand) as drawn:
        await player.picks(player.hand, next(iter(player.hand.moves)))
    seats = [call.args[1].observation.seat for call in drawn.call_args_list]
    assert sorted(seats) == [0, 1]


async def test_a_hand_isnt_edited_only_because_others_have_chosen_too(world: World) -> None:
    people = world.people(4)
    await started(people[0], people[1:], players=4)
    before, hand = made(world), people[3].hand
    for player in people[:3]:
        await player.picks(player.hand, next(iter(player.hand.moves)))
    assert made(world) - before == 9, "an acknowledgement, their own hand and the board for each"
    assert people[3].hand == hand
    await people[3].picks(hand, next(iter(hand.moves)))
    assert " · poison\N{NO-BREAK SPACE}" in people[3].hand.text


async def test_waiting_hands_follow_a_trick_only_if_nobody_plays_on(world: World) -> None:
    people = world.people(4)
    await started_in("potblack", people[0], people[1:])
    for _ in range(4):
        player = await mover(world, people)
        await player.picks(player.hand, next(iter(player.hand.moves)))
    leader = await mover(world, people)
    waiting = [each for each in people if each not in {leader, player}]
    before = made(world)
    assert not any("Last trick" in each.hand.text for each in waiting)
    await world.wait(AFTER_TRICK_S)
    assert all("Last trick" in each.hand.text for each in waiting)
    assert made(world) - before == len(waiting)
    await world.wait(AFTER_TRICK_S)
    assert made(world) - before == len(waiting)


async def test_a_press_in_a_lobby_costs_only_the_hands(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    before = counted(world)
    lobby = await ben.clicks(lobby, "Join")
    assert counted(world) - before == 2, "Ben's direct messages are opened, and a welcome is posted there"
    await ann.clicks(lobby, "Start")
    edits = [each.path for each in world.env.http_requests if each.method == "PATCH"]
    assert f"/channels/{world.channel.id}/messages/{lobby.id}" not in edits
