"""Computers for Pontis."""

from typing import Final

from bot.computer.pontis import easy, fair, strong

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
explain: Final = strong.explain
