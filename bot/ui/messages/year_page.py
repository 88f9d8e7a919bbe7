"""A server's year as a picture: its games, and who did what in them."""

from collections.abc import Iterator
from typing import Any, Final

from bot.pictures.lettering import writable
from bot.pictures.year import NAME, Chronicle, Line, Part, draw_year
from bot.tables import Year
from bot.texts import gettext as _
from bot.texts import listed, ngettext, number
from bot.ui.posts.face import Face, Faces
from bot.ui.posts.names import short_name
from bot.ui.posts.pictures import figure_of
from bot.ui.posts.post import Post
from bot.ui.posts.text import clip, plain, title_of

_MAX_NAME: Final = 14
_MOST_NEW: Final = 6
"""Maximum number of newcomers that are named."""


def month_names() -> tuple[str, ...]:
    """Return the months, from January."""
    return (
        *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
        *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
    )


async def year_card(faces: Faces, number_of: int, year: Year) -> Post:
    """Return a year for a channel: a picture, or words where it can't be drawn."""
    title = _("Our year {year}", year=number_of)
    known = [(faces[key], count) for key, count in year.games if key in faces]
    if not known:
        return Post((f"### {title}", _("Nobody has finished a game.")))
    total = sum(count for _key, count in year.games)
    players = ngettext("{n} player", "{n} players", year.players)
    said = f"{ngettext('{n} game', '{n} games', total)} · {players}"
    games = [(title_of(face.game), count) for face, count in known]
    lines = tuple(_lines(known[0][0], year))
    counted = [f"{game} {number(count)}" for game, count in games]
    chronicle = Chronicle(
        title,
        said,
        tuple(games),
        tuple(number(count) for _game, count in games),
        tuple(map(_writable, lines)),
        (f"{title}.", f"{said}.", f"{listed(counted)}.", *(f"{line}." for line in lines)),
    )
    figure = await figure_of("year", draw_year, (), chronicle)
    in_words = (f"### {title}", said, "\n".join(counted), "\n".join(f"-# {plain(str(line))}" for line in lines))
    return Post(() if figure else tuple(filter(None, in_words)), scene=figure)


def _lines(face: Face[Any], year: Year) -> Iterator[Line]:
    """Yield what people did. The records are those of the game that was played most."""
    bests = year.bests
    if year.wins:
        yield Line(_("Most wins"), tuple(_part(f"{NAME} {number(won)}", name) for name, won in year.wins))
    if (best := bests.streak) and best.value > 1:
        yield Line(_("Longest streak"), (_part(_("{name}, {n} wins", name=NAME, n=best.value), best.name),))
    if best := bests.catch:
        yield Line(_("Biggest catch"), (_part(f"{NAME}, {face.amount(best.value)}", best.name),))
    if best := bests.closest:
        said = _("{name}, by {margin}", name=NAME, margin=face.amount(best.value))
        yield Line(_("Closest finish"), (_part(said, best.name),))
    if new := year.newcomers:
        label = ngettext("{n} newcomer", "{n} newcomers", len(new))
        yield Line(label, tuple(_part(NAME, name) for name in new[:_MOST_NEW]))
    month = max(range(len(year.months)), key=year.months.__getitem__)
    yield Line(_("Busiest month"), (Part(f"{month_names()[month]} ({number(year.months[month])})"),))


def _part(said: str, name: str) -> Part:
    return Part(said, clip(short_name(name, 0), _MAX_NAME))


def _writable(line: Line) -> Line:
    """Return the line with its names as the fonts can show them."""
    return line._replace(parts=tuple(part._replace(name=writable(part.name, 0)) for part in line.parts))
