"""The Discord that tests play on: its server, channels, people, and what they type and press.

Everything is kept by SimCord's backend. tests/discord/ runs the bot on it directly, in simulated time. tests/wire/
serves it over HTTP and WebSocket, to processes.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import discord
from simcord.backend import Backend, serializers
from simcord.backend.models import Channel, Guild, Interaction, Message, User
from simcord.enums import ComponentType, InteractionType, OptionType
from simcord.interactions import base_payload, walk_to_subcommand

Json = dict[str, Any]

SERVER: Final = "Pond life"
CHANNEL: Final = "games"
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gail", "Hugo")


# ---- building


def add_server(backend: Backend, server_id: int | None = None) -> Guild:
    """Create the server. The bot is a member."""
    return backend.create_guild(SERVER, id=server_id)


def add_channel(backend: Backend, server: Guild, name: str = CHANNEL, channel_id: int | None = None) -> Channel:
    """Create a text channel."""
    if channel_id is None:
        return backend.create_channel(server.id, name)
    channel = Channel(backend.reserve_id(channel_id), 0, name, server.id, len(server.channel_ids))
    backend.channels[channel.id] = channel
    backend.messages[channel.id] = {}
    server.channel_ids.append(channel.id)
    return channel


def add_person(backend: Backend, server: Guild, name: str, user_id: int | None = None) -> User:
    """Create a user with this display name, and add them to the server."""
    user = User(user_id or backend.snowflake(), f"user{len(server.members)}", global_name=name)
    backend.users[user.id] = user
    backend.add_member(server.id, user.id, announce=True)
    return user


def allow_everything(backend: Backend, server: Guild) -> None:
    """Give everyone on the server all permissions."""
    backend.edit_role(server.id, server.id, {"permissions": discord.Permissions.all().value})


# ---- acting


def interaction(
    backend: Backend, kind: InteractionType, user_id: int, where: int | Message, data: Json
) -> tuple[Interaction, Json]:
    """Create an interaction, and return it with its event. ``where`` is a channel, or the pressed message."""
    channel_id = where if isinstance(where, int) else where.channel_id
    guild_id = backend.get_channel(channel_id).guild_id
    record, payload = base_payload(
        backend, type=kind, channel_id=channel_id, guild_id=guild_id, user_id=user_id, data=data
    )
    if not isinstance(where, int):
        payload["message"] = dict(serializers.message_payload(backend, where))
        record.source_message_id = where.id
    return record, payload


def press_data(custom_id: str, value: str | None = None) -> Json:
    """Return the data of a press of a button, or of a menu in which a value was picked."""
    kind = ComponentType.BUTTON if value is None else ComponentType.STRING_SELECT
    data: Json = {"custom_id": custom_id, "component_type": int(kind)}
    return data if value is None else data | {"values": [value]}


def command_data(backend: Backend, path: str, options: Mapping[str, Any], focused: str | None = None) -> Json:
    """Return the data of a slash command such as ``pond open``. ``focused`` is the option that is being typed."""
    name, *below = path.split()
    command = backend.find_command(name, None)
    assert command is not None, f"the bot has no command {name!r}"
    leaf, _ = walk_to_subcommand(command, below)
    types = {option["name"]: option["type"] for option in leaf.get("options") or ()}
    given: list[Json] = [
        {"name": key, "type": types[key], "value": value} | ({"focused": True} if key == focused else {})
        for key, value in options.items()
    ]
    for sub in reversed(below):
        given = [{"name": sub, "type": int(OptionType.SUBCOMMAND), "options": given}]
    return {"id": command["id"], "name": name, "type": 1, "options": given}


# ---- looking


def walk(components: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every component, including nested ones."""
    for part in components:
        yield part
        yield from walk(part.get("components", ()))


def text_of(components: Any) -> str:
    """Return all text of a message except labels."""
    return "\n".join(part["content"] for part in walk(components) if part["type"] == ComponentType.TEXT_DISPLAY)
