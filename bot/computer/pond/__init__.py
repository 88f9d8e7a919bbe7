"""Computers for Pond · cards."""

from typing import Final

from bot.computer.pond import easy, fair, strong

CHOOSERS: Final = {"easy": easy.choose, "fair": fair.choose, "strong": strong.choose}
explain: Final = strong.explain
on_time_out: Final = fair.on_time_out
