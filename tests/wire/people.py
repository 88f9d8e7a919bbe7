"""People at their phones: they type commands and press what they can see, and know nothing else."""

import itertools
import json
from typing import Any

from tests.wire.discord_server import Discord
from tests.wire.limits import BUTTON, SELECT, Json, parts
from tests.wire.objects import (
    APP_ID,
    AUTOCOMPLETE,
    CHANNELS,
    COMMAND,
    COMPONENT,
    EVERYTHING,
    FORM,
    GUILD_ID,
    Interaction,
    Message,
    new_id,
)

SUB_COMMAND, STRING, INTEGER = 1, 3, 4


def button(message: Message, label: str) -> str | None:
    """The ``custom_id`` of the button with this label."""
    found = (part["custom_id"] for part in parts(message.components) if part.get("label") == label)
    return next(found, None)


def presses(message: Message) -> list[tuple[str, str | None]]:
    """All that can be pressed or picked in a message, as ``custom_id`` and value."""
    every: list[tuple[str, str | None]] = []
    for part in parts(message.components):
        if part["type"] == BUTTON and not part.get("disabled"):
            every.append((part["custom_id"], None))
        if part["type"] == SELECT:
            every += [(part["custom_id"], option["value"]) for option in part["options"]]
    return every


def moves(message: Message) -> list[tuple[str, str | None]]:
    """Of `presses` those that play something."""
    return [each for each in presses(message) if _verb(each) in {"pick", "play"}]


def steps(message: Message) -> list[tuple[str, str | None]]:
    """Of `presses` those that lead to a move, and no step back: to the piece, to the square."""
    ways = [each for each in presses(message) if _verb(each) in {"frogs-from", "frogs-to"}]
    return [each for each in ways if _verb(each) == "frogs-to"] or ways


def _verb(press: tuple[str, str | None]) -> str:
    return press[0].split(":")[1]


