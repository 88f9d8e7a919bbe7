"""The daily in words: its title, a user's result, the places among friends, and the line to share. Pure."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.records.event import Event, EventResult, Run, day_of
from bot.texts import gettext as _, ngettext, number
from bot.ui.messages.server_forms import day_names
from bot.ui.posts.face import Face
from bot.ui.posts.names import short_name, told_apart
from bot.ui.posts.post import Button
from bot.ui.posts.text import plain, signed, title_of

_FRIENDS_FROM: Final = 3
"""Results of friends are only compared with if there are so many: of fewer, each could be told."""
_NAMED: Final = 15
"""Maximum number of players that a message names."""
_SQUARES: Final = 5
HINTED: Final = "💡"
"""Marks a result that hints have helped with."""


def title(event: Event, face: Face[Any]) -> str:
    """Return the heading of a daily: ``Sunday's daily · Pontis · 4 min``."""
    form = face.game.daily
    return short_title(event, face) + (_(" · {n} min", n=form.minutes) if form else "")


def short_title(event: Event, face: Face[Any]) -> str:
    """Return the daily and its game, for a line about it."""
    names = (
        _("Monday's daily"),
        _("Tuesday's daily"),
        _("Wednesday's daily"),
        _("Thursday's daily"),
        _("Friday's daily"),
        _("Saturday's daily"),
        _("Sunday's daily"),
    )
    return f"{names[(day_of(event.name) or date.min).weekday()]} · {title_of(face.game)}"


def form_line(event: Event, face: Face[Any]) -> str:
    """Return what a daily asks of its players: how many choices, and how many computers play along."""
    computers = face.game.seats(face.game.settle(event.options)) - 1
    against = ngettext("against a computer", "against {n} computers", computers)
    form = face.game.daily
    if form is None:
        return _("You {against}. One try.", against=against)
    return _("About {n} choices, {against}. One try.", n=form.decisions, against=against)


# ---- a result


def result_line(face: Face[Any], result: EventResult, results: Sequence[EventResult]) -> str:
    """Return how many points a user was ahead, and how many did worse, for that user alone.

    Friends count from three results on, and only those of players who want to have a place.
    """
    ahead, computers = f"**{_ahead(face, _score(result))}.**", [each for each in results if each.is_computer]
    friends = [each for each in results if _is_friend(each, result)]
    return f"{ahead} {_fewer(face, result, computers, friends)}" if computers else ahead


def _fewer(
    face: Face[Any], result: EventResult, computers: Sequence[EventResult], friends: Sequence[EventResult]
) -> str:
    """Return how many did worse: of the computers, and of the friends if there are enough."""
    (n, every), (m, count) = _beaten(result, computers), _beaten(result, friends)
    values = {"n": n, "all": every, "m": m, "friends": count}
    if count >= _FRIENDS_FROM:
        return (
            _("{n} of {all} computers got fewer with these cards, and so did {m} of {friends} friends.", **values)
            if face.game.has_hands
            else _("{n} of {all} computers got fewer from this start, and so did {m} of {friends} friends.", **values)
        )
    return (
        _("{n} of {all} computers got fewer with these cards.", **values)
        if face.game.has_hands
        else _("{n} of {all} computers got fewer from this start.", **values)
    )


def _beaten(result: EventResult, others: Sequence[EventResult]) -> tuple[int, int]:
    """Return how many of the others did worse, and how many there are."""
    return sum(_score(each) < _score(result) for each in others), len(others)


def _is_friend(each: EventResult, result: EventResult) -> bool:
    is_here = each.guild_id is not None and each.guild_id == result.guild_id and each.user_id != result.user_id
    return is_here and each.is_placed and not each.is_hidden and each.score is not None


def _ahead(face: Face[Any], score: int) -> str:
    if score == 0:
        return _("Level with the best computer")
    amount = face.amount(abs(score))
    return _("{amount} ahead", amount=amount) if score > 0 else _("{amount} behind", amount=amount)


def small_lines(result: EventResult, run: Run) -> Iterator[str]:
    """Yield the small print below a result: hints, and the streak with its days of rest."""
    if result.is_hinted:
        yield _("{mark} With hints: it has a line of its own among the places.", mark=HINTED)
    if result.streak > 1:
        rested = [day_names()[day.weekday()] for day in run.rests[:1]]
        streak = ngettext("Streak: {n} day", "Streak: {n} days", result.streak)
        yield (
            _("{streak}. {day} was a rest day, and the streak holds.", streak=streak, day=rested[0])
            if rested
            else streak
        )


