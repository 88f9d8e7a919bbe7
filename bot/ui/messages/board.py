"""The public board of a table, drawn from the public observation alone, and links to it."""

from collections.abc import Iterable, Mapping, Set as AbstractSet
from math import ceil
from typing import Any, Final

from msgspec.structs import replace

from bot.games.game import AnyGame, Observation
from bot.pictures import MAX_HEIGHT
from bot.pictures.picture import COMPUTER
from bot.records.live_message import Kind, LiveMessage, in_slot, slot_of
from bot.records.table import Place, Table
from bot.tables.absence.votes import Standstill
from bot.tables.folds import StandIn
from bot.tables.tables import Sight
from bot.texts import gettext as _, listed, ngettext
from bot.ui.messages.absence_notice import notices, with_notice
from bot.ui.messages.lobby import has_levels, level_names
from bot.ui.messages.result_texts import ended_buttons, ending, finish_by, fitting, last_turn, news, recent
from bot.ui.posts.face import Face
from bot.ui.posts.names import label_of, name_of, short_name, with_short_names, with_stand_in
from bot.ui.posts.pictures import illustrated
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import ROOM, ROW, lines_of, plain, proof, table_title, without_remarks

_GRID_ROW: Final = 1.8
"""The height of a row of squares, in lines."""
_PICTURE: Final = 11.0
"""The height of the picture of a board, in lines."""
_PICTURE_AND_GRID: Final = 5.0
"""The height of a picture above a grid, in lines."""
_RESULT_CARD: Final = 14.3
"""The height of the picture of a result and of the proof above it, in lines."""
_CARD_PICTURE: Final = 12.0
"""The part of it that becomes less with the height of the picture."""
_NOBODY: Final[Mapping[int, float]] = {}
_SPARE_OF_TIP: Final = 1.0
"""Lines that a board with a picture and a tip has to spare: the small print is lower than `lines_of` says."""
_LARGE: Final = 1.3
"""The height of a line in large type, in lines."""
_LARGE_LINE: Final = 24
"""Characters on a line of a phone in large type."""
_OWN: Final = 2.6
"""The height that a player's own board with a grid has on top: the link and the proof, a second row of buttons."""


def board(  # noqa: PLR0913 - five have defaults
    face: Face[Any],
    sight: Sight,
    standstill: Standstill | None = None,
    by_button: AbstractSet[int] = frozenset(),
    *,
    away: Mapping[int, float] = _NOBODY,
    with_picture: bool = False,
    advice: str = "",
) -> Post:
    """Return the public board of a started table, with notices if ``standstill`` says who is absent.

    ``by_button`` are the users who can't get direct messages. ``away`` are those on holiday, with its end. ``advice``
    is for the player whose board it is, if there is room beside all of the last turn.
    """
    sight = replace(sight, table=with_short_names(sight.table))
    table, observation = sight.table, sight.observation
    grid = face.controls(table, observation)
    heading = heading_of(face, table, observation) + (level_mark(table) if observation.seat is None else "")
    if observation.outcome is not None:
        return _ended(face, sight, heading, grid, with_picture=with_picture)
    asked = face.prompt(table, observation)
    prompt = "\n".join(
        filter(
            None,
            (
                heading,
                asked,
                _finish_by(table),
                _by_button(table, face.game, by_button),
                _proof(face, sight, by_button),
                _on_holiday(table, away),
                _for_removed(table),
                _for_resigned(table),
                _for_absent(table),
            ),
        )
    )
    high = with_picture * _PICTURE_AND_GRID + len(grid) * _GRID_ROW + _OWN
    tipped = f"{prompt.replace(asked, face.prompt_in_words(table, observation))}\n{advice}"  # the shorter prompt
    has_tip = bool(advice) and lines_of((tipped, last_turn(face, sight, ROOM))) <= ROOM + _SPARE_OF_TIP - high
    prompt = tipped if has_tip else prompt
    notice = notices(table, standstill) if standstill else ""
    has_long_button = bool(standstill and standstill.is_due())  # it takes a row alone
    may_undo = observation.seat is None and sight.may_ask_undo
    room = ROOM - (bool(notice) + has_long_button + may_undo) * ROW
    has_scored = face.why(table, observation, sight.events) is not None
    row = buttons(face.game, has_scored=has_scored, may_undo=may_undo)
    post = Post(_words(face, sight, prompt, notice, len(grid), room), rows=(row,), grid=grid)
    if with_picture:
        post = _with_picture(post, face, sight, prompt, notice, spare=has_tip * _SPARE_OF_TIP)
    return with_notice(post, table, standstill, notice) if standstill and notice else post


