"""Hints in words: the move, and what other moves are worth."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.computer.thoughts import Rated, Recalled, Thought, Verdict
from bot.games.game import Move
from bot.records.table import Table
from bot.tables.replays import Recollection
from bot.tables.tables import Sight
from bot.texts import gettext as _, listed, ngettext
from bot.ui.messages.hint_reasons import why
from bot.ui.posts.face import Face
from bot.ui.posts.names import name_of, with_stand_in
from bot.ui.posts.post import Button, Post

_SLIGHT: Final = 0.5
"""Differences below this are slight, in points or chips."""


def hint_names() -> Mapping[str, str]:
    """Return in words whether players may ask for hints."""
    return {
        "auto": _("Hints alone, or for newcomers"),
        "on": _("Hints for everyone"),
        "off": _("No hints"),
    }


def hint(face: Face[Any], sight: Sight, thought: Thought) -> Post:
    """Return the hint for the seat of the sight."""
    table = sight.table
    name, remark = face.name_in_hint(table, sight.observation, thought.move)

    def named(move: Move) -> str:
        return face.name_in_hint(table, sight.observation, move)[0]

    equals = [name, *map(named, thought.equals)]
    heading = _("### Hint · Table {name}", name=table.name)
    shared, specific = _reasons(face, table, thought, named)
    how = _("Only a quick guess, not thought through.") if thought.is_guess else ""
    said = (f"**{_capitalised(name)}**", _capitalised(remark), _even(equals), *shared, how)
    play = Button("play-hint", _("Play it"), "success", argument=str(thought.move))
    return Post((heading, "\n".join(filter(None, said)), "\n".join(specific)), rows=((play,),))


def _reasons(
    face: Face[Any], table: Table, thought: Thought, named: Callable[[Move], str]
) -> tuple[list[str], list[str]]:
    """Return the reasons held against all worse moves, then those against some, and how much worse the rest is."""
    best, worse = {thought.move, *thought.equals}, {other.move: other for other in thought.worse}
    left = {**worse}
    shared, specific = list[str](), list[str]()
    for reason in thought.reasons:
        sentence = why(face, table, reason.cause)
        if not best.issubset(reason.moves):
            sentence = _("{moves}: {reason}", moves=listed([*map(named, reason.moves)]), reason=sentence)
        if not reason.against or {*reason.against} == {*worse}:
            shared.append(_capitalised(sentence))
            continue
        others = [_with_worth(named(move), left.pop(move, None), face) for move in reason.against]
        specific.append("-# " + _("Rather than {moves}: {reason}", moves=listed(others), reason=sentence))
    rest = [f"-# {_capitalised(named(move))} – {_worth(other, face)}" for move, other in left.items()]
    return shared, [*specific, *rest]


def _with_worth(name: str, other: Rated | None, face: Face[Any]) -> str:
    """Return a move with how much worse it is, unless that has been said."""
    return name if other is None else f"{name} ({_worth(other, face)})"


def recalled(face: Face[Any], table: Table, move: Recollection, how: Recalled, level: str) -> Post:
    """Return how a computer came to its move, after the end of the game. ``level`` is its level in words."""
    table = table if move.by is None else with_stand_in(table, move.by)
    computer = name_of(table, move.seat)

    def named(played: Move) -> str:
        return face.name_in_hint(table, move.observation, played)[0]

    if how.thought is not None:
        said, others = [_even([named(each) for each in (move.played, *how.thought.equals)])], how.thought.alternatives
        if reason := why(face, table, how.thought.cause):
            said.append(_("{name} to itself: “{reason}”", name=computer, reason=reason))
    else:
        said, others = _quick(move, how.verdict, named)
        if reason := why(face, table, how.cause):
            said.append(_("A hint to {name}: “{reason}”", name=computer, reason=reason))
    worse = [f"-# {_capitalised(named(other.move))} – {_worth(other, face)}" for other in others if other.worse_by != 0]
    heading = _("### Why? · Table {name}", name=table.name)
    played = f"**{_capitalised(named(move.played))}**"
    lines = filter(None, (played, *said))
    return Post((f"{heading}\n-# {computer} · {level}", "\n".join(lines), "\n".join(worse)))


def _quick(
    move: Recollection, verdict: Verdict | None, named: Callable[[Move], str]
) -> tuple[list[str], tuple[Rated, ...]]:
    """Return what a look ahead says about a move by rule of thumb, and that move if it is worse than another."""
    if verdict is None:
        return [_("I can't tell any more: today's program would choose another move.")], ()
    how = {
        "easy": _("An easy computer looks at the move itself only."),
        "fair": _("A fair computer took a quick look here, by a rule of thumb."),
    }.get(move.level, "")
    if verdict.worse_by == 0:
        return [how, _("A look ahead finds nothing clearly better.")], ()
    better = _("A look ahead prefers **{move}**.", move=named(verdict.best))
    return [how, better], (Rated(move.played, verdict.worse_by),)


def _even(names: list[str]) -> str:
    """Return that these moves are equally good; empty for one."""
    if len(names) == 1:
        return ""
    if len(names) == 2:
        return _("These two are equally good: {moves}.", moves=listed(names))
    return _("These are equally good: {moves}.", moves=listed(names))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _worth(other: Rated, face: Face[Any]) -> str:
    """Return how another move compares with the best."""
    if other.worse_by is None:
        return _("doesn't win for certain")
    if math.isinf(other.worse_by):
        return _("loses")
    if other.worse_by < _SLIGHT:
        return _("slightly worse")
    number = max(1, round(other.worse_by))
    if face.plays_for_chips:
        return ngettext("about {n} chip worse", "about {n} chips worse", number)
    return ngettext("about {n} point worse", "about {n} points worse", number)
