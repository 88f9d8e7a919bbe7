"""Places where the bot's commands are, but the bot isn't, and commands that aren't the bot's own."""

from pathlib import Path
from typing import Any, Final

import pytest
from simcord.backend.ops import commands as stored_commands
from simcord.enums import InteractionType
from simcord.http.routes import commands

from bot.ui.interactions.command_tree import PERMISSIONS
from tests.discord.forged import Forger
from tests.discord.play import Player, World

INVITATION: Final = "https://discord.com/oauth2/authorize?client_id="
ELSEWHERE: Final[dict[str, Any]] = {
    "guild_id": "777777777777777777",
    "guild": {"id": "777777777777777777", "locale": "en-US", "features": []},
    "channel": {"id": "777777777777777778", "type": 0, "name": "general", "position": 0, "permissions": "1024"},
    "channel_id": "777777777777777778",
    "app_permissions": "2048",
    "context": 0,
}
"""A server that has added the commands alone."""
SERVERS_ALONE: Final = {"duplicate", "friends", "night", "server"}
"""The commands that need a server."""


async def types_where(player: Player, command: str, **where: Any) -> str:
    """Type a command in a place that SimCord doesn't have, and return the answer."""
    world = player.world
    name, *below = command.split()
    options = [{"type": 1, "name": each, "options": []} for each in below]
    registered = world.env.backend.find_command(name, None)
    assert registered is not None
    data = {"id": registered["id"], "name": name, "type": 1, "options": options}
    result = await Forger(world, player, player.home).sends(InteractionType.APPLICATION_COMMAND, data, **where)
    return player.answer_to(result).text


@pytest.mark.parametrize(
    "owners", [{"0": "777777777777777777"}, {"1": "1"}], ids=["commands alone", "a user's install"]
)
async def test_on_a_server_without_the_bot_commands_ask_to_invite_it(world: World, owners: dict[str, str]) -> None:
    (ann,) = world.people(1)
    where = ELSEWHERE | {"authorizing_integration_owners": owners}
    for command in ("pond open", "help", "tables", "server show", "frogs board"):
        answer = await types_where(ann, command, **where)
        assert answer.startswith("I'm not on this server yet. Ask a moderator to invite me: https://")
        assert f"{INVITATION}{world.bot.application_id}&scope=bot+applications.commands&permissions=" in answer
    assert "Your settings" in await types_where(ann, "settings", **where)
    assert "I have no data about you" in await types_where(ann, "privacy", **where)
    assert await world.tables.lists.open_tables() == ()


async def test_presses_on_old_boards_of_a_server_without_the_bot_ask_to_invite_it(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    forger = Forger(world, ann, ann.home)
    for custom_id in ("lily:join:1:1:", "lily:more:1:1:", "lily:show:0:0:"):
        data = {"custom_id": custom_id, "component_type": 3, "values": ["1"]}
        answer = await forger.submits(InteractionType.MESSAGE_COMPONENT, data, **ELSEWHERE)
        refusal = ann.answer_to(answer).text
        assert refusal.startswith("I'm not on this server yet. Ask a moderator to invite me: https://"), custom_id
    data = {"custom_id": "lily:rules:0:0:", "component_type": 2}
    rules = await forger.submits(InteractionType.MESSAGE_COMPONENT, data, **ELSEWHERE)
    assert "invite" not in ann.answer_to(rules).text, "rules need no table"


@pytest.mark.parametrize("verb", ["open-here", "daily"])
async def test_old_pages_on_a_server_without_the_bot_open_nothing_there(world: World, verb: str) -> None:
    (ann,) = world.people(1)
    data = {"custom_id": f"lily:{verb}:0:0:pond", "component_type": 2}
    answer = await Forger(world, ann, ann.home).submits(InteractionType.MESSAGE_COMPONENT, data, **ELSEWHERE)
    assert ("Ask a moderator to invite me" in ann.answer_to(answer).text) == (verb == "open-here")
    assert await world.tables.lists.open_tables() == ()
    assert await world.tables.messages.kept("daily") == ()


@pytest.mark.parametrize("kind", [1, 3], ids=["of two", "of a group"])
async def test_in_conversations_of_others_commands_say_where_to_play(world: World, kind: int) -> None:
    (ann,) = world.people(1)
    channel = {"id": "777777777777777779", "type": kind, "recipients": [], "name": None, "owner_id": str(ann.id)}
    where = {"guild_id": None, "channel": channel, "channel_id": channel["id"], "context": 2}
    user = {"id": str(ann.id), "username": "ann", "discriminator": "0", "avatar": None}
    answer = await types_where(ann, "pond open", user=user, member=None, **where)
    assert answer.startswith("You can play on servers that I'm on, or in direct messages. Invite me: https://")
    assert INVITATION in answer
    assert await world.tables.lists.open_tables() == ()


async def test_commands_that_need_a_server_are_not_offered_in_direct_messages(world: World) -> None:
    registered = world.env.backend.commands[None].values()  # Discord ignores `dm_permission` beside `contexts`
    assert {each["name"] for each in registered if 1 not in each["contexts"]} == SERVERS_ALONE


async def test_the_entry_point_of_an_activity_stays_as_it_is(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (commands, stored_commands):  # SimCord lacks these fields
        monkeypatch.setattr(module, "COMMAND_FIELDS", (*stored_commands.COMMAND_FIELDS, "handler", "id"))
    backend, ours = world.env.backend, {each.name for each in await world.bot.tree.fetch_commands()}
    entry = {
        "id": str(backend.snowflake()),
        "application_id": str(world.bot.application_id),
        "version": "1",
        "type": 4,
        "name": "launch",
        "name_localizations": {"de": "starten"},
        "description": "",
        "handler": 2,
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
        "default_member_permissions": None,
        "nsfw": False,
    }
    backend.commands[None][("launch", 4)] = entry
    await world.restart()
    registered = {each["name"]: each for each in backend.commands[None].values()}
    assert registered.keys() == {*ours, "launch"}
    kept = registered["launch"]
    for key in ("type", "name_localizations", "handler", "integration_types", "contexts"):
        assert kept[key] == entry[key]


def test_the_readme_asks_for_the_same_permissions_as_the_invitation() -> None:
    readme = Path("README.md").read_text(encoding="utf-8")
    assert f"{INVITATION}APPLICATION_ID&scope=bot+applications.commands&permissions={PERMISSIONS.value}\n" in readme
