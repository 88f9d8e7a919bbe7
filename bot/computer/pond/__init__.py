"""Computers for Pond · cards."""

from typing import Final

from bot.computer.pond import players

CHOOSERS: Final = {"easy": players.easy, "fair": players.fair, "strong": players.strong}
explain: Final = players.explain
on_time_out: Final = players.on_time_out
