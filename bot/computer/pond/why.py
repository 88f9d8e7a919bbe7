"""The kinds of facts by which computers explain moves of Pond · cards."""

from enum import auto

from bot.computer.thoughts import Kind


class PondWhy(Kind):
    """The kinds of facts that only this game has. `bot.computer.thoughts.Cause` says what the fields are."""

    KEEPS_ANTI_TRUMP = auto()
    KEEPS_PROFIT = auto()
    KEEPS_POISON = auto()
    """Poison for ``seat``."""
    GROUP = auto()
    """The hand has ``number`` more cards that score as profit with the card that is set aside."""
    RANKS = auto()
    """``number`` ranks are profit."""
    ASIDE = auto()
    """``what``, poison to the seat, leaves the round."""
    RID = auto()
    """``what``, poison to the seat, leaves its hand. ``number`` are left."""
    POISON_FOR = auto()
    """``what`` is poison for ``seat``, which takes it or, if that isn't likely, may leave the pond to others for it."""
    ADDS = auto()
    """``what`` is worth ``number`` to the seat, which takes the pond."""
    ADDS_FOR = auto()
    """Likewise for its partner ``seat``, who probably takes the pond."""
    AWARDS = auto()
    """``seat`` gets the tied trick. For want of a better fact."""
    FEWER = auto()
    """It lays no trap, so the cards last for more ponds. For want of a better fact."""
    BARS = auto()
    """``what``, poison to the seat, stays out of this pond. For want of a better fact."""
    KEEPS_FOR_LATER = auto()
    """``what`` stays in the hand, and the ponds after this one bring more."""
    CLEAN = auto()
    """The card adds no poison of the side to the pond that it takes."""
    CLEAN_FOR = auto()
    """Likewise if the partner ``seat`` probably takes it."""
    CHEAP = auto()
    """``what`` is worth only ``number`` to opponents, at least if it isn't their profit."""
    SAVES_FOR_NOW = auto()
    """``what`` stays in the hand, to take this pond with (``number`` 1) or to leave it to others (0)."""
    LESS_PROFIT = auto()
    """``what`` is less likely to be the profit of ``seat``, an opponent."""
    NO_TRAP = auto()
    """The pond stays small, and ``seat`` takes it. -1: nobody knows who takes it."""
    NO_HIDING = auto()
    """The own side probably takes the pond, and nobody can hide poison there."""
    TRAP = auto()
    """The pond gets bigger. The seat takes it (``number`` 1), ``seat`` does, or nobody knows who does (-1)."""
