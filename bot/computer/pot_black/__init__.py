"""Computers for Pot Black."""

from typing import Final

from bot.computer.pot_black import players

CHOOSERS: Final = {"easy": players.easy, "fair": players.fair, "strong": players.strong}
explain: Final = players.explain
