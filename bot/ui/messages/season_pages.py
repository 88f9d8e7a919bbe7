"""A month of a game on a server: the page of **This month**, and the line about the champion of the month before."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Final

from bot.ratings import SEASON_GAMES
from bot.records.standing import Season, SeasonPlace
from bot.texts import decimal, gettext as _, number
from bot.ui.messages.standings_pages import month_names, place_in, player_name
from bot.ui.posts.face import Faces
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import title_of

_LISTED: Final = 8
"""Players with a place that the page lists."""
_OTHERS: Final = 3
"""Players without a place, and against computers, that it names."""


def season_page(faces: Faces, game: str, of_month: tuple[date, Season], champion: str, own_id: int) -> Post:
    """Return the page of a month. ``champion`` is the line about the month before."""
    month, season = of_month
    title = _("{month} · {game}", month=_named(month), game=title_of(faces[game].game))
    ranked = [each for each in season.people if each.has_place]
    rules = _("Points a game (3 × the sides you beat, draws half) · games, at least {n}", n=SEASON_GAMES)
    small = (rules, *_without_place(season.people), *_apart(season.apart), champion)
    paragraphs = (
        f"### {title}",
        "\n".join(_listing(ranked, own_id)) or missing_line(season.people) or _("Nobody has finished a game yet."),
        "\n".join(f"-# {line}" for line in small if line),
    )
    games = tuple(Choice(key, title_of(face.game), is_picked=key == game) for key, face in faces.items())
    play = Button("open-here", _("Play"), "success", argument=game)
    row = (Button("friends", _("All time"), argument=f"{game}-0"), play)
    return Post(
        paragraphs,
        (Choices(_("Game"), games, verb="friends"),),
        rows=(row,),
        people=UserMenu(_("Me and …"), "friends-me", most=1, argument=game),
    )


def champion_line(month: date, season: Season, shown_as: Callable[[str], str] = player_name) -> str:
    """Return who won the season of a month; empty if nobody had a place. ``shown_as`` writes the name."""
    if season.champion is None:
        return ""
    return _("Champion in {month}: {name}", month=_named(month), name=shown_as(season.champion))


def missing_line(people: Sequence[SeasonPlace]) -> str:
    """Return how many games the player needs for a place who needs the fewest; empty if nobody has played."""
    if not people:
        return ""
    nearest = max(people, key=lambda each: each.games)
    return place_in(nearest.name, SEASON_GAMES - nearest.games)


def _named(month: date) -> str:
    return month_names()[month.month - 1]


def _listing(ranked: Sequence[SeasonPlace], own_id: int) -> Iterator[str]:
    for rank, each in enumerate(ranked, 1):
        if rank <= _LISTED or each.user_id == own_id:
            name = player_name(each.name)
            name = f"**{name}**" if each.user_id == own_id else name
            yield f"{rank}\\. {name} · {decimal(each.points, places=2)} · {number(each.games)}"


def _without_place(people: Sequence[SeasonPlace]) -> Iterator[str]:
    others = [f"{player_name(each.name)} ({each.games})" for each in people if not each.has_place]
    if others:
        yield _("No place yet: {names}", names=_some(others))


def _apart(people: Sequence[SeasonPlace]) -> Iterator[str]:
    said = [f"{player_name(each.name)} {decimal(each.points, places=2)} ({each.games})" for each in people]
    if said:
        yield _("Against computers: {records}", records=_some(said))


def _some(said: Sequence[str]) -> str:
    more = [_("{n} more", n=len(said) - _OTHERS)] if len(said) > _OTHERS else []
    return ", ".join((*said[:_OTHERS], *more))