def _ended(
    face: Face[Any], sight: Sight, heading: str, grid: tuple[tuple[Button, ...], ...], *, with_picture: bool
) -> Post:
    """Return the result of a game. On the public board, its picture takes the grid's place."""
    table = sight.table
    is_public = sight.observation.seat is None
    rows = 0 if with_picture and is_public else len(grid)
    card = height_of_card(face, sight.observation) if with_picture else 0.0
    buttons = ended_buttons(table, face.game)
    result = ending(face, sight, rows, card)
    if is_public:
        shown = (result[0], *result[2:]) if with_picture else (heading, *result)
        result = _with_levels(table, result, ROOM - card - lines_of(shown))
    post = Post((heading, *result), rows=(buttons,), grid=grid)
    return with_result_card(post, face, sight) if with_picture else post


def _with_levels(table: Table, result: tuple[str, ...], room: float) -> tuple[str, ...]:
    """Return a result that also names the levels of computers, if they differ and there is room.

    They stand below the sentences about the game, which a picture has below it, and not below the scores.
    """
    levels = fitting((_level_line(table),), room)
    first, scores, *sentences = result if len(result) > 1 else (*result, "")
    return (first, scores, "\n".join((*sentences, levels))) if levels else result


def level_mark(table: Table) -> str:
    """Return the level of a table's computers for the end of a heading; empty if they differ or there are none."""
    levels = {sitter.level for sitter in table.sitters if sitter.is_computer}
    if len(levels) != 1 or not has_levels(table.game):
        return ""
    return f" · {COMPUTER} {level_names()[levels.pop()]}"


def _level_line(table: Table) -> str:
    """Return the level of each computer of a table, in small print; empty if a `level_mark` says it for all."""
    computers = [sitter for sitter in table.sitters if sitter.is_computer]
    if len({sitter.level for sitter in computers}) < 2 or not has_levels(table.game):
        return ""
    groups = []
    for level, words in level_names().items():
        labels = [label_of(table, sitter.seat) for sitter in computers if sitter.level == level]
        names = ", ".join(plain(label.removeprefix(COMPUTER).strip()) for label in labels)
        groups += [_("{names}: {level}", names=names, level=words)] if names else []
    return f"-# {COMPUTER} {' · '.join(groups)}"


def _by_button(table: Table, game: AnyGame, by_button: AbstractSet[int]) -> str:
    """Return a line about the players who can't get direct messages, so that they and the others know."""
    names = [f"**{name_of(table, seat.seat)}**" for seat in table.sitters if seat.user_id in by_button]
    return "-# " + _("Hand by button: {names}", names=listed(names)) if names and game.has_hands else ""


def _proof(face: Face[Any], sight: Sight, by_button: AbstractSet[int]) -> str:
    """Return the commitment on the public board of the first deal, if somebody's joining message can't have it."""
    table, seen = sight.table, sight.observation
    is_needed = any(sitter.user_id in by_button for sitter in table.sitters)
    is_first = seen.seat is None and not face.deal(seen)
    return proof(table.commitment, has_hands=face.game.has_hands) if is_needed and is_first else ""


def _on_holiday(table: Table, away: Mapping[int, float]) -> str:
    """Return a line about the players on holiday, on whose turns the clock stops."""
    named = [
        _("{name} until {day}", name=name_of(table, sitter.seat), day=f"<t:{until:.0f}:d>")
        for sitter in table.sitters
        if (until := away.get(sitter.user_id or 0))
    ]
    return "-# " + _("🌴 Away: {names}. The clock stops on their turns.", names=listed(named)) if named else ""


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


def _for_resigned(table: Table) -> str:
    """Return a line about the players who gave up their seats: ``Ben is out of the game. 🤖 Moss plays on.``"""
    given_up = [sitter for sitter in table.sitters if sitter.is_given_up]
    if not given_up:
        return ""
    return "-# " + ngettext(
        "{names} is out of the game. {computers} plays on.",
        "{names} are out of the game. {computers} play on.",
        len(given_up),
        names=listed([plain(short_name(sitter.began[0], sitter.seat)) for sitter in given_up]),
        computers=listed([name_of(table, sitter.seat) for sitter in given_up]),
    )


def _for_absent(table: Table) -> str:
    """Return a line about the computers that keep seats: ``🤖 Moss for Ben``."""
    kept = [each for each in table.sitters if each.held_for is not None and each.held_for == each.started_by]
    names = [name_of(with_stand_in(table, StandIn(each.seat, each.name)), each.seat) for each in kept]
    return "-# " + _("{names}, until they come back.", names=listed(names)) if names else ""


