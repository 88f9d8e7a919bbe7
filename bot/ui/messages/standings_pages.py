"""Standings of a server and its year, as pages and as pictures, and the line below a result about standings."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from bot.games.game import Outcome, Seat
from bot.pictures.lettering import writable
from bot.pictures.result import Ranking, draw_ranking
from bot.pictures.year import NAME, Chronicle, Line, Part, draw_year
from bot.ratings import NEW_GAMES
from bot.records.standing import Best, Bests, Meeting, Standing, Year
from bot.records.table import Table
from bot.texts import decimal, gettext as _, listed, ngettext, number, translated
from bot.ui.posts.face import Face, Faces
from bot.ui.posts.names import name_of, short_name, side_names
from bot.ui.posts.pictures import figure_of
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import EARLIER, LATER, clip, plain, title_of

ON_PAGE: Final = 10
"""Players on a page."""
_FEW: Final = 4
"""More players with a rank leave no room on their page for those without, and for records."""
_MAX_NEW: Final = 5
"""New players that a page names."""
_LAST: Final = 5
"""Games that a page of two players tells one by one."""
_ON_CARD: Final = 8
"""Players in the picture."""
_MAX_IN_ROW: Final = 12
"""Characters of a name in a row of the page, which has one line on a phone."""
_MAX_IN_RECORD: Final = 12
"""Characters of a name in a record of the picture."""
_MAX_IN_YEAR: Final = 14
"""Characters of a name in the picture of a year."""
_MOST_NEW: Final = 6
"""Maximum number of newcomers that a year names."""
_MAX_GAINS: Final = 2
"""Maximum number of winners whose gain a result tells."""


def lead_line(face: Face[Any], table: Table) -> str:
    """Return how many games the same sides have won of several: ``Games won: Ben & Dan 3 to 1``."""
    wins = table.counted.wins if table.counted else ()
    sides = sorted(side_names(table, face.game), key=lambda side: -wins[side[1][0]]) if wins else []
    counts = [wins[seats[0]] for _names, seats in sides]
    if sum(counts) < 2 or (len(sides) > 2 and counts[0] == counts[1]):
        return ""
    (names, _seats), most = sides[0], counts[0]
    if len(sides) > 2:
        return _("Most games won: {names} ({won})", names=names, won=most)
    if most == counts[1]:
        return _("Games won: {won} each", won=most)
    return _("Games won: {names} {won} to {lost}", names=names, won=most, lost=counts[1])


def counted_line(face: Face[Any], table: Table, outcome: Outcome, seat: Seat | None, *, with_lead: bool = True) -> str:
    """Return a line in small print on what the result changed: who leads, and how far ratings moved.

    Everyone reads their own change. A public board has the gains of winners, as nobody is shown to have lost rating.
    """
    winners = [at for at, place in enumerate(outcome.places) if place == 1] if max(outcome.places) > 1 else []
    gains = " · ".join(_gains(table, winners[:_MAX_GAINS] if seat is None else [seat]))
    lead = lead_line(face, table) if with_lead else ""
    said = " · ".join(filter(None, (lead, gains and _("Rating: {gains}", gains=gains))))
    return f"\n-# {said}" if said else ""


def _gains(table: Table, seats: Collection[Seat]) -> Iterator[str]:
    """Yield by how much the result changed the ratings of people on these seats."""
    if table.counted is None:
        return
    numbers = table.counted.numbers or (None,) * table.seats
    for seat, (gain, number_after) in enumerate(zip(table.counted.gains, numbers, strict=True)):
        if seat not in seats or table.sitters[seat].user_id is None or not round(gain or 0.0, 1):
            continue
        moved = decimal(gain or 0.0, has_sign=True)
        yield f"{name_of(table, seat)} {moved if number_after is None else f'{decimal(number_after)} ({moved})'}"


# ---- pages


def standings_page(  # noqa: PLR0913, PLR0917 - all that it shows
    faces: Faces, game: str, standings: Sequence[Standing], bests: Bests, own_id: int, number_of: int
) -> Post:
    """Return a page of the standings of a game on a server, with the ways to the others."""
    pages = _pages(faces[game], standings, bests, own_id)
    at = min(number_of, len(pages) - 1)
    paragraphs = ("### " + _("Standings · {game}", game=title_of(faces[game].game)), *pages[at])
    games = tuple(Choice(key, title_of(face.game), is_picked=key == game) for key, face in faces.items())
    turns = _turns(game, at, len(pages))
    share = (
        Button("friends-post", _("Post here"), argument=game),
        Button("friends-year", _("Year"), argument=f"{game}-0"),
    )
    month = Button("friends-month", _("This month"), argument=game)
    play = Button("open-here", _("Play"), "success", argument=game)
    return Post(
        paragraphs,
        (Choices(_("Game"), games, verb="friends"),),
        rows=((*turns, month), (*(share if standings else ()), play)),
        people=UserMenu(_("Me and …"), "friends-me", most=1, argument=game),
    )


def _pages(face: Face[Any], standings: Sequence[Standing], bests: Bests, own_id: int) -> Sequence[Sequence[str]]:
    """Return the pages: players with a rank and, on a page of their own if these are many, all others and records."""
    ranked = [each for each in standings if not each.is_new]
    small = "\n".join(f"-# {line}" for line in (*_new(standings), *bests_of(face, bests, player_name)))
    below = (small,) if small else ()
    if len(ranked) <= _FEW:
        return (("\n".join(_listing(ranked, 0, own_id)) or _unranked(standings), *below),)
    pages = [("\n".join(_listing(ranked, page, own_id)),) for page in range(-(-len(ranked) // ON_PAGE))]
    return (*pages, below) if below else pages


def _turns(game: str, at: int, count: int) -> list[Button]:
    """Return the buttons that turn the pages."""
    return [
        Button("friends", label, argument=f"{game}-{to}")
        for label, to in ((EARLIER, at - 1), (LATER, at + 1))
        if 0 <= to < count
    ]


def _listing(ranked: Sequence[Standing], page: int, own_id: int) -> list[str]:
    """Return the lines of a page, the reader's own if it is on another page, and what their numbers are."""
    rows = [(each.user_id, _line(rank, each, own_id)) for rank, each in enumerate(ranked, 1)]
    listed = rows[page * ON_PAGE : (page + 1) * ON_PAGE]
    own = [row for row in rows if row[0] == own_id and row not in listed]
    lines = [line for _user_id, line in (*listed, *own)]
    return [*lines, "-# " + _("Rating (what's sure of it) · wins/games")] if lines else []


