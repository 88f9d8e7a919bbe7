"""Imagined deals: deals of the engine that agree with an observation of Pontis, weighted by what was seen.

In honest play, misses and passed sum abilities tell the truth. Where misses may be faked, most of them do.
"""

import random
from typing import Final

from bot.computer.imagined_deals import spread
from bot.computer.pontis.engine import (
    NEEDS,
    NO_SUIT,
    NUMBERS,
    OF_SUIT,
    SINGLES,
    SKIP,
    Deal,
    Move as Played,
    deal_of,
    denied_by,
    each,
    has_pair,
    set_of,
)
from bot.games.cards import SUITS, leave_out
from bot.games.game import Move
from bot.games.pontis.moves import Liar, cards_of
from bot.games.pontis.state import Observation

FAKED: Final = 0.15
"""Probability that a miss is imagined to be faked, where that is allowed."""
AGREEING: Final = 11
"""Deals that are tried before passed sum abilities are ignored."""
TRUSTING: Final = 19
"""Deals that are tried before all misses are ignored, where they may be faked."""


class Deals:
    """Deals the hidden cards of an observation of a seat in play."""

    def __init__(self, seen: Observation) -> None:
        self._seen: Final = seen
        setup = seen.setup
        hands = [0] * setup.players
        me = seen.seat if seen.seat is not None else -1
        if me >= 0:
            hands[me] = set_of(seen.hand)
        self.start: Final = deal_of(seen, hands)
        """The deal with the hidden cards left out."""
        known = [*seen.hand, *(card for bank in seen.banks for card in bank)]
        unseen = set_of(leave_out(setup.pack, known))
        if me >= 0:
            unseen = _with_other_jokers(unseen, hands[me])
        self.unseen: Final = unseen
        """The cards that the seat hasn't seen."""
        self._suit: Final = OF_SUIT[SUITS.index(seen.suit)]
        self._others: Final = [seat for seat in range(setup.players) if seat != me]
        self._honest: Final = setup.fake == "off"
        self._missed: Final = [[denied_by((needed,)) for needed in missed] for missed in seen.missed]
        self._passed: Final = _passed(seen) if self._honest else []

    @property
    def are_certain(self) -> bool:
        """Whether nothing is hidden: all cards that weren't seen are in one hand."""
        seen = self._seen
        return len(self._others) == 1 and not seen.rest_count and all(seen.banks)

    def draw(self, rng: random.Random) -> Deal:
        """Return a deal that agrees with the observation. Every possible deal has a chance, so trying again ends."""
        found, tried = None, 0
        while found is None or (tried <= AGREEING and not self._agrees(found)):
            found = self._spread(rng, trusting=tried < TRUSTING)
            tried += 1
        return found

    def _spread(self, rng: random.Random, *, trusting: bool) -> Deal | None:
        """Deal the hidden cards, those first that fewest seats can hold. Return ``None`` if one finds no place."""
        deal = self.start.copy()
        left = self._lay_foundations(deal, rng)
        room = [self._seen.hand_counts[seat] for seat in self._others]
        denied = [self._denied(seat, rng) if trusting or self._honest else 0 for seat in self._others]
        room.append(self._seen.rest_count)
        denied.append(0)
        free, bound = _split(left, denied, rng)
        hands = spread(bound, free, room, rng)
        if hands is None:
            return None
        for seat, hand in zip(self._others, hands, strict=False):
            deal.hands[seat] = hand
        return deal

    def _lay_foundations(self, deal: Deal, rng: random.Random) -> int:
        """Lay the foundations that are face down. Return the other unseen cards."""
        left = self.unseen
        if all(self._seen.banks):
            return left
        down = [at for at, bank in enumerate(self._seen.banks) if not bank]
        laid = rng.sample(each(left & self._suit), len(down))
        deal.foundations = deal.foundations[:]
        for at, card in zip(down, laid, strict=True):
            deal.foundations[at] = card.bit_length() - 1
        return left & ~sum(laid)

    def _denied(self, seat: int, rng: random.Random) -> int:
        """Return the cards that the seat doesn't have. Some misses are assumed to be faked."""
        missed = self._missed[seat]
        if self._honest:
            return _union(missed)
        return _union([cards for cards in missed if rng.random() >= FAKED])

    def _agrees(self, deal: Deal) -> bool:
        """Whether nobody who passed the sum ability on could have used it, and the seat on turn has a choice."""
        if not self._honest:
            return True
        if any(has_pair(deal.hands[seat], need) for seat, need in self._passed):
            return False
        hand = deal.hands[deal.seat]
        return bool(hand & SINGLES[deal.need]) or (deal.has_ability and has_pair(hand, deal.need))


def _split(cards: int, denied: list[int], rng: random.Random) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """Return the cards that any place can hold, and the others with those that can, which fewest can hold first."""
    free, bound = [], []
    anywhere = ~_union(denied)
    for card in each(cards):
        if card & anywhere:
            free.append(card)
        else:
            holders = [at for at, without in enumerate(denied) if not card & without]
            bound.append((len(holders), rng.random(), card, holders))
    bound.sort()
    return free, [(card, holders) for _, _, card, holders in bound]


def _with_other_jokers(unseen: int, hand: int) -> int:
    """Return the unseen cards with numbers of jokers that the hand doesn't use."""
    jokers = unseen >> NO_SUIT
    return unseen & (1 << NO_SUIT) - 1 | jokers << (NO_SUIT + (hand >> NO_SUIT).bit_count())


def _union(sets: list[int]) -> int:
    found = 0
    for cards in sets:
        found |= cards
    return found


def _passed(seen: Observation) -> list[tuple[int, int]]:
    """Return the seats that have just passed the sum ability on, with what they needed."""
    setup = seen.setup
    found = []
    for back in range(1, seen.idle - setup.patience(seen.required) + 1):
        slot = (seen.slot - back) % setup.lap
        own, affecter = seen.banks[slot % setup.banks], seen.banks[slot % setup.banks - 1]
        found.append((setup.owners[slot], NEEDS[NUMBERS[own[-1]]][NUMBERS[affecter[-1]]]))
    return found


WIN: Final = 2.0
"""The value of winning the last game, in points."""


class Evaluation:
    """The value of finished deals to the observing seat: what its side has more than the mean of the others."""

    def __init__(self, seen: Observation) -> None:
        setup = seen.setup
        self._side: Final = setup.sides[seen.seat or 0]
        self._before: Final = [seen.totals[members[0]] for members in setup.members]
        self._is_last: Final = len(seen.results) == setup.games - 1

    def __call__(self, deal: Deal) -> float:
        """Return the value in points."""
        points = deal.scores()
        own = points[self._side]
        found = own - (sum(points) - own) / (len(points) - 1)
        if not self._is_last:
            return found
        totals = [before + won for before, won in zip(self._before, points, strict=True)]
        best = max([total for side, total in enumerate(totals) if side != self._side])
        mine = totals[self._side]
        return found + WIN * ((mine > best) - (mine < best))


def numbered(seen: Observation) -> list[tuple[Played, Move]]:
    """Return the legal moves of an observation, without calls, as pairs: the engine's move, and the rulebook's."""
    found: list[tuple[Played, Move]] = []
    for move in seen.legal:
        if not isinstance(move, Liar):
            cards = cards_of(move)
            found.append(((set_of(cards), NUMBERS[cards[-1]]) if cards else SKIP, move))
    return found