def heading_of(face: Face[Any], table: Table, observation: Observation) -> str:
    """Return the heading of a table: its name, the game, and how far it has got."""
    mark = _("played on") if table.continues else ""
    return "### " + " · ".join(filter(None, (table_title(table, face.game), face.progress(observation), mark)))


def _finish_by(table: Table) -> str:
    return "".join(f"-# ⏳ {line}" for line in finish_by(table))


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
    remarks = "\n".join(news(face, sight))
    if remarks and lines_of((remarks,)) <= left:
        above = (*above, remarks)
        left -= lines_of((remarks,))
    lately = recent(face, sight, left)
    levels = fitting((_level_line(table),), left - lines_of((lately,)))
    return (*above, lately, *standings, levels)


def _with_picture(  # noqa: PLR0913 - the parts of one post
    post: Post, face: Face[Any], sight: Sight, prompt: str, notice: str, *, spare: float
) -> Post:
    """Return the board with a picture in place of what the picture shows. ``spare`` is room in lines besides `ROOM`."""
    has_undo = any(button.verb == "ask-undo" for row in post.rows for button in row)
    table, observation = sight.table, sight.observation
    beside = (*news(face, sight), *face.beside_picture(table, observation))
    own = 0.0 if observation.seat is None else _OWN
    high = _PICTURE_AND_GRID + len(post.grid) * _GRID_ROW + own if post.grid else _PICTURE
    room = ROOM + spare - high - lines_of((prompt, notice)) - bool(notice) * (ROW + 1) - has_undo * ROW
    beside = tuple(filter(None, (fitting(beside, room - lines_of((last_turn(face, sight, room),))),)))
    room -= lines_of(beside)
    lately = recent(face, sight, room)
    levels = fitting((_level_line(table),), room - lines_of((lately,)))
    below = tuple(filter(None, (lately, *beside, levels)))
    return illustrated(post, face, sight, above=(prompt,), below=below)


def with_result_card(post: Post, face: Face[Any], sight: Sight) -> Post:
    """Return the post of a result with a picture in place of the scores."""
    heading, winner, *facts = post.paragraphs
    room = ROOM - height_of_card(face, sight.observation) - lines_of((winner,)) - _more_of_headline(winner)
    text = fitting(facts[1:][-1:], room)
    return illustrated(replace(post, grid=()), face, sight, above=(heading, winner), below=(text,) if text else ())


def _more_of_headline(paragraph: str) -> float:
    """Return the lines that a headline in large type takes besides those that `lines_of` counts."""
    title = paragraph.partition("\n")[0]
    return ceil(len(title) / _LARGE_LINE) * _LARGE - lines_of((title,), gap=0)


def height_of_card(face: Face[Any], observation: Observation) -> float:
    """Return the height of the picture of a result and of the proof above it, in lines."""
    pixels = face.drawings.result_height(observation) if face.drawings else MAX_HEIGHT
    return _RESULT_CARD - _CARD_PICTURE * (1 - pixels / MAX_HEIGHT) - (not face.game.has_hands) * (ROW - 1)


def buttons(game: AnyGame, *, has_scored: bool, may_undo: bool) -> tuple[Button, ...]:
    """Return the row of buttons below the board.

    **Why?** leads to the rules, for which a phone's row has no room. **Undo** takes back the presser's own move.
    """
    hand = Button("hand", _("My hand"), "primary") if game.has_hands else Button("turn", _("Board in words"))
    undo = (Button("ask-undo", _("Undo")),) if may_undo else ()
    return (
        hand,
        *undo,
        Button("why", _("Why?")) if has_scored else Button("rules", _("Rules")),
        Button("more", _("More")),
    )


def link_to(place: Place, message_id: int) -> str:
    """Return a link to a message in a channel; it opens in the app."""
    return f"https://discord.com/channels/{place.guild_id or '@me'}/{place.channel_id}/{message_id}"


def live_board(recorded: Iterable[LiveMessage]) -> LiveMessage | None:
    """Return the live board among the messages of a table."""
    return in_slot(recorded, slot_of(Kind.BOARD))


def named_link(table: Table, recorded: Iterable[LiveMessage]) -> str:
    """Return the name of a table, as a link to its live board if there is one."""
    name, board = _("Table {name}", name=table.name), live_board(recorded)
    return f"[{name}]({link_to(table.place, board.sent_id)})" if board else name


def board_link(table: Table, recorded: Iterable[LiveMessage]) -> str:
    """Return a named link to the live board, empty if there is none."""
    board = live_board(recorded)
    return f"[{_('Open board')}]({link_to(table.place, board.sent_id)})" if board else ""
