"""The public board of a table, drawn from the public's observation and from nothing else."""

from typing import Any, Final

from bot.games.game import Observation
from bot.tables import Sight
from bot.ui.messages.results import READING, RECENT_TEXT, ending, recent
from bot.ui.posts.layout import MAX_TEXT
from bot.ui.posts.post import Button, Face, Post
from bot.ui.posts.text import listed, name_of

_RESERVED: Final = 700
"""Characters left free on a board for what `with_notice` says and for mentions."""

BUTTONS: Final = (
    (Button("hand", "My hand", "primary"), Button("turn", "Play"), Button("rules", "Rules"), Button("more", "More")),
)


def board(face: Face[Any], sight: Sight) -> Post:
    """The public board of a table that has started."""
    table, observation = sight.table, sight.observation
    heading = f"### Table {table.name} · {face.game.title} · {face.progress(observation)}"
    if observation.outcome is not None:
        rows = ((*READING, Button("again", "Rematch", "primary")),)
        return Post((heading, *ending(face, sight)), rows=rows)
    turn = f"**{listed([name_of(table, seat) for seat in _owing(observation)])} to play**"
    parts = (f"{heading}\n{turn}", *face.board(table, observation))
    room = min(RECENT_TEXT, MAX_TEXT - _RESERVED - sum(map(len, parts)))
    return Post((*parts, recent(face, sight, room=room)), rows=BUTTONS)


def to_act(sight: Sight) -> tuple[int, ...]:
    """The users who owe a move; computers are left out."""
    owing = _owing(sight.observation)
    return tuple(s.user_id for s in sight.table.sitters if s.seat in owing and s.user_id is not None)


def _owing(observation: Observation) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in observation.to_act if seat is not None))
