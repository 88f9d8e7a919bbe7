"""People at their phones: they type commands and press what they see."""

import contextlib
import json
from typing import Any

from simcord.enums import ComponentType, InteractionType

from tests.wire.discord_server import Discord
from tests.wire.objects import CHANNEL_IDS, Interaction, Message
from tests.world import Json, add_person, command_data, interaction, press_data, walk

_USER_SELECT = ComponentType.USER_SELECT

Press = tuple[str, str | None]
"""A ``custom_id``, and the value picked in a menu."""


def button(message: Message, label: str) -> str | None:
    """Return the ``custom_id`` of the button with this label."""
    found = (part["custom_id"] for part in walk(message.components) if part.get("label") == label)
    return next(found, None)


def presses(message: Message) -> list[Press]:
    """Return everything that can be pressed or picked in a message."""
    every: list[Press] = []
    for part in walk(message.components):
        if part["type"] == ComponentType.BUTTON and not part.get("disabled"):
            every.append((part["custom_id"], None))
        if part["type"] == ComponentType.STRING_SELECT:
            every += [(part["custom_id"], option["value"]) for option in part["options"]]
    return every


def moves(message: Message) -> list[Press]:
    """Return those of `presses` that play a move."""
    return [each for each in presses(message) if _verb(each) in {"pick", "play"}]


def steps(message: Message) -> list[Press]:
    """Return those of `presses` that lead towards a move: to a card on top, or to the piece, then to the square."""
    ways = [each for each in presses(message) if _verb(each) in {"pontis-top", "frogs-from", "frogs-to"}]
    return [each for each in ways if _verb(each) == "frogs-to"] or ways


def _verb(press: Press) -> str:
    return press[0].split(":")[1]


class Person:
    """A member of the server, in one of its channels or in their direct messages."""

    def __init__(self, discord: Discord, name: str, channel: int = 0, user_id: int | None = None) -> None:
        self.discord = discord
        self.channel_id = CHANNEL_IDS[channel]
        self.name = name
        self.locale = "en-US"
        server = discord.servers[channel % len(discord.servers)]
        self.user = add_person(discord.backend, server, name, user_id)
        self.id = str(self.user.id)

    # ---- what they see

    @property
    def dm_id(self) -> str:
        """Return the channel of their direct messages with the bot."""
        return str(self.discord.backend.get_dm_channel(self.user.id).id)

    @property
    def seen(self) -> list[Message]:
        """Return the messages in their channel and their direct messages, oldest first."""
        backend = self.discord.backend
        there = [
            model
            for channel_id in (self.channel_id, self.dm_id)
            for model in backend.messages.get(int(channel_id), {}).values()
            if model.visible_to(self.user.id)
        ]
        return [Message(backend, model) for model in sorted(there, key=lambda model: model.id)]

    @property
    def dms(self) -> list[Message]:
        """Return their direct messages, oldest first."""
        return [message for message in self.seen if message.channel_id != self.channel_id]

    @property
    def board(self) -> Message:
        """Return the latest public message with buttons in their channel."""
        return [m for m in self.seen if m.channel_id == self.channel_id and m.only_for is None and presses(m)][-1]

    # ---- what they do

    async def type(self, command: str, **options: Any) -> Interaction:
        """Type a slash command. Return it once it is answered."""
        data = command_data(self.discord.backend, command, options)
        return await self.sends(InteractionType.APPLICATION_COMMAND, data)

    async def complete(self, command: str, focused: str, typed: str = "", **options: Any) -> list[str]:
        """Start typing an option. Return the values offered."""
        data = command_data(self.discord.backend, command, {**options, focused: typed}, focused)
        answered = await self.sends(InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, data)
        return [choice["value"] for choice in answered.answer["choices"]]

    async def press(self, message: Message, custom_id: str, value: str | None = None) -> Interaction:
        """Press a button or pick a value, which may be out of date. Return it once it is answered."""
        assert message in self.seen
        return await self.sends(InteractionType.MESSAGE_COMPONENT, press_data(custom_id, value), message)

    async def pick_people(self, message: Message, *people: "Person") -> Interaction:
        """Pick people in the message's menu of members."""
        (custom_id,) = (part["custom_id"] for part in walk(message.components) if part["type"] == _USER_SELECT)
        users = {person.id: {"id": person.id, "username": person.name, "discriminator": "0"} for person in people}
        members: Json = {person.id: {"roles": []} for person in people}
        data: Json = {"custom_id": custom_id, "component_type": int(_USER_SELECT), "values": list(users)}
        data |= {"resolved": {"users": users, "members": members}}
        return await self.sends(InteractionType.MESSAGE_COMPONENT, data, message)

    async def press_label(self, message: Message, label: str) -> Interaction:
        """Press the button with this label as soon as the message has it."""
        with contextlib.suppress(TimeoutError):
            await self.discord.until(lambda: button(message, label))
        custom_id = button(message, label)
        assert custom_id is not None, f"{label!r} is not on {message.text!r}"
        return await self.press(message, custom_id)

    async def opens(self, message: Message, label: str) -> Message:
        """Press the button with this label. Return the new private message that opens.

        On a busy machine it follows a deferral.
        """
        pressed = await self.press_label(message, label)

        def opened() -> Message | None:
            answers = [m for m in self.seen if m.only_for == self.id and m.model.id > pressed.record.id]
            return answers[-1] if answers else None

        await self.discord.until(opened)
        found = opened()
        assert found is not None
        return found

    async def fill_in(self, form: Json, text: str, message: Message | None) -> Interaction:
        """Send a form with one field."""
        (label,) = form["components"]
        field: Json = {"type": 4, "id": 2, "custom_id": label["component"]["custom_id"], "value": text}
        data = {"custom_id": form["custom_id"], "components": [{"type": 18, "id": 1, "component": field}]}
        return await self.sends(InteractionType.MODAL_SUBMIT, data, message)

    async def says(self, text: str) -> None:
        """Write an ordinary message in the channel."""
        self.discord.backend.create_message(int(self.channel_id), self.user.id, text)
        await self.discord.send_events()

    async def sends(self, kind: InteractionType, data: Json, message: Message | None = None) -> Interaction:
        """Send an interaction. Return it once it is answered."""
        backend = self.discord.backend
        where = message.model if message else int(self.channel_id)
        record, payload = interaction(backend, kind, self.user.id, where, data)
        record.initial_response_deadline = None  # `Discord` sets it when it gives up waiting
        payload["locale"] = self.locale
        acted = Interaction(backend, record)
        await self.discord.interact(acted, json.loads(json.dumps(payload)))
        await acted.answered
        return acted
