"""Computers for Pond · cards."""

from typing import Final

from bot.computer.pond import fair
from bot.computer.pond.fair import on_time_out

__all__ = ["LEVELS", "on_time_out"]

LEVELS: Final = {"fair": fair.choose}
