"""Reasons for moves of Pond · cards: facts that are true of an action, and false of another one."""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from bot.computer.pond.engine import (
    AWARD,
    AWARDS,
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
)
from bot.computer.pond.thumb import finish, pick
from bot.computer.pond.why import PondWhy
from bot.computer.thoughts import Cause, Facts, How, TrickWhy, compared, is_likely
from bot.games.cards import face
from bot.games.pond.scoring import PROFIT_GROUPS

# Levels: anti-trumps, then plain cards from the two to the ace, then trumps.
_PLAIN: Final = 6
_SEVEN: Final = 11
_QUEEN: Final = 16
_TRUMP: Final = 19
_MUCH: Final = 4
"""The difference of levels at which a plain card is clearly stronger."""
_PROFIT: Final = 15
_MAY: Final = 0.1
"""The share of deals from which it is worth saying that something may happen."""


class Course(NamedTuple):
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


Look = Callable[[Sequence[Round], int], Course]


def facts(deals: Sequence[Round], move: int, other: int, look: Look | None = None) -> Facts:
    """Return facts that tell an action from another one; their worth is in points. ``look`` stands for `course_of`."""
    state = deals[0]
    if state.phase == PROFIT:
        return dict(_profit(state, move, other))
    look = look or course_of
    course, instead = look(deals, move), look(deals, other)
    now, later = course.now - instead.now, course.later - instead.later
    found = [(fact, now + bonus) for fact, bonus in _now(state, move, other, course, instead)] if now > 0 else []
    if later > 0 and state.phase != AWARD:
        found += [(fact, later + bonus) for fact, bonus in _hand(state, move, other)]
    return dict(found or _bare(deals, move, other, course, instead))


def _bare(deals: Sequence[Round], move: int, other: int, course: Course, instead: Course) -> list[tuple[Cause, float]]:
    """Return facts for want of better ones: what stays for this trick or later, or how much better the action is."""
    now, later = course.now - instead.now, course.later - instead.later
    if now > 0 and deals[0].phase != AWARD:
        found = [
            *_saved(deals[0], move, other, course, instead),
            *_profits(deals, move, other, course),
            *_in_case(deals[0], move, other, instead),
        ]
        if found:
            return found
    if later > max(now, 0) and _may_be_kept(deals[0], other):
        return [(Cause(PondWhy.KEEPS_FOR_LATER, what=_face(other)), 1.0)]
    kept = [] if deals[0].phase == AWARD else [*_hand(deals[0], move, other)]
    return kept or [*_differing(deals[0], move, other, course)]


def _differing(state: Round, move: int, other: int, course: Course) -> Iterator[tuple[Cause, float]]:
    """Yield what differs, for want of anything better: who takes the trick, or which card stays."""
    if state.phase == AWARD:
        yield Cause(PondWhy.AWARDS, move - AWARDS), 0.1
    elif move == PASSING:
        yield Cause(PondWhy.FEWER), 0.1
    elif other == PASSING:
        yield _trap(state, move, course), 0.1
    elif LEVEL[move] != LEVEL[other]:
        is_stronger = LEVEL[other] > LEVEL[move]
        yield Cause(TrickWhy.KEEPS_STRONGER if is_stronger else TrickWhy.KEEPS_WEAKER, what=_face(other)), 0.1
    elif SUITS[other] == state.poisons[state.turn]:
        yield Cause(PondWhy.BARS, what=_face(other)), 0.1
    else:
        yield from _suits(state, move, other)


