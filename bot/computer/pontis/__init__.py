"""Computers for Pontis."""

from typing import Final

from bot.computer.pontis import fair

LEVELS: Final = {"fair": fair.choose}
