"""What happened, the same for all games: the last events, how a deal was scored, who won in the end and why."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from bot.games.game import Event, Resigned
from bot.tables import Sight, Table
from bot.ui.post import Button, Face
from bot.ui.text import clip, listed, name_of

READING: Final = (Button("rules", "Rules"), Button("fair", "Fair deal"), Button("transcript", "Transcript"))
"""What there is to read about a table that has ended."""
_EVENTS: Final = 8
_EVENTS_TEXT: Final = 1500


def recent(face: Face[Any], sight: Sight, but: tuple[type[Event], ...] = ()) -> str:
    """The last things that happened, as sentences for everybody; without the events of some kinds."""
    told = (event for event in reversed(sight.events) if not isinstance(event, but))
    said = list(islice((line for event in told if (line := face.say(sight.table, event))), _EVENTS))
    while sum(map(len, said)) > _EVENTS_TEXT and len(said) > 1:
        said.pop()
    return clip("\n".join(reversed(said)), _EVENTS_TEXT)


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
