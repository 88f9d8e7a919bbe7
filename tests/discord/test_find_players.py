"""Looking for players: one message a table, which mentions the server's role for that."""

from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.discord.test_server import moderator


def calls(player: Player) -> list[Seen]:
    """Return the messages that look for players."""
    return [seen for seen in player.messages() if "Looking for" in seen.text]


async def test_a_lobby_looks_for_players_once_and_says_how_many(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pond open", players=4)
    (refused,) = await world.at_once((ben, (await ann.clicks(lobby, "More")).use("Find players")))
    assert refused is not None
    assert "Only the host" in refused.text
    assert "Find players" not in (await ben.clicks(lobby, "More")).labels
    await ann.clicks(lobby, "Find players")
    assert "Find players" not in (await ann.clicks(lobby, "More")).labels
    (call,) = calls(ben)
    assert call.text.startswith("Looking for 3 more players for **Pond · cards** · [Table ")
    assert f"/{lobby.id})" in call.text
    await ben.clicks(call, "Join")
    await world.wait(30)
    assert calls(cleo)[0].text.startswith("Looking for 2 more players")
    (answer,) = await world.at_once((ann, call.use("Join")))
    assert answer is not None
    await world.restart()
    await world.wait(30)
    await ann.clicks(ann.board, "Fill with computers")
    await world.wait(30)
    assert calls(cleo) == []


async def test_a_deleted_message_stays_away(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", players=4)
    await ann.clicks(lobby, "Find players")
    world.deletes(calls(ann)[0])
    await world.wait(30)
    await ben.clicks(ann.board, "Join")
    await world.wait(30)
    assert calls(ann) == []


async def test_only_the_role_for_it_is_mentioned_once(world: World) -> None:
    ann, ben = world.people(2)
    kim = moderator(world)
    role = world.server.create_role("Players")
    page = await kim.types("server looking", role=role)
    assert f"**Find players** mentions <@&{role.id}>. Members give themselves this role." in page.text
    await ann.clicks(await ann.types("pond open", players=4), "Find players")
    (call,) = calls(ann)
    assert call.text.startswith(f"<@&{role.id}> Looking for 3 more players")
    await ben.clicks(call, "Join")
    await world.wait(30)
    mentions = [
        (request.method, request.json["allowed_mentions"])
        for request in world.env.http_requests
        if isinstance(request.json, dict) and "Looking for" in str(request.json.get("components"))
    ]
    assert [allowed.get("roles") for _, allowed in mentions].count([role.id]) == 1
    assert all(not allowed["parse"] and not allowed.get("users") for _, allowed in mentions)
    edits = [allowed for method, allowed in mentions if method == "PATCH"]
    assert edits
    assert all(allowed == {"parse": []} for allowed in edits)
    assert "mentions nobody" in (await kim.types("server looking")).text


async def test_the_role_is_mentioned_once_an_hour(world: World) -> None:
    ann, ben = world.people(2)
    role = world.server.create_role("Players")
    await moderator(world).types("server looking", role=role)
    for host, pause, is_mentioned in ((ann, 0, True), (ben, 1800, False), (ann, 1700, False), (ann, 200, True)):
        await world.wait(pause)
        await host.clicks(await host.types("pond open", players=4), "Find players")
        await world.env.settle()
        *_, call = calls(ann)
        assert call.text.startswith(f"<@&{role.id}> Looking") == is_mentioned
        assert (f"I only notify <@&{role.id}> once an hour." in call.text) != is_mentioned
    mentioned = [
        request
        for request in world.env.http_requests
        if isinstance(request.json, dict) and request.json.get("allowed_mentions", {}).get("roles") == [role.id]
    ]
    assert len(mentioned) == 2


async def test_once_an_hour_survives_a_restart(world: World) -> None:
    (ann,) = world.people(1)
    role = world.server.create_role("Players")
    await moderator(world).types("server looking", role=role)
    await ann.clicks(await ann.types("pond open", players=4), "Find players")
    await world.restart(60)
    await ann.clicks(await ann.types("pond open", players=4), "Find players")
    await world.env.settle()
    first, second = calls(ann)
    assert first.text.startswith(f"<@&{role.id}> Looking")
    assert f"I only notify <@&{role.id}> once an hour." in second.text


async def test_nobody_is_looked_for_in_direct_messages_or_beside_invited_players(world: World) -> None:
    ann, ben = world.people(2)
    assert "Find players" not in (await ann.clicks(await ann.types("pond open", at=ann.dm), "More")).labels
    more = await ann.clicks(await ann.types("pond open", players=4), "More")
    await ann.picks_people(await ann.clicks(ann.board, "Options"), ben)
    assert "Find players" not in (await ann.clicks(ann.board, "More")).labels
    custom_id = more.use("Find players").custom_id
    (answer,) = await world.at_once((ann, Use(ann.board.id, ann.board.channel_id, custom_id)))
    assert answer is not None
    assert answer.text == "This table is for invited players."
