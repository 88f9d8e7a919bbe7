"""Computers for Pond · frogs."""

from typing import Final

from bot.computer.frogs import easy, fair, strong
from bot.computer.frogs.strong import explain

__all__ = ["CHOOSERS", "explain"]

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
