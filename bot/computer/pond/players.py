"""The computer players for Pond · cards.

Fair plays by the rule of thumb, and near the end of a round looks at a few imagined deals. Strong plays many imagined
deals to the end of the round, and compares its moves; its reasons are in `bot.computer.pond.reasons`. Easy is a
beginner, who makes the same mistakes every time.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from bot.computer.imagined_deals import Habit, View
from bot.computer.pond.deals import Deals, Prospect
from bot.computer.pond.engine import LEVEL, PLAY, Round, move_of
from bot.computer.pond.equal_cards import alike
from bot.computer.pond.reasons import Course, course_of, facts
from bot.computer.pond.thumb import finish, gains, sensible, usual
from bot.computer.thoughts import IMAGINED, REVIEWED, Cause, Facts, PerMove, Thought, Verdict, only
from bot.games.cards import Card, Play
from bot.games.game import Move, Seat
from bot.games.pond.moves import PASS, Award, Bait, Profit, Trap
from bot.games.pond.scoring import STRENGTH, raised_by
from bot.games.pond.state import FACE_DOWN, Observation

BUDGET: Final = {2: 7_000, 4: 3_000}
"""Rounds played to their end for each move, by number of players: at most 2 s on one core."""
FAIR_BUDGET: Final = 30
"""Likewise for fair near the end of a round."""
FAIR_CARDS: Final = 4
"""The largest hand with which fair looks at imagined deals."""
MARGIN: Final = 0.002
"""The gain in chances to win that isn't worth a move which a partner doesn't understand: about half a point."""
ODD: Final = 0.01
"""Likewise for a card that beats the partner's for nothing."""
_DRAWN: Final = 1_000
"""Deals that are drawn and weighed, if the budget isn't smaller."""
_WANTED: Final = 15
"""The least points of a table that is worth leading the strongest card for to a beginner."""


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return the move of the rule of thumb or, near the end of the round, the best one in a few deals."""
    if _looks_ahead(seen):
        return strong(seen, rng, FAIR_BUDGET)
    actions = Actions(seen, rng)
    return actions.named(actions.habit.move)


def look(seen: Observation, rng: random.Random) -> Thought | None:
    """Return the thought of the fair computer; ``None`` where it follows the rule of thumb."""
    return explain(seen, rng, FAIR_BUDGET) if _looks_ahead(seen) else None


def _looks_ahead(seen: Observation) -> bool:
    return len(seen.hand) <= FAIR_CARDS and not seen.hidden


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of rounds."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    return Actions(seen, rng).explain(rng, budget or BUDGET[seen.setup.players], with_reasons=with_reasons)


def judge(seen: Observation, played: Move, rng: random.Random, budget: int | None = None) -> Verdict:
    """Return the best legal move, and by how much the one that was played is worse."""
    return Actions(seen, rng).judge(played, rng, budget or BUDGET[seen.setup.players] // REVIEWED)


def why(seen: Observation, move: Move, other: Move, rng: random.Random, number: int = IMAGINED) -> Cause | None:
    """Return the fact of most worth that tells a legal move from another one, in a number of deals, if there is any."""
    return Actions(seen, rng).why(move, other, rng, number)


def on_time_out(seen: Observation) -> Move | None:
    """Return the move the rules prescribe on timeout, if any: the leader takes a tied trick (PC-23)."""
    takes = Award(seen.seat or 0)
    return takes if takes in seen.legal else None


def _needless(state: Round, actions: Sequence[int], hidden: Sequence[int]) -> list[int]:
    """Return the cards that beat the partner's, but no more of the hidden cards, and gain nothing with the table."""
    partner = (state.turn + 2) % state.seats
    if state.phase != PLAY or len(state.trick) != 2 or state.best != [partner]:
        return []
    better = min((LEVEL[card] for card in hidden if LEVEL[card] > state.top), default=len(LEVEL))
    return [card for card in actions if state.top < LEVEL[card] < better and not gains(state, card)]


class Actions(View[Round, int]):
    """The sensible actions of a seat that has to move. Values are chances to win the match."""

    def __init__(self, seen: Observation, rng: random.Random) -> None:
        self._seen: Final = seen
        self.me = seen.seat or 0
        self._deals: Final = Deals(seen)
        self._prospect: Final = Prospect(seen)
        self._look: Final = PerMove[Round, int, Course](course_of)
        state = self._deals.draw(rng)
        self.moves = sensible(state, self._deals.strongest)
        self.absurd = [action for action in state.actions() if action not in self.moves]
        odd = _needless(state, self.moves, self._deals.hidden)
        calm = [action for action in self.moves if action not in odd] or self.moves
        self.habit: Habit[int] = Habit(usual(state, calm), MARGIN, dict.fromkeys(odd, ODD))

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

    def facts(self, deals: Sequence[Round], move: int, other: int) -> Facts:
        return facts(deals, move, other, self._look)

    def alike(self, move: int, other: int) -> bool:
        return alike(self._seen, self.named(move), self.named(other))

    def ends_trick(self, deal: Round) -> bool:
        is_last = deal.phase == PLAY and len(deal.trick) == deal.seats - 1
        return is_last and len(deal.best) == 1 and all(LEVEL[action] != deal.top for action in deal.actions())

    def taker(self, deal: Round, move: int) -> int:
        return course_of([deal], move).takers[0] if deal.phase == PLAY else -1


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones.

    They count what cards are worth to themselves, never what opponents get or fear. They throw their own poison into
    the pond, never open a trap, and win with the strongest card or lose with the weakest. They leave their partner's
    tricks alone.
    """
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def _likes(seen: Observation, move: Move) -> float:
    match move:
        case Play(card):
            return _play(seen, card)
        case Bait(card) | Trap(card):
            return -abs(_worth_of(seen, card) - 4) - STRENGTH[card] / 1000
        case Profit(card):
            return len(raised_by(card, seen.hand))
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
        return _worth_of(seen, card) - 1000 * wins
    if _on_table(seen) + _worth_of(seen, card) <= 0:
        return -strength
    return 1000 + strength if wins else -_worth_of(seen, card)


def _owner(seen: Observation, top: int) -> Seat:
    """Return the seat that takes the trick as it lies. A tie across sides belongs to the leader's, if they award it."""
    tied = [seat for seat, card in seen.trick if STRENGTH[card] == top]
    awards = seen.setup.tie == "leader"
    return next((seat for seat in tied if awards and (seat - seen.trick[0].seat) % 2 == 0), tied[0])


def _on_table(seen: Observation) -> int:
    """Return the worth of the visible cards on the table to the seat."""
    laid = seen.baits + seen.traps + seen.trick
    return sum(_worth_of(seen, card) for _, card in laid if card != FACE_DOWN)


def _worth_of(seen: Observation, card: Card) -> int:
    return seen.points(seen.seat or 0, card)
