"""Rules of thumb for Pontis.

Every card laid is a point, and a suit that matches is another, so a move is worth what it scores now. What is asked
for is mostly low: small cards are kept, kings and queens go when two cards may. It is worth something, too, to leave
the next seat a bridge that it is unlikely to hold. A miss is faked where two cards are likely to follow.
"""

import random
from collections import Counter
from functools import cached_property
from typing import Final

from bot.games.card_table import Play
from bot.games.cards import JOKER, Card, leave_out
from bot.games.game import Move, Seat
from bot.games.pontis import Liar, Miss, Observation, Required, Sum, required, value
from bot.games.pontis.bridges import pairs

_OUT: Final = 4.0
"""What going out is worth, in points."""
_KEEP: Final = 0.06
"""What a card is worth in the hand, for each step that it is below a king."""
_BLOCK: Final = 0.5
"""What is lost if the next seat, a rival, can bridge."""
_CALLED: Final = 3.0
"""What is lost by a card that proves a lie, where lies can be called."""
_CALL: Final = 4.0
"""What a call that is right is worth: two points won, and two lost by a rival."""


def choose(seen: Observation, rng: random.Random) -> Move:
    """One of the legal moves of the observing seat; ``rng`` decides between equals."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=_Mind(seen).likes)


class _Mind:
    """What a seat makes of its observation. All amounts are points, as they count for its own side."""

    def __init__(self, seen: Observation) -> None:
        self._seen = seen
        self._me: Seat = seen.seat or 0
        self._slot_bank = seen.slot % seen.setup.banks

    def likes(self, move: Move) -> float:
        """How good a legal move looks."""
        match move:
            case Play(card):
                return self._bridge((card,))
            case Sum(under, top):
                return self._bridge((under, top))
            case Liar():
                return _CALL if self._seen.window and self._seen.window.lie else -_CALL
            case Miss():
                return self._silence()
            case _:
                return 0.0

    def _bridge(self, played: tuple[Card, ...]) -> float:
        worth = self._points(played)
        if len(played) == len(self._seen.hand):
            return worth + _OUT
        return worth - self._lie(played) - _BLOCK * self._opening(played[-1])

    def _points(self, played: tuple[Card, ...]) -> float:
        """What the cards score, less what they would be worth in the hand."""
        affecter, top = self._seen.banks[self._slot_bank - 1][-1], played[-1]
        suit_point = top[1] == affecter[1] and top != JOKER
        return len(played) + suit_point - sum(_KEEP * (13 - value(card)) for card in played)

    def _lie(self, played: tuple[Card, ...]) -> float:
        denied = self._denied(self._me)
        proven = self._seen.setup.liar == "on" and any(value(card) in denied for card in played)
        return _CALLED if proven else 0.0

    def _opening(self, top: Card) -> float:
        """How likely the next seat, if it is a rival, can bridge from this top."""
        setup = self._seen.setup
        slot = (self._seen.slot + 1) % setup.lap
        bank, seat = self._seen.banks[slot % setup.banks], setup.owners[slot]
        if setup.sides[seat] == setup.sides[self._me] or not bank:
            return 0.0
        return self._can(seat, required(bank[-1], top))

    def _silence(self) -> float:
        """What a miss is worth: the best two cards, as likely as the sum ability comes round to play them."""
        seen, setup = self._seen, self._seen.setup
        if seen.idle or not all(seen.banks):
            return 0.0
        best = max((self._points(pair) for pair in pairs(seen.hand, seen.required)), default=0.0)
        for turn in range(1, setup.lap):
            slot = (seen.slot + turn) % setup.lap
            tops = seen.banks[slot % setup.banks][-1], seen.banks[slot % setup.banks - 1][-1]
            best *= 1 - self._can(setup.owners[slot], required(*tops))
        return best

    def _can(self, seat: Seat, needed: Required) -> float:
        """How likely it is that a seat holds a bridge. In honest play it is believed what it has missed."""
        denied = self._denied(seat) if self._seen.setup.fake == "off" else frozenset()
        fitting = sum(self._unseen[bridge] for bridge in needed if bridge not in denied)
        return 1 - (1 - fitting / max(1, self._unseen.total())) ** self._seen.hand_counts[seat]

    def _denied(self, seat: Seat) -> frozenset[int]:
        return frozenset(bridge for needed in self._seen.missed[seat] for bridge in needed)

    @cached_property
    def _unseen(self) -> Counter[int]:
        """The values of the cards that this seat has not seen."""
        known = [*self._seen.hand, *(card for bank in self._seen.banks for card in bank)]
        return Counter(map(value, leave_out(self._seen.setup.pack, known)))
