"""A duplicate in words, while people join and while it is played. Its result is as that of a challenge."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.tables import EventResult, Match, MatchPlayer
from bot.tables.matches import SIDES, finished
from bot.texts import gettext as _
from bot.texts import listed, ngettext
from bot.ui.messages.lobby import options_in_words
from bot.ui.posts.face import Faces
from bot.ui.posts.post import Button
from bot.ui.posts.text import clip, plain, title_of

_LETTERS: Final = "AB"
_MAX_NAME: Final = 16
"""Characters of a name."""


def form_names() -> Mapping[str, str]:
    """Return the games of duplicates by their keys."""
    return {
        "pond-2": _("Pond · cards, 2 at a table"),
        "pond-4": _("Pond · cards, 4 at a table"),
        "pot_black": _("Pot Black, 4 at a table"),
    }


def side_letter(side: int) -> str:
    """Return the name of a side."""
    return _LETTERS[side]


def room_name(match: Match, room: int, faces: Faces) -> str:
    """Return the name of the thread of a table."""
    return _("Duplicate · {game} · table {n}", game=title_of(faces[match.game].game), n=room + 1)


def offered(match: Match, faces: Faces) -> str:
    """Return what the match is, and who is on which side."""
    games = ngettext("{n} game", "{n} games", match.deals)
    said = _(
        "Two tables play the same cards with the seats exchanged, so that luck cancels: {games}. "
        "Half of each side sits at either table.",
        games=games,
    )
    small = [options_in_words(faces[match.game], match.options, "none")]
    if match.options["players"] != len(SIDES):
        small.append(_("Computers take the seats that stay free."))
    return "\n".join((said, *_sides(match), *(f"-# {line}" for line in small)))


def _sides(match: Match) -> list[str]:
    return [f"**{side_letter(side)}** · {_names(match, side) or _('nobody yet')}" for side in SIDES]


def _names(match: Match, side: int) -> str:
    return ", ".join(map(player_name, match.players_of(side)))


def player_name(player: MatchPlayer) -> str:
    """Return the name of a player of any match, who may have deleted their data."""
    return plain(clip(player.name, _MAX_NAME)) or _("Someone")


def buttons_of_offer(match: Match) -> tuple[Button, ...]:
    """Return the buttons of a match that people can join."""
    key = str(match.id)
    joins = (Button("match-join", _("Join {side}", side=side_letter(side)), argument=f"{key}.{side}") for side in SIDES)
    return (
        *joins,
        Button("match-leave", _("Leave"), argument=key),
        Button("match-begin", _("Start"), "success", argument=key),
        Button("match-withdraw", _("Withdraw"), argument=key),
    )


def playing(match: Match, results: Sequence[EventResult]) -> str:
    """Return who plays where, and how many games each table has finished. Others can't open the threads."""
    tables = [
        _("Table {n} · {names}: {done} of {deals}", n=room + 1, names=_at(match, room), done=done, deals=match.deals)
        for room in SIDES
        for done in [finished(results, room)]
    ]
    return "\n".join((*_sides(match), *tables))


def _at(match: Match, room: int) -> str:
    return listed([player_name(each) for each in match.players if each.room == room])
