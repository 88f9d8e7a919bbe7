"""Replays as pages: a moment of a game, what happened then, and the ways to other moments and other eyes."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Self, TypeVar

from msgspec.structs import replace

from bot.pictures.picture import MAX_ALT
from bot.records.table import Table
from bot.tables.replays import Glimpse, Moment, Vantage, View
from bot.tables.tables import Sight
from bot.texts import gettext as _
from bot.ui.messages.result_texts import ending, fitting, happened, headline, table_at
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.face import Face
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.names import label_of, name_of, with_short_names
from bot.ui.posts.pictures import illustrated
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post
from bot.ui.posts.text import EARLIER, LATER, ROOM, ROW, clip, lines_of, title_of

T = TypeVar("T")

_SAID: Final = 3.5
"""Lines for what happened at a moment."""
_ROWS: Final = 3
"""The least rows of menus and buttons besides the one that `ROOM` counts."""
_BACK: Final = 0.5
"""What a page takes besides, in lines, if **Back** is on it."""
_SEAT: Final = "seat"
"""Begins the code of a seat's view."""
_HEADING: Final = 2
"""Lines of the heading."""
_PICTURE: Final = 11.0
"""The height of the picture of a board, in lines."""
_SMALL: Final = 0.7
"""The height of a line in small print, in lines."""
_ONE: Final = 1.7
"""A line that can't give way."""
_MAX_LINES: Final = 4
"""Open hands that have lines of their own."""
_MAX_MARKS: Final = 8
"""The latest marks of a player that the menu shows."""
_MAX_LABEL: Final = 38
"""Maximum length of a label that a phone shows in full."""
_MAX_HINT: Final = 100
"""Discord's limit for the second line of a choice."""
_MARKUP: Final = re.compile(r"\\(.)|\*\*|^-# ", re.MULTILINE)
_BACKWARDS: Final = frozenset({"first", "back"})
_STEPS: Final = {"first": f"|{EARLIER}", "back": EARLIER, "next": LATER, "last": f"{LATER}|"}


class Spot(NamedTuple):
    """A moment and the eyes it is seen with, as buttons carry them."""

    ply: int
    view: View

    def __str__(self) -> str:
        return f"{self.ply}-{view_code(self.view)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the spot. Raises `Outdated`."""
        ply, _dash, view = text.partition("-")
        return cls(parse_number(ply), view_named(view))


def view_code(view: View) -> str:
    """Return a view as buttons and menus carry it."""
    return view.value if isinstance(view, Vantage) else f"{_SEAT}{view}"


def view_named(code: str) -> View:
    """Return the view with this code. Raises `Outdated`."""
    known = {vantage.value: vantage for vantage in Vantage}
    return known[code] if code in known else parse_number(code.removeprefix(_SEAT))


def spot_of(glimpse: Glimpse) -> Spot:
    """Return where a glimpse is."""
    return Spot(glimpse.moment.ply, glimpse.view)


def stepped(glimpse: Glimpse, step: str) -> int:
    """Return the ply of the moment to which a button leads. Raises `Outdated` for a button that there isn't."""
    last = len(glimpse.moments) - 1
    to = {
        "here": glimpse.at,
        "first": 0,
        "back": max(0, glimpse.at - 1),
        "next": min(last, glimpse.at + 1),
        "last": last,
    }
    if step not in to:
        raise Outdated
    return glimpse.moments[to[step]].ply


def replay_post(face: Face[Any], glimpse: Glimpse, *, may_share: bool = True) -> Post:
    """Return a moment as a page with the ways to all others. ``may_share``: whether others can read there."""
    rows, choices = (_steps(glimpse), *_shares(glimpse, may_share=may_share)), (_jumps(face, glimpse), *_views(glimpse))
    return replace(scene_of(face, glimpse, len(rows) + len(choices)), choices=choices, rows=rows)


def shared(face: Face[Any], glimpse: Glimpse) -> Post:
    """Return a moment for the channel, with a button to see the rest from there."""
    post = scene_of(face, glimpse)
    return replace(post, rows=((Button("replay", _("Replay"), argument=f"{spot_of(glimpse)}-here"),),))


