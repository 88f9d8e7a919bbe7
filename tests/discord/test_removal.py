"""Removing players from a lobby or a game, by button and by command."""

import discord
import pytest

from tests.discord.play import Player, World
from tests.discord.seen import Use
from tests.discord.tables import fast_forward, started


async def lobby_of_three(world: World, computers: int = 0) -> list[Player]:
    """Open a lobby of four seats with Ann as its host, Ben and Cleo."""
    people = world.people(3)
    await people[0].types("pond open", players=4, computers=computers)
    for guest in people[1:]:
        await guest.clicks(guest.board, "Join")
    return people


async def test_the_host_removes_a_player_by_button(world: World) -> None:
    ann, ben, cleo = await lobby_of_three(world)
    asked = await ann.clicks(await ann.clicks(ann.board, "Options"), "Remove a player")
    assert asked.is_private
    assert "can't join it again" in asked.text
    assert list(asked.options.values()) == ["Ben", "Cleo"]
    done = await ann.picks(asked, "1")
    table = await world.tables.table(1)
    assert done.text == f"You removed Ben from **Table {table.name}**. They can't join it again."
    assert (done.id, done.options) == (asked.id, {})
    assert "Ben" not in cleo.board.text
    assert "The host removed you from this table." in ben.dms[-1].text
    assert "host removed you" in (await ben.clicks(ben.board, "Join")).text
    assert "host removed you" in (await ben.types("pond join", table="1")).text
    assert [sitter.name for sitter in (await world.tables.table(1)).sitters] == ["Ann", "Cleo"]


