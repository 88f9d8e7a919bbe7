"""What happened since a player looked: the events from the last turn that they made themselves."""

from functools import partial
from typing import Any

from bot.games.game import Event
from bot.tables.folds import Itself, PlayedBy, StandIn
from bot.tables.tables import Sight
from bot.texts import gettext as _
from bot.ui.posts.face import Face
from bot.ui.posts.text import plain


def own_turn(face: Face[Any], sight: Sight) -> int:
    """Return the index of the event that begins the last turn of the player; -1 if that's too long ago.

    What a computer played for them while they were away is no turn of theirs, nor is what played itself: they haven't
    seen it.
    """
    seat, events = sight.observation.seat, sight.events
    starts = (at for at in reversed(range(len(events))) if not isinstance(events[at], face.continuations))
    own = (at for at in starts if seat is not None and getattr(events[at], "seat", None) == seat)
    return next((at for at in own if _own(sight, at) is None), -1)


def since_looked(face: Face[Any], sight: Sight, until: int | None = None) -> tuple[Event, ...]:
    """Return the public events from the player's last turn on, all that are kept if that's long ago."""
    return sight.events[max(0, own_turn(face, sight)) : until]


def played_meanwhile(face: Face[Any], sight: Sight) -> str:
    """Return who has played for the player since they last moved: a computer, or the move itself; usually empty."""
    since = range(max(0, own_turn(face, sight)), len(sight.events))
    match next((by for by in map(partial(_own, sight), reversed(since)) if by is not None), None):
        case StandIn(name=name):
            return _("{name} played for you", name=plain(name))
        case Itself():
            only = _("your only card played itself")
            return only if face.game.has_hands else _("your only move played itself")
        case _:
            return ""


def _own(sight: Sight, at: int) -> PlayedBy:
    """Return who made the event for the player; ``None`` if they did, or if it isn't theirs."""
    by = sight.played_by[at] if at < len(sight.played_by) else None
    return by if by is not None and by.seat == sight.observation.seat else None
