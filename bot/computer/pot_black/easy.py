"""The easy computer player for Pot Black: a beginner, who makes the same mistakes each time.

It takes every trick it can, from its partner too, and throws away its highest cards when it can't follow suit. It
doesn't remember the cards played before, and a black ten is a card like any other to it.
"""

import random

from bot.games.card_table import Play
from bot.games.game import Move
from bot.games.pot_black.observation import Observation
from bot.games.pot_black.tricks import beats, strength, winner


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat. ``rng`` decides between equal ones."""
    cards = [move.card for move in seen.legal if isinstance(move, Play)]
    rng.shuffle(cards)
    if not seen.trick:
        return Play(max(cards, key=strength))
    best = seen.trick[winner(seen.trick, seen.trumps)]
    winners = [card for card in cards if beats(card, best, seen.trumps)]
    if not winners:
        can_follow = cards[0][1] == seen.trick[0][1]
        return Play(min(cards, key=strength) if can_follow else max(cards, key=strength))
    if winners[0][1] == seen.trick[0][1]:
        return Play(max(winners, key=strength))
    return Play(min(winners, key=strength))
