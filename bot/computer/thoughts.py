"""A computer's thoughts about its move: the alternatives, their worth, and its reasons for the move.

A reason is a plain fact: true of the moves that it's given for, and false of those that it's held against.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import chain, combinations, product
from typing import Final, Generic, NamedTuple, TypeVar

from bot.games.game import Move, Seat

ALTERNATIVES: Final = 2
"""How many alternatives a thought names."""
IMAGINED: Final = 400
"""How many imagined deals two moves are compared in for a reason."""
GLANCED: Final = 60
"""Likewise for a guess."""
LIKELY: Final = 0.6
"""Something is likely if it happens in this share of the imagined deals."""
UNLIKELY: Final = 0.4
"""The share of imagined deals up to which something isn't likely."""
LIKELIER: Final = 0.12
"""The difference of two shares that is clear."""
DOUBT: Final = 2.0
"""A difference up to this many standard errors may be chance."""
MOST_REASONS: Final = 4
"""How many reasons a thought has."""
SECOND_LOOK: Final = 3
"""How many alternatives are looked at again, in the same deals as the best move."""


REVIEWED: Final = 4
"""A decision that is reviewed takes this part of the time of a hint."""


class Kind(Enum):
    """A kind of fact about a move. `Cause` says what ``seat``, ``what`` and ``number`` are.

    Each game has kinds of its own, in ``bot/computer/<game>/why.py``.
    """


class Why(Kind):
    """The kinds of facts of all games."""

    ONLY = auto()
    """It is the only legal one."""
    LOSES = auto()
    """Everything loses."""
    SAME = auto()
    """Hardly anything tells the moves apart. ``seat``, if it isn't -1, takes the trick in any case; ``number`` is 1 for
    the seat that moves."""


class TrickWhy(Kind):
    """The kinds of facts of games with tricks."""

    TAKES = auto()
    """The seat takes the trick, which brings ``number`` if that is known."""
    PARTNER_TAKES = auto()
    """Like `TAKES`, for the partner."""
    LEAVES = auto()
    """Like `TAKES`, for ``seat``, or -1 for any opponent."""
    KEEPS_TRUMP = auto()
    """``what`` stays in the hand. ``number`` is 1 before the first trick of a deal has begun."""
    KEEPS_HIGH = auto()
    KEEPS_LOW = auto()
    """A low card, which is likely to leave a trick to others."""
    KEEPS_STRONGER = auto()
    """``what`` stays in the hand, the stronger of the two cards. For want of a better fact."""
    KEEPS_WEAKER = auto()
    """Likewise, the weaker one."""


class How(Enum):
    """How certain a fact is."""

    SURE = auto()
    """It has to be so."""
    LIKELY = auto()
    """It is likely, and isn't after the other move; or nothing about it is uncertain."""
    LIKELIER = auto()
    """It is clearly likelier than after the other move."""


class Cause(NamedTuple):
    """A fact about a move. Which fields matter depends on ``why``; ``what`` is a card, a suit or squares, as shown."""

    why: Kind
    seat: Seat = -1
    what: str = ""
    number: int | None = None
    how: How = How.LIKELY


Facts = Mapping[Cause, float]
"""Facts that tell a move from another one, each with its worth."""


class Rated(NamedTuple):
    """A move, and by how much it is worse than the one chosen; 0 if the search can't tell them apart.

    ``worse_by`` is infinite if only this move loses by force, and ``None`` if only the chosen one wins by force.
    """

    move: Move
    worse_by: float | None


class Verdict(NamedTuple):
    """What a search says about a move that was played: the best one, and ``worse_by`` as in `Rated`.

    ``loss`` is the difference that was measured, even if it may be chance, and ``error`` its standard error or, where
    nothing is imagined, what the last look ahead changed.
    """

    best: Move
    worse_by: float | None = 0.0
    loss: float = 0.0
    error: float = 0.0


class Reason(NamedTuple):
    """A fact that is true of each of the ``moves``, and false of each of those ``against`` which it is held."""

    cause: Cause
    moves: tuple[Move, ...] = ()
    against: tuple[Move, ...] = ()


class Thought(NamedTuple):
    """A move, its best alternatives, and why it is played.

    Values are in points of the game, or chips. The ``reasons`` are for the move and its equals, against the other
    alternatives; the first one is for the move. Of a guess, nothing is known but the move, and a reason if a glance
    finds one.
    """

    move: Move
    alternatives: tuple[Rated, ...] = ()
    reasons: tuple[Reason, ...] = ()
    is_guess: bool = False

    @property
    def cause(self) -> Cause | None:
        """The first reason's fact, if there is one."""
        return self.reasons[0].cause if self.reasons else None

    @property
    def equals(self) -> tuple[Move, ...]:
        """The alternatives that are equally good."""
        return tuple([other.move for other in self.alternatives if other.worse_by == 0])

    @property
    def worse(self) -> tuple[Rated, ...]:
        """The alternatives that aren't."""
        return tuple([other for other in self.alternatives if other.worse_by != 0])


class Recalled(NamedTuple):
    """How a computer came to its move: its ``thought``, if it compared moves.

    If not, ``verdict`` is what a look ahead says about its move, and ``cause`` tells the best move from that. It is
    empty if this version of the program would have chosen another move.
    """

    thought: Thought | None = None
    verdict: Verdict | None = None
    cause: Cause | None = None


