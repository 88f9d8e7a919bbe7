"""The easy computer for Pontis: a beginner, who makes the same mistakes every time.

They take a point for a matching suit and else shed their highest card, play any two cards with the sum ability, never
fake, and call a liar only if they can't do anything else.
"""

import random

from bot.games.cards import JOKER, Play
from bot.games.game import Move
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, Sum
from bot.games.pontis.state import Observation


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def _likes(seen: Observation, move: Move) -> tuple[int, bool, int]:
    """Return the order of a beginner's moves: whether to play at all, a suit point, and how high the card is."""
    match move:
        case Play(card):
            return 2, card[1] == seen.banks[(seen.bank or 0) - 1][-1][1] and card != JOKER, value(card)
        case Sum():
            return 2, False, 0
        case Liar():
            return 0, False, 0
        case _:
            return 1, False, 0
