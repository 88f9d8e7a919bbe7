"""Computers for Pot Black."""

from typing import Final

from bot.computer.pot_black import beginner, players

CHOOSERS: Final = {"easy": beginner.easy, "fair": players.fair, "strong": players.strong}
LOOKS: Final = {"fair": players.look, "strong": players.explain}
explain: Final = players.explain
judge: Final = players.judge
why: Final = players.why
