"""The end of a deal for the only person at a table: the last trick and the score, until they press **Next**."""

from typing import Any, Final

from msgspec.structs import replace

from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.texts import gettext as _
from bot.ui.messages.board import level_mark
from bot.ui.messages.result_texts import event_marks, finish_by, fitting, scored
from bot.ui.messages.since import since_looked
from bot.ui.posts.face import Face
from bot.ui.posts.names import with_short_names
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import ROOM, lines_of, table_title, title_of

GO_ON: Final = "go-on"
"""The verb of **Next**."""
_SPARE: Final = 4.0
"""Lines that these messages have to spare: they have neither a picture nor a menu."""


def hand_over(face: Face[Any], sight: Sight, link: str, settings: UserSettings) -> Post:
    """Return what a hand shows between two deals."""
    table = with_short_names(sight.table)
    where = " · ".join(filter(None, (title_of(face.game), *event_marks(table), link)))
    heading = f"### {_('Your hand · Table {name}', name=table.name)}\n-# {where}"
    post = Post((heading, *_ended(face, sight, heading)), rows=((_next(), *_why()),), version=table.version)
    return replace(post, is_plain=settings.hands == "text")


def board_over(face: Face[Any], sight: Sight) -> Post:
    """Return the public board between two deals."""
    table = with_short_names(sight.table)
    heading = f"### {table_title(table, face.game)}{level_mark(table)}"
    heading = "\n".join((heading, *(f"-# ⏳ {line}" for line in finish_by(table))))
    row = (_next(), *_why(), Button("more", _("More")))
    return Post((heading, *_ended(face, sight, heading)), rows=(row,))


def shown_deal(face: Face[Any], sight: Sight) -> int:
    """Return the number of the deal that boards and hands show: the last one until its end has been seen."""
    return face.deal(sight.observation) - (sight.before is not None)


def is_urgent(sight: Sight) -> bool:
    """Whether there is something for the seat to press: a move, an undo or **Next**."""
    return bool(sight.observation.legal) or sight.may_undo or sight.before is not None


def _ended(face: Face[Any], sight: Sight, heading: str) -> tuple[str, ...]:
    """Return the last trick of the deal that has ended, then its score and as many reasons as there is room for."""
    table = with_short_names(sight.table)
    shown = replace(sight.shown, table=table)
    at = max((at for at, event in enumerate(shown.events) if isinstance(event, face.settlements)), default=0)
    last = "\n".join(face.end_of_deal(table, shown.observation, since_looked(face, shown, at)))
    score = tuple(filter(None, (scored(face, shown), face.reasons(table, shown.observation))))
    return last, fitting(score, ROOM + _SPARE - lines_of((heading, last)))


def _next() -> Button:
    return Button(GO_ON, _("Next"), "primary")


def _why() -> tuple[Button, ...]:
    return (Button("why", _("Why?")),)
