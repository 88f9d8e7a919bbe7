"""A match in words: its message in the channel, which says nothing of cards and scores until the match is over.

Challenges and duplicates differ while people join and while they play. Their results are alike.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.records.event import GRACE_S, Event, EventResult
from bot.records.match import LEFT, Match, MatchPlayer
from bot.tables.matches import DRAWN, SIDES, WON, DealResult, Total, finished, total
from bot.texts import gettext as _, listed, ngettext, number
from bot.ui.messages.lobby import options_in_words
from bot.ui.posts.face import Faces
from bot.ui.posts.names import short_name
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import clip, plain, proof, signed, title_of

_LETTERS: Final = "AB"
_MAX_NAME: Final = 16
"""Characters of a name."""


def heading(match: Match, faces: Faces) -> str:
    """Return the heading of a match: ``⚔️ Challenge · Pond · cards``."""
    if match.kind == "duplicate":
        return "### " + _("🔁 Duplicate · {game}", game=title_of(faces[match.game].game))
    return "### " + _("⚔️ Challenge · {game}", game=title_of(faces[match.game].game))


def side_name(match: Match, side: int) -> str:
    """Return the players of a side."""
    return " & ".join(player_name(match, each) for each in match.players_of(side)) or _("Someone")


def match_post(match: Match, event: Event, results: Sequence[EventResult], faces: Faces) -> Post:
    """Return the message about a match. The score of a game is shown once the match is over."""
    title, key, has_hands = heading(match, faces), str(match.id), faces[match.game].game.has_hands
    until = _until(match, event, has_hands=has_hands)
    is_duplicate = match.kind == "duplicate"
    fair = Button("match-fair", _("Fair deal"), argument=key)
    match match.status:
        case "offered" if is_duplicate:
            return Post((f"{title}\n{_joining(match, faces)}", until), rows=(_join_buttons(match),))
        case "playing" if is_duplicate:
            return Post((f"{title}\n{_both_tables(match, results)}", until), rows=((fair,),))
        case "offered":
            accept = Button("match-accept", _("Accept"), "success", argument=key)
            decline = Button("match-decline", _("Decline"), argument=key)
            withdraw = Button("match-withdraw", _("Withdraw"), argument=key)
            said = (f"{title}\n{offer_text(match, faces)}", until)
            return Post(said, rows=((accept, decline, withdraw),))
        case "playing":
            play = Button("match-play", _("Play"), "primary", argument=key)
            return Post((f"{title}\n{progress(match, results)}", until), rows=((play, fair),))
        case "over":
            again = Button("match-replay", _("Replay"), argument=key)
            return Post((title, *_result(match, total(match, results))), rows=((again, fair),))
        case "host-left" | "guest-left":
            again = Button("match-replay", _("Replay"), argument=key)
            ended = f"{title}\n{gone_line(match, LEFT.index(match.status))}"
            return Post((ended,), rows=((again, fair) if results else (fair,),))
        case _:
            return Post((f"{title}\n{_unplayed(match)}",))


def progress(match: Match, results: Sequence[EventResult]) -> str:
    """Return how many games each side has finished, and nothing else: ``Ann 2 of 3 · Ben 1 of 3``.

    In a duplicate, these are the games of each table.
    """
    if match.kind == "duplicate":
        return " · ".join(_tables(match, results))
    return " · ".join(
        _("**{name}** {n} of {deals}", name=side_name(match, side), n=finished(results, side), deals=match.deals)
        for side in SIDES
    )


def offer_text(match: Match, faces: Faces) -> str:
    """Return who challenges whom to what, as everyone reads it."""
    host, guest = match.players[0], match.players[-1]
    games = ngettext("{n} game", "{n} games", match.deals)
    options = options_in_words(faces[match.game], match.options, "none")
    names = {"host": player_name(match, host), "guest": f"<@{guest.user_id}>", "games": games}
    asked = _("**{host}** challenges {guest}: {games}, each of you against computers, one try a game.", **names)
    if faces[match.game].game.has_hands:
        asked = _(
            "**{host}** challenges {guest}: {games} with the same cards, each of you against computers, "
            "one try a game.",
            **names,
        )
    return f"{asked}\n-# {options}"


def _until(match: Match, event: Event, *, has_hands: bool) -> str:
    when = f"<t:{match.until:.0f}:R>"
    if match.status == "offered":
        days = ngettext("{n} day", "{n} days", match.days)
        said = _("This offer ends {when}. Then you have {days}.", when=when, days=days)
    elif match.kind == "duplicate":
        said = _("The same cards at both tables. It ends {when}, or when both have finished.", when=when)
    else:
        said = _("The same cards for both, one try a game. It ends {when}, or when both have finished.", when=when)
    if match.status == "playing":
        until = f"<t:{match.until + GRACE_S:.0f}:f>"
        said = f"{said} {_('Games begun by then can be finished until {until}.', until=until)}"
    return f"-# {said}\n{proof(event.commitment, has_hands=has_hands)}"


def gone_line(match: Match, side: int) -> str:
    """Return how a challenge ends whose player of a side isn't there any more."""
    name, other = side_name(match, side), side_name(match, 1 - side)
    if match.status in {"offered", "withdrawn"}:
        return _("{name} isn't here any more, so the challenge is over.", name=name)
    return _("🏆 {other} wins the challenge: {name} isn't here any more.", name=name, other=other)


