"""The public board of a table, drawn from the public observation alone."""

from collections.abc import Set as AbstractSet
from typing import Any, Final

from msgspec.structs import replace

from bot.games.game import AnyGame, Observation
from bot.tables import Sight, Table
from bot.tables.absence.votes import Standstill
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.texts.lists import listed
from bot.ui.messages.absence_notice import notices, with_notice
from bot.ui.messages.levels import level_line, level_mark
from bot.ui.messages.results import ended_buttons, ending, fitting, news, recent, small
from bot.ui.posts.face import Face
from bot.ui.posts.names import name_of, with_short_names
from bot.ui.posts.pictures import illustrated
from bot.ui.posts.post import Button, Post
from bot.ui.posts.room import ROOM, ROW, lines_of, without_remarks
from bot.ui.posts.text import proof, table_title

_GRID_ROW: Final = 1.8
"""The height of a row of squares, in lines."""
_PICTURE: Final = 11.0
"""The height of the picture of a board, in lines."""
_PICTURE_AND_GRID: Final = 5.0
"""The height of a picture above a grid, in lines."""
_RESULT_CARD: Final = 15.3
"""The height of the picture of a result and of the proof above it, in lines."""
_OWN: Final = 2.6
"""The height that a player's own board with a grid has on top: the link, the proof, a second row of buttons."""


def board(
    face: Face[Any],
    sight: Sight,
    standstill: Standstill | None = None,
    by_button: AbstractSet[int] = frozenset(),
    *,
    with_picture: bool = False,
) -> Post:
    """Return the public board of a started table, with notices if ``standstill`` says who is absent.

    ``by_button`` are the users who can't get direct messages.
    """
    sight = replace(sight, table=with_short_names(sight.table))
    table, observation = sight.table, sight.observation
    grid = face.controls(table, observation)
    heading = heading_of(face, table, observation) + (level_mark(table) if observation.seat is None else "")
    if observation.outcome is not None:
        post = Post(
            (f"{heading}\n{proof(table)}" if face.game.has_hands else heading, *ending(face, sight, len(grid))),
            rows=(ended_buttons(rematch=True),),
            grid=grid,
        )
        return with_result_card(post, face, sight) if with_picture else post
    prompt = "\n".join(
        filter(
            None,
            (
                heading,
                face.prompt(table, observation),
                _by_button(table, face.game, by_button),
                _for_removed(table),
            ),
        )
    )
    notice = notices(table, standstill) if standstill else ""
    has_long_button = bool(standstill and standstill.is_due())  # it takes a row alone
    room = ROOM - (bool(notice) + has_long_button) * ROW
    post = Post(_words(face, sight, prompt, notice, len(grid), room), rows=(buttons(face.game),), grid=grid)
    if with_picture:
        post = _with_picture(post, face, sight, prompt, notice)
    return with_notice(post, table, standstill, notice) if standstill and notice else post


def _by_button(table: Table, game: AnyGame, by_button: AbstractSet[int]) -> str:
    """Return a line about the players who can't get direct messages, so that they and the others know."""
    names = [f"**{name_of(table, seat.seat)}**" for seat in table.sitters if seat.user_id in by_button]
    return "-# " + _("Hand by button: {names}", names=listed(names)) if names and game.has_hands else ""


def _for_removed(table: Table) -> str:
    """Return a line about the computers that have the seats of players who were removed."""
    names = [name_of(table, sitter.seat) for sitter in table.sitters if sitter.after_removal]
    if not names:
        return ""
    return "-# " + ngettext(
        "{names} plays on for a removed player.",
        "{names} play on for removed players.",
        len(names),
        names=listed(names),
    )


def heading_of(face: Face[Any], table: Table, observation: Observation) -> str:
    """Return the heading of a table: its name, the game, and how far it has got."""
    return "### " + " · ".join(filter(None, (table_title(table, face.game), face.progress(observation))))


def _words(  # noqa: PLR0913, PLR0917 - what there is to say, and the room for it
    face: Face[Any], sight: Sight, prompt: str, notice: str, grid_rows: int, room: float
) -> tuple[str, ...]:
    """Return the paragraphs of a board without a picture.

    They fit a phone: the latest events give way first, then counts and scores, which are under **More** too, and at
    last the remarks below what lies on the table.
    """
    table, observation = sight.table, sight.observation
    above = (prompt, *without_remarks(face.situation(table, observation), room - lines_of((prompt, notice))))
    standings = tuple(face.standings(table, observation))
    if grid_rows:
        left = ROOM - lines_of((*above, notice, *standings), gap=0) - grid_rows * _GRID_ROW
    else:
        left = room - lines_of((*above, notice))
        standings = standings if lines_of(standings) <= left else ()
        left -= lines_of(standings)
    remarks = "\n".join(small(news(face, sight)))
    if remarks and lines_of((remarks,)) <= left:
        above = (*above, remarks)
        left -= lines_of((remarks,))
    lately = recent(face, sight, left)
    levels = fitting((level_line(table),), left - lines_of((lately,)))
    return (*above, lately, *standings, levels)


def _with_picture(post: Post, face: Face[Any], sight: Sight, prompt: str, notice: str) -> Post:
    """Return the board with a picture in place of what the picture shows."""
    table, observation = sight.table, sight.observation
    beside = (*small(news(face, sight)), *face.beside_picture(table, observation))
    own = 0.0 if observation.seat is None else _OWN
    high = _PICTURE_AND_GRID + len(post.grid) * _GRID_ROW + own if post.grid else _PICTURE
    room = ROOM - high - lines_of((prompt, notice)) - bool(notice) * (ROW + 1)
    beside = tuple(filter(None, (fitting(beside, room),)))
    room -= lines_of(beside)
    lately = recent(face, sight, room)
    levels = fitting((level_line(table),), room - lines_of((lately,)))
    below = tuple(filter(None, (lately, *beside, levels)))
    return illustrated(post, face, sight, above=(prompt,), below=below)


def with_result_card(post: Post, face: Face[Any], sight: Sight) -> Post:
    """Return the post of a result with a picture in place of the scores."""
    heading, winner, *facts = post.paragraphs
    height = _RESULT_CARD if face.game.has_hands else _RESULT_CARD - ROW
    text = fitting(facts[-1:], ROOM - height - lines_of((winner,)))
    return illustrated(replace(post, grid=()), face, sight, above=(heading, winner), below=(text,) if text else ())


def buttons(game: AnyGame) -> tuple[Button, ...]:
    """Return the row of buttons below the board."""
    info = (Button("rules", _("Rules")), Button("more", _("More")))
    if not game.has_hands:
        return (Button("turn", _("Menu")), *info)
    return (Button("hand", _("My hand"), "primary"), Button("turn", _("Play")), *info)
