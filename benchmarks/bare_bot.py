"""A minimal discord.py bot, for comparison: it answers presses and makes the requests it is given.

    python -m benchmarks.bare_bot SHAPES

Its settings are those of Lilypad. SHAPES is a JSON file. For each press in turn, it lists the components of the
messages to show: first the answer, then edits of the pressed message.
"""

import itertools
import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

import discord
from discord import ui
from discord.ext import commands


def view_of(components: list[dict[str, Any]]) -> ui.LayoutView:
    """Build a view with these components."""
    view = ui.LayoutView(timeout=None)
    for top in components:
        container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=top.get("accent_color"))
        for part in top["components"]:
            container.add_item(_item(part))
        view.add_item(container)
    view.stop()
    return view


def _item(data: dict[str, Any]) -> ui.Item[ui.LayoutView]:
    match data["type"]:
        case 1:
            return _row(data)
        case 14:
            return ui.Separator()
        case _:
            return ui.TextDisplay(data["content"])


def _row(data: dict[str, Any]) -> ui.ActionRow[ui.LayoutView]:
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    for part in data["components"]:
        if "options" in part:
            options = [discord.SelectOption.from_dict(option) for option in part["options"]]
            row.add_item(ui.Select(custom_id=part["custom_id"], placeholder=part.get("placeholder"), options=options))
        else:
            style = discord.ButtonStyle(part["style"])
            row.add_item(ui.Button(custom_id=part["custom_id"], label=part["label"], style=style))
    return row


class BareBot(commands.AutoShardedBot):
    """Answers presses from a list."""

    def __init__(self, shapes: list[list[list[dict[str, Any]]]]) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True, guild_messages=True),
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self._shapes = itertools.cycle(shapes)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Show the next messages of the list."""
        pressed = interaction.message
        if pressed is None:
            return
        first, *others = next(self._shapes)
        await interaction.response.edit_message(view=view_of(first))
        message = self.get_partial_messageable(pressed.channel.id).get_partial_message(pressed.id)
        for components in others:
            await message.edit(view=view_of(components))


def main() -> None:
    """Run until stopped."""
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    bot = BareBot(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    bot.run(os.environ["DISCORD_TOKEN"], log_level=logging.WARNING)


if __name__ == "__main__":
    main()
