"""When the last seat goes: the host's one ping, another table for who comes too late, and free seats elsewhere."""

import discord

from tests.discord.play import Player, World
from tests.discord.seen import Seen


def pings_of(player: Player) -> list[Seen]:
    """Return the messages in the channel that say to a host that everyone is here."""
    return [
        seen for seen in player.messages() if not seen.is_private and f"<@{player.id}>\nEveryone's here" in seen.text
    ]


async def full(world: World, ann: Player, ben: Player) -> Seen:
    """Let Ann open a table, and Ben take its last seat five minutes later. Return the lobby."""
    lobby = await ann.types("pontis open", players=2)
    await world.wait(300)
    await ben.clicks(lobby, "Join")
    await world.wait(30)
    return ann.now(lobby)


async def test_the_host_gets_one_ping_with_start_when_the_last_seat_goes(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await full(world, ann, ben)
    (ping,) = pings_of(ann)
    assert ping.pinged == (ann.id,)
    assert ping.labels == ["Start"]
    assert f"/{lobby.id})" in ping.text
    await world.restart()
    await world.wait(300)
    assert [seen.id for seen in pings_of(ann)] == [ping.id]
    await ann.clicks(ping, "Start")
    await world.wait(30)
    assert pings_of(ann) == []
    assert (await world.tables.table(1)).status == "playing"


async def test_a_seat_that_goes_again_brings_no_second_ping(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await full(world, ann, ben)
    await ben.clicks(lobby, "Leave")
    await world.wait(30)
    assert pings_of(ann) == []
    await world.wait(300)
    await cleo.clicks(ann.board, "Join")
    await world.wait(300)
    assert pings_of(ann) == []


async def test_a_host_who_is_here_wants_no_ping_or_is_alone_gets_none(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pontis open", players=2)
    await ben.clicks(lobby, "Join")
    await ann.clicks(ann.now(lobby), "Start")
    await world.wait(120)
    assert pings_of(ann) == []
    await cleo.types("settings", pings="off")
    lobby = await cleo.types("pontis open", players=2)
    await world.wait(300)
    await ben.clicks(lobby, "Join")
    await world.wait(120)
    assert pings_of(cleo) == []
    await ann.clicks(await ann.types("pontis open", players=2), "Add computer")
    await world.wait(300)
    assert pings_of(ann) == []


async def test_a_host_who_was_here_is_pinged_a_minute_later(world: World) -> None:
    ann, ben = world.people(2)
    await ben.clicks(await ann.types("pontis open", players=2), "Join")
    await world.wait(30)
    assert pings_of(ann) == []
    await world.wait(60)
    assert len(pings_of(ann)) == 1


async def test_whoever_comes_too_late_can_open_another_table_with_the_same_options(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pond open", players=4, computers=2)
    join = lobby.use("Join")
    await ben.clicks(lobby, "Join")
    (late,) = await world.at_once((cleo, join))
    assert late is not None
    assert late.is_private
    assert (late.text.split(" is ")[1], late.labels) == ("full.", ["Open another"])
    assert "Open another" in (await cleo.clicks(ann.board, "More")).labels
    await ann.clicks(ann.board, "Start")
    (later,) = await world.at_once((cleo, join))
    assert later is not None
    answer = await cleo.clicks(later, "Open another")
    assert "is open" in answer.text
    other, first = await world.tables.table(2), await world.tables.table(1)
    assert other.options == first.options
    assert other.host_id == cleo.id


async def test_free_seats_are_listed_for_who_plays_nowhere(world: World) -> None:
    ann, ben, cleo = world.people(3)
    me = world.server.me
    assert me is not None
    hidden = world.server.create_text_channel(
        "hidden",
        overwrites={
            world.server.default_role: discord.PermissionOverwrite(view_channel=False),
            ben.member: discord.PermissionOverwrite(view_channel=True),
            me: discord.PermissionOverwrite(view_channel=True),
        },
    )
    ben.home = hidden
    await ben.types("pontis open", players=3)
    lobby = await ann.types("frogs open")
    page = await cleo.types("tables")
    assert "**Free seats here**" in page.text
    assert page.text.count("1 of 2 here") == 1
    assert "Pontis" not in page.text
    joined = await cleo.picks(page, next(iter(page.options)))
    assert joined.text.startswith("You've joined **Table ")
    assert cleo.id in {sitter.user_id for sitter in (await world.tables.table(2)).sitters}
    assert "Free seats" not in (await cleo.types("tables")).text
    assert f"/{lobby.id})" in joined.text
