"""The number of requests and reads that a move costs. Discord limits the requests of the whole bot."""

from unittest.mock import patch

import pytest

from bot.store.sqlite.connection import Connection, T, Work
from bot.store.sqlite.sqlite_store import commit
from bot.ui.live import drawings
from bot.ui.live.plan import AFTER_TRICK_S
from bot.ui.messages.hand import hand
from tests.discord.play import Player, World
from tests.discord.tables import started, started_in

MOVES = 60


def counted(world: World) -> int:
    """Return the number of requests that count against the limit. Those with an interaction's token don't."""
    return len([each for each in world.env.http_requests if not each.path.startswith(("/interactions", "/webhooks"))])


async def mover(world: World, people: list[Player]) -> Player:
    """Return the first of the players to move."""
    turn = await world.tables.whose_turn(await world.tables.table(1))
    return next(player for player in people if player.id in turn)


@pytest.mark.parametrize(("writes", "most"), [(False, 2.0), (True, 3.0)], ids=["in a quiet channel", "if people chat"])
async def test_a_move_at_a_table_of_four_costs_few_requests(world: World, *, writes: bool, most: float) -> None:
    people = world.people(4)
    await started(people[0], people[1:], players=4)
    before = counted(world)
    for _ in range(MOVES):
        if writes:
            await people[0].says("What a pond!")
        player = await mover(world, people)
        await player.picks(player.hand, next(iter(player.hand.moves)))
    assert (counted(world) - before) / MOVES <= most


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
    before, hand = counted(world), people[3].hand
    for player in people[:3]:
        await player.picks(player.hand, next(iter(player.hand.moves)))
    assert counted(world) - before == 3
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
    before = counted(world)
    assert not any("Last trick" in each.hand.text for each in waiting)
    await world.wait(AFTER_TRICK_S)
    assert all("Last trick" in each.hand.text for each in waiting)
    assert counted(world) - before == len(waiting)
    await world.wait(AFTER_TRICK_S)
    assert counted(world) - before == len(waiting)


async def test_a_press_in_a_lobby_costs_only_the_hands(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    before = counted(world)
    lobby = await ben.clicks(lobby, "Join")
    assert counted(world) - before == 2, "Ben's direct messages are opened, and a welcome is posted there"
    await ann.clicks(lobby, "Start")
    edits = [each.path for each in world.env.http_requests if each.method == "PATCH"]
    assert f"/channels/{world.channel.id}/messages/{lobby.id}" not in edits
