"""A computer's thoughts about its move: the alternatives, their worth, and its reason for the move."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from bot.games.game import Move, Seat

ALTERNATIVES: Final = 2
"""Number of alternatives that a thought names."""
IMAGINED: Final = 60
"""Number of imagined deals that are searched for the reason of a move."""
LIKELY: Final = 0.6
"""The share of imagined deals in which something has to happen to be likely."""


class Why(Enum):
    """Why a computer plays a move."""

    ONLY = auto()
    """It is the only legal one."""
    BEST = auto()
    """It did best on average in the imagined deals."""
    AHEAD = auto()
    """It looks best ``number`` moves of each side ahead."""
    SOLVED = auto()
    """Nothing is hidden, and it is the best one to the end."""
    WINS = auto()
    """It wins in at most ``number`` moves."""
    LOSES = auto()
    """Everything loses."""
    SAVES = auto()
    """Everything else loses."""
    SCORES = auto()
    """It scores ``number`` at once."""
    TAKES = auto()
    """The seat probably takes the trick, which changes its lead in points by about ``number``, if that is known."""
    PARTNER_TAKES = auto()
    """Like `TAKES`, for the partner."""
    LEAVES = auto()
    """Like `TAKES`, for an opponent."""
    DODGES = auto()
    """An opponent probably takes a trick with a black ten."""
    HAS_NONE = auto()
    """``seat`` probably has no card of ``suit``, so the best alternative would cost ``number``."""
    GROUP = auto()
    """The hand has ``number`` more cards that score as profit with the card that is set aside."""
    LIE = auto()
    """The play of ``seat`` is a lie for certain."""
    EMPTIES = auto()
    """It empties the hand."""
    BLOCKS = auto()
    """``seat`` probably can't go on."""
    MATCHES = auto()
    """It matches the suit of the card before it."""
    TWO = auto()
    """It gets rid of two cards at once."""


class Cause(NamedTuple):
    """Why a computer plays a move. Which fields matter depends on ``why``."""

    why: Why
    seat: Seat = -1
    suit: str = ""
    number: int | None = None


class Rated(NamedTuple):
    """A move, and by how much it is worse than the one chosen.

    ``worse_by`` is infinite if only this move loses by force, and ``None`` if only the chosen one wins by force.
    """

    move: Move
    worse_by: float | None


class Thought(NamedTuple):
    """A move, its best alternatives, and why it is played. Without a cause, nothing was compared.

    Values are in points of the game, or chips.
    """

    move: Move
    alternatives: tuple[Rated, ...] = ()
    cause: Cause | None = None


def only(move: Move) -> Thought:
    """Return the thought about the only legal move."""
    return Thought(move, cause=Cause(Why.ONLY))


def rated(best: float, others: Sequence[tuple[Move, float]]) -> tuple[Rated, ...]:
    """Return the first alternatives, the best first. None is better than the move that was chosen."""
    first = sorted(others[:ALTERNATIVES], key=lambda other: other[1], reverse=True)
    return tuple([Rated(move, max(0.0, best - value)) for move, value in first])


def is_likely(cases: Sequence[bool]) -> bool:
    """Whether something happens in most of the imagined deals."""
    return sum(cases) >= LIKELY * len(cases)
