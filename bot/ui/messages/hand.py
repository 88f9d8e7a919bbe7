"""The hand of a player, which only they see."""

import math
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from bot.pictures import MAX_HEIGHT
from bot.tables import HandStyle, Sight, Table, UserSettings
from bot.texts import gettext as _
from bot.ui.messages.absence_notice import closing
from bot.ui.messages.board import board, heading_of, with_result_card
from bot.ui.messages.results import ended_buttons, ending, fitting, headline, news, scored, since_own_turn
from bot.ui.posts.face import Face
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.names import with_short_names
from bot.ui.posts.pictures import illustrated
from bot.ui.posts.post import Button, Choices, Post
from bot.ui.posts.room import GAP, ROOM, ROW, lines_of, without_remarks
from bot.ui.posts.text import proof, table_title, title_of

_PICTURE: Final = 13.5
"""The height of the highest picture, in lines."""
_BUTTONS_A_ROW: Final = 2
"""Buttons with names of players in a row of a phone."""
_MAX_SHORT_BUTTONS: Final = 3
"""Buttons of a hand in a row of a phone; `ROOM` counts one row."""
_SPARE: Final = 3.0
"""Lines that hands have to spare: they are lower than `lines_of` says."""
_MAX_NOTED: Final = 6
"""Maximum lines of events in a note."""
_MAX_NEWS: Final = 2
"""Maximum lines of what happened since the player's last turn."""


def hand(face: Face[Any], sight: Sight, link: str, settings: UserSettings, *, follows: bool = True) -> Post:
    """Return the table as the seat sees it, what it may do, and what it holds; after the game, the result.

    ``follows``: whether the message is updated at every move. If it isn't, it says how old it is.
    """
    if face.game.has_hands:
        post = _own_hand(face, sight, link, settings.hands, follows=follows)
    elif settings.prefers_menus:
        post = _own_board_in_words(face, sight, link, follows=follows)
    else:
        post = _own_board(face, sight, link, follows=follows, with_picture=settings.hands == "pictures")
    return replace(post, is_plain=settings.hands == "text")


def _own_hand(face: Face[Any], sight: Sight, link: str, style: HandStyle, *, follows: bool) -> Post:
    sight = replace(sight, table=with_short_names(sight.table))
    table, observation = sight.table, sight.observation
    title = _("Your hand · Table {name}", name=table.name)
    where = " · ".join(filter(None, (title_of(face.game), face.progress(observation), link)))
    heading = f"### {title}\n-# {where}"
    if observation.outcome is not None:
        post = Post((f"{heading}\n{proof(table)}", *ending(face, sight)), rows=(ended_buttons(rematch=True),))
        return with_result_card(post, face, sight) if style == "pictures" else post
    return _in_play(face, sight, heading, follows=follows, style=style)


def _proof(face: Face[Any], sight: Sight) -> tuple[str, ...]:
    """Return `proof` for players whose first message of the table this may be: in the first deal, and substitutes."""
    sitter = sight.table.sitter_at(sight.observation.seat or 0)
    is_substitute = sitter is not None and sitter.began[1] != sitter.user_id
    return (proof(sight.table),) if is_substitute or not face.deal(sight.observation) else ()


def turn(face: Face[Any], sight: Sight, settings: UserSettings) -> Post:
    """Return only the prompt, the hand and the choices of a seat, for players who press **Play**."""
    table, observation = sight.table, sight.observation
    choices = face.choices(table, observation)
    decision = f"**{table_title(table, face.game)}**\n{face.prompt(table, observation)}"
    if not face.game.has_hands:
        return Post((*face.describe(table, observation), decision), choices)
    if not choices:
        return Post((decision,))
    words = (decision, *face.hand(table, observation))
    post = Post(words, choices, face.controls(table, observation), is_plain=settings.hands == "text")
    return illustrated(post, face, sight, above=(decision,)) if settings.hands == "pictures" else post


