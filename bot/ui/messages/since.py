"""What happened since a player looked: the events from the last turn that they made themselves."""

from collections.abc import Iterator
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
    """Return which computer has played for the player since they last moved; empty if none has."""
    by = next((by for by in _instead(face, sight) if isinstance(by, StandIn)), None)
    return "" if by is None else _("{name} played for you", name=plain(by.name))


def played_itself(face: Face[Any], sight: Sight) -> str:
    """Return that the player's only card played itself since they last moved; empty if none did."""
    is_so = any(isinstance(by, Itself) for by in _instead(face, sight))
    return _("card played itself") if is_so else ""


def _instead(face: Face[Any], sight: Sight) -> Iterator[PlayedBy]:
    """Yield who has moved instead of the player since they last moved, the latest first."""
    since = range(max(0, own_turn(face, sight)), len(sight.events))
    return (_own(sight, at) for at in reversed(since))


def _own(sight: Sight, at: int) -> PlayedBy:
    """Return who made the event for the player; ``None`` if they did, or if it isn't theirs."""
    by = sight.played_by[at] if at < len(sight.played_by) else None
    return by if by is not None and by.seat == sight.observation.seat else None
