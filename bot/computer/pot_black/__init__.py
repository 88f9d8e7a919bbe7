"""Computers for Pot Black."""

from typing import Final

from bot.computer.pot_black import easy, fair, strong

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
explain: Final = strong.explain
