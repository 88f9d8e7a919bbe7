"""Computers for Pond · frogs."""

from typing import Final

from bot.computer.frogs import easy, fair, strong

LEVELS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
