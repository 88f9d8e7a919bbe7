"""Rules of thumb for Pontis.

A move is worth what it scores now: a point a card, and one for a matching suit. Most bridges are low, so small cards
are kept, and kings and queens go with the sum ability. Leaving the next seat a bridge it hardly holds is worth
something, too. A miss is faked if a two-card bridge is likely to follow.

With two players hardly anything is hidden, so it looks ahead instead. It calls lies by the rules of thumb.
"""

import random
from collections import Counter
from functools import cached_property
from typing import Final

from bot.computer.pontis import lookahead
from bot.games.card_table import Play
from bot.games.cards import JOKER, Card, leave_out
from bot.games.game import Move, Seat
from bot.games.pontis.bridges import Required, missed_values, pairs, required, value
from bot.games.pontis.moves import Liar, Miss, Sum, cards_of
from bot.games.pontis.observation import Observation

_OUT: Final = 4.0
"""The value of going out, in points."""
_KEEP: Final = 0.06
"""The value of keeping a card, for each step below a king."""
_BLOCK: Final = 0.5
"""The cost of leaving the next seat, an opponent, a bridge it holds."""
_CALLED: Final = 3.0
"""The cost of a card that proves a lie, where lies can be called."""
_CALL: Final = 4.0
"""The value of a right call: two points won, and two lost by an opponent."""


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat. ``rng`` decides between equal ones."""
    if seen.setup.players == 2 and not (seen.window and seen.window.lie):
        return lookahead.choose(seen, rng)
    return choose_by_rules(seen, rng)


def choose_by_rules(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves by the rules of thumb alone."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=_Mind(seen).likes)


class _Mind:
    """Estimates from an observation, in points for the own side."""

    def __init__(self, seen: Observation) -> None:
        self._seen = seen
        self._me: Seat = seen.seat or 0
        self._slot_bank = seen.slot % seen.setup.banks

    def likes(self, move: Move) -> float:
        """Rate a legal move."""
        match move:
            case Play() | Sum():
                return self._bridge(cards_of(move))
            case Liar():
                return _CALL if self._seen.window and self._seen.window.lie else -_CALL
            case Miss():
                return self._miss()
            case _:
                return 0.0

    def _bridge(self, played: tuple[Card, ...]) -> float:
        worth = self._points(played)
        if len(played) == len(self._seen.hand):
            return worth + _OUT
        return worth - self._lie(played) - _BLOCK * self._opening(played[-1])

    def _points(self, played: tuple[Card, ...]) -> float:
        """Return the score of the cards, less the value of keeping them."""
        affecter, top = self._seen.banks[self._slot_bank - 1][-1], played[-1]
        suit_point = top[1] == affecter[1] and top != JOKER
        return len(played) + suit_point - sum(_KEEP * (13 - value(card)) for card in played)

    def _lie(self, played: tuple[Card, ...]) -> float:
        denied = missed_values(self._seen.missed[self._me])
        proven = self._seen.setup.liar == "on" and any(value(card) in denied for card in played)
        return _CALLED if proven else 0.0

    def _opening(self, top: Card) -> float:
        """Return the probability that the next seat, if it is an opponent, can bridge from this top."""
        setup = self._seen.setup
        slot = (self._seen.slot + 1) % setup.lap
        bank, seat = self._seen.banks[slot % setup.banks], setup.owners[slot]
        if setup.sides[seat] == setup.sides[self._me] or not bank:
            return 0.0
        return self._can(seat, required(bank[-1], top))

    def _miss(self) -> float:
        """Return the value of a miss: the best pair's value, times the chance that the sum ability comes round."""
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
        """Return the probability that a seat holds a bridge. In honest play its misses tell the truth."""
        denied = missed_values(self._seen.missed[seat]) if self._seen.setup.fake == "off" else frozenset()
        fitting = sum(self._unseen[bridge] for bridge in needed if bridge not in denied)
        return 1 - (1 - fitting / max(1, self._unseen.total())) ** self._seen.hand_counts[seat]

    @cached_property
    def _unseen(self) -> Counter[int]:
        """The values of the cards that this seat has not seen."""
        known = [*self._seen.hand, *(card for bank in self._seen.banks for card in bank)]
        return Counter(map(value, leave_out(self._seen.setup.pack, known)))
