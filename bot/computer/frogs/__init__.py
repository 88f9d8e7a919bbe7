"""Computers for Pond · frogs."""

from typing import Final

from bot.computer.frogs import players

CHOOSERS: Final = {"easy": players.easy, "fair": players.fair, "strong": players.strong}
LOOKS: Final = {"strong": players.explain}
alike: Final = players.alike
explain: Final = players.explain
judge: Final = players.judge
why: Final = players.why
