"""Computers for Pond · cards."""

from typing import Final

from bot.computer.pond import easy, fair, strong
from bot.computer.pond.fair import on_time_out
from bot.computer.pond.strong import explain

__all__ = ["CHOOSERS", "explain", "on_time_out"]

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
