"""The easy computer for Pot Black: a beginner, who makes the same mistakes every time.

They take every trick that isn't their partner's already and has no black ten, with a high card, throw away their
highest cards when they can't follow suit, unless nobody can beat them, and never expect a black ten.
"""

import random

from bot.computer.pot_black.engine import CARDS, TENS, Deal
from bot.computer.pot_black.players import Deals
from bot.computer.pot_black.thumb import is_owned, puzzling, sensible
from bot.games.cards import Card, Play
from bot.games.game import Move
from bot.games.pot_black.state import Observation
from bot.games.pot_black.tricks import strength


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    deals = Deals(seen)
    cards, winners = _choice(deals.start, deals.following)
    is_high = winners & deals.start.led if winners else not cards & deals.start.led
    choose = max if is_high else min
    return Play(choose(_named(winners or cards, rng), key=strength))


def _choice(deal: Deal, following: int) -> tuple[int, int]:
    """Return the cards that a beginner may play, and those that are to win the trick.

    Beginners leave a trick to their partner, and one with a black ten to anybody. They neither lead nor win with one,
    nor throw one on their partner's card.
    """
    kept = sensible(deal, following)
    kept &= ~puzzling(deal, following, kept)
    is_partners = deal.taking == deal.setup.partners[deal.turn]
    cards = kept & ~(TENS if is_partners or not deal.laid else TENS & deal.beaters) or kept
    losers = cards & ~deal.beaters
    if losers and (is_owned(deal, following) or deal.trick & TENS):
        return losers, 0
    return cards, cards & deal.beaters


def _named(cards: int, rng: random.Random) -> list[Card]:
    found = [CARDS[bit] for bit in CARDS if bit & cards]
    rng.shuffle(found)
    return found
