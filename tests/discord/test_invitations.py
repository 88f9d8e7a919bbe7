"""Lobbies for invited players only, and pings of those who are asked to join."""

from simcord.enums import InteractionType

from bot.ui.posts.tokens import VALID_S
from tests.discord.forged import Forger, answer_to
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, started


def pings(world: World, player: Player) -> list[Seen]:
    """Return the messages in the channel that pinged the player when they were posted."""
    return [seen for seen in player.messages(world.channel) if player.id in seen.pinged]


async def invited(host: Player, *people: Player) -> Seen:
    """Let only these people join the host's table, and return the page of options."""
    return await host.picks_people(await host.clicks(host.board, "Options"), *people)


async def test_only_invited_players_join(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open", players=4)
    await invited(ann, ben)
    assert f"Invited: <@{ben.id}>" in ann.board.text
    assert (await cleo.clicks(ann.board, "Join")).text == "This table is for invited players."
    assert "for invited players" in (await cleo.types("pond join")).text
    await ben.clicks(ann.board, "Join")
    assert "**Ben**" in (await ann.clicks(ann.board, "Add computer")).text
    await world.restart()
    assert "for invited players" in (await cleo.clicks(ann.board, "Join")).text
    await invited(ann)
    assert "Invited" not in ann.board.text
    assert "**Cleo**" in (await cleo.clicks(ann.board, "Join")).text


async def test_only_invited_players_take_a_seat_that_is_offered(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    await ann.types("pond open")
    await invited(ann, ben, cleo)
    await ben.clicks(ann.board, "Join")
    await ann.clicks(ann.board, "Start")
    await fast_forward(world, lambda seen: seen.to_act == frozenset({1}))
    await world.wait(5 * 24 * 3600.0)
    page = await ann.clicks_through(ann.board, "More", "Someone's away", "Ask for a substitute")
    assert page.text.startswith("Invited players can take the seat")
    assert "Invited players can press **Take the seat**" in ann.board.text
    assert (await dan.clicks(dan.board, "Take the seat")).text == "This table is for invited players."
    assert "You're playing at" in (await cleo.clicks(cleo.board, "Take the seat")).text


async def test_a_full_lobby_of_invited_players_lets_nobody_else_join(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open", players=2)
    assert "others can **Join**" not in ann.board.text
    await invited(ann, ben)
    await ben.clicks(ann.board, "Join")
    assert "Everyone's here. Any player can press **Start**." in cleo.board.text
    await invited(ann, ben, cleo)
    await cleo.clicks(cleo.board, "Join")
    assert (await world.tables.table(1)).seats == 4


async def test_invited_players_are_pinged_once(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open", players=4)
    await invited(ann, ben)
    await world.wait(5)
    (ping,) = pings(world, ben)
    assert ping.text.startswith(f"<@{ben.id}> you're invited to [Table ")
    assert ping.labels == ["Join"]
    await invited(ann, ben, cleo)
    await world.wait(5)
    (ping,) = pings(world, cleo)  # it replaces the other one
    assert ping.pinged == (cleo.id,)
    await ben.clicks(ann.board, "Join")
    await ben.clicks(ann.board, "Leave")
    await cleo.clicks(ann.board, "Join")
    await world.wait(200)
    assert pings(world, ben) == pings(world, cleo) == []
    world.deletes(ann.board)
    await world.wait(200)
    assert not ann.board.pinged


async def test_players_without_pings_are_invited_silently(world: World) -> None:
    ann, ben = world.people(2)
    await ben.types("settings", pings="off")
    await ann.types("pond open")
    await invited(ann, ben)
    await world.wait(200)
    assert f"Invited: <@{ben.id}>" in ann.board.text
    assert pings(world, ben) == []


async def test_only_the_host_invites_and_nobody_needs_to_on_their_own(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    page = await ann.clicks(lobby, "Options")
    assert (await ben.clicks(lobby, "Options")).menus_of_people == []
    await world.wait(VALID_S + 1)  # from then on, the page doesn't follow the lobby
    await ben.clicks(lobby, "Join")
    await ann.clicks(ann.board, "Leave")
    assert "Only the host" in (await ann.picks_people(page, ben)).text
    alone = await ann.types("pond open", at=ann.dm)
    assert (await ann.clicks(alone, "Options")).menus_of_people == []


async def test_a_removed_player_can_be_invited_back(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    await ann.types("pond remove", player="Ben")
    assert "removed you" in (await ben.clicks(ann.board, "Join")).text
    await invited(ann, ben)
    assert "**Ben**" in (await ben.clicks(ann.board, "Join")).text


async def test_a_rematch_pings_the_other_players_once(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started(ann, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    before = len(pings(world, ben))
    await ann.clicks(ann.board, "Rematch")
    lobby = ann.board
    assert lobby.pinged == (ben.id,)
    await cleo.says("good luck")
    await ann.clicks(lobby, "Leave")
    await world.restart()
    await world.wait(4000)
    assert len(pings(world, ben)) <= before + 1


async def test_a_rematch_keeps_the_free_seat_for_the_last_opponent(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started(ann, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    await ann.clicks(ann.board, "Rematch")
    lobby = ann.board
    assert "kept for a player of the last game" in lobby.text
    assert "are kept for the last players" in (await cleo.clicks(lobby, "Join")).text
    await ben.clicks(lobby, "Join")
    await ben.clicks(ann.board, "Leave")
    await cleo.clicks(ann.board, "Join")
    assert "**Cleo**" in ann.board.text


async def test_a_host_who_opens_table_after_table_pings_an_invited_player_once(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(3):
        await ann.types("pond open")
        await invited(ann, ben)
        await world.restart(5)
        await world.wait(200)
        assert f"Invited: <@{ben.id}>" in ann.board.text
        await ann.clicks(ann.board, "Leave")
    pinged = [request for request in world.env.http_requests if "you're invited" in str(request.json)]
    assert len(pinged) == 1
    await world.wait(3600)
    await ann.types("pond open")
    await invited(ann, ben)
    await world.wait(5)
    assert len(pings(world, ben)) == 1


async def test_only_members_whom_discord_has_resolved_are_invited(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open", players=4)
    page = await ann.clicks(ann.board, "Options")
    (custom_id,) = page.menus_of_people
    forger = Forger(world, ann, world.channel, ann.board.id)
    user = {"id": str(ben.id), "username": "ben", "discriminator": "0"}
    stranger = {"id": "77", "username": "stranger", "discriminator": "0"}
    app = {"id": "78", "username": "app", "discriminator": "0", "bot": True}
    users = {str(ben.id): user, "77": stranger, "78": app}
    for values, resolved in (
        (["77"], {"users": users, "members": {str(ben.id): {}}}),
        (["77"], {"users": users}),
        (["77"], {}),
        (["78"], {"users": users, "members": {"78": {}}}),
        ([str(ben.id)], {"members": {str(ben.id): {}}}),
    ):
        data = {"custom_id": custom_id, "component_type": 5, "values": values, "resolved": resolved}
        answer = await forger.sends(InteractionType.MESSAGE_COMPONENT, data)
        assert "You can only invite members of this server." in answer_to(answer)
        assert "Invited" not in ann.board.text
    data["resolved"] = {"users": users, "members": {str(ben.id): {}}}
    await forger.sends(InteractionType.MESSAGE_COMPONENT, data | {"values": ["77", str(ben.id), "78"]})
    assert f"Invited: <@{ben.id}>" in ann.board.text
    assert "77" not in ann.board.text
