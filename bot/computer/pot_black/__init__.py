"""Computers for Pot Black."""

from typing import Final

from bot.computer.pot_black import easy, fair, strong
from bot.computer.pot_black.strong import explain

__all__ = ["CHOOSERS", "explain"]

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
