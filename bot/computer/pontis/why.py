"""The kinds of facts by which computers explain moves of Pontis."""

from enum import auto

from bot.computer.thoughts import Kind


class PontisWhy(Kind):
    """The kinds of facts that only this game has. `bot.computer.thoughts.Cause` says what the fields are."""

    LIE = auto()
    """The play of ``seat`` is a lie for certain."""
    EMPTIES = auto()
    """It empties the hand."""
    BLOCKS = auto()
    """``seat``, the next one, can't go on."""
    MATCHES = auto()
    """It matches the suit of the card before it."""
    TWO = auto()
    """It gets rid of two cards at once."""
    UNMATCHED = auto()
    """Of the cards not seen that fit the next bridge, that of ``seat``, only ``number`` match the suit ``what``; if no
    card is hidden, of its ways to go on."""
    NARROWS = auto()
    """``seat``, the next one, can go on in only ``number`` ways."""
    LIMITS = auto()
    """``seat``, the next one, can score at most ``number`` next."""
    SECURES = auto()
    """Whatever ``seat``, the next one, does, the seat can score ``number`` next."""
    KEEPS_SUIT = auto()
    """``what``, the only card of its suit, stays in the hand."""
    ANSWERS = auto()
    """Whatever ``seat``, the next one, does, the seat can match the suit then."""
    AGAIN = auto()
    """The seat can play on its next turn, too."""
    OUT = auto()
    """The seat goes out first."""
    FEWER = auto()
    """Of the cards not seen, only ``number`` fit the next bridge, that of ``seat``."""
    SHEDS = auto()
    """``what`` leaves the hand; high cards seldom fit alone."""
    KEEPS_SMALL = auto()
    """``what`` stays in the hand; small cards fit often."""
    CARD = auto()
    """It plays a card, not none."""
    WAITS = auto()
    """The seat plays no card, to get the sum ability or to use it later."""
    NEEDED = auto()
    """``seat``, the next one, needs ``what``; ``number`` of the cards not seen fit. For want of a better fact."""
    KEEPS_CARD = auto()
    """``what`` stays in the hand. For want of a better fact."""
    ON_TOP = auto()
    """``what`` ends on top. For want of a better fact."""
