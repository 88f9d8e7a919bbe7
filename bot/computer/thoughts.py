"""A computer's thoughts about its move: the alternatives, their worth, and its reason for the move.

A reason is a plain fact: true of the move, and false of the alternative that it is compared with.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple, TypeVar

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
    BEST = auto()
    """Played on, it brings ``number`` more. For want of a plain fact."""
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


class Thought(NamedTuple):
    """A move, its best alternatives, and why it is played. Without a cause, nothing told moves apart.

    Values are in points of the game, or chips. The cause is true of the move, and false of ``against``, the best of the
    alternatives that are worse. Of a guess, nothing is known but the move, and a cause if a glance finds one.
    """

    move: Move
    alternatives: tuple[Rated, ...] = ()
    cause: Cause | None = None
    against: Move | None = None
    is_guess: bool = False

    @property
    def equals(self) -> tuple[Move, ...]:
        """The alternatives that are equally good."""
        return tuple([other.move for other in self.alternatives if other.worse_by == 0])


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
    return Thought(move, cause=Cause(Why.ONLY))


def named(others: Sequence[Rated]) -> tuple[Rated, ...]:
    """Return the alternatives that a thought names: the first ones, and one that is worse, if there is any."""
    first = list(others[:ALTERNATIVES])
    if all(other.worse_by == 0 for other in first):
        first += [other for other in others[ALTERNATIVES:] if other.worse_by != 0][:1]
    return tuple(first)


T = TypeVar("T")


def reason(moves: Sequence[T], other: T, facts: Callable[[T, T], Facts]) -> Cause | None:
    """Return the fact of most worth that tells the first move from the other one, if there is any.

    One that tells the rest of the moves from it too is preferred.
    """
    found = {fact: worth for fact, worth in facts(moves[0], other).items() if worth > 0}
    rest = [facts(move, other) for move in moves[1:] if found]
    common = {fact: worth for fact, worth in found.items() if all(fact in each for each in rest)} or found
    return max(common, key=common.__getitem__, default=None)


def is_likely(cases: Sequence[bool]) -> bool:
    """Whether something happens in most of the imagined deals."""
    return sum(cases) >= LIKELY * len(cases)


def compared(cases: Sequence[bool], others: Sequence[bool], *, is_sure: bool = False) -> How | None:
    """Return how certain something is after a move, and not after another one; ``None`` if they are much alike."""
    share, other = sum(cases) / len(cases), sum(others) / len(others)
    if share >= LIKELY and other <= UNLIKELY:
        return How.SURE if is_sure else How.LIKELY
    return How.LIKELIER if share - other >= LIKELIER else None