def _suits(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield for whom one of two cards of a rank is poison."""
    me, foe = state.turn, (state.turn + 1) % state.seats
    if SUITS[move] == state.poisons[me]:
        left = sum(SUITS[card] == state.poisons[me] for card in state.hands[me]) - 1
        yield Cause(PondWhy.RID, what=_face(move), number=left), 0.1
    elif SUITS[move] == state.poisons[foe] != SUITS[other]:
        yield Cause(PondWhy.POISON_FOR, foe, _face(move), how=How.LIKELIER), 0.1
    elif SUITS[other] == state.poisons[foe] != SUITS[move]:
        yield Cause(PondWhy.KEEPS_POISON, foe, _face(other)), 0.1


def _may_be_kept(state: Round, other: int) -> bool:
    """Whether a later pond is a reason to keep the other card: it isn't poison, and there is only one of it."""
    if other == PASSING or state.phase == AWARD:
        return False
    return state.hands[state.turn].count(other) == 1 and SUITS[other] != state.poisons[state.turn]


def course_of(deals: Sequence[Round], action: int) -> Course:
    """Return what an action leads to in imagined deals if all go on by the rule of thumb."""
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
    return Course(tuple(takers), fmean(now), fmean(later))


# ---- this trick


def _now(state: Round, move: int, other: int, course: Course, instead: Course) -> Iterator[tuple[Cause, float]]:
    """Yield facts about the trick, and small numbers to prefer some of them."""
    if state.phase in {PLAY, AWARD}:
        yield from _takers(state, move, course, instead)
    if move == PASSING:
        is_ours = course.is_for((state.turn, state.turn ^ 2))
        yield Cause(PondWhy.NO_HIDING) if is_ours else Cause(PondWhy.NO_TRAP, _foe(state, course)), 0.2
    elif other == PASSING:
        yield _trap(state, move, course), 0.2
    elif state.phase != AWARD:
        yield from _worth(state, move, other, course)


def _saved(state: Round, move: int, other: int, course: Course, instead: Course) -> Iterator[tuple[Cause, float]]:
    """Yield that the other card stays in the hand for the trick of this pond."""
    if state.phase == PLAY or PASSING in {move, other}:
        return
    sides = (state.turn, state.turn ^ 2) if state.seats > 2 else (state.turn,)
    takes, takes_instead = course.taken_by(sides), instead.taken_by(sides)
    is_poison = SUITS[other] == state.poisons[state.turn]
    if not is_poison and LEVEL[other] > LEVEL[move] and compared(takes, takes_instead) is not None:
        yield Cause(PondWhy.SAVES_FOR_NOW, what=_face(other), number=1), 0.5
    if LEVEL[other] < LEVEL[move] and compared(takes_instead, takes) is not None:
        yield Cause(PondWhy.SAVES_FOR_NOW, what=_face(other), number=0), 0.5


def _takers(state: Round, move: int, course: Course, instead: Course) -> Iterator[tuple[Cause, float]]:
    me, number = state.turn, round(course.now)
    is_sure = state.phase == AWARD or _is_decided(state, move)
    for why, seats in (
        (TrickWhy.TAKES, (me,)),
        (TrickWhy.PARTNER_TAKES, (me ^ 2,)),
        (TrickWhy.LEAVES, ((me + 1) % state.seats, (me + 3) % state.seats)),
    ):
        how = compared(course.taken_by(seats), instead.taken_by(seats), is_sure=is_sure)
        if how is not None:
            taker = _foe(state, course) if why is TrickWhy.LEAVES and how is not How.LIKELIER else -1
            yield Cause(why, taker, number=number, how=how), 0.2 if how is How.LIKELIER else 0.5


def _foe(state: Round, course: Course) -> int:
    """Return the opponent who probably takes the trick, or -1."""
    foes = {(state.turn + 1) % state.seats, (state.turn + 3) % state.seats}
    return next((foe for foe in foes if course.is_for((foe,))), -1)


def _trap(state: Round, move: int, course: Course) -> Cause:
    if course.is_for((state.turn,)) and _is_welcome(state, move, course):
        return Cause(PondWhy.TRAP, number=1)
    return Cause(PondWhy.TRAP, _foe(state, course))


def _worth(state: Round, move: int, other: int, course: Course) -> Iterator[tuple[Cause, float]]:
    """Yield what the card is worth in the pond."""
    me, poison, taker = state.turn, state.poisons[state.turn], _own_taker(state, course)
    is_ours, values = course.is_for((me, me ^ 2)), state.values[taker]
    adds, clean = _for_taker(state, move, course, taker)
    if values[move] > max(0, values[other]) and (is_ours or _foe(state, course) < 0):
        yield adds, 0.3 if is_ours else 0.2
    if is_ours and SUITS[move] != poison == SUITS[other]:
        yield clean, 0.4
    if not is_ours or values[move] == values[other]:  # so the difference is what the opponents would get
        yield from _against(state, move, other, course)


def _for_taker(state: Round, move: int, course: Course, taker: int) -> tuple[Cause, Cause]:
    """Return that the card is worth something to the seat of the own side that takes the pond, and that it is clean."""
    face, worth = _face(move), round(state.values[taker][move])
    if taker != state.turn:
        return Cause(PondWhy.ADDS_FOR, taker, face, worth), Cause(PondWhy.CLEAN_FOR, taker)
    is_likely_own = course.is_for((taker,)) and _is_welcome(state, move, course)
    how = How.LIKELY if is_likely_own else How.LIKELIER
    return Cause(PondWhy.ADDS, what=face, number=worth, how=how), Cause(PondWhy.CLEAN, how=how)


def _own_taker(state: Round, course: Course) -> int:
    """Return the seat that takes the pond if its own side does: the seat to move, or its partner if that is likely."""
    partner = (state.turn + 2) % state.seats
    return partner if course.is_for((partner,)) else state.turn


def _is_welcome(state: Round, move: int, course: Course) -> bool:
    """Whether the own side takes the pond for certain, or wants what it sees there and may have a trump for it.

    Nobody believes that they probably take a pond otherwise.
    """
    if _is_decided(state, move):
        return True
    taker, trap = _own_taker(state, course), state.traps[state.turn]
    values, cards = state.values[taker], [card for card in (move, trap) if card >= 0]
    kept = [LEVEL[card] for card in state.hands[state.turn] if card != move]
    is_able = state.phase == PLAY or taker != state.turn or max(kept, default=0) >= _TRUMP
    return is_able and state.stakes[taker] + sum(values[card] for card in cards) > 0


def _is_decided(state: Round, move: int) -> bool:
    """Whether it is certain who takes the trick with this card, which is its last one."""
    return state.phase == PLAY and len(state.trick) == state.seats - 1 and LEVEL[move] != state.top


def _against(state: Round, move: int, other: int, course: Course) -> Iterator[tuple[Cause, float]]:
    """Yield that the card is worth less to an opponent who takes it, or who may still play for it."""
    following, taker = (state.turn + 1) % state.seats, _foe(state, course)
    is_open = state.phase != PLAY or len(state.trick) < state.seats - 1
    if taker < 0 and not is_open:
        return
    foe, against = taker if taker >= 0 else following, state.poisons[following]
    if SUITS[other] != against == SUITS[move]:
        if taker >= 0:
            how = How.SURE if _is_decided(state, move) else How.LIKELY
            yield Cause(PondWhy.POISON_FOR, taker, _face(move), how=how), 0.4
        elif against != state.poisons[state.turn]:
            yield Cause(PondWhy.POISON_FOR, following, _face(move), how=How.LIKELIER), 0.4
    elif against not in {SUITS[move], SUITS[other]} and _base(move) < _base(other):
        yield Cause(PondWhy.CHEAP, foe, _face(move), _base(move)), 0.1


def _profits(deals: Sequence[Round], move: int, other: int, course: Course) -> Iterator[tuple[Cause, float]]:
    """Yield that the card is less likely to be profit for the opponent who may take it."""
    me, seats = deals[0].turn, deals[0].seats
    foe = max((me + 1) % seats, (me + 3) % seats, key=course.takers.count)
    if PASSING in {move, other} or not _may_take(foe, course):
        return
    shares = [[deal.values[foe][card] == _PROFIT for deal in deals] for card in (other, move)]
    if compared(*shares) is not None:
        yield Cause(PondWhy.LESS_PROFIT, foe, _face(move)), 0.1


def _in_case(state: Round, move: int, other: int, instead: Course) -> Iterator[tuple[Cause, float]]:
    """Yield that the card isn't poison, and the other one is, in a pond that the seat may have to take."""
    poison = state.poisons[state.turn]
    if PASSING not in {move, other} and SUITS[move] != poison == SUITS[other] and _may_take(state.turn, instead):
        yield Cause(PondWhy.CLEAN, how=How.LIKELIER), 0.1


def _may_take(seat: int, course: Course) -> bool:
    """Whether it isn't unlikely that a seat takes the trick."""
    return course.takers.count(seat) >= _MAY * len(course.takers)


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
        yield Cause(PondWhy.RID, what=_face(move), number=left), 0.4


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
        yield Cause(TrickWhy.KEEPS_LOW, what=kept), 0.1
    if SUITS[other] == poison:
        return
    if level >= _TRUMP and instead < level:
        yield Cause(TrickWhy.KEEPS_TRUMP, what=kept), 0.5
    if level < _PLAIN and not 0 <= instead <= level:  # a stronger card is played, or none
        yield Cause(PondWhy.KEEPS_ANTI_TRUMP, what=kept), 0.3
    if _QUEEN <= level < _TRUMP and instead <= level - _MUCH:
        yield Cause(TrickWhy.KEEPS_HIGH, what=kept), 0.1


def _kept_points(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    me, foe = state.turn, (state.turn + 1) % state.seats
    kept, against = _face(other), state.poisons[foe]
    if SUITS[other] == against and (move == PASSING or SUITS[move] != against):
        yield Cause(PondWhy.KEEPS_POISON, foe, kept), 0.4
    if state.values[me][other] == _PROFIT and (move == PASSING or state.values[me][move] < _PROFIT):
        yield Cause(PondWhy.KEEPS_PROFIT, what=kept), 0.35


# ---- profit


def _profit(state: Round, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    count, ranks = _scoring(state, move), len(PROFIT_GROUPS[GROUP[move]])
    poison = state.poisons[state.turn]
    if count > _scoring(state, other):
        yield Cause(PondWhy.GROUP, number=count), 10.0
    if ranks > len(PROFIT_GROUPS[GROUP[other]]):
        yield Cause(PondWhy.RANKS, number=ranks), 3.0
    if SUITS[move] == poison != SUITS[other]:
        yield Cause(PondWhy.ASIDE, what=_face(move)), 5.0
    for fact, bonus in _kept(state, move, other):
        yield fact._replace(number=1), 1 + bonus


def _scoring(state: Round, action: int) -> int:
    """Return how many cards of the hand would score as profit with this one set aside."""
    counted, poison = COUNTED[GROUP[action]], state.poisons[state.turn]
    found = sum(counted[card] and SUITS[card] != poison for card in state.hands[state.turn])
    return found - (SUITS[action] != poison)
