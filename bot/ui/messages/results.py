"""Recent events, scores of deals and results, in the same form for all games."""

from itertools import islice
from typing import Any, Final

from bot.games.game import Event, Resigned
from bot.tables import Sight
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
_MAX_RECENT: Final = 3
"""Maximum lines of recent events on a board; older ones are under **What happened**."""


def happened(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = ()) -> tuple[str, ...]:
    """Return the last few events as public sentences, the newest first, except those of the types in ``but``.

    It is only a few, as some rules forbid looking up what was played.
    """
    events = (event for event in reversed(sight.events) if not isinstance(event, but))
    return tuple(islice((line for event in events if (line := face.say(sight.table, event))), _MAX_EVENTS))


def recent(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = (), room: int = RECENT_TEXT) -> str:
    """Return the latest lines of `happened`, the oldest first: at most three, and only those that fit into ``room``."""
    lines: list[str] = []
    for line in happened(face, sight, but)[:_MAX_RECENT]:
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def last_settlement(face: Face[Any], sight: Sight) -> str:
    """Return how the last scored deal was scored; empty if the recent events contain none."""
    last = next((event for event in reversed(sight.events) if isinstance(event, face.settlements)), None)
    return face.settlement(sight.table, last) if last else ""


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
        last, scored = recent(face, sight, but=face.settlements), last_settlement(face, sight)
    return (f"## {listed(winners)} {won}\n{why}", *face.result(table, observation), last, scored, fair)
