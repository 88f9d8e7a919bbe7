"""Forged interactions and the exact answers to them."""

import json
from collections.abc import Collection
from typing import Any

from discord import app_commands
from simcord import ChannelHandle
from simcord.backend import serializers
from simcord.enums import ComponentType, InteractionType
from simcord.interactions import base_payload
from simcord.results import InteractionResult

from bot.ui.actions.press import all_verbs
from tests.discord.play import Player, World

Answers = dict[str, str]
"""Answers by request."""


class Forger:
    """A user who sends any data, but can't pretend to be another user or in another channel."""

    def __init__(self, world: World, player: Player, place: ChannelHandle, on: int = 0) -> None:
        """``on`` is the message to press. The default is an answer to ``/help``, a new one if a page replaces it."""
        self._world = world
        self.player = player
        self.place = place
        self._on = on
        self._help: int | None = None

    async def presses(
        self, custom_id: str, *values: str, kind: ComponentType = ComponentType.STRING_SELECT, form: bool = False
    ) -> InteractionResult:
        """Use a button or a menu, or submit a form."""
        data: dict[str, Any] = {"custom_id": custom_id}
        if form:
            fields = [{"type": 4, "custom_id": "text", "value": value} for value in values]
            data |= {"components": [{"type": 18, "component": field} for field in fields]}
        else:
            data |= {"component_type": int(kind), "values": list(values)}
        return await self.submits(InteractionType.MODAL_SUBMIT if form else InteractionType.MESSAGE_COMPONENT, data)

    async def submits(self, kind: InteractionType, data: dict[str, Any], **more: Any) -> InteractionResult:
        """Send any data from a message."""
        message = self._world.env.backend.get_message(self.place.id, await self._pressed())
        shown = dict(serializers.message_payload(self._world.env.backend, message))
        return await self.sends(kind, data, message=shown, **more)

    async def sends(self, kind: InteractionType, data: dict[str, Any], **more: Any) -> InteractionResult:
        """Send any interaction."""
        backend = self._world.env.backend
        record, payload = base_payload(
            backend,
            type=kind,
            channel_id=self.place.id,
            guild_id=self.place.guild.id if self.place.guild else None,
            user_id=self.player.id,
            data=data,
        )
        if "message" in more:
            record.source_message_id = int(more["message"]["id"])
        backend.emit("INTERACTION_CREATE", payload | more)
        await self._world.env.settle()
        return InteractionResult(self._world.env, record)

    # ---- all commands and presses

    async def asks_by_command(self, ref: str, *names: str) -> Answers:
        """Run these commands, or all, for this table, and every autocomplete of these commands."""
        found: Answers = {}
        for command in self._commands():
            if names and command.qualified_name not in names:
                continue
            options = {option.display_name: option for option in command.parameters}
            given = {name: _some_value(option) for name, option in options.items() if option.required}
            named = given | {"table": ref}
            answer = await self.player.types(command.qualified_name, at=self.place, **named)
            found[f"/{command.qualified_name}"] = json.dumps([answer.is_private, answer.components])
            for name in (name for name, option in options.items() if option.autocomplete):
                others = {other: value for other, value in named.items() if other != name}
                offered = await self.player.completes(command.qualified_name, name, at=self.place, **others)
                found[f"/{command.qualified_name} {name}"] = json.dumps(offered)
        return found

    async def asks_by_press(self, table_id: int, version: int, *arguments: str, verbs: Collection[str] = ()) -> Answers:
        """Use these verbs, or all, for this table as button, menu and form, with each argument."""
        found: Answers = {}
        for verb in sorted(verbs or all_verbs()):
            for argument in ("", *arguments):
                custom_id = f"lily:{verb}:{table_id}:{version}:{argument}"
                found[custom_id] = answer_to(await self.presses(custom_id, str(table_id)))
            custom_id = f"lily:{verb}:{table_id}:{version}:"
            found[f"{custom_id} form"] = answer_to(await self.presses(custom_id, str(table_id), form=True))
        for verb in ("show", "board-at", "chips-at"):
            found[verb] = answer_to(await self.presses(f"lily:{verb}:0:0:", str(table_id)))
        return found

    def _commands(self) -> list[app_commands.Command[Any, ..., Any]]:
        """Return the available commands with the option ``table``."""
        if self.place.guild is None:
            offered = self.player.member.user.available_commands()
        else:
            offered = self.player.member.available_commands(self.place)
        roots = {name.split()[0] for name in offered}
        return [
            command
            for command in self._world.bot.tree.walk_commands()
            if isinstance(command, app_commands.Command)
            and command.qualified_name.split()[0] in roots
            and "table" in {option.display_name for option in command.parameters}
        ]

    async def _pressed(self) -> int:
        if self._on:
            return self._on
        if self._help not in self._world.env.backend.messages.get(self.place.id, {}):
            self._help = (await self.player.types("help", at=self.place)).id
        assert self._help is not None
        return self._help


def answer_to(result: InteractionResult) -> str:
    """Return what the user sees: the messages and whether they are private, or the form."""
    shown = [*result.followups, *([result.response] if result.response else [])]
    assert shown or result.modal
    return json.dumps([result.modal, [[message.ephemeral, message.components] for message in shown]])


def _some_value(option: app_commands.Parameter) -> Any:
    if option.choices:
        return option.choices[0].value
    return {3: "1", 4: 1, 5: True}[option.type.value]
