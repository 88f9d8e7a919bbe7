"""Computers for Pond · frogs."""

from typing import Final

from bot.computer.frogs import easy, fair, strong

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
explain: Final = strong.explain
