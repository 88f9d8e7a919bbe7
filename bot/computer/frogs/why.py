"""The kinds of facts by which computers explain moves of Pond · frogs."""

from enum import auto

from bot.computer.thoughts import Kind


class FrogsWhy(Kind):
    """The kinds of facts that only this game has. `bot.computer.thoughts.Cause` says what the fields are."""

    WINS = auto()
    """It wins in at most ``number`` moves."""
    SAVES = auto()
    """Everything else loses. ``what`` is how the best alternative loses, with ``number`` points, if that is plain."""
    SCORES = auto()
    """It scores ``number`` at once, less what it scores for the rival."""
    STOPS = auto()
    """``seat`` can't score ``number`` with its next move, as with ``what`` after the alternative."""
    FORCES = auto()
    """Whatever the rival does, the seat can score ``number`` with its next move."""
    THREATENS = auto()
    """Unless the rival prevents it, ``what`` scores ``number`` next."""
    PLAN = auto()
    """If both go on as the search expects, ``what`` gains the seat ``number`` points."""
    AVOIDS = auto()
    """If both go on as the search expects after the other move, ``what`` gains ``seat`` ``number`` points."""
    PIECE = auto()
    """It puts one more piece on the pond."""
    CENTRE = auto()
    """The piece is on ``what``, in the middle."""
    NO_CORNER = auto()
    """The piece isn't in a corner."""
    GROWS = auto()
    """``number`` pieces of the seat become frogs."""
    SHRINKS = auto()
    """``number`` frogs of the rival ``seat`` become eggs."""
    FREER = auto()
    """``seat`` has ``number`` possible moves, fewer than otherwise."""
    OWN_MOVES = auto()
    """The seat could make ``number`` moves next, more than otherwise. For want of a better fact."""
    REPLY = auto()
    """``seat`` probably replies with ``what``. For want of a better fact."""
