"""Rules of thumb for Pot Black.

For each card the computer estimates how likely its side is to take the trick, and whether the trick is worth having.
One that holds a black ten is left to opponents. Of cards that do equally well, the least needed is played. So winners
are cashed while they are sure, a partner's winner is left alone, and black tens go to opponents. A black ten is led
when only higher cards of its suit are out. Cards that would puzzle a partner are left out.
"""

import random
from typing import Final

from bot.computer.pot_black.deals import Deals
from bot.computer.pot_black.engine import BITS
from bot.computer.pot_black.partners import sensible
from bot.games.card_table import Play
from bot.games.cards import Card
from bot.games.game import Move, Seat
from bot.games.pot_black.observation import Observation
from bot.games.pot_black.state import BLACK_TENS, PACKS
from bot.games.pot_black.tricks import beats, strength, winner

TEN: Final = 4.0
"""The cost of a black ten in counted tricks: chips, the side pot, the trick."""
DISLIKE: Final = 0.3
"""The factor by which a black ten in the trick lowers the chance that a seat wants to take it."""
RANK: Final = 0.03
"""The value of keeping a card, for each rank."""
TRUMP: Final = 0.4
"""The value of keeping a trump."""


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat. ``rng`` decides between equal ones."""
    mind, kept = _Mind(seen), sensible(Deals(seen).start)
    cards = [move.card for move in seen.legal if isinstance(move, Play) and BITS[move.card] & kept]
    return Play(max(rng.sample(cards, len(cards)), key=mind.likes))


class _Mind:
    """Estimates from an observation. Amounts are in counted tricks."""

    def __init__(self, seen: Observation) -> None:
        self._seen = seen
        self._me: Seat = seen.seat or 0
        shown = {*seen.hand, *seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
        self._hidden = [card for card in PACKS[len(seen.order)] if card not in shown]
        self._others = len(seen.order) - 1
        self._sides = seen.setup.sides
        self._has_partner = self._sides.count(self._sides[self._me]) > 1

    def likes(self, card: Card) -> float:
        """Rate playing the card."""
        cards = (*self._seen.trick, card)
        ours = self._taken_by_us(cards)
        tens = sum(ten in cards for ten in BLACK_TENS)
        if not tens:
            return ours * (1.0 - (1.0 + TEN) * self._poisoning(cards)) - self._kept(card) - self._ruffs_partner(card)
        theirs = TEN if self._has_partner else TEN / self._others
        return tens * ((1.0 - ours) * theirs - ours * TEN) - self._kept(card)

    def _taken_by_us(self, cards: tuple[Card, ...]) -> float:
        """Return the probability that the own side takes the trick that starts with these cards."""
        seen = self._seen
        if len(cards) == 1 and cards[0] in BLACK_TENS and (seats := self._forced(cards[0])):
            return sum(map(self._is_ours, seats)) / len(seats)
        at = winner(cards, seen.trumps)
        ours = 1.0 if self._is_ours(seen.order[at]) else 0.0
        wanted = DISLIKE if any(ten in cards for ten in BLACK_TENS) else 1.0
        for seat in seen.order[len(cards) :]:
            beats = wanted * self._beats(seat, cards[0], cards[at])
            ours = ours + (1.0 - ours) * beats if self._is_ours(seat) else ours * (1.0 - beats)
        return ours

    def _forced(self, led: Card) -> list[Seat]:
        """Return the seats of which one has to take this lead, as all hidden cards of the suit are higher."""
        cards = [card for card in self._hidden if card[1] == led[1]]
        if not cards or min(map(strength, cards)) < strength(led):
            return []
        return [seat for seat in self._seen.order[1:] if led[1] not in self._seen.voids[seat]]

    def _beats(self, seat: Seat, led: Card, best: Card) -> float:
        """Return the probability that a seat still to play can beat the best card."""
        seen = self._seen
        beaters = [card for card in self._hidden if beats(card, best, seen.trumps)]
        higher = sum(card[1] == led[1] for card in beaters)
        trumps = len(beaters) - higher
        void = self._void(seat, led)
        ruffs = 0.0 if seen.trumps and seen.trumps in seen.voids[seat] else self._any_of(trumps)
        return (1.0 - void) * self._any_of(higher) + void * ruffs

    def _any_of(self, cards: int) -> float:
        """Return the probability that a given hand holds at least one of a number of hidden cards."""
        return 1.0 - (1.0 - 1.0 / self._others) ** cards

    def _void(self, seat: Seat, led: Card) -> float:
        """Return the probability that the seat can't follow suit."""
        if led[1] in self._seen.voids[seat]:
            return 1.0
        return 1.0 - self._any_of(sum(card[1] == led[1] for card in self._hidden))

    def _poisoning(self, cards: tuple[Card, ...]) -> float:
        """Return the probability that an opponent still to play throws a black ten on the trick."""
        led = cards[0]
        later = [seat for seat in self._seen.order[len(cards) :] if not self._is_ours(seat)]
        tens = [ten for ten in BLACK_TENS if ten in self._hidden]
        throws = [1.0 if ten[1] == led[1] else self._void(seat, led) for ten in tens for seat in later]
        return sum(throws) / self._others

    def _kept(self, card: Card) -> float:
        """Return the value of keeping the card for a later trick."""
        return RANK * strength(card) + (TRUMP if card[1] == self._seen.trumps else 0.0)

    def _ruffs_partner(self, card: Card) -> float:
        """Return the cost of ruffing a trick that the partner is winning."""
        seen = self._seen
        if not seen.trick or card[1] != seen.trumps or card[1] == seen.trick[0][1]:
            return 0.0
        return 1.0 if self._is_ours(seen.order[winner(seen.trick, seen.trumps)]) else 0.0

    def _is_ours(self, seat: Seat) -> bool:
        return self._sides[seat] == self._sides[self._me]