def only(move: Move) -> Thought:
    """Return the thought about the only legal move."""
    return Thought(move, reasons=(Reason(Cause(Why.ONLY), (move,)),))


def named(others: Sequence[Rated]) -> tuple[Rated, ...]:
    """Return the alternatives that a thought names: the first ones, and one that is worse, if there is any."""
    first = list(others[:ALTERNATIVES])
    if all(other.worse_by == 0 for other in first):
        first += [other for other in others[ALTERNATIVES:] if other.worse_by != 0][:1]
    return tuple(first)


T = TypeVar("T")
Deal = TypeVar("Deal")
Seen = TypeVar("Seen")


def strongest(facts: Facts) -> Cause | None:
    """Return the fact of most worth, if there is any."""
    return max((fact for fact in facts if facts[fact] > 0), key=facts.__getitem__, default=None)


class Block(NamedTuple, Generic[T]):
    """A fact that is true of each of the ``moves``, and false of each of those ``against`` which it is held."""

    cause: Cause
    moves: tuple[T, ...]
    against: tuple[T, ...]

    @property
    def pairs(self) -> set[tuple[T, T]]:
        """Each of the moves with each of the others."""
        return {*product(self.moves, self.against)}

    def without(self, told: set[tuple[T, T]]) -> "Block[T]":
        """Return the fact against those of the others that haven't been told from each of the moves."""
        new = {other for move, other in self.pairs - told}
        return self._replace(against=tuple([other for other in self.against if other in new]))

    def reason(self, named: Callable[[T], Move]) -> Reason:
        """Return the fact as a reason, with moves as the rulebook knows them."""
        return Reason(self.cause, tuple(map(named, self.moves)), tuple(map(named, self.against)))


def reasons(moves: Sequence[T], others: Sequence[T], facts: Callable[[T, T], Facts]) -> list[Block[T]]:
    """Return facts that tell the moves from the others, those of most worth to the first move first.

    What no fact tells apart is left out.
    """
    found = {pair: facts(*pair) for pair in product(moves, others)}
    blocks, given = [*_blocks(found, moves, others)], list[Block[T]]()
    every = set[tuple[T, T]]().union(*(block.pairs for block in blocks))
    left = every
    while left and len(given) < MOST_REASONS:
        gains = [_gain(block, found, left, moves[0]) for block in blocks]
        best = blocks[gains.index(max(gains))]
        given.append(best if len(best.against) == len(others) else best.without(every - left))
        left = _untold(left - best.pairs, found, best.cause, moves[0])
    return given


def _untold(left: set[tuple[T, T]], found: Mapping[tuple[T, T], Facts], cause: Cause, first: T) -> set[tuple[T, T]]:
    """Return the pairs that need another fact: for all but the first move, one of the same kind isn't said twice."""
    return {pair for pair in left if pair[0] == first or not _has_kind(found[pair], cause)}


def _has_kind(facts: Facts, cause: Cause) -> bool:
    """Whether a fact of the same kind tells a move from another one: it need not be said twice."""
    return any((fact.why, fact.how) == (cause.why, cause.how) and worth > 0 for fact, worth in facts.items())


def _gain(
    block: Block[T], found: Mapping[tuple[T, T], Facts], left: set[tuple[T, T]], first: T
) -> tuple[float, float, int]:
    """Return what a fact says about pairs of moves that no other has told apart, those with the first move first."""
    new = block.pairs & left
    worth = {pair: found[pair][block.cause] for pair in new}
    return sum(each for pair, each in worth.items() if pair[0] == first), sum(worth.values()), len(block.pairs)


def _blocks(found: Mapping[tuple[T, T], Facts], moves: Sequence[T], others: Sequence[T]) -> Iterator[Block[T]]:
    """Yield each fact with some of the others, and the moves that it tells from all of these."""
    causes = dict.fromkeys(chain.from_iterable(found.values()))
    some = chain.from_iterable(combinations(others, number) for number in range(1, len(others) + 1))
    for cause, against in product(causes, some):
        told = [move for move in moves if all(found[move, other].get(cause, 0) > 0 for other in against)]
        if told:
            yield Block(cause, tuple(told), against)


class PerMove(Generic[Deal, T, Seen]):
    """Remembers what moves lead to in the same deals, as ``look`` finds it."""

    def __init__(self, look: Callable[[Sequence[Deal], T], Seen]) -> None:
        self._look = look
        self._deals: Sequence[Deal] = ()
        self._known: dict[T, Seen] = {}

    def __call__(self, deals: Sequence[Deal], move: T) -> Seen:
        """Return what the move leads to in the deals."""
        if deals is not self._deals:
            self._deals, self._known = deals, {}
        if move not in self._known:
            self._known[move] = self._look(deals, move)
        return self._known[move]


def is_likely(cases: Sequence[bool]) -> bool:
    """Whether something happens in most of the imagined deals."""
    return sum(cases) >= LIKELY * len(cases)


def compared(cases: Sequence[bool], others: Sequence[bool], *, is_sure: bool = False) -> How | None:
    """Return how certain something is after a move, and not after another one; ``None`` if they are much alike."""
    share, other = sum(cases) / len(cases), sum(others) / len(others)
    if share >= LIKELY and other <= UNLIKELY:
        return How.SURE if is_sure else How.LIKELY
    return How.LIKELIER if share - other >= LIKELIER else None