class Person:
    """Somebody who uses the bot, in a channel of the server or in his direct messages."""

    _ids = itertools.count(700_000_000_000_000_001)

    def __init__(self, discord: Discord, name: str, channel: int = 0, user_id: str = "") -> None:
        self.discord = discord
        self.channel_id = list(CHANNELS)[channel]
        self.name = name
        self.id = user_id or str(next(self._ids))
        user = {"id": self.id, "username": name.lower(), "global_name": name, "discriminator": "0", "avatar": None}
        self._user: Json = user | {"bot": False, "public_flags": 0}

    # ---- seeing

    @property
    def seen(self) -> list[Message]:
        """The messages this person sees, the latest last."""
        mine = {self.channel_id, self.discord.dm_channels.get(self.id)}
        return [m for m in self.discord.messages.values() if m.channel_id in mine and m.only_for in {None, self.id}]

    @property
    def dms(self) -> list[Message]:
        """The direct messages from the bot, the latest last."""
        return [message for message in self.seen if message.channel_id != self.channel_id]

    @property
    def board(self) -> Message:
        """The latest message in the channel that everybody can press."""
        return [m for m in self.seen if m.channel_id == self.channel_id and m.only_for is None and presses(m)][-1]

    # ---- acting

    async def type(self, command: str, **options: Any) -> Interaction:
        """Sends ``/pond open`` with its options; returns once it is answered."""
        return await self._send(COMMAND, self._command(command, options), None)

    async def complete(self, command: str, focused: str, typed: str = "", **options: Any) -> list[str]:
        """What is offered while an option is being typed."""
        data = self._command(command, {**options, focused: typed}, focused)
        return [choice["value"] for choice in (await self._send(AUTOCOMPLETE, data, None)).answer["choices"]]

    async def press(self, message: Message, custom_id: str, value: str | None = None) -> Interaction:
        """Press a button or picks a value, maybe one seen a moment ago; returns once it is answered."""
        assert message in self.seen
        data: Json = {"component_type": BUTTON if value is None else SELECT, "custom_id": custom_id, "id": 1}
        return await self._send(COMPONENT, data if value is None else data | {"values": [value]}, message)

    async def press_label(self, message: Message, label: str) -> Interaction:
        """Press the button with this label."""
        custom_id = button(message, label)
        assert custom_id is not None, f"{label!r} is not on {message.text!r}"
        return await self.press(message, custom_id)

    async def says(self, text: str) -> None:
        """Writes an ordinary message in the channel."""
        message = Message(new_id(), self.channel_id, content=text)
        said = message.described | {"author": self._user, "guild_id": GUILD_ID}
        await self.discord.gateway.dispatch("MESSAGE_CREATE", said, GUILD_ID)

    async def fill_in(self, form: Json, text: str, message: Message | None) -> Interaction:
        """Sends a form with one field."""
        (label,) = form["components"]
        field: Json = {"type": 4, "id": 2, "custom_id": label["component"]["custom_id"], "value": text}
        data = {"custom_id": form["custom_id"], "components": [{"type": 18, "id": 1, "component": field}]}
        return await self._send(FORM, data, message)

    async def write(self, text: str) -> None:
        """Write an ordinary message in the channel."""
        message = Message(new_id(), self.channel_id, content=text)
        self.discord.messages[message.id] = message
        described = message.described | {"guild_id": GUILD_ID, "author": self._user}
        await self.discord.gateway.dispatch("MESSAGE_CREATE", described, GUILD_ID)

    def _command(self, path: str, options: dict[str, Any], focused: str | None = None) -> Json:
        """The data of a command that the bot has registered; options it does not know can't be typed."""
        name, *below = path.split()
        known = next(each for each in self.discord.commands if each["name"] == name)
        data: Json = {"id": known["id"], "name": name, "type": 1, "options": []}
        inner = data
        for sub in below:
            known = next(each for each in known["options"] if each["name"] == sub)
            inner["options"] = [{"name": sub, "type": SUB_COMMAND, "options": []}]
            inner = inner["options"][0]
        types = {option["name"]: option["type"] for option in known.get("options") or ()}
        inner["options"] = [
            {"name": key, "type": types[key], "value": value} | ({"focused": True} if key == focused else {})
            for key, value in options.items()
        ]
        return data

    async def _send(self, kind: int, data: Json, message: Message | None) -> Interaction:
        channel_id = message.channel_id if message else self.channel_id
        interaction = Interaction(new_id(), f"token.{new_id()}", kind, self.id, channel_id, message)
        payload: Json = {
            "id": interaction.id,
            "application_id": APP_ID,
            "type": kind,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": channel_id,
            "app_permissions": EVERYTHING,
            "locale": "en-GB",
            "entitlements": [],
            "authorizing_integration_owners": {"0": GUILD_ID},
            "attachment_size_limit": 10_485_760,
        }
        payload |= self._in_guild(channel_id) if channel_id in self.discord.channels else self._in_dms(channel_id)
        if message is not None:
            payload["message"] = message.described
        await self.discord.interact(interaction, json.loads(json.dumps(payload)))
        await interaction.answered
        return interaction

    def _in_guild(self, channel_id: str) -> Json:
        member: Json = {
            "user": self._user,
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "permissions": EVERYTHING,
        }
        member |= {"deaf": False, "mute": False, "flags": 0, "nick": None, "avatar": None, "pending": False}
        guild = {"id": GUILD_ID, "locale": "en-US", "features": []}
        return {
            "guild_id": GUILD_ID,
            "guild_locale": "en-US",
            "guild": guild,
            "channel": self.discord.channels[channel_id],
            "context": 0,
            "member": member,
        }

    def _in_dms(self, channel_id: str) -> Json:
        channel = {"id": channel_id, "type": 1, "last_message_id": None, "recipients": [self._user]}
        return {"channel": channel, "context": 1, "user": self._user}