def gif_question(glimpse: Glimpse) -> Post:
    """Ask which part of the game to post as a GIF."""
    where = spot_of(glimpse)
    parts = [("game", _("The whole game"))]
    if glimpse.moments[-1].deal:
        parts.insert(0, ("deal", _("This deal")))
    asked = _("A GIF for everyone in this channel, with a picture for each turn. What should it show?")
    every = [Button("replay-gif", label, "primary", f"{where}-{part}") for part, label in parts]
    return Post((asked,), rows=((*every, Button("replay", _("Back"), argument=f"{where}-here")),))


def film_of(glimpse: Glimpse, part: str) -> list[int]:
    """Return the indices of the moments that a GIF shows: of this deal and what its last card led to, or of all."""
    every = range(len(glimpse.moments))
    if part == "game":
        return list(every)
    of_deal = [at for at in every if glimpse.moments[at].deal == glimpse.moment.deal]
    return [*of_deal, *every[of_deal[-1] + 1 : of_deal[-1] + 2]]


def film(face: Face[Any], glimpse: Glimpse, part: str, gif: bytes, posts: Sequence[Post]) -> Post:
    """Return a GIF of these moments for the channel. Its heading says which deal it shows, or who won."""
    title, outcome = _("### Replay · Table {name}", name=glimpse.table.name), glimpse.moments[-1].board.outcome
    of_what = face.progress(glimpse.moment.board)
    if part == "game":
        of_what = headline(face, glimpse.table, outcome) if outcome is not None else ""
    told = [post.scene.above[0].split("\n")[_HEADING:] for post in (posts[0], posts[-1]) if post.scene is not None]
    alt = " … ".join(" ".join(map(_plain, lines)) for lines in told)
    row = (Button("replay", _("Replay"), argument=f"{spot_of(glimpse)}-here"),)
    scene = Figure(
        "replay.gif",
        clip(alt, MAX_ALT) or title_of(face.game),
        ("\n".join((title, "-# " + " · ".join(filter(None, (title_of(face.game), of_what))))),),
        (),
        "replay",
        gif,
    )
    return Post((), rows=(row,), scene=scene)


def scene_of(face: Face[Any], glimpse: Glimpse, page_rows: int = 0) -> Post:
    """Return a moment: what happened, and the picture or the words for these eyes.

    ``page_rows`` are the rows of menus and buttons if it is a page.
    """
    rows = max(_ROWS, page_rows - 1) * ROW + _BACK * (page_rows > 0)
    sight = sight_of(glimpse)
    heading = _heading(face, glimpse, sight, is_page=page_rows > 0)
    hands = tuple(open_hands(face, sight.table, glimpse))
    beside = lines_of((heading,)) + lines_of(hands) * _SMALL + (_PICTURE if hands else 0)
    said = fitting(said_at(face, sight, glimpse.moment), max(_ONE, min(_SAID, ROOM - rows - beside)))
    room = ROOM - rows - lines_of((heading, said, *hands))
    above = "\n".join(filter(None, (heading, said)))
    post = Post((above, fitting([*_in_words(face, sight)], room), *hands))
    return illustrated(post, face, sight, above=(above,), below=hands)


def sight_of(glimpse: Glimpse) -> Sight:
    """Return the moment as a board or a hand has it."""
    events, by = glimpse.latest
    return Sight(with_short_names(glimpse.table), glimpse.observation, events, played_by=by)


def with_own_events(face: Face[Any], glimpse: Glimpse) -> Glimpse:
    """Return a moment without what happened in the deal before, where it is the first of its deal."""
    moment = glimpse.moment
    settled = [at for at, event in enumerate(moment.events) if isinstance(event, face.settlements)]
    since = settled[-1] + 1 if settled and moment.board.outcome is None else 0
    own = moment._replace(events=moment.events[since:], played_by=moment.played_by[since:])
    return replace(glimpse, moments=(*glimpse.moments[: glimpse.at], own, *glimpse.moments[glimpse.at + 1 :]))


def said_at(face: Face[Any], sight: Sight, moment: Moment) -> list[str]:
    """Return what happened at a moment, in order."""
    then = replace(sight, events=moment.events, played_by=moment.played_by)
    shown = [line for at, event in enumerate(then.events) if (line := face.shown(table_at(then, at), event))]
    told = happened(face, then)
    return [*shown, *reversed(told)]


