"""What happened, the same for all games: the last events, how a deal was scored, who won in the end and why."""

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
"""What there is to read about a table that has ended."""
RECENT_TEXT: Final = 1500
"""How many characters about the last events a message has at most."""
_EVENTS: Final = 8
_MORE: Final = "\n-# The rest is under **More**, **What happened**."


def happened(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = ()) -> tuple[str, ...]:
    """Return the last things that happened, in sentences for everybody, the newest first; without some kinds of events.

    It is never more than a few: how much of a game may be looked up again is a matter of its rules.
    """
    events = (event for event in reversed(sight.events) if not isinstance(event, but))
    return tuple(islice((line for event in events if (line := face.say(sight.table, event))), _EVENTS))


def recent(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = (), room: int = RECENT_TEXT) -> str:
    """Return as many of the last things that `happened` as fit into ``room`` characters, the oldest first."""
    said: list[str] = []
    for line in happened(face, sight, but):
        if len(line) > room:
            return "\n".join(reversed(said)) if said else _beginning(line, room)
        said.append(line)
        room -= len(line) + 1
    return "\n".join(reversed(said))


def _beginning(text: str, room: int) -> str:
    """Return the lines of a text that fit, and where the others are."""
    cut = text[: max(0, room - len(_MORE))].rpartition("\n")[0]
    return cut + _MORE


def settlement(face: Face[Any], table: Table, events: Sequence[Event]) -> str:
    """How the last deal that was scored was scored; empty if the events tell of none."""
    last = next((event for event in reversed(events) if isinstance(event, face.settlements)), None)
    return (last and face.say(table, last)) or ""


def ending(face: Face[Any], sight: Sight) -> tuple[str, ...]:
    """The paragraphs of the result; empty while the game is on."""
    table, observation = sight.table, sight.observation
    outcome = observation.outcome
    if outcome is None:
        return ()
    winners = [name_of(table, seat) for seat, place in enumerate(outcome.places) if place == 1]
    won = "won" if len(set(outcome.places)) > 1 else "share the win"
    fair = f"-# Fair deal: commitment `{table.commitment}`\n-# Seed `{table.seed}`"
    if outcome.is_conceded:  # in the middle of a deal: how the one before was scored is among what happened before
        resigned = [name_of(table, event.seat) for event in sight.events if isinstance(event, Resigned)]
        why, last, scored = f"{listed(resigned)} resigned (G-10).", recent(face, sight), ""
    else:
        why = face.game.reasons[outcome.reason]
        last, scored = recent(face, sight, but=face.settlements), settlement(face, table, sight.events)
    return (f"## {listed(winners)} {won}\n{why}", *face.result(table, observation), last, scored, fair)
