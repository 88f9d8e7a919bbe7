"""Routing of buttons, menus and forms to their handlers, by `custom_id` alone.

No message is kept in memory, so presses work after a restart.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import discord
from msgspec.structs import replace

from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.interactions.send import is_on_page
from bot.ui.interactions.validation import replace_unstorable
from bot.ui.posts.custom_id import Outdated, Press, parse_number
from bot.ui.posts.pages import with_way_back

Handler = Callable[[discord.Interaction, Press], Awaitable[Reply]]
Enter = Callable[[discord.Interaction, Press], Awaitable[Press]]
TableAction = Callable[[discord.Interaction, int], Awaitable[Reply]]


class Router:
    """Calls the handler of each press. `on_interaction` is a listener of the client."""

    def __init__(self, handlers: Mapping[str, Handler], enter: Enter) -> None:
        """``enter`` is called before any handler, and returns the press with the id of its table.

        It raises `NoSuchTable` if the user may not see the table.
        """
        self._handlers = handlers
        self._enter = enter

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press; the command tree takes slash commands and autocomplete."""
        if interaction.type in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            replace_unstorable(interaction)
            await answer(interaction, self._reply(interaction))

    async def _reply(self, interaction: discord.Interaction) -> Reply:
        data: Mapping[str, Any] = interaction.data or {}
        press = Press.parse(str(data.get("custom_id", "")))
        handler = self._handlers.get(press.verb) if press else None
        if press is None or handler is None:
            raise Outdated
        if press.key:
            press = await self._enter(interaction, press)
        reply = await handler(interaction, press)
        is_page = reply.where == "private" and reply.form is None and reply.post.file is None
        if press.origin and is_page and is_on_page(interaction):
            return replace(reply, where="here", post=with_way_back(reply.post, press))
        return reply


def for_table(action: TableAction) -> Handler:
    """Return a handler that calls an action with the number of the press's table."""
    return lambda interaction, press: action(interaction, press.table)


def picked(interaction: discord.Interaction) -> str:
    """Return the value picked in a menu or written in a form's only field; empty if there is none."""
    data: Mapping[str, Any] = interaction.data or {}
    if values := _list(data.get("values")):
        return str(values[0])
    values = [part.get("value") for part in _walk(data.get("components"))]
    return next((value for value in values if isinstance(value, str)), "")


def picked_people(interaction: discord.Interaction) -> tuple[int, ...]:
    """Return the users picked in a menu of members, without apps."""
    data: Mapping[str, Any] = interaction.data or {}
    users = _dict(_dict(data.get("resolved")).get("users"))
    picked = [value for value in _list(data.get("values")) if isinstance(value, str)]
    return tuple(parse_number(value) for value in picked if not _dict(users.get(value, {"bot": True})).get("bot"))


def _walk(components: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the components of a form, also of a forged one."""
    for part in map(_dict, _list(components)):
        yield part
        yield from _walk(part.get("components"))
        yield from _walk([part["component"]] if "component" in part else None)


def _list(part: Any) -> list[Any]:
    return part if isinstance(part, list) else []


def _dict(part: Any) -> Mapping[str, Any]:
    return part if isinstance(part, dict) else {}