def _heading(face: Face[Any], glimpse: Glimpse, sight: Sight, *, is_page: bool) -> str:
    count = _("move {n} of {all}", n=glimpse.at, all=len(glimpse.moments) - 1)
    is_told = face.game.has_hands and not is_page  # pages have a menu that says so
    seen_by = view_in_words(sight.table, glimpse.view) if is_told else ""
    where = " · ".join(filter(None, (face.progress(sight.observation), count, seen_by)))
    title = _("Replay · Table {name}", name=sight.table.name)
    return f"### {title}\n-# {where[:1].upper()}{where[1:]}"


def view_in_words(table: Table, view: View) -> str:
    """Return whose eyes a moment is seen with."""
    if isinstance(view, Vantage):
        return {Vantage.EVERYONE: _("all cards open"), Vantage.PUBLIC: _("as the table saw it")}[view]
    return _("as {name} saw it", name=name_of(table, view))


def _in_words(face: Face[Any], sight: Sight) -> Iterator[str]:
    """Yield what a picture would show."""
    table, seen = sight.table, sight.observation
    if seen.outcome is not None:
        yield from ending(face, sight)
        return
    if not face.game.has_hands:
        yield from face.describe(table, seen)
    elif seen.seat is None:
        yield from (*face.situation(table, seen), *face.standings(table, seen))
    else:
        yield from (*face.situation(table, seen), *face.hand(table, seen))


def open_hands(face: Face[Any], table: Table, glimpse: Glimpse) -> Iterator[str]:
    """Yield the hands of all seats as a paragraph, if all cards are open. Those of many follow one another."""
    held = [(seen.seat or 0, face.open_hand(table, seen)) for seen in glimpse.hands]
    lines = [f"**{name_of(table, seat)}** {words}" for seat, words in held if words]
    if lines:
        yield "-# " + ("\n-# " if len(lines) <= _MAX_LINES else " · ").join(lines)


# ---- the ways to other moments


def _steps(glimpse: Glimpse) -> tuple[Button, ...]:
    last, where = len(glimpse.moments) - 1, str(spot_of(glimpse))
    return tuple(
        Button("replay", label, argument=f"{where}-{step}", disabled=glimpse.at == (0 if step in _BACKWARDS else last))
        for step, label in _STEPS.items()
    )


def _sharing(glimpse: Glimpse, where: str) -> tuple[Button, ...]:
    """Return the buttons that show a moment to others: none for somebody else's game of an event."""
    if glimpse.table.place.guild_id is None and glimpse.own is None:
        return ()
    return Button("replay-share", _("Share"), argument=where), Button("replay-gif", _("GIF"), argument=where)


def _shares(glimpse: Glimpse, *, may_share: bool) -> Iterator[tuple[Button, ...]]:
    """Yield rows of buttons: to show a moment to others (before the end, only what everyone may see), to play on.

    On a phone, a row has room for three.
    """
    where, is_end = str(spot_of(glimpse)), glimpse.observation.outcome is not None
    shared = _sharing(glimpse, where) if may_share else ()
    if not glimpse.table.is_revealed:
        if glimpse.view is Vantage.PUBLIC and shared:
            yield shared
        return
    yield from filter(None, _after_the_end(glimpse, where, shared, is_end=is_end))


def _after_the_end(
    glimpse: Glimpse, where: str, shared: tuple[Button, ...], *, is_end: bool
) -> tuple[tuple[Button, ...], ...]:
    """Return the rows of a game that has ended: ``shared`` and a reason, and what else can be done from here."""
    own = (Button("review", _("Review")),) if glimpse.own is not None else ()
    why = (Button("why-move", _("Why?"), argument=where),) if glimpse.moment.chosen is not None else ()
    goes_on = not isinstance(glimpse.view, Vantage) and not is_end
    on = (Button("replay-on", _("Play on from here"), argument=where),) if goes_on else ()
    below = (*on, *own) if goes_on or (why and is_end) else ()
    return (*shared, *(why or (() if below else own))), below


def computers_moves(face: Face[Any], glimpse: Glimpse) -> tuple[Choices, ...]:
    """Return the menu of the last moves that computers chose, the newest first; none if there aren't any."""
    sight = sight_of(glimpse)
    chosen = [moment for moment in glimpse.moments if moment.chosen is not None]
    choices = tuple(
        Choice(
            str(moment.ply),
            _("Why, {name}?", name=mover_of(glimpse.table, moment)),
            clip(_plain(next(iter(said_at(face, sight, moment)), "").partition("\n")[0]), _MAX_HINT),
        )
        for moment in reversed(chosen[-MAX_OPTIONS:])
    )
    menu = Choices(_("Why did a computer play that?"), choices, verb="why-move", argument="menu")
    return (menu,) if choices else ()


