"""Imagined deals: rounds of the engine that agree with an observation of Pond.

Hidden cards are dealt at random. A card that a seat has set aside is more likely to belong to a group of which
the seat holds many cards.
"""

import math
import random
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import Final

from bot.computer.pond.engine import (
    AWARD,
    AWARDS,
    BAIT,
    COUNTED,
    GROUP,
    INDEX,
    LEVEL,
    PASSING,
    PLAY,
    PROFIT,
    TRAP,
    TRAPS,
    VALUES,
    Round,
)
from bot.computer.pond.thumb import HEURISTICS
from bot.games.cards import Card, leave_out
from bot.games.pond.scoring import STRENGTH
from bot.games.pond.state import FACE_DOWN, PACKS, Laid, Observation

Cards = list[list[int]]
"""Cards by seat."""

PHASES: Final = {"profit": PROFIT, "bait": BAIT, "trap": TRAP, "traps": TRAPS, "play": PLAY, "award": AWARD}
_VISIBLE: Final = 11
_HIDDEN: Final = 5
_LIKING: Final = tuple(2.0**number for number in range(33))
"""By number of cards that a seat holds of a profit group: how likely it is to choose it, up to a factor."""


class Deals:
    """Deals the hidden cards of an observation of a seat that has to move.

    ``hidden`` are the cards that aren't known to be elsewhere, and ``strongest`` is the strength of the strongest.
    """

    def __init__(self, seen: Observation) -> None:
        self._seen = seen
        self._me = seen.seat or 0
        self._seats = range(seen.setup.players)
        self.phase = PHASES[seen.phase]
        self._hand = [INDEX[card] for card in seen.hand]
        self._hand.sort()
        self.hidden = [INDEX[card] for card in leave_out(PACKS[seen.setup.players], self._known())]
        self.strongest = LEVEL[max(self.hidden)]
        self._replay = Replay(seen)
        self._piles: Cards = [[] for _ in self._seats]
        self._secret: Cards = [[] for _ in self._seats]
        self._laid: Cards = [[] for _ in self._seats]
        self._look_at_piles()
        self._pile_values = [
            [sum(VALUES[seen.poison(seat), group][card] for card in self._piles[seat]) for group in range(3)]
            for seat in self._seats
        ]

    def sample(self, rng: random.Random, number: int) -> Iterator[Round]:
        """Yield rounds, without an end, that agree with the observation.

        If others have moved, they are taken from ``number`` drawn ones, preferring those that explain the moves.
        """
        if not self._replay.is_telling:
            while True:
                yield self.draw(rng)
        drawn = [self._drawn(rng) for _ in range(number)]
        rounds = [state for state, _ in drawn]
        weights = [*accumulate(self._replay.weight(state, secrets) for state, secrets in drawn)]
        while True:
            yield rng.choices(rounds, cum_weights=weights)[0]

    def draw(self, rng: random.Random) -> Round:
        """Return a round that agrees with the observation."""
        return self._drawn(rng)[0]

    def _drawn(self, rng: random.Random) -> tuple[Round, Cards]:
        """Return a round, and by seat the cards that it has laid where the observing seat can't see them."""
        seen = self._seen
        state = Round("".join(map(seen.poison, self._seats)), seen.starter or 0, first=seen.setup.tie == "first")
        state.phase, state.turn = self.phase, self._me
        if self.phase == PROFIT:
            self._deal_anew(state, rng)
            return state, []
        rng.shuffle(self.hidden)
        secrets = self._deal(state, iter(self.hidden), rng)
        self._lay(state)
        return state, secrets

    def _deal_anew(self, state: Round, rng: random.Random) -> None:
        """Deal the cards of a round that has just begun. A hand without a profit card would be dealt again (PC-09)."""
        while not state.hands or any(all(GROUP[card] < 0 for card in hand) for hand in state.hands):
            rng.shuffle(self.hidden)
            rest = iter(self.hidden)
            state.hands = [self._hand[:] if seat == self._me else [*islice(rest, _VISIBLE)] for seat in self._seats]
            state.hidden = [[*islice(rest, _HIDDEN)] for _ in self._seats]

    def _deal(self, state: Round, rest: Iterator[int], rng: random.Random) -> Cards:
        """Deal hands, set-aside cards, and those that can't be seen on the table and in piles. Return the last."""
        seen = self._seen
        secrets: Cards = []
        for seat in self._seats:
            takers, set_aside = self._secret[seat], seen.set_aside[seat]
            is_me, is_known = seat == self._me, set_aside is not None and set_aside != FACE_DOWN
            has_trap = not is_me and any(laid.seat == seat for laid in seen.traps)
            held = 0 if is_me else seen.hand_counts[seat]
            cards = [*islice(rest, held + len(takers) + has_trap + (not is_known))]
            group = GROUP[INDEX[set_aside]] if is_known and set_aside else self._set_aside(seat, cards, rng)
            state.choose_profit(seat, group)
            if has_trap:
                state.traps[seat] = cards[-1]
            state.hands.append(self._hand[:] if is_me else sorted(cards[:held]))
            secrets.append(cards[held:])
        self._score_piles(state, secrets)
        return secrets

    def _score_piles(self, state: Round, secrets: Cards) -> None:
        """Count what has been taken: what can be seen in the piles, and the secret cards there."""
        for seat in self._seats:
            value = self._pile_values[seat][state.groups[seat]]
            state.score += -value if seat & 1 else value
            for taker, card in zip(self._secret[seat], secrets[seat], strict=False):
                value = state.values[taker][card]
                state.score += -value if taker & 1 else value

    def _set_aside(self, seat: int, cards: list[int], rng: random.Random) -> int:
        """Take the card that the seat has set aside out of its cards. Return its group."""
        found = [card for card in cards if GROUP[card] >= 0]
        if not found:
            cards.pop()
            return rng.randrange(3)
        groups = [GROUP[card] for card in found]
        everything = cards + self._laid[seat]
        likings = [_LIKING[sum(map(counted.__getitem__, everything))] for counted in COUNTED]
        chosen = rng.choices(found, [likings[group] / groups.count(group) for group in groups])[0]
        cards.remove(chosen)
        return GROUP[chosen]

    def _lay(self, state: Round) -> None:
        """Lay the cards that are on the table."""
        seen = self._seen
        for _, card in seen.baits:
            state.lay(INDEX[card])
        for seat, card in seen.trick:
            state.follow(seat, INDEX[card])
        for seat, card in seen.traps:
            if seat == self._me:
                state.traps[seat] = INDEX[card]

    def _known(self) -> list[Card]:
        """Return the cards that can't be elsewhere."""
        seen = self._seen
        others = [taken.laid for taken in seen.taken if taken.taker != seen.seat]
        laid = chain(seen.baits, seen.traps, seen.trick, *others)
        set_aside = (card for card in seen.set_aside if card is not None)
        known = chain(seen.hand, seen.pile, (card for _, card in laid), set_aside, *seen.turned)
        return [card for card in known if card != FACE_DOWN]

    def _look_at_piles(self) -> None:
        """Sort the cards that were laid by taker and by owner. Of those that can't be seen, only the taker is known."""
        seen = self._seen
        self._piles[self._me] = [INDEX[card] for card in seen.pile]
        for taken in seen.taken:
            for owner, card in taken.laid:
                if card != FACE_DOWN:
                    self._laid[owner].append(INDEX[card])
                    if taken.taker != self._me:
                        self._piles[taken.taker].append(INDEX[card])
                elif taken.taker != self._me:
                    self._secret[owner].append(taken.taker)
        for owner, card in chain(seen.baits, seen.trick):
            self._laid[owner].append(INDEX[card])


