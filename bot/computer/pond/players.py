"""The computer players for Pond · cards.

Fair plays by the rule of thumb, and near the end of a round looks at a few imagined deals. Strong plays many imagined
deals to the end of the round, and compares its moves. Easy is a beginner, who makes the same mistakes every time: they
count what cards are worth to themselves, never what opponents get or fear. They throw their own poison into the pond,
never open a trap, and win with the strongest card or lose with the weakest. They leave their partner's tricks alone.
"""

import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from bot.computer.imagined_deals import Judged, View
from bot.computer.pond.deals import Deals, Prospect
from bot.computer.pond.engine import BAIT, COUNTED, GROUP, INDEX, OVER, PROFIT, Round, move_of
from bot.computer.pond.thumb import finish, pick, sensible, usual
from bot.computer.thoughts import IMAGINED, Cause, Rated, Thought, Why, is_likely, only
from bot.games.card_table import Play
from bot.games.cards import Card
from bot.games.game import Move, Seat
from bot.games.pond.moves import PASS, Award, Bait, Profit, Trap
from bot.games.pond.observation import FACE_DOWN, Observation
from bot.games.pond.scoring import STRENGTH, group_of, points, profit_choices

BUDGET: Final = {2: 10_000, 4: 6_000}
"""Rounds played to their end for each move, by number of players: at most a second on one core."""
FAIR_BUDGET: Final = 30
"""Likewise for fair near the end of a round."""
FAIR_CARDS: Final = 4
"""The largest hand with which fair looks at imagined deals."""
MARGIN: Final = 0.002
"""The gain in chances to win that isn't worth a move which a partner doesn't understand: about half a point."""
_DRAWN: Final = 1_000
"""Deals that are drawn and weighed, if the budget isn't smaller."""
_WANTED: Final = 15
"""The least points of a table that is worth leading the strongest card for to a beginner."""


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return the move of the rule of thumb or, near the end of the round, the best one in a few deals."""
    if len(seen.hand) <= FAIR_CARDS and not seen.hidden:
        return strong(seen, rng, FAIR_BUDGET)
    actions = Actions(seen, rng)
    return actions.named(actions.habit[0])


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of rounds."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    return Actions(seen, rng).explain(rng, budget or BUDGET[seen.setup.players], with_reasons=with_reasons)


def on_time_out(seen: Observation) -> Move | None:
    """Return the move the rules prescribe on timeout, if any: the leader takes a tied trick (PC-23)."""
    takes = Award(seen.seat or 0)
    return takes if takes in seen.legal else None


class Actions(View[Round, int]):
    """The sensible actions of a seat that has to move. Values are chances to win the match."""

    def __init__(self, seen: Observation, rng: random.Random) -> None:
        self._seen: Final = seen
        self._deals: Final = Deals(seen)
        self._prospect: Final = Prospect(seen)
        state = self._deals.draw(rng)
        self.moves = sensible(state, self._deals.strongest)
        self.habit: tuple[int, float] = usual(state, self.moves), MARGIN

    def imagining(self, rng: random.Random, budget: int) -> Callable[[], Round]:
        imagined = self._deals.sample(rng, min(budget, _DRAWN))
        return lambda: next(imagined)

    def value(self, deal: Round, move: int) -> float:
        state = deal.copy()
        state.play(move)
        return self._prospect.chance(finish(state))

    def named(self, move: int) -> Move:
        return move_of(self._deals.phase, move)

    def points(self, value: float) -> float:
        return self._prospect.lead(value)

    def cause(self, chosen: Judged[int], alternatives: Sequence[Rated], rng: random.Random) -> Cause:  # noqa: ARG002 - as in all games
        seen, action = self._seen, chosen.move
        if self._deals.phase == PROFIT:
            counted, poison = COUNTED[GROUP[action]], seen.poison(seen.seat or 0)
            scoring = [INDEX[card] for card in seen.hand if card[1] != poison and counted[INDEX[card]]]
            return Cause(Why.GROUP, number=len(scoring) - (action in scoring))
        imagine = self.imagining(rng, IMAGINED)
        return _trick([_end_of_trick(imagine().copy(), action) for _ in range(IMAGINED)], seen.seat or 0)


# ---- reasons


class _End(NamedTuple):
    """The end of a trick: who takes it, and by how much the lead of side 0 grows."""

    taker: int
    gain: float


def _trick(ends: list[_End], me: int) -> Cause:
    """Return the probable taker of the trick, and the worth of that."""
    gain = round(fmean([end.gain for end in ends])) * (-1 if me & 1 else 1)
    if is_likely([end.taker == me for end in ends]):
        return Cause(Why.TAKES, number=gain)
    if is_likely([end.taker == me ^ 2 for end in ends]):
        return Cause(Why.PARTNER_TAKES, number=gain)
    if is_likely([(end.taker ^ me) & 1 == 1 for end in ends]):
        return Cause(Why.LEAVES, number=gain)
    return Cause(Why.BEST)


def _end_of_trick(state: Round, action: int) -> _End:
    """Make the move, and play to the end of the trick."""
    before = state.score
    state.play(action)
    while not (state.phase == OVER or (state.phase == BAIT and state.turn == state.starter)):
        state.play(pick(state))
    return _End(state.starter, state.score - before)


# ---- a beginner


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def _likes(seen: Observation, move: Move) -> float:
    match move:
        case Play(card):
            return _play(seen, card)
        case Bait(card) | Trap(card):
            return -abs(_worth(seen, card) - 4) - STRENGTH[card] / 1000
        case Profit(card):
            return next(choice.held for choice in profit_choices(seen.hand) if choice.card == card)
        case Award(seat):
            return _on_table(seen) * (1 if (seat - (seen.seat or 0)) % 2 == 0 else -1)
        case _:
            return 100.0 if move == PASS else 0.0


def _play(seen: Observation, card: Card) -> float:
    """Rate a card for the trick: strong ones if the table is worth having, weak ones if it isn't."""
    strength, me = STRENGTH[card], seen.seat or 0
    if not seen.trick:
        return strength if _on_table(seen) >= _WANTED else -strength
    top = max(STRENGTH[card] for _, card in seen.trick)
    wins = strength > top
    if (_owner(seen, top) - me) % 2 == 0:
        return _worth(seen, card) - 1000 * wins
    if _on_table(seen) + _worth(seen, card) <= 0:
        return -strength
    return 1000 + strength if wins else -_worth(seen, card)


def _owner(seen: Observation, top: int) -> Seat:
    """Return the seat that takes the trick as it lies. A tie across sides belongs to the leader's, if they award it."""
    tied = [seat for seat, card in seen.trick if STRENGTH[card] == top]
    awards = seen.setup.tie == "leader"
    return next((seat for seat in tied if awards and (seat - seen.trick[0].seat) % 2 == 0), tied[0])


def _on_table(seen: Observation) -> int:
    """Return the worth of the visible cards on the table to the seat."""
    laid = seen.baits + seen.traps + seen.trick
    return sum(_worth(seen, card) for _, card in laid if card != FACE_DOWN)


def _worth(seen: Observation, card: Card) -> int:
    me = seen.seat or 0
    set_aside = seen.set_aside[me]
    return points(card, seen.poison(me), (group_of(set_aside) if set_aside else None) or "")