def mover_of(table: Table, moment: Moment) -> str:
    """Return the name of the computer that chose the last move, for a label."""
    by = next((by for by in moment.played_by if by is not None), None)
    if by is not None or moment.mover is None:
        return by.name if by else ""
    return label_of(with_short_names(table), moment.mover)


def _views(glimpse: Glimpse) -> tuple[Choices, ...]:
    """Return the menu of eyes to see the moment with, if there are several."""
    if len(glimpse.views) == 1:
        return ()
    table = with_short_names(glimpse.table)
    offered = tuple(
        Choice(view_code(view), clip(_see_as(table, view), _MAX_LABEL), is_picked=view == glimpse.view)
        for view in glimpse.views
    )
    return (Choices(_("See as"), offered[:MAX_OPTIONS], verb="replay-as", argument=str(glimpse.moment.ply)),)


def _see_as(table: Table, view: View) -> str:
    if isinstance(view, Vantage):
        return {Vantage.EVERYONE: _("See as: everyone"), Vantage.PUBLIC: _("See as: the table")}[view]
    return _("See as: {name}", name=label_of(table, view))


def _jumps(face: Face[Any], glimpse: Glimpse) -> Choices:
    """Return the menu of moments to jump to: the deals, and the tricks or turns of this one."""
    firsts = {moment.deal: moment for moment in reversed(glimpse.moments)}
    deals = _thinned([firsts[deal] for deal in sorted(firsts)], MAX_OPTIONS // 2)
    named = {moment.ply: _deal_label(face, moment, at) for at, moment in enumerate(deals)}
    named |= {_nearest(glimpse, ply): (_("★ Your mark"), "") for ply in glimpse.marks[-_MAX_MARKS:]}
    steps = [(n, moment) for n, moment in enumerate(_stops(face, glimpse), 1) if moment.ply not in named]
    for n, moment in _thinned(steps, MAX_OPTIONS - 1 - len(named)):
        named[moment.ply] = _step_label(face, sight_of(glimpse), moment, n)
    if glimpse.moments[-1].board.outcome is not None:
        named[glimpse.moments[-1].ply] = (_("The end"), "")
    choices = tuple(Choice(str(ply), *named[ply]) for ply in sorted(named))
    return Choices(_("Jump to"), choices, verb="replay-to", argument=view_code(glimpse.view))


def _nearest(glimpse: Glimpse, ply: int) -> int:
    """Return the last moment up to this ply: what was marked may have been taken back."""
    return max((each.ply for each in glimpse.moments if each.ply <= ply), default=glimpse.moments[0].ply)


def _stops(face: Face[Any], glimpse: Glimpse) -> Sequence[Moment]:
    """Return the moments of this deal after its first: those after its tricks, if it has any."""
    here = [moment for moment in glimpse.moments if moment.deal == glimpse.moment.deal]
    return [moment for moment in here if face.is_after_trick(moment.board)] or here[1:]


def _step_label(face: Face[Any], sight: Sight, moment: Moment, n: int) -> tuple[str, str]:
    lines = said_at(face, sight, moment) or [""]
    is_trick = face.is_after_trick(moment.board)
    label, line = (_("After trick {n}", n=n), lines[-1]) if is_trick else (_("Turn {n}", n=n), lines[0])
    return label, clip(_plain(line.partition("\n")[0]), _MAX_HINT)


def _deal_label(face: Face[Any], moment: Moment, at: int) -> tuple[str, str]:
    progress = face.progress(moment.board)
    if not progress or not at:
        return _("The beginning"), progress
    return progress[:1].upper() + progress[1:], ""


def _thinned(each: Sequence[T], most: int) -> Sequence[T]:
    """Return at most this many of them, evenly spread, with the first and the last."""
    if len(each) <= most:
        return each
    return [each[at * (len(each) - 1) // (most - 1)] for at in range(most)]


def _plain(text: str) -> str:
    """Return a sentence without the markup that labels don't apply."""
    return _MARKUP.sub(r"\1", text)
