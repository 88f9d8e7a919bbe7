"""Rules of thumb for Pond · cards.

A card is worth what it scores for the own side, less what it would score for opponents, so their poison is good bait. A
trick is worth playing for if pond and trick together are worth having. How hard depends on how likely the unseen cards
let it be won or lost. A partner's winner is left alone.
"""

import random
from bisect import bisect_left
from functools import cached_property
from itertools import chain
from typing import Final

from bot.games.card_table import Play
from bot.games.cards import Card, leave_out
from bot.games.game import Move, Seat
from bot.games.pond import (
    FACE_DOWN,
    PACKS,
    PROFIT_GROUPS,
    STRENGTH,
    Award,
    Bait,
    Laid,
    Observation,
    Profit,
    Trap,
    group_of,
    points,
)

_ILL_MEANT: Final = -8.0
"""The value of a hidden trap card to the opponents of the seat that laid it."""
_WELL_MEANT: Final = 6.0
"""The value of a hidden trap card to the side that laid it."""
_KEEP: Final = 4.0
"""The value of keeping the strongest and the weakest cards in hand, in points."""


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=_Mind(seen).likes)


def on_time_out(seen: Observation) -> Move | None:
    """Return the move the rules prescribe on timeout, if any: the leader takes a tied trick (PC-23)."""
    takes = Award(seen.seat or 0)
    return takes if takes in seen.legal else None


class _Mind:
    """Estimates from an observation, in points for the own side."""

    def __init__(self, seen: Observation) -> None:
        self._seen = seen
        self._me: Seat = seen.seat or 0

    def likes(self, move: Move) -> float:
        """Return how good a legal move looks."""
        match move:
            case Play(card):
                return self._play(Laid(self._me, card)) - self._kept(card) / 2
            case Bait(card) | Trap(card):
                return self._bait(card) - self._kept(card)
            case Profit(card):
                return self._profit(card) - self._kept(card) / _KEEP
            case Award(seat):
                return self._taken_by(seat, self._on_table)
            case _:
                return 0.0

    def _profit(self, card: Card) -> float:
        """Return how many cards of the group will be good to take. A poison card is well out of the way."""
        poison = self._seen.poison(self._me)
        group = group_of(card) or ""
        good = sum(other[0] in group and other[1] != poison for other in self._seen.hand)
        return good + len(group) / 2 + (card[1] == poison)

    def _bait(self, card: Card) -> float:
        """Return the value of a card in a pond that either side may take."""
        laid = (Laid(self._me, card),)
        return (self._taken_by(self._me, laid) + self._taken_by(self._me + 1, laid)) / 2

    def _play(self, laid: Laid) -> float:
        """Return the value of playing a card. Seats that follow do what is best for them, if they can."""
        seen = self._seen
        trick = (*seen.trick, laid)
        best = max(STRENGTH[card] for _, card in trick)
        tied = [seat for seat, card in trick if STRENGTH[card] == best]
        stakes = (*self._on_table, laid)
        following = seen.order[len(trick) :]
        if not following:
            return self._named(tied, stakes)
        taken, left = self._taken_by(self._me, stakes), self._taken_by(self._me + 1, stakes)
        if self._is_against(tied[0]):
            return left
        weaker = self._weaker(best)
        against = sum(self._is_against(seat) for seat in following)
        cards = against * seen.hand_counts[following[0]]
        surely_taken, surely_left = weaker**cards, (1 - weaker) ** cards
        return surely_taken * taken + surely_left * left + (1 - surely_taken - surely_left) * min(taken, left)

    def _named(self, tied: list[Seat], stakes: tuple[Laid, ...]) -> float:
        """Return the value of a complete trick. If tied, it goes to the first or as the leader decides."""
        if self._seen.setup.tie == "first":
            return self._taken_by(tied[0], stakes)
        results = [self._taken_by(seat, stakes) for seat in tied]
        return min(results) if self._is_against(self._seen.order[0]) else max(results)

    # ---- the value of cards

    def _taken_by(self, taker: Seat, stakes: tuple[Laid, ...]) -> float:
        taker %= self._seen.setup.players
        value = sum(self._worth(laid, taker) for laid in stakes)
        return -value if self._is_against(taker) else value

    def _worth(self, laid: Laid, taker: Seat) -> float:
        """Return the points of the card to its taker: the average if their profit group is unknown."""
        if laid.card == FACE_DOWN:
            return _ILL_MEANT if (laid.seat - taker) % 2 else _WELL_MEANT
        poison, told = self._seen.poison(taker), self._seen.set_aside[taker]
        group = group_of(told) if told else None
        if group:
            return points(laid.card, poison, group)
        return sum(points(laid.card, poison, group) for group in PROFIT_GROUPS) / len(PROFIT_GROUPS)

    def _is_against(self, seat: Seat) -> bool:
        return (seat - self._me) % 2 == 1

    @cached_property
    def _on_table(self) -> tuple[Laid, ...]:
        seen = self._seen
        return seen.baits + seen.traps + seen.trick

    # ---- the strength of cards

    def _kept(self, card: Card) -> float:
        """Return the value of keeping a card: high for those that win nearly all tricks, or hardly any."""
        return _KEEP * abs(2 * self._weaker(STRENGTH[card]) - 1)

    def _weaker(self, strength: int) -> float:
        """Return the share of the unseen cards that are weaker."""
        return bisect_left(self._unseen, strength) / max(len(self._unseen), 1)

    @cached_property
    def _unseen(self) -> list[int]:
        """The strengths of all cards that may be in other hands, weakest first."""
        seen = self._seen
        taken_by_others = [taken.laid for taken in seen.taken if taken.taker != seen.seat]
        laid = chain(self._on_table, *taken_by_others)
        known = chain(seen.hand, seen.pile, (card for _, card in laid), filter(None, seen.set_aside), *seen.turned)
        visible = [card for card in known if card != FACE_DOWN]
        return sorted(STRENGTH[card] for card in leave_out(PACKS[seen.setup.players], visible))
