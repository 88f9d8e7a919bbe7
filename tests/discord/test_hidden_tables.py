"""A table that a user can't see takes the same work as one that doesn't exist, so its time tells nothing."""

from collections.abc import Awaitable, Callable

import pytest
from simcord import ChannelHandle

from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.test_access import HIDDEN, hidden_channel, moments, set_up

ARCHIVED = "an archived thread of a hidden channel"
MINUTES = 300


def hidden_place(world: World, where: str, players: list[Player]) -> tuple[ChannelHandle, Forger]:
    """Return the channel of the table, and a user who can't see it."""
    if where != ARCHIVED:
        return set_up(world, where, players)
    _, kim = set_up(world, HIDDEN[0], players)
    thread = world.env.backend.create_thread(hidden_channel(world, *players).id, "a long evening", players[0].id)
    return world.place(thread.id), kim


async def work(world: World, ask: Callable[[], Awaitable[object]]) -> list[str]:
    """Return what an answer reads from the database and from Discord, without what concerns the bot's messages."""
    statements: list[str] = []
    await world.store._reader.run(lambda raw: raw.set_trace_callback(statements.append))
    first = len(world.env.http_requests)
    await ask()
    requests = [each.method for each in world.env.http_requests[first:] if each.method == "GET"]
    reads = [statement.partition("=")[0] for statement in statements if "FROM messages" not in statement]
    return [*reads, *requests]


async def all_work(world: World, kim: Forger, name: str) -> list[list[str]]:
    """Return what answers about Table 1 take, by its number and by its name."""
    return [
        await work(world, ask)
        for ref in ("1", name)
        for ask in (
            lambda ref=ref: kim.player.types("pond board", at=kim.place, table=ref),
            lambda ref=ref: kim.player.types("pond join", at=kim.place, table=ref),
            lambda ref=ref: kim.player.completes("pond move", "move", at=kim.place, table=ref),
            lambda: kim.presses("lily:hand:1:3"),
            lambda: kim.presses("lily:more:1:3"),
        )
    ]


@pytest.mark.usefixtures("no_rate_limit")
@pytest.mark.parametrize("where", [*HIDDEN, ARCHIVED])
async def test_a_hidden_table_takes_the_same_work_as_none(world: World, where: str) -> None:
    players = world.people(2)
    place, kim = hidden_place(world, where, players)
    await all_work(world, kim, "Nowhere")  # the first time, the user's language is stored
    before = await all_work(world, kim, "Nowhere")
    async for table in moments(world, place, players):
        if where == ARCHIVED:
            world.env.backend.edit_channel(place.id, {}, thread_metadata={"archived": True})
        await world.wait(MINUTES)  # for all messages of the table
        for _ in range(2):  # before it is cached, and afterwards
            assert await all_work(world, kim, table.name) == before
        if where == ARCHIVED:
            world.env.backend.edit_channel(place.id, {}, thread_metadata={"archived": False})