_SPREAD: Final = {2: 40.0, 4: 60.0}
"""The steepness of a round's result, by number of players: two thirds of its standard deviation, in points."""
_LEAST_CHANCE: Final = 1e-9
"""Chances are kept this far from 0 and 1."""
_LEAST_SPREAD: Final = 10.0
"""Like `_SPREAD`, for the end of the last round: it makes narrow wins worth a little less than clear ones."""


class Prospect:
    """Estimates the chance to win the match from the score of this round."""

    def __init__(self, seen: Observation) -> None:
        self._sign = -1.0 if (seen.seat or 0) % 2 else 1.0
        self._lead = seen.totals[0] - seen.totals[1]
        later = max(seen.setup.rounds - seen.round - 1, 0)
        self._spread = _LEAST_SPREAD + _SPREAD[seen.setup.players] * math.sqrt(later)

    def chance(self, score: float) -> float:
        """Return the chance to win with this score of the round."""
        lead = self._sign * (self._lead + score)
        return 1 / (1 + math.exp(min(-lead / self._spread, 100.0)))

    def lead(self, chance: float) -> float:
        """Return the lead after this round, in points, that gives this chance to win."""
        chance = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
        return self._spread * math.log(chance / (1 - chance))


_SURPRISE: Final = 0.6
"""The weight of an action that the rule of thumb wouldn't have chosen."""
_UNSEEN: Final = -1


