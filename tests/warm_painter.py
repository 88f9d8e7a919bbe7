"""Draws some pictures of each game when it is imported, so that processes forked after that have their parts."""

import gc
from typing import Final

from bot.cli.preview import previews

DRAWN: Final = {"pond": "duel", "frogs": "start", "pontis": "duel", "pot_black": "deal"}
"""A moment of each game that takes few moves."""

for game, moment in DRAWN.items():
    for _ in previews(game, moment):
        pass
gc.collect()
gc.freeze()