def name_on_card(name: str) -> str:
    """Return a name as records in the picture have it."""
    return writable(clip(short_name(name, 0), _MAX_IN_RECORD), 0)


async def card_of(face: Face[Any], standings: Sequence[Standing], bests: Bests, champion: str = "") -> Post:
    """Return the standings for a channel: a picture, or words where it can't be drawn.

    ``champion`` is the line about the month before.
    """
    title = _("Standings · {game}", game=title_of(face.game))
    best = [each for each in standings if not each.is_new][:_ON_CARD]
    names = tuple(short_name(each.name, 0) for each in best)
    records = tuple(filter(None, (*_records_of(face, bests, name_on_card), champion)))
    ranking = Ranking(title, tuple(map(rating_of, best)), tuple(f"{each.wins}/{each.games}" for each in best), records)
    lines = [_line(rank, each, 0) for rank, each in enumerate(best, 1)]
    ranks, small = "\n".join(lines) or _unranked(standings), "\n".join(f"-# {plain(line)}" for line in records)
    in_words = ("### " + title, ranks, small)
    figure = await figure_of("standings", draw_ranking, names, ranking) if best else None
    return Post(() if figure else tuple(filter(None, in_words)), scene=figure)


def _unranked(standings: Sequence[Standing]) -> str:
    """Return what is missing until the first player has a rank."""
    if not standings:
        return _("Nobody has a rank yet: it takes {n} games.", n=NEW_GAMES)
    nearest = max(standings, key=lambda each: each.games)
    return place_in(nearest.name, NEW_GAMES - nearest.games)


