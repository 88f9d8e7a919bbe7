"""Imagined deals: deals of the engine that agree with an observation of Pot Black."""

import random
from typing import Final

from bot.computer.imagined_deals import spread
from bot.computer.pot_black.engine import SUITS, Deal, deal_of, set_of, setup_of
from bot.games.pot_black.observation import Observation
from bot.games.pot_black.state import PACKS


class Deals:
    """Deals the hidden cards of an observation of a seat that has to play."""

    def __init__(self, seen: Observation) -> None:
        self._me: Final = seen.seat or 0
        setup = setup_of(seen)
        own = set_of(seen.hand)
        hands = [0] * seen.setup.players
        hands[self._me] = own
        self.start: Final = deal_of(seen, setup, hands)
        """The deal with the hidden cards left out."""
        hidden = set_of(PACKS[len(setup.seats)]) & ~(own | self.start.gone | self.start.trick)
        self._others: Final = [seat for seat in setup.seats if seat != self._me]
        self._counts: Final = [seen.hand_counts[seat] for seat in self._others]
        voids = [sum(SUITS["SHDC".index(suit)] for suit in seen.voids[seat]) for seat in self._others]
        cards = [1 << at for at in range(52) if hidden >> at & 1]
        holders = {card: [at for at, void in enumerate(voids) if not card & void] for card in cards}
        self._free: Final = [card for card in cards if len(holders[card]) == len(voids)]
        # The cards that fewest seats can hold are dealt first, so that hardly any deal fails.
        bound = [(card, seats) for card, seats in holders.items() if len(seats) < len(voids)]
        self._bound: Final = sorted(bound, key=lambda each: len(each[1]))

    def draw(self, rng: random.Random) -> Deal:
        """Return a deal that agrees with the observation. No seat holds a suit that it failed to follow."""
        hands = None
        while hands is None:
            hands = spread(self._bound, self._free, self._counts[:], rng)
        deal = self.start.copy()
        for seat, hand in zip(self._others, hands, strict=True):
            deal.hands[seat] = hand
        return deal
