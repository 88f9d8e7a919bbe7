"""The reasons of hints at Pond · frogs in words."""

from typing import Final

from bot.computer.frogs.why import FrogsWhy
from bot.texts import gettext as _, ngettext
from bot.ui.posts.hint_words import HintWords, Named


def _saves(it: Named) -> str:
    if it.what:
        return _("Otherwise {name} wins with {squares}.", name=it.name, squares=it.what)
    return _("Otherwise {name} wins by playing well.", name=it.name)


def _scores(it: Named) -> str:
    if it.name:
        return ngettext(
            "It scores {n} point more for you than for {name}, at once.",
            "It scores {n} points more for you than for {name}, at once.",
            it.n,
            name=it.name,
        )
    return ngettext("It scores {n} point at once.", "It scores {n} points at once.", it.n)


HINT_WORDS: Final = HintWords(
    {
        FrogsWhy.WINS: lambda it: ngettext(
            "It wins at once.", "It wins in {n} moves, whatever the other side does.", it.n
        ),
        FrogsWhy.SAVES: _saves,
        FrogsWhy.SCORES: _scores,
        FrogsWhy.STOPS: lambda it: ngettext(
            "It keeps {name} from scoring {n} point with {squares}.",
            "It keeps {name} from scoring {n} points with {squares}.",
            it.n,
            name=it.name,
            squares=it.what,
        ),
        FrogsWhy.FORCES: lambda it: ngettext(
            "Whatever {name} does, you can score {n} point on your next turn.",
            "Whatever {name} does, you can score {n} points on your next turn.",
            it.n,
            name=it.name,
        ),
        FrogsWhy.THREATENS: lambda it: ngettext(
            "Unless {name} prevents it, you score {n} point next, with {squares}.",
            "Unless {name} prevents it, you score {n} points next, with {squares}.",
            it.n,
            name=it.name,
            squares=it.what,
        ),
        FrogsWhy.PLAN: lambda it: ngettext(
            "It gains you {n} point if both play their best: {squares}.",
            "It gains you {n} points if both play their best: {squares}.",
            it.n,
            squares=it.what,
        ),
        FrogsWhy.AVOIDS: lambda it: ngettext(
            "It avoids this line, which gains {name} {n} point: {squares}.",
            "It avoids this line, which gains {name} {n} points: {squares}.",
            it.n,
            name=it.name,
            squares=it.what,
        ),
        FrogsWhy.PIECE: lambda _it: _("It brings one more of your pieces onto the pond."),
        FrogsWhy.CENTRE: lambda it: _("{square} is in the middle, where a piece reaches most.", square=it.what),
        FrogsWhy.NO_CORNER: lambda it: _(
            "Your piece stays out of the corner {square}, where it reaches least.", square=it.what
        ),
        FrogsWhy.GROWS: lambda it: ngettext(
            "{n} of your tadpoles becomes a frog.", "{n} of your tadpoles become frogs.", it.n
        ),
        FrogsWhy.SHRINKS: lambda it: ngettext(
            "{n} frog of {name} becomes an egg again.", "{n} frogs of {name} become eggs again.", it.n, name=it.name
        ),
        FrogsWhy.FREER: lambda it: _("It leaves {name} fewer moves: {n}.", n=it.n, name=it.name),
        FrogsWhy.OWN_MOVES: lambda it: _("It leaves you more moves: {n}.", n=it.n),
        FrogsWhy.REPLY: lambda it: _("{name} probably answers with {squares}.", name=it.name, squares=it.what),
    },
    {},
)
