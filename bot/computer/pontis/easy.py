"""The easy computer player for Pontis: a beginner, who makes the same mistakes each time.

It takes a point for a matching suit, and else sheds its highest cards. Of two cards, the higher one goes on top unless
the other one matches. It doesn't look at what its card asks of the next player. It always plays if it can, and calls a
liar only if it can't do anything else.
"""

import random

from bot.games.card_table import Play
from bot.games.cards import JOKER
from bot.games.game import Move
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, Sum, cards_of
from bot.games.pontis.observation import Observation


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def _likes(seen: Observation, move: Move) -> tuple[int, bool, int, int]:
    """Return the order of a beginner's moves: whether to play at all, a suit point, and how high the cards are."""
    match move:
        case Play() | Sum():
            cards = cards_of(move)
            affecter, top = seen.banks[(seen.bank or 0) - 1][-1], cards[-1]
            return 2, top[1] == affecter[1] and top != JOKER, sum(map(value, cards)), value(top)
        case Liar():
            return 0, False, 0, 0
        case _:
            return 1, False, 0, 0