def _in_play(face: Face[Any], sight: Sight, heading: str, *, follows: bool, style: HandStyle) -> Post:
    """Return a hand during the game."""
    table, observation = sight.table, sight.observation
    choices, prompt = face.choices(table, observation), face.prompt(table, observation)
    if not choices and not follows:
        prompt += f"\n{_as_of(table)}"
    buttons = _buttons(face, sight, is_to_move=bool(choices))
    has_second_row = any(len(row) > _MAX_SHORT_BUTTONS for row in buttons)
    room = ROOM + _SPARE - (sum(map(_rows_of, choices)) + has_second_row) * ROW
    words = _words(face, sight, heading, prompt, room)
    post = Post((heading, *words), choices, buttons)
    if style != "pictures":
        return post
    above = (heading, *_beside_picture(face, sight, heading, prompt, room))
    return illustrated(post, face, sight, above=above)


def _words(face: Face[Any], sight: Sight, heading: str, prompt: str, room: float) -> tuple[str, ...]:
    """Return the paragraphs below the heading."""
    below = (prompt, *face.hand(sight.table, sight.observation))
    situation = tuple(face.situation(sight.table, sight.observation))
    room -= lines_of((heading, *below))
    lately = _lately(face, sight, room - lines_of(situation[:1]))
    # Hands with many lines of words are lower still than the estimate.
    situation = without_remarks(situation, room + _SPARE - lines_of(lately))
    return *lately, *situation, *below


def _beside_picture(face: Face[Any], sight: Sight, heading: str, prompt: str, room: float) -> tuple[str, ...]:
    """Return the paragraphs between the heading and a picture of the hand."""
    title = heading.partition("\n")[0]
    height = face.drawings.height(sight.observation) if face.drawings else MAX_HEIGHT
    room -= lines_of((f"{title}\n-# …", prompt)) + _PICTURE * height / MAX_HEIGHT
    beside = face.beside_picture(sight.table, sight.observation)
    lately = _lately(face, sight, room - lines_of(beside[:1]))
    if lately == _proof(face, sight) and fitting(beside, room - lines_of(lately)) != fitting(beside, room):
        lately = ()  # what the seat knows goes before the proof
    return tuple(filter(None, (*lately, prompt, fitting(beside, room - lines_of(lately)))))


def _buttons(face: Face[Any], sight: Sight, *, is_to_move: bool) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons below a hand; no row if there are none."""
    own = tuple(button for row in face.controls(sight.table, sight.observation) for button in row)
    if is_to_move:
        row = (*(_undo(sight) if sight.may_undo else ()), *own)
    else:
        row = (*_undo(sight), *own, Button("hand", _("Refresh")), Button("rules", _("Rules")))
    return (row,) if row else ()


def _lately(face: Face[Any], sight: Sight, room: float) -> tuple[str, ...]:
    """Return the score of the last deal, and what happened since the player's last turn, as far as there is room.

    The news are joined to one or two lines, from which the oldest give way. The score gives way to them. Before there
    is any news, there is the proof.
    """
    items, last = news(face, sight), scored(face, sight)
    while items and lines_of((_joined(items),), gap=0) > (min(_MAX_NEWS, room - GAP) if items[1:] else room - GAP):
        items.pop(0)
    lately = tuple(filter(None, (last, _joined(items)))) or _proof(face, sight)
    return lately if lines_of(lately) <= room else lately[1:] if last else ()


def _joined(items: Sequence[str]) -> str:
    return f"-# {' · '.join(items)}" if items else ""


def _rows_of(group: Choices) -> int:
    """Return how many rows the choices take on a phone: rows of buttons, or one row for each menu."""
    return math.ceil(len(group.choices) / (_BUTTONS_A_ROW if group.as_buttons else MAX_OPTIONS))


def _undo(sight: Sight) -> tuple[Button, ...]:
    """Return the button to undo. Asking has a verb of its own, as it doesn't end with the turn (`is_prompting`).

    Without other people, nobody has to agree.
    """
    if sight.may_undo:
        return (Button("undo", _("Undo")),)
    if not sight.may_ask_undo:
        return ()
    sitters, own = sight.table.sitters, sight.observation.seat
    is_alone = all(sitter.user_id is None for sitter in sitters if sitter.seat != own)
    return (Button("ask-undo", _("Undo") if is_alone else _("Ask to undo")),)


def _as_of(table: Table) -> str:
    return _("-# As of {time}. The board in the channel is always up to date.", time=f"<t:{table.changed_at:.0f}:t>")


def _own_board(face: Face[Any], sight: Sight, link: str, *, follows: bool, with_picture: bool = False) -> Post:
    """Return the board as the seat sees it, for games in which nothing is hidden."""
    post, observation = board(face, sight, with_picture=with_picture), sight.observation
    if observation.outcome is not None:
        return replace(post, paragraphs=(*post.paragraphs, link))
    below = link if follows or observation.legal else f"{_as_of(sight.table)} {link}"
    below = "\n".join(filter(None, (below, proof(sight.table))))
    return replace(post, paragraphs=(*post.paragraphs, below), rows=((*_undo(sight), *post.rows[0]),))


def _own_board_in_words(face: Face[Any], sight: Sight, link: str, *, follows: bool) -> Post:
    """Return the board as the seat sees it for a player who doesn't want a board of buttons: in words, with menus."""
    post, table, observation = _own_board(face, sight, link, follows=follows), sight.table, sight.observation
    if observation.outcome is not None:
        return replace(post, grid=())
    heading = heading_of(face, table, observation)
    words = (*face.describe(table, observation), face.prompt(table, observation), post.paragraphs[-1])
    rows = tuple(tuple(button for button in row if button.verb != "turn") for row in post.rows)
    return Post((heading, *words), face.choices(table, observation), rows)


