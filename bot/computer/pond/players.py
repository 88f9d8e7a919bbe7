"""The computer players for Pond · cards.

Fair plays by the rule of thumb, and near the end of a round looks at a few imagined deals. Strong plays many imagined
deals to the end of the round, and compares its moves. Easy is in `bot.computer.pond.beginner`.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from bot.computer.imagined_deals import Habit, View
from bot.computer.pond.deals import Deals, Prospect
from bot.computer.pond.engine import (
    AWARD,
    BAIT,
    CARDS,
    COUNTED,
    GROUP,
    LEVEL,
    OVER,
    PASSING,
    PLAY,
    PROFIT,
    SUITS,
    Round,
    move_of,
)
from bot.computer.pond.thumb import finish, gains, pick, sensible, usual
from bot.computer.thoughts import REVIEWED, Cause, Facts, How, Thought, Verdict, Why, compared, is_likely, only
from bot.games.cards import face
from bot.games.game import Move
from bot.games.pond.moves import Award
from bot.games.pond.scoring import PROFIT_GROUPS
from bot.games.pond.state import Observation

# Levels: anti-trumps, then plain cards from the two to the ace, then trumps.
_PLAIN: Final = 6
_SEVEN: Final = 11
_QUEEN: Final = 16
_TRUMP: Final = 19
_MUCH: Final = 4
"""The difference of levels at which a plain card is clearly stronger."""
_PROFIT: Final = 15


class _Course(NamedTuple):
    """What an action leads to in imagined deals: who takes the trick, and the mean gain of the seat's side.

    ``now`` is the gain of this trick, ``later`` that of the rest of the round.
    """

    takers: tuple[int, ...]
    now: float
    later: float

    def taken_by(self, seats: Sequence[int]) -> list[bool]:
        """Return the deals where one of the seats takes the trick."""
        return [taker in seats for taker in self.takers]

    def is_for(self, seats: Sequence[int]) -> bool:
        """Whether one of the seats probably takes the trick."""
        return is_likely(self.taken_by(seats))


def facts(deals: Sequence[Round], move: int, other: int) -> Facts:
    """Return facts that tell an action from another one; their worth is in points."""
    state = deals[0]
    if state.phase == PROFIT:
        return dict(_profit(state, move, other))
    course, instead = _course(deals, move), _course(deals, other)
    now, later = course.now - instead.now, course.later - instead.later
    found = [(fact, now + bonus) for fact, bonus in _now(state, move, other, course, instead)] if now > 0 else []
    if later > 0 and state.phase != AWARD:
        found += [(fact, later + bonus) for fact, bonus in _hand(state, move, other)]
    return dict(found or _bare(deals, move, other, course, instead))


def _bare(
    deals: Sequence[Round], move: int, other: int, course: _Course, instead: _Course
) -> list[tuple[Cause, float]]:
    """Return facts for want of better ones: what stays for this trick or later, or how much better the action is."""
    now, later = course.now - instead.now, course.later - instead.later
    if now > 0 and deals[0].phase != AWARD:
        found = [*_saved(deals[0], move, other, course, instead), *_profits(deals, move, other, course)]
        if found:
            return found
    if max(now, later) < 1:
        return []
    if now >= later:
        return [(Cause(Why.NOW, number=round(now)), 1.0)]
    if other != PASSING and deals[0].phase != AWARD and deals[0].hands[deals[0].turn].count(other) == 1:
        return [(Cause(Why.KEEPS_FOR_LATER, what=_face(other)), 1.0)]
    return [(Cause(Why.LATER, number=round(later)), 1.0)]


def _course(deals: Sequence[Round], action: int) -> _Course:
    sign = -1 if deals[0].turn & 1 else 1
    takers, now, later = [], [], []
    for deal in deals:
        state = deal.copy()
        before = state.score
        state.play(action)
        while not (state.phase == OVER or (state.phase == BAIT and state.turn == state.starter)):
            state.play(pick(state))
        takers.append(state.starter)
        between = state.score
        now.append(sign * (between - before))
        later.append(sign * (finish(state) - between))
    return _Course(tuple(takers), fmean(now), fmean(later))


# ---- this trick


def _now(state: Round, move: int, other: int, course: _Course, instead: _Course) -> Iterator[tuple[Cause, float]]:
    """Yield facts about the trick, and small numbers to prefer some of them."""
    if state.phase in {PLAY, AWARD}:
        yield from _takers(state, move, course, instead)
    if move == PASSING:
        yield Cause(Why.NO_TRAP, _foe(state, course)), 0.2
    elif other == PASSING:
        yield _trap(state, course), 0.2
    elif state.phase != AWARD:
        yield from _worth(state, move, other, course)


def _saved(state: Round, move: int, other: int, course: _Course, instead: _Course) -> Iterator[tuple[Cause, float]]:
    """Yield that the other card stays in the hand for the trick of this pond."""
    if state.phase == PLAY or PASSING in {move, other}:
        return
    sides = (state.turn, state.turn ^ 2) if state.seats > 2 else (state.turn,)
    takes, takes_instead = course.taken_by(sides), instead.taken_by(sides)
    if LEVEL[other] > LEVEL[move] and compared(takes, takes_instead) is not None:
        yield Cause(Why.SAVES_FOR_NOW, what=_face(other), number=1), 0.5
    if LEVEL[other] < LEVEL[move] and compared(takes_instead, takes) is not None:
        yield Cause(Why.SAVES_FOR_NOW, what=_face(other), number=0), 0.5


def _takers(state: Round, move: int, course: _Course, instead: _Course) -> Iterator[tuple[Cause, float]]:
    me, number = state.turn, round(course.now)
    is_sure = state.phase == AWARD or (len(state.trick) == state.seats - 1 and LEVEL[move] != state.top)
    for why, seats in (
        (Why.TAKES, (me,)),
        (Why.PARTNER_TAKES, (me ^ 2,)),
        (Why.LEAVES, ((me + 1) % state.seats, (me + 3) % state.seats)),
    ):
        how = compared(course.taken_by(seats), instead.taken_by(seats), is_sure=is_sure)
        if how is not None:
            taker = _foe(state, course) if why is Why.LEAVES and how is not How.LIKELIER else -1
            yield Cause(why, taker, number=number, how=how), 0.2 if how is How.LIKELIER else 0.5


def _foe(state: Round, course: _Course) -> int:
    """Return the opponent who probably takes the trick, or -1."""
    foes = {(state.turn + 1) % state.seats, (state.turn + 3) % state.seats}
    return next((foe for foe in foes if course.is_for((foe,))), -1)


def _trap(state: Round, course: _Course) -> Cause:
    return Cause(Why.TRAP, number=1) if course.is_for((state.turn,)) else Cause(Why.TRAP, _foe(state, course))


def _worth(state: Round, move: int, other: int, course: _Course) -> Iterator[tuple[Cause, float]]:
    """Yield what the card is worth in the pond."""
    me, foe = state.turn, (state.turn + 1) % state.seats
    poison = state.poisons[me]
    if course.is_for((me, me ^ 2)):
        values = state.values[me if course.is_for((me,)) or state.seats == 2 else me ^ 2]
        if values[move] > max(0, values[other]):
            yield Cause(Why.ADDS, what=_face(move), number=round(values[move])), 0.3
        if SUITS[move] != poison == SUITS[other]:
            yield Cause(Why.CLEAN), 0.4
        if values[move] == values[other]:  # so the difference is what the opponents would get
            yield from _against(state, foe, move, other)
        return
    values = state.values[me]
    if values[move] > max(0, values[other]) and not course.is_for((foe, me ^ 3)):
        yield Cause(Why.ADDS, what=_face(move), number=round(values[move]), how=How.LIKELIER), 0.2
    yield from _against(state, foe, move, other)


def _against(state: Round, foe: int, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield that the card is worth less to an opponent."""
    if SUITS[other] != state.poisons[foe] == SUITS[move]:
        yield Cause(Why.POISON_FOR, foe, _face(move)), 0.4
    elif state.poisons[foe] not in {SUITS[move], SUITS[other]} and _base(move) < _base(other):
        yield Cause(Why.CHEAP, foe, _face(move), _base(move)), 0.1