def place_in(name: str, n: int) -> str:
    """Return how many more games a player needs for a place: ``2 more games until Ann has a place.``"""
    name = player_name(name)
    return ngettext("One more game until {name} has a place.", "{n} more games until {name} has a place.", n, name=name)


def _line(rank: int, each: Standing, own_id: int) -> str:
    name = player_name(each.name)
    name = f"**{name}**" if each.user_id == own_id else name
    return f"{rank}\\. {name} · {rating_of(each)} · {each.wins}/{each.games}"


def player_name(name: str) -> str:
    """Return a name as lists show it."""
    return plain(clip(short_name(name, 0), _MAX_IN_ROW))


def rating_of(each: Standing) -> str:
    """Return the number that orders players: the lower end of what their strength may be."""
    return decimal(each.lower_end)


def _new(standings: Sequence[Standing]) -> Iterator[str]:
    new = [each for each in standings if each.is_new]
    names = [f"{player_name(each.name)} {rating_of(each)} ({each.games})" for each in new[:_MAX_NEW]]
    if names:
        more = _("{n} more", n=len(new) - _MAX_NEW)
        yield _("Still unsure: {names}", names=", ".join([*names, *([more] if len(new) > _MAX_NEW else [])]))


def computer_games(count: int) -> str:
    """Return how many games there were against computers alone."""
    return ngettext("{n} against computers", "{n} against computers", count)


def bests_of(face: Face[Any], bests: Bests, shown_as: Callable[[str], str]) -> Iterator[str]:
    """Yield the records, with names as ``shown_as`` writes and clips them. Those against computers are one line."""
    yield from _records_of(face, bests, shown_as)
    if bests.apart and (apart := " · ".join(_records_of(face, bests.apart, shown_as))):
        yield _("Against computers: {records}", records=apart)


def _records_of(face: Face[Any], bests: Bests, shown_as: Callable[[str], str]) -> Iterator[str]:
    """Yield the records in the words of the game. Only a close finish is one."""

    def named(best: Best) -> str:
        return " & ".join(shown_as(short_name(name, 0)) for name in best.names)

    if bests.catch and face.record:
        yield f"{translated(face.record)}: {named(bests.catch)}, {face.amount(bests.catch.value)}"
    if bests.closest and bests.closest.value <= face.close:
        margin = face.amount(bests.closest.value)
        yield _("Closest finish: {name}, by {margin}", name=named(bests.closest), margin=margin)
    if bests.streak:
        yield _("Longest streak: {name}, {n} wins", name=named(bests.streak), n=bests.streak.value)


def meetings_page(faces: Faces, other_id: int, meetings: Sequence[Meeting], game: str) -> Post:
    """Return what the reader and another player did at the same tables."""
    by_game = {key: [each for each in meetings if each.game == key] for key in faces}
    player = f"<@{other_id}>"
    lines = [line for key, of_game in by_game.items() for line in _tallies(title_of(faces[key].game), player, of_game)]
    last = [_meeting(faces[each.game], each) for each in meetings[:_LAST] if each.game in faces]
    paragraphs = (
        "### " + _("You and {player}", player=player),
        "\n".join(lines) or _("You haven't finished a game together on this server."),
        "\n".join([_("**The last games**"), *last]) if last else "",
    )
    back = Button("friends", _("Back"), argument=f"{game}-0")
    return Post(tuple(filter(None, paragraphs)), rows=((back,),))


def _tallies(game: str, player: str, meetings: Sequence[Meeting]) -> Iterator[str]:
    """Yield how often the reader won in a game: against the other player, and as their partner."""
    if against := [each for each in meetings if not each.is_together]:
        yield _against(game, player, against)
    if together := [each for each in meetings if each.is_together]:
        won = sum(each.has_won for each in together)
        yield _("**{game}** as partners: won {won} of {n}", game=game, won=won, n=len(together))


