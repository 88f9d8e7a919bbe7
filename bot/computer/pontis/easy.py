"""The easy computer player for Pontis: a beginner, who makes the same mistakes each time.

It plays the smallest cards that fit and doesn't look at suits. Of two cards, the higher one goes on top. It always
plays if it can, and calls a liar only if it can't do anything else.
"""

import random

from bot.games.card_table import Play
from bot.games.game import Move
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, Sum
from bot.games.pontis.observation import Observation


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat. ``rng`` decides between equal ones."""
    moves = [*seen.legal]
    rng.shuffle(moves)
    return min(moves, key=_dislikes)


def _dislikes(move: Move) -> tuple[int, int]:
    """Return the order of a beginner's moves: whether to play at all, and how small the cards are."""
    match move:
        case Liar():
            return 3, 0
        case Play(card):
            return 0, value(card)
        case Sum(under, top):
            return int(value(under) > value(top)), value(under) + value(top)
        case _:
            return 2, 0