def _profits(deals: Sequence[Round], move: int, other: int, course: _Course) -> Iterator[tuple[Cause, float]]:
    """Yield that the card is less likely to be profit for the opponent who probably takes it."""
    foe = _foe(deals[0], course)
    if foe < 0 or PASSING in {move, other}:
        return
    shares = [[deal.values[foe][card] == _PROFIT for deal in deals] for card in (other, move)]
    if compared(*shares) is not None:
        yield Cause(Why.LESS_PROFIT, foe, _face(move)), 0.1


def _base(card: int) -> int:
    """Return the points of a card that is neither poison nor profit."""
    rank = CARDS[card][0]
    return 1 if rank == "A" else 10 if rank in "JQK" else 5


def _face(card: int) -> str:
    return face(CARDS[card])


# ---- the rest of the round


def _hand(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield what leaves the hand and what stays, and small numbers to prefer some of them."""
    if move == PASSING or other != PASSING:
        yield from _kept(state, move, other)
    poison = state.poisons[state.turn]
    if move != PASSING and SUITS[move] == poison and (other == PASSING or SUITS[other] != poison):
        left = sum(SUITS[card] == poison for card in state.hands[state.turn]) - 1
        yield Cause(Why.RID, what=_face(move), number=left), 0.4


def _kept(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield why it is good to keep the other card."""
    hand, poison = state.hands[state.turn], state.poisons[state.turn]
    if hand.count(other) > 1:
        return
    yield from _kept_strength(move, other, poison)
    if SUITS[other] != poison:
        yield from _kept_points(state, move, other)


def _kept_strength(move: int, other: int, poison: str) -> Iterator[tuple[Cause, float]]:
    level, instead = LEVEL[other], LEVEL[move] if move != PASSING else -1
    kept = _face(other)
    if _PLAIN <= level < _SEVEN and _TRUMP > instead >= level + _MUCH:
        yield Cause(Why.KEEPS_LOW, what=kept), 0.1
    if SUITS[other] == poison:
        return
    if level >= _TRUMP and instead < level:
        yield Cause(Why.KEEPS_TRUMP, what=kept), 0.5
    if level < _PLAIN and not 0 <= instead <= level:  # a stronger card is played, or none
        yield Cause(Why.KEEPS_ANTI_TRUMP, what=kept), 0.3
    if _QUEEN <= level < _TRUMP and instead <= level - _MUCH:
        yield Cause(Why.KEEPS_HIGH, what=kept), 0.1


def _kept_points(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    me, foe = state.turn, (state.turn + 1) % state.seats
    kept, against = _face(other), state.poisons[foe]
    if SUITS[other] == against and (move == PASSING or SUITS[move] != against):
        yield Cause(Why.KEEPS_POISON, foe, kept), 0.4
    if state.values[me][other] == _PROFIT and (move == PASSING or state.values[me][move] < _PROFIT):
        yield Cause(Why.KEEPS_PROFIT, what=kept), 0.35


# ---- profit


def _profit(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    count, ranks = _scoring(state, move), len(PROFIT_GROUPS[GROUP[move]])
    poison = state.poisons[state.turn]
    if count > _scoring(state, other):
        yield Cause(Why.GROUP, number=count), 10.0
    if ranks > len(PROFIT_GROUPS[GROUP[other]]):
        yield Cause(Why.RANKS, number=ranks), 3.0
    if SUITS[move] == poison != SUITS[other]:
        yield Cause(Why.ASIDE, what=_face(move)), 5.0
    for fact, bonus in _kept(state, move, other):
        yield fact, 1 + bonus


def _scoring(state: Round, action: int) -> int:
    """Return how many cards of the hand would score as profit with this one set aside."""
    counted, poison = COUNTED[GROUP[action]], state.poisons[state.turn]
    found = sum(counted[card] and SUITS[card] != poison for card in state.hands[state.turn])
    return found - (SUITS[action] != poison)


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


def why(seen: Observation, move: Move, other: Move, rng: random.Random) -> Cause | None:
    """Return the fact of most worth that tells a legal move from another one, if there is any."""
    return Actions(seen, rng).why(move, other, rng)


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
        self.me = seen.seat or 0
        self._deals: Final = Deals(seen)
        self._prospect: Final = Prospect(seen)
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
        return facts(deals, move, other)

    def ends_trick(self, deal: Round) -> bool:
        is_last = deal.phase == PLAY and len(deal.trick) == deal.seats - 1
        return is_last and len(deal.best) == 1 and all(LEVEL[action] != deal.top for action in deal.actions())

    def taker(self, deal: Round, move: int) -> int:
        return _course([deal], move).takers[0] if deal.phase == PLAY else -1