def share_line(event: Event, face: Face[Any], result: EventResult, results: Sequence[EventResult]) -> str:
    """Return a line about a result that says nothing about the cards."""
    scores = [_score(each) for each in results if each.is_computer]
    full = round(_SQUARES * sum(each < _score(result) for each in scores) / max(1, len(scores)))
    squares = "🟩" * full + "⬜" * (_SQUARES - full) if scores else ""
    streak = ngettext("streak {n}", "streak {n}", result.streak) if result.streak > 1 else ""
    parts = (short_title(event, face), squares, streak, HINTED if result.is_hinted else "")
    return f"**{_name(result)}** · " + " · ".join(filter(None, parts))


def check_finished(result: EventResult | None) -> EventResult:
    """Return the result of a finished try. Raises `NotAllowed`."""
    if result is None or result.score is None:
        raise NotAllowed("You haven't finished this daily.")
    return result


# ---- a server


def shown_here(results: Sequence[EventResult], guild_id: int) -> list[EventResult]:
    """Return the finished tries from a server, except of players who hide their results, the best first.

    Equal names are numbered by who began first.
    """
    here = [each for each in results if each.guild_id == guild_id and each.name and not each.is_hidden]
    names = told_apart(each.name for each in here)
    named = [replace(each, name=name) for each, name in zip(here, names, strict=True)]
    return sorted((each for each in named if each.score is not None), key=_score, reverse=True)


def players_line(guild_id: int, results: Sequence[EventResult]) -> str:
    """Return who has played on a server, in the order of their names, and how many play. Empty if nobody has begun."""
    finished, people = _finished(guild_id, results), shown_here(results, guild_id)
    names = sorted((_name(each) for each in people), key=str.casefold)[:_NAMED]
    parts = [", ".join(names)] if names else []
    if more := finished - len(names):
        others = _("and {n} more", n=number(more))
        parts.append(others if parts else ngettext("{n} has played", "{n} have played", more))
    parts.append(_playing(guild_id, results))
    return " · ".join(filter(None, parts))


def _playing(guild_id: int, results: Sequence[EventResult]) -> str:
    playing = sum(each.is_open for each in results if each.guild_id == guild_id)
    return ngettext("{n} playing", "{n} playing", playing) if playing else ""


def places_lines(guild_id: int, results: Sequence[EventResult]) -> str:
    """Return the places of those who want to have one, then of those with hints, and how many others have played."""
    people = [each for each in shown_here(results, guild_id) if each.is_placed]
    lines = [_ranked([each for each in people if not each.is_hinted])]
    if hinted := [each for each in people if each.is_hinted]:
        lines.append(_("{mark} With hints: {places}", mark=HINTED, places=_ranked(hinted)))
    if more := _finished(guild_id, results) - len(people):
        others = ngettext("{n} more has played", "{n} more have played", more)
        lines.append(others if people else ngettext("{n} has played", "{n} have played", more))
    lines.append(_playing(guild_id, results))
    return "\n".join(filter(None, lines))


def _ranked(people: Sequence[EventResult]) -> str:
    scores = [_score(each) for each in people]
    places = [f"{scores.index(_score(each)) + 1}. **{_name(each)}** {signed(_score(each))}" for each in people[:_NAMED]]
    return " · ".join(places)


def best_streak(guild_id: int, results: Sequence[EventResult]) -> EventResult | None:
    """Return the result with the longest streak on a server, if there is one, of those who want to have a place."""
    people = [each for each in shown_here(results, guild_id) if each.is_placed and each.streak > 1]
    return max(people, key=lambda each: each.streak, default=None)


def streak_line(result: EventResult, run: Run) -> str:
    """Return somebody's streak, with its last day of rest: ``Ann's streak: 6 (rest day: Friday)``."""
    values = {"name": _name(result), "n": result.streak}
    if not run.rests:
        return _("{name}'s streak: {n}", **values)
    return _("{name}'s streak: {n} (rest day: {day})", day=day_names()[run.rests[0].weekday()], **values)


def place_question(day: date) -> tuple[str, tuple[Button, ...]]:
    """Return the question whether a user wants to have a place among their friends, and its buttons."""
    asked = _("When the day ends, may the daily here show your place to your friends? `/settings daily` changes it.")
    return asked, (
        Button("daily-place", _("Show my place"), argument=f"on.{day}"),
        Button("daily-place", _("No"), argument=f"off.{day}"),
    )


def _finished(guild_id: int, results: Sequence[EventResult]) -> int:
    return sum(each.score is not None for each in results if each.guild_id == guild_id)


def _name(result: EventResult) -> str:
    return plain(short_name(result.name, 0))


def _score(result: EventResult) -> int:
    return result.score or 0