async def test_only_people_cant_join_again_when_they_are_removed(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open", players=4, computers=2)
    asked = await ann.clicks(await ann.clicks(ann.board, "Options"), "Remove a player")
    assert "Which computer" in asked.text
    assert "again" not in asked.text
    assert "again" not in (await ann.picks(asked, next(iter(asked.options)))).text


async def test_the_host_removes_a_player_by_command(world: World) -> None:
    ann, ben, cleo = await lobby_of_three(world, computers=1)
    offered = await ann.completes("pond remove", "player")
    assert list(offered) == ["2", "3", "4"]
    assert list(offered.values())[:2] == ["Ben", "Cleo"]
    assert await ben.completes("pond remove", "player") == {}
    assert "Only the host" in (await ben.types("pond remove", player="Cleo")).text
    assert "You removed Ben" in (await ann.types("pond remove", player="ben", table="1")).text
    assert "You removed 🤖" in (await ann.types("pond remove", player="4")).text
    assert "nobody called Ben" in (await ann.types("pond remove", player="Ben")).text
    assert "**Leave**" in (await ann.types("pond remove", player="1")).text
    assert "*free*" in cleo.board.text


async def test_every_game_has_the_command(world: World) -> None:
    ann, ben = world.people(2)
    for number, group in enumerate(("frogs", "pontis", "potblack"), 1):
        lobby = await ann.types(f"{group} open")
        await ben.clicks(lobby, "Join")
        assert "You removed Ben" in (await ann.types(f"{group} remove", player="Ben", table=str(number))).text


async def test_the_host_chooses_between_players_of_the_same_name(world: World) -> None:
    ann, other = world.person("Ann"), world.person("Ann")
    await ann.types("pond open", players=4)
    for guest in (other, world.person("Ann")):
        await guest.clicks(guest.board, "Join")
    asked = await ann.types("pond remove", player="Ann")
    assert len(set(asked.options.values())) == 3
    assert "You removed Ann" in (await ann.picks(asked, "2")).text


async def test_only_the_host_can_remove_players(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    assert "Remove" not in lobby.labels
    await ben.clicks(lobby, "Join")
    menu = await ann.clicks(await ann.clicks(ann.board, "Options"), "Remove a player")
    (answered,) = await world.at_once((ben, Use(menu.id, menu.channel_id, menu.use("1").custom_id, "1")))
    assert answered is not None
    assert "Only the host" in answered.text
    assert len((await world.tables.table(1)).sitters) == 2


async def test_a_menu_from_before_a_change_of_seats_removes_nobody(world: World) -> None:
    ann, ben, _ = await lobby_of_three(world)
    menu = await ann.clicks(await ann.clicks(ann.board, "Options"), "Remove a player")
    await ben.clicks(ben.board, "Leave")
    dan = world.person("Dan")
    await dan.clicks(dan.board, "Join")  # on Ben's seat
    assert "lobby has changed" in (await ann.picks(menu, "1")).text
    assert [sitter.name for sitter in (await world.tables.table(1)).sitters] == ["Ann", "Dan", "Cleo"]


# ---- in play


def keeper(world: World, **permissions: bool) -> Player:
    """Add a member whose role has these permissions."""
    role = world.server.create_role("Keepers", permissions=discord.Permissions(**permissions))
    return Player(world, world.server.add_member(world.env.create_user("kim", global_name="Kim"), roles=[role]))


async def test_a_moderator_removes_a_player_in_play_and_everyone_is_told(world: World) -> None:
    ann, ben, cleo = world.people(3)
    kim = keeper(world, manage_messages=True)
    await started(ann, [ben, cleo], players=4, computers=1)
    private = await ben.clicks(ben.board, "My hand")
    assert "Remove a player" not in (await ann.clicks(ann.board, "More")).labels
    more = await kim.clicks(kim.board, "More")
    asked = await kim.clicks(more, "Remove a player")
    assert list(asked.options.values()) == ["Ann", "Ben", "Cleo"]
    question = await kim.picks(asked, "1")
    table = await world.tables.table(1)
    assert question.text == (
        f"Remove **Ben** from **Table {table.name}**? A computer takes the seat for good, and they can't come back."
    )
    assert (await world.tables.table(1)).sitter(ben.id) is not None
    for player in (ann, cleo):  # a forged press of somebody who plays there
        (answer,) = await world.at_once((player, question.use("Remove")))
        assert answer is not None
        assert "Only " in answer.text
    assert (await world.tables.table(1)).sitter(ben.id) is not None
    question = await kim.types("pond remove", player="Ben", table="1")  # the refusal has replaced it
    done = await kim.clicks(question, "Remove")
    assert done.text == f"You removed Ben from **Table {table.name}**."
    assert done.id == question.id
    sitter = (await world.tables.table(1)).sitters[1]
    assert sitter.is_computer
    await world.wait(5)
    assert f"🤖\N{NO-BREAK SPACE}{sitter.name} plays on for a removed player." in cleo.board.text
    assert "removed you from this table. A computer plays on." in ben.dms[-1].text
    assert "removed you from this table. A computer plays on." in ben.now(private).text
    assert "You're not playing" in (await ben.clicks(ben.board, "My hand")).text
    assert "Remove a player" not in (await ben.clicks(ben.board, "More")).labels
    assert "Remove a player" not in (await cleo.clicks(cleo.board, "More")).labels
    (answer,) = await world.at_once((kim, Use(kim.board.id, kim.board.channel_id, question.use("Remove").custom_id)))
    assert answer is not None
    assert "not playing" in answer.text


async def test_a_moderator_removes_a_player_in_play_by_command(world: World) -> None:
    ann, ben = world.people(2)
    kim = keeper(world, manage_guild=True)
    await started(ann, [ben], players=4, computers=2)
    assert list((await ann.completes("pond remove", "player")).values()) == []
    question = await kim.types("pond remove", player="ben", table="1")
    assert "**Ben**" in question.text
    assert (await kim.clicks(question, "Keep them")).text.startswith("### Table")
    assert "already has that seat" in (await ann.types("pond remove", player="3")).text
    assert "**Resign**" in (await ann.types("pond remove", player="Ann")).text
    assert "Only a moderator who doesn't play here" in (await ann.types("pond remove", player="Ben")).text
    assert "Only the host" in (await ben.types("pond remove", player="Ann")).text
    await kim.clicks(await kim.types("pond remove", player="ben", table="1"), "Remove")
    assert (await world.tables.table(1)).sitter(ben.id) is None


async def test_a_player_whose_seat_a_computer_keeps_can_be_removed(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    await started(ann, [ben, cleo, dan], players=4, rounds=2)
    await fast_forward(world, lambda seen: seen.to_act == frozenset({1}))
    await world.wait(25 * 3600.0)
    await ann.clicks_through(ann.board, "More", "Someone's away", "Computer takes the seat")
    assert "Only the host" in (await cleo.types("pond remove", player="2")).text
    asked = await ann.clicks_through(ann.board, "More", "Remove a player")
    (name,) = asked.options.values()
    assert name.endswith("for Ben")
    assert "removed" in (await ann.clicks(await ann.picks(asked, "1"), "Remove")).text
    await ben.clicks(ben.board, "More")
    assert (await world.tables.table(1)).sitter(ben.id) is None


@pytest.mark.parametrize(
    ("permissions", "is_elsewhere", "may"),
    [
        ({"manage_messages": True}, False, True),
        ({"manage_messages": True}, True, False),
        ({"manage_guild": True}, True, True),
        ({"mute_members": True}, False, False),
    ],
)
async def test_moderators_remove_players_at_tables_that_they_may_close(
    world: World, permissions: dict[str, bool], *, is_elsewhere: bool, may: bool
) -> None:
    ann, ben = world.people(2)
    kim = keeper(world, **permissions)
    await started(ann, [ben])
    if is_elsewhere:
        kim.home = world.server.create_text_channel("elsewhere")
        asked = await kim.types("pond remove", player="Ann", table="1")
    else:
        asked = await kim.clicks(kim.board, "More")
        assert ("Remove a player" in asked.labels) is may
        asked = await kim.types("pond remove", player="Ann", table="1")
    if not may:
        assert "Only the host" in asked.text
        return
    await kim.clicks(asked, "Remove")
    table = await world.tables.table(1)
    assert (table.sitter(ann.id), table.host_id) == (None, ben.id)


async def test_a_removed_player_is_led_to_a_lobby_that_lets_them_in(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    board = await started(ann, [ben])
    await cleo.types("pond open", players=4)
    await dan.clicks(dan.board, "Join")
    await cleo.types("pond remove", player="Dan")
    assert "A seat is free" not in (await dan.clicks(dan.now(board), "My hand")).text
    await world.person("Eve").types("pond open")
    other = (await world.tables.table(3)).name
    assert f"A seat is free here: [Table {other}]" in (await dan.clicks(dan.now(board), "My hand")).text
