"""The kinds of facts by which computers explain moves of Pot Black."""

from enum import auto

from bot.computer.thoughts import Kind


class PotBlackWhy(Kind):
    """The kinds of facts that only this game has. `bot.computer.thoughts.Cause` says what the fields are."""

    LOW = auto()
    """It takes the trick for certain, as ``what`` would, a higher card of the suit."""
    LOST = auto()
    """``what``, a higher card of the suit, probably wouldn't take the trick either."""
    KEEPS_TEN = auto()
    """A black ten, which is for a trick that others take."""
    GIVES_TEN = auto()
    """An opponent, ``seat`` if it isn't -1, takes ``what``, or a black ten if that is empty."""
    NO_TEN = auto()
    """No black ten falls to the side of the seat in this trick."""
    RED = auto()
    """``what``, the suit led, has no black ten."""
    HAS_NONE = auto()
    """``seat`` has no card of the suit ``what``, and the other move leads it."""
    HIGHEST = auto()
    """No other hand has a higher card of the suit led than ``what``."""
    EMPTIES_SUIT = auto()
    """It is the last card of the suit ``what``, and the seat has trumps."""
    SHORTENS = auto()
    """Only ``number`` cards of the suit ``what`` are left, fewer than of the other suit otherwise."""
    LONGER = auto()
    """``number`` more cards of the suit ``what`` stay, which are more than of the other suit. For want of a better
    fact."""
    TRUMP = auto()
    """It is a trump. For want of a better fact."""
