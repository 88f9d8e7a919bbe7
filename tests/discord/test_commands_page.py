"""docs/COMMANDS.md has every command of the bot, described as on Discord, and no other."""

import re
from pathlib import Path

from discord import app_commands

from tests.discord.play import World

PAGE = (Path(__file__).parents[2] / "docs/COMMANDS.md").read_text(encoding="utf-8")
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def registered(world: World) -> dict[str, str]:
    """Return the descriptions of all commands of the bot."""
    every = (each for each in world.bot.tree.walk_commands() if isinstance(each, app_commands.Command))
    return {each.qualified_name: each.description for each in every}


async def test_the_page_has_all_commands_as_they_are_described(world: World) -> None:
    rows = re.findall(r"^\| ((?:`/[^`]+`(?:, )?)+) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    listed = [(name, said) for names, said in rows for name in re.findall(r"`/([^`]+)`", names)]
    assert sorted(listed) == sorted(registered(world).items())


async def test_the_readme_shows_ten_commands_that_exist(world: World) -> None:
    shown = re.findall(r"^\| `/([a-z ]+)`.* \|$", README, flags=re.MULTILINE)
    assert len(shown) == 10
    assert set(shown) <= registered(world).keys()
