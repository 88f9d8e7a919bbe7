"""Computers for Pond · frogs."""

from typing import Final

from bot.computer.frogs import players

CHOOSERS: Final = {"easy": players.easy, "fair": players.fair, "strong": players.strong}
explain: Final = players.explain
