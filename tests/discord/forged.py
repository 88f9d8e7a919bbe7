"""Interactions as a forger sends them, and the exact answers to them."""

import json
from typing import Any

from discord import app_commands
from simcord import ChannelHandle
from simcord.backend import serializers
from simcord.enums import ComponentType, InteractionType
from simcord.interactions import base_payload
from simcord.results import InteractionResult

from tests.discord.play import Player, World

Answers = dict[str, str]
"""The answer to each request, by what was asked."""


class Forger:
    """Somebody in a place who may send anything, but can't be somebody else or somewhere else."""

    def __init__(self, world: World, player: Player, place: ChannelHandle, on: int = 0) -> None:
        """``on`` is the message that is pressed; unless given, an answer to ``/help``."""
        self._world = world
        self.player = player
        self._place = place
        self._on = on

    async def presses(
        self, custom_id: str, *values: str, kind: ComponentType = ComponentType.STRING_SELECT, form: bool = False
    ) -> InteractionResult:
        """Uses a button or a menu, or sends a form off."""
        data: dict[str, Any] = {"custom_id": custom_id}
        if form:
            fields = [{"type": 4, "custom_id": "text", "value": value} for value in values]
            data |= {"components": [{"type": 18, "component": field} for field in fields]}
        else:
            data |= {"component_type": int(kind), "values": list(values)}
        message = self._world.env.backend.get_message(self._place.id, await self._pressed())
        shown = dict(serializers.message_payload(self._world.env.backend, message))
        return await self.sends(
            InteractionType.MODAL_SUBMIT if form else InteractionType.MESSAGE_COMPONENT, data, message=shown
        )

    async def sends(self, kind: InteractionType, data: dict[str, Any], **more: Any) -> InteractionResult:
        """Sends an interaction of any form."""
        backend = self._world.env.backend
        record, payload = base_payload(
            backend,
            type=kind,
            channel_id=self._place.id,
            guild_id=self._place.guild.id if self._place.guild else None,
            user_id=self.player.id,
            data=data,
        )
        if "message" in more:
            record.source_message_id = int(more["message"]["id"])
        backend.emit("INTERACTION_CREATE", payload | more)
        await self._world.env.settle()
        return InteractionResult(self._world.env, record)

    # ---- everything there is

    async def asks_by_command(self, ref: str) -> Answers:
        """Gives every command with the option ``table`` this table, and asks what it would offer."""
        found: Answers = {}
        for command in self._commands():
            options = {option.display_name: option for option in command.parameters}
            given = {name: _some_value(option) for name, option in options.items() if option.required}
            named = given | {"table": ref}
            answer = await self.player.types(command.qualified_name, at=self._place, **named)
            found[f"/{command.qualified_name}"] = json.dumps([answer.is_private, answer.components])
            for name in (name for name, option in options.items() if option.autocomplete):
                others = {other: value for other, value in named.items() if other != name}
                offered = await self.player.completes(command.qualified_name, name, at=self._place, **others)
                found[f"/{command.qualified_name} {name}"] = json.dumps(offered)
        return found

    async def asks_by_press(self, table_id: int, version: int, *arguments: str) -> Answers:
        """Uses every verb of a press for this table, by button, menu and form, with each argument."""
        found: Answers = {}
        for verb in sorted(self._world.bot.verbs):
            for argument in ("", *arguments):
                custom_id = f"lily:{verb}:{table_id}:{version}:{argument}"
                found[custom_id] = answer_to(await self.presses(custom_id, str(table_id)))
            custom_id = f"lily:{verb}:{table_id}:{version}:"
            found[f"{custom_id} form"] = answer_to(await self.presses(custom_id, str(table_id), form=True))
        found["show"] = answer_to(await self.presses("lily:show:0:0:", str(table_id)))
        return found

    def _commands(self) -> list[app_commands.Command[Any, ..., Any]]:
        """The commands that take a table."""
        if self._place.guild is None:
            offered = self.player.member.user.available_commands()
        else:
            offered = self.player.member.available_commands(self._place)
        roots = {name.split()[0] for name in offered}
        return [
            command
            for command in self._world.bot.tree.walk_commands()
            if isinstance(command, app_commands.Command)
            and command.qualified_name.split()[0] in roots
            and "table" in {option.display_name for option in command.parameters}
        ]

    async def _pressed(self) -> int:
        if not self._on:
            self._on = (await self.player.types("help", at=self._place)).id
        return self._on


def answer_to(result: InteractionResult) -> str:
    """All that the user gets to see: each message with whether it is private, or the form."""
    shown = [*result.followups, *([result.response] if result.response else [])]
    return json.dumps([result.modal, [[message.ephemeral, message.components] for message in shown]])


def _some_value(option: app_commands.Parameter) -> Any:
    if option.choices:
        return option.choices[0].value
    return {3: "1", 4: 1, 5: True}[option.type.value]
