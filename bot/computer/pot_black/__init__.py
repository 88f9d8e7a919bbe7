"""Computers for Pot Black."""

from typing import Final

from bot.computer.pot_black import fair

LEVELS: Final = {"fair": fair.choose}
