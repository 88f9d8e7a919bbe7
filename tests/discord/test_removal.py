"""Removing players from a lobby, by button and by command."""

from tests.discord.play import Player, World
from tests.discord.seen import Use


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
