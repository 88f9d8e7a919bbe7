"""Recent events, scores of deals and results, in the same form for all games."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from bot.games.game import Event, Resigned
from bot.tables import Sight, Table
from bot.ui.posts.post import Button, Face
from bot.ui.posts.text import listed, name_of

READING: Final = (
    Button("rules", "Rules"),
    Button("fair", "Fair deal"),
    Button("transcript", "Transcript"),
    Button("more", "More"),
)
"""Buttons of an ended table that open info pages."""
RECENT_TEXT: Final = 1500
"""Maximum characters of recent events in a message."""
_MAX_EVENTS: Final = 8
_MORE: Final = "\n-# The rest is under **More**, **What happened**."


def happened(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = ()) -> tuple[str, ...]:
    """Return the last few events as public sentences, the newest first, except those of the types in ``but``.

    It is only a few, as some rules forbid looking up what was played.
    """
    events = (event for event in reversed(sight.events) if not isinstance(event, but))
    return tuple(islice((line for event in events if (line := face.say(sight.table, event))), _MAX_EVENTS))


def recent(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = (), room: int = RECENT_TEXT) -> str:
    """Return as many lines of `happened` as fit into ``room`` characters, the oldest first."""
    lines: list[str] = []
    for line in happened(face, sight, but):
        if len(line) > room:
            return "\n".join(reversed(lines)) if lines else _beginning(line, room)
        lines.append(line)
        room -= len(line) + 1
    return "\n".join(reversed(lines))


def _beginning(text: str, room: int) -> str:
    """Return the lines of a text that fit, and where to find the others."""
    cut = text[: max(0, room - len(_MORE))].rpartition("\n")[0]
    return cut + _MORE


def settlement(face: Face[Any], table: Table, events: Sequence[Event]) -> str:
    """Return how the last scored deal was scored; empty if the events contain none."""
    last = next((event for event in reversed(events) if isinstance(event, face.settlements)), None)
    return (last and face.say(table, last)) or ""


def ending(face: Face[Any], sight: Sight) -> tuple[str, ...]:
    """Return the paragraphs of the result; none while the game is in progress."""
    table, observation = sight.table, sight.observation
    outcome = observation.outcome
    if outcome is None:
        return ()
    winners = [name_of(table, seat) for seat, place in enumerate(outcome.places) if place == 1]
    won = "won" if len(set(outcome.places)) > 1 else "share the win"
    fair = f"-# Fair deal: commitment `{table.commitment}`\n-# Seed `{table.seed}`"
    if outcome.is_conceded:  # in the middle of a deal, so the previous scores are among the recent events
        resigned = [name_of(table, event.seat) for event in sight.events if isinstance(event, Resigned)]
        why, last, scored = f"{listed(resigned)} resigned (G-10).", recent(face, sight), ""
    else:
        why = face.game.reasons[outcome.reason]
        last, scored = recent(face, sight, but=face.settlements), settlement(face, table, sight.events)
    return (f"## {listed(winners)} {won}\n{why}", *face.result(table, observation), last, scored, fair)
