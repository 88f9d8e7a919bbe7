"""Computers for Pontis."""

from typing import Final

from bot.computer.pontis import equal_cards, players

CHOOSERS: Final = {"easy": players.easy, "fair": players.fair, "strong": players.strong}
LOOKS: Final = {"fair": players.look, "strong": players.explain}
alike: Final = equal_cards.alike
explain: Final = players.explain
judge: Final = players.judge
why: Final = players.why