def note(face: Face[Any], sight: Sight, link: str) -> Post:
    """Return a player's own message for games without hands: the latest events, and whose turn it is.

    The board in sight says what the turn is for.
    """
    sight = replace(sight, table=with_short_names(sight.table))
    table, observation = sight.table, sight.observation
    if observation.outcome is not None:
        return Post((f"**{headline(table, face.game, observation.outcome)}**", link, proof(table)))
    lines = since_own_turn(face, sight)[-_MAX_NOTED:]
    turn = f"**{_('Your turn.')}**" if lines and observation.legal else face.prompt(table, observation)
    return Post(("\n".join((*lines, turn, link, proof(table))),), rows=tuple(filter(None, (_undo(sight),))))


def welcome(face: Face[Any], table: Table, link: str) -> Post:
    """Return the first direct message of a table. Sending it shows early whether direct messages are open."""
    title = table_title(table, face.game)
    if not face.game.has_hands:
        words = _("You've joined **{table}**. You'll hear from me here when it's your turn.", table=title)
    else:
        words = _("You've joined **{table}**. Your hand will come here.", table=title)
    return Post((words, link, proof(table)))


def farewell(face: Face[Any], table: Table, link: str, *, was_removed: bool = False) -> Post:
    """Return the message that replaces a hand after the table closed or the player left it."""
    if was_removed and table.status == "playing":
        left = _("The host or a moderator removed you from this table. A computer plays on.")
    else:
        left = _("The host removed you from this table.") if was_removed else _("You've left this table.")
    why = left if table.is_open else closing(table, title_of(face.game))
    return Post((f"**{table_title(table, face.game)}**\n{why}", link, proof(table) if table.has_ended else ""))


def outdated() -> Post:
    """Return the message that stays when a newer one shows the same."""
    return Post(("-# " + _("There's a newer message below."),))


def deal_summary(face: Face[Any], sight: Sight) -> Post:
    """Return the message that replaces the hand of a finished deal: its score, and why. The channel has it in full."""
    if not face.game.has_hands:
        return outdated()
    why = face.reasons(sight.table, sight.observation)
    is_first = face.deal(sight.observation) == 1
    below = (proof(sight.table),) if is_first else ()
    return Post(("\n".join(filter(None, (scored(face, sight), why))), *below, "-# " + _("Your next hand is below.")))
