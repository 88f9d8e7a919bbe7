"""Hints in words: the move, what other moves are worth, and why."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.computer.thoughts import Cause, Rated, Thought, Why
from bot.tables import Sight, Table
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.ui.posts.face import Face
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Post

_EVEN: Final = {"points": 0.5, "chips": 0.25}
"""Differences below this don't count, by unit."""
_IN_CHIPS: Final = frozenset({"pot_black"})
"""The games that are played for chips. All others are played for points."""


def hint_names() -> Mapping[str, str]:
    """Return in words whether players may ask for hints."""
    return {"auto": _("Hints against computers"), "on": _("Hints for everyone"), "off": _("No hints")}


def hint(face: Face[Any], sight: Sight, thought: Thought) -> Post:
    """Return the hint for the seat of the sight."""
    table, unit = sight.table, "chips" if sight.table.game in _IN_CHIPS else "points"
    name, remark = face.name_in_hint(table, sight.observation, thought.move)
    others = [
        f"{_capitalised(face.name_in_hint(table, sight.observation, other.move)[0])} – {_worth(other, unit)}"
        for other in thought.alternatives
    ]
    heading = _("### Hint · Table {name}", name=table.name)
    lines = "\n".join(f"-# {line}" for line in others)
    said = filter(None, (f"**{_capitalised(name)}**", _capitalised(remark), _why(table, thought.cause)))
    return Post((heading, "\n".join(said), lines))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _worth(other: Rated, unit: str) -> str:
    """Return how another move compares with the best."""
    if other.worse_by is None:
        return _("doesn't win for certain")
    if math.isinf(other.worse_by):
        return _("loses")
    if other.worse_by < _EVEN[unit]:
        return _("about as good")
    number = max(1, round(other.worse_by))
    if unit == "chips":
        return ngettext("about {n} chip worse", "about {n} chips worse", number)
    return ngettext("about {n} point worse", "about {n} points worse", number)


def _why(table: Table, cause: Cause | None) -> str:
    if cause is None:
        return _("A quick guess, without looking ahead.")
    number = cause.number or 0
    match cause.why:
        case Why.HAS_NONE:
            return _out_of(table, cause)
        case Why.TAKES | Why.PARTNER_TAKES | Why.LEAVES:
            return f"{_SENTENCES[cause.why]()} {_gain(number)}".strip()
        case Why.LIE:
            return _("That play proves that {name} faked a miss.", name=name_of(table, cause.seat))
        case Why.BLOCKS:
            return _("{name} probably can't bridge it.", name=name_of(table, cause.seat))
    return _COUNTED[cause.why](number) if cause.why in _COUNTED else _SENTENCES[cause.why]()


def _gain(points: int) -> str:
    """Return by how much a trick changes the lead of the hint's reader; empty if it doesn't."""
    if points < 0:
        return ngettext("That costs you about {n} point.", "That costs you about {n} points.", -points)
    return ngettext("That brings you about {n} point.", "That brings you about {n} points.", points) if points else ""


def _out_of(table: Table, cause: Cause) -> str:
    suits = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs")}
    return ngettext(
        "{name} is probably out of {suit}. Leading them would cost you about {n} chip.",
        "{name} is probably out of {suit}. Leading them would cost you about {n} chips.",
        cause.number or 1,
        name=name_of(table, cause.seat),
        suit=suits[cause.suit],
    )


_SENTENCES: Final[Mapping[Why, Callable[[], str]]] = {
    Why.ONLY: lambda: _("There's nothing else to play."),
    Why.BEST: lambda: _("On average, it does best against the cards that others may have."),
    Why.SOLVED: lambda: _("Nothing is hidden any more. Played to the end, it's the best move."),
    Why.LOSES: lambda: _("Every move loses if the other side plays well."),
    Why.SAVES: lambda: _("Every other move loses."),
    Why.TAKES: lambda: _("You'll probably take the trick."),
    Why.PARTNER_TAKES: lambda: _("Your partner will probably take the trick."),
    Why.LEAVES: lambda: _("An opponent will probably take the trick."),
    Why.DODGES: lambda: _("An opponent will probably take a trick with a black ten."),
    Why.EMPTIES: lambda: _("You play your last cards."),
    Why.MATCHES: lambda: _("It matches the suit, for one more point."),
    Why.TWO: lambda: _("You get rid of two cards at once."),
}
_COUNTED: Final[Mapping[Why, Callable[[int], str]]] = {
    Why.AHEAD: lambda n: ngettext(
        "It looks best when thinking {n} move ahead.", "It looks best when thinking {n} moves ahead.", n
    ),
    Why.WINS: lambda n: ngettext("It wins at once.", "It wins in {n} moves, whatever the other side does.", n),
    Why.SCORES: lambda n: ngettext("It scores {n} point at once.", "It scores {n} points at once.", n),
    Why.GROUP: lambda n: ngettext(
        "{n} more card in your hand becomes profit.", "{n} more cards in your hand become profit.", n
    ),
}
