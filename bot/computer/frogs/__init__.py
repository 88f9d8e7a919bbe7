"""Computers for Pond · frogs."""

from typing import Final

from bot.computer.frogs import fair, strong

LEVELS: Final = {"fair": fair.choose, "strong": strong.choose}