def _against(game: str, player: str, meetings: Sequence[Meeting]) -> str:
    won = sum(each.place < each.their_place for each in meetings)
    lost = sum(each.place > each.their_place for each in meetings)
    level = len(meetings) - won - lost
    draws = ngettext("{n} draw", "{n} draws", level) if level else ""
    score = _("**{game}**: level at {won}–{lost}", game=game, won=won, lost=lost)
    if won > lost:
        score = _("**{game}**: you lead {won}–{lost}", game=game, won=won, lost=lost)
    elif lost > won:
        score = _("**{game}**: {player} leads {won}–{lost}", game=game, player=player, won=lost, lost=won)
    return " · ".join(filter(None, (score, draws)))


def _meeting(face: Face[Any], each: Meeting) -> str:
    """Return a game in a line: how it ended for the reader, when, and the scores."""
    if each.is_together:
        mark = "🤝 ✅" if each.has_won else "🤝 ❌" if each.place > 1 else "🤝 🟰"
        scores = face.amount(each.score)
    else:
        mark = "✅" if each.place < each.their_place else "❌" if each.place > each.their_place else "🟰"
        scores = _points(each)
    return f"-# {mark} {title_of(face.game)}, {scores} · <t:{each.ended_at:.0f}:d>"


def _points(each: Meeting) -> str:
    own, theirs = number(each.score), number(each.their_score)
    if min(each.score, each.their_score) < 0:  # a dash beside a minus can't be read
        return _("{own} to {theirs}", own=own, theirs=theirs)
    return _("{own}–{theirs}", own=own, theirs=theirs)


# ---- the year of a server


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
    said = " · ".join(_totals(year))
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


def _totals(year: Year) -> Iterator[str]:
    """Yield how many games were played, those against computers apart, and by how many people."""
    total = sum(count for _key, count in year.games)
    yield ngettext("{n} game", "{n} games", total)
    if year.computer_games:
        yield computer_games(year.computer_games)
    yield ngettext("{n} player", "{n} players", year.players)


def _lines(face: Face[Any], year: Year) -> Iterator[Line]:
    """Yield what people did. The records are those of the game that was played most."""
    bests = year.bests
    if year.wins:
        yield Line(_("Most wins"), _won(year.wins))
    if year.computer_wins:
        yield Line(_("Against computers"), _won(year.computer_wins))
    if best := bests.streak:
        yield Line(_("Longest streak"), (_part(_("{name}, {n} wins", name=NAME, n=best.value), *best.names),))
    if (best := bests.catch) and face.record:
        yield Line(translated(face.record), (_part(f"{NAME}, {face.amount(best.value)}", *best.names),))
    if (best := bests.closest) and best.value <= face.close:
        said = _("{name}, by {margin}", name=NAME, margin=face.amount(best.value))
        yield Line(_("Closest finish"), (_part(said, *best.names),))
    if new := year.newcomers:
        label = ngettext("{n} newcomer", "{n} newcomers", len(new))
        yield Line(label, tuple(_part(NAME, name) for name in new[:_MOST_NEW]))
    month = max(range(len(year.months)), key=year.months.__getitem__)
    yield Line(_("Busiest month"), (Part(f"{month_names()[month]} ({number(year.months[month])})"),))


def _won(wins: Sequence[tuple[str, int]]) -> tuple[Part, ...]:
    return tuple(_part(f"{NAME} {number(won)}", name) for name, won in wins)


def _part(said: str, *names: str) -> Part:
    return Part(said, clip(" & ".join(short_name(name, 0) for name in names), _MAX_IN_YEAR))


def _writable(line: Line) -> Line:
    """Return the line with its names as the fonts can show them."""
    return line._replace(parts=tuple(part._replace(name=writable(part.name, 0)) for part in line.parts))
