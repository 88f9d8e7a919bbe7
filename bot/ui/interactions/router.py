"""The one door through which every button, menu and form comes in. Nothing is kept in memory for a message."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import discord

from bot.ui.interactions.input import clean
from bot.ui.interactions.respond import Reply, answer
from bot.ui.posts.custom_id import Outdated, Press

Handler = Callable[[discord.Interaction, Press], Awaitable[Reply]]
Enter = Callable[[discord.Interaction, int], Awaitable[object]]


class Router:
    """The door for every button, menu and form: `on_interaction` is a listener of the client."""

    def __init__(self, handlers: Mapping[str, Handler], enter: Enter) -> None:
        """``enter`` comes before any handler, and raises `NoSuchTable` if the user may not see the press's table."""
        self._handlers = handlers
        self._enter = enter

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answers a press; slash commands and autocomplete have their own way."""
        if interaction.type in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            clean(interaction)
            await answer(interaction, self._work(interaction))

    async def _work(self, interaction: discord.Interaction) -> Reply:
        data: Mapping[str, Any] = interaction.data or {}
        press = Press.read(str(data.get("custom_id", "")))
        handler = self._handlers.get(press.verb) if press else None
        if press is None or handler is None:
            raise Outdated
        if press.table:
            await self._enter(interaction, press.table)
        return await handler(interaction, press)


def picked(interaction: discord.Interaction) -> str:
    """The value picked in a menu, or written in the one field of a form; empty if there is none."""
    data: Mapping[str, Any] = interaction.data or {}
    values = data.get("values")
    if values:
        return str(values[0])
    return next((str(part["value"]) for part in _walk(data.get("components")) if "value" in part), "")


def _walk(components: Any) -> Iterator[Mapping[str, Any]]:
    for part in components or ():
        yield part
        yield from _walk(part.get("components"))
        if "component" in part:
            yield from _walk((part["component"],))
