"""The public board of a table, drawn from the public observation alone."""

from typing import Any, Final

from bot.games.game import AnyGame, Observation
from bot.tables import Sight
from bot.texts import gettext as _
from bot.ui.messages.results import RECENT_TEXT, ended_buttons, ending, recent
from bot.ui.posts.layout import MAX_TEXT
from bot.ui.posts.post import Button, Face, Post
from bot.ui.posts.text import table_title

_RESERVED_TEXT: Final = 700
"""Characters reserved for the notices of `with_notice` and for mentions."""


def board(face: Face[Any], sight: Sight) -> Post:
    """Return the public board of a started table."""
    table, observation = sight.table, sight.observation
    grid = face.controls(table, observation)
    heading = f"### {table_title(table, face.game)} · {face.progress(observation)}"
    if observation.outcome is not None:
        return Post((heading, *ending(face, sight)), rows=(ended_buttons(rematch=True),), grid=grid)
    above = (f"{heading}\n{face.prompt(table, observation)}", *face.situation(table, observation))
    below = face.standings(table, observation)
    room = min(RECENT_TEXT, MAX_TEXT - _RESERVED_TEXT - sum(map(len, (*above, *below))))
    return Post((*above, recent(face, sight, room=room), *below), rows=(buttons(face.game),), grid=grid)


def buttons(game: AnyGame) -> tuple[Button, ...]:
    """Return the row of buttons below the board."""
    info = (Button("rules", _("Rules")), Button("more", _("More")))
    if not game.has_hands:
        return (Button("turn", _("Menu")), *info)
    return (Button("hand", _("My hand"), "primary"), Button("turn", _("Play")), *info)


def to_act(sight: Sight) -> tuple[int, ...]:
    """Return the users to move; computers are left out."""
    seats = _seats_to_act(sight.observation)
    return tuple(s.user_id for s in sight.table.sitters if s.seat in seats and s.user_id is not None)


def _seats_to_act(observation: Observation) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in observation.to_act if seat is not None))
