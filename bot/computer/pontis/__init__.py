"""Computers for Pontis."""

from typing import Final

from bot.computer.pontis import players

CHOOSERS: Final = {"easy": players.easy, "fair": players.fair, "strong": players.strong}
explain: Final = players.explain