class Replay:
    """Replays a round up to an observation."""

    def __init__(self, seen: Observation) -> None:
        self._me = seen.seat or 0
        self._events = [*_events(seen)]
        self._starter = self._events[0][0] if self._events else 0
        self._laid = [
            [card for seat, card in self._events if seat == owner and 0 <= card < PASSING]
            for owner in range(seen.setup.players)
        ]
        visible = all(laid.card != FACE_DOWN for taken in seen.taken for laid in taken.baits + taken.trick)
        self.is_telling = visible and any(seat != self._me for seat, _ in self._events)

    def weight(self, state: Round, secrets: Sequence[Sequence[int]]) -> float:
        """Return the weight of an imagined deal: 1 if it explains everything, less for each surprise.

        ``secrets`` are the cards, by seat and in order, that the observing seat can't see.
        """
        past = Round(state.poisons, self._starter, first=state.first)
        past.phase, past.turn = BAIT, self._starter
        past.groups, past.values = state.groups, state.values
        past.hands = [
            sorted([*hand, *laid, *secret]) for hand, laid, secret in zip(state.hands, self._laid, secrets, strict=True)
        ]
        hidden = [iter(secret) for secret in secrets]
        expected = HEURISTICS[state.seats].action
        weight = 1.0
        for seat, event in self._events:
            past.turn = seat  # trap cards come in any order
            action = next(hidden[seat]) if event == _UNSEEN else event
            if seat != self._me and expected(past) != action:
                weight *= _SURPRISE
            past.play(action)
        return weight


def _events(seen: Observation) -> Iterator[tuple[int, int]]:
    """Yield the seats and actions of the round, in the engine's order. Cards that can't be seen are `_UNSEEN`."""
    for taken in seen.taken:
        yield from _pond(taken.baits, taken.traps)
        if not taken.traps:
            yield taken.baits[0].seat, PASSING
        yield from map(_laid, taken.trick)
        if _is_tied(seen, taken.trick):
            yield taken.trick[0].seat, AWARDS + taken.taker
    yield from _pond(seen.baits, seen.traps)
    if seen.phase in {"play", "award"} and not seen.traps:
        yield seen.baits[0].seat, PASSING
    yield from map(_laid, seen.trick)


def _pond(baits: Sequence[Laid], traps: Sequence[Laid]) -> Iterator[tuple[int, int]]:
    order = [laid.seat for laid in baits]
    return map(_laid, chain(baits, sorted(traps, key=lambda laid: order.index(laid.seat))))


def _laid(laid: Laid) -> tuple[int, int]:
    return laid.seat, _UNSEEN if laid.card == FACE_DOWN else INDEX[laid.card]


def _is_tied(seen: Observation, trick: Sequence[Laid]) -> bool:
    """Return whether the leader had to name the seat that takes the trick."""
    strengths = [STRENGTH[laid.card] for laid in trick if laid.card != FACE_DOWN]
    return seen.setup.tie != "first" and strengths.count(max(strengths, default=0)) > 1