def _unplayed(match: Match) -> str:
    if match.kind == "duplicate":
        return _("It didn't begin.")
    host, guest = side_name(match, 0), side_name(match, 1)
    said = {
        "declined": _("{guest} has declined {host}'s challenge.", guest=guest, host=host),
        "withdrawn": _("{host}'s challenge to {guest} was withdrawn.", guest=guest, host=host),
        "expired": _("{guest} hasn't answered {host}'s challenge in time.", guest=guest, host=host),
    }
    return said[match.status]


def _result(match: Match, result: Total) -> tuple[str, ...]:
    """Return the winner, each game, and what the points mean."""
    lines = "\n".join(_lines(match, result))
    counts = _("Match points: {won} for the better result of a game, {drawn} for an equal one.", won=WON, drawn=DRAWN)
    points = _("Points: how far ahead of the best computer.")
    if match.kind == "duplicate":
        points = _("Points: how far ahead, on the same seats.")
    return (f"## {headline(match, result)}", lines, f"-# {counts} {points}")


def headline(match: Match, result: Total) -> str:
    """Return who has won: ``🏆 Ann wins, 4 to 2 match points``."""
    winner = result.winner
    if winner is None:
        return _("🤝 A draw between {names}", names=listed([side_name(match, side) for side in SIDES]))
    won, lost = result.match_points[winner], result.match_points[1 - winner]
    return ngettext(
        "🏆 {names} wins, {won} to {lost} match points",
        "🏆 {names} win, {won} to {lost} match points",
        len(match.players_of(winner)),
        names=side_name(match, winner),
        won=number(won),
        lost=number(lost),
    )


def _lines(match: Match, result: Total) -> Iterator[str]:
    for deal in result.deals:
        scores = " · ".join(_score(match, deal, side) for side in SIDES)
        yield _("Game {n}: {scores}", n=deal.deal + 1, scores=scores)
    if result.ahead:
        names, points = side_name(match, int(result.ahead < 0)), number(abs(result.ahead))
        yield _("In all: {names} +{points}", names=names, points=points)


def _score(match: Match, deal: DealResult, side: int) -> str:
    score = deal.scores[side]
    said = f"{side_name(match, side)} {'–' if score is None else signed(score)}"
    return f"**{said}**" if deal.match_points[side] == WON else said


# ---- duplicates, before they are over


def side_letter(side: int) -> str:
    """Return the name of a side."""
    return _LETTERS[side]


def room_name(match: Match, room: int, faces: Faces) -> str:
    """Return the name of the thread of a table."""
    return _("Duplicate · {game} · table {n}", game=title_of(faces[match.game].game), n=room + 1)


def _joining(match: Match, faces: Faces) -> str:
    """Return what the match is, and who is on which side."""
    games = ngettext("{n} game", "{n} games", match.deals)
    said = _(
        "Two tables play the same cards with the seats exchanged, so that luck cancels: {games}. "
        "Half of each side sits at either table.",
        games=games,
    )
    face = faces[match.game]
    small = [options_in_words(face, match.options, "none")]
    if len(face.game.sides(face.game.settle(match.options))) != len(SIDES):
        small.append(_("Computers take the seats that stay free."))
    return "\n".join((said, *_sides(match), *(f"-# {line}" for line in small)))


def _sides(match: Match) -> list[str]:
    return [f"**{side_letter(side)}** · {_names(match, side) or _('nobody yet')}" for side in SIDES]


def _names(match: Match, side: int) -> str:
    return ", ".join(player_name(match, each) for each in match.players_of(side))


def player_name(match: Match, player: MatchPlayer) -> str:
    """Return the name of a player, unique in the match, with markdown escaped."""
    name = player_label(player)
    namesakes = [each for each in match.players if each.name and player_label(each).casefold() == name.casefold()]
    number = namesakes.index(player) + 1 if player in namesakes else 1
    return f"{plain(name)} ({number})" if number > 1 else plain(name)


def player_label(player: MatchPlayer) -> str:
    """Return the short name of a player, who may have deleted their data, for labels."""
    return clip(short_name(player.name, player.side), _MAX_NAME) if player.name else _("Someone")


def _join_buttons(match: Match) -> tuple[Button, ...]:
    """Return the buttons of a match that people can join."""
    key = str(match.id)
    joins = (Button("match-join", _("Join {side}", side=side_letter(side)), argument=f"{key}.{side}") for side in SIDES)
    return (
        *joins,
        Button("match-leave", _("Leave"), argument=key),
        Button("match-begin", _("Start"), "success", argument=key),
        Button("match-withdraw", _("Withdraw"), argument=key),
    )


def _both_tables(match: Match, results: Sequence[EventResult]) -> str:
    """Return who plays where, and how many games each table has finished. Others can't open the threads."""
    return "\n".join((*_sides(match), *_tables(match, results)))


def _tables(match: Match, results: Sequence[EventResult]) -> list[str]:
    return [
        _("Table {n} · {names}: {done} of {deals}", n=room + 1, names=_at(match, room), done=done, deals=match.deals)
        for room in SIDES
        for done in [finished(results, room)]
    ]


def _at(match: Match, room: int) -> str:
    return listed([player_name(match, each) for each in match.players if each.room == room])
