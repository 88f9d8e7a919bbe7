"""Computers for Pontis."""

from typing import Final

from bot.computer.pontis import easy, fair, strong

LEVELS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
