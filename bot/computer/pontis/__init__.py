"""Computers for Pontis."""

from typing import Final

from bot.computer.pontis import easy, fair, strong
from bot.computer.pontis.strong import explain

__all__ = ["CHOOSERS", "explain"]

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
