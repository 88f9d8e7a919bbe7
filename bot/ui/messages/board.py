"""The public board of a table, drawn from the public observation alone."""

from typing import Any, Final

from bot.games.game import Observation
from bot.tables import Sight
from bot.ui.messages.results import READING, RECENT_TEXT, ending, recent
from bot.ui.posts.layout import MAX_TEXT
from bot.ui.posts.post import Button, Face, Post

_RESERVED_TEXT: Final = 700
"""Characters reserved for the notices of `with_notice` and for mentions."""

BUTTONS: Final = (
    (Button("hand", "My hand", "primary"), Button("turn", "Play"), Button("rules", "Rules"), Button("more", "More")),
)


def board(face: Face[Any], sight: Sight) -> Post:
    """Return the public board of a started table."""
    table, observation = sight.table, sight.observation
    heading = f"### Table {table.name} · {face.game.title} · {face.progress(observation)}"
    if observation.outcome is not None:
        rows = ((*READING, Button("again", "Rematch", "primary")),)
        return Post((heading, *ending(face, sight)), rows=rows)
    above = (f"{heading}\n{face.prompt(table, observation)}", *face.situation(table, observation))
    below = face.standings(table, observation)
    room = min(RECENT_TEXT, MAX_TEXT - _RESERVED_TEXT - sum(map(len, (*above, *below))))
    return Post((*above, recent(face, sight, room=room), *below), rows=BUTTONS)


def to_act(sight: Sight) -> tuple[int, ...]:
    """Return the users to move; computers are left out."""
    seats = _seats_to_act(sight.observation)
    return tuple(s.user_id for s in sight.table.sitters if s.seat in seats and s.user_id is not None)


def _seats_to_act(observation: Observation) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in observation.to_act if seat is not None))
