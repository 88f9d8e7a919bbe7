"""The reasons of hints at Pontis in words."""

from typing import Final

from bot.computer.pontis.why import PontisWhy
from bot.computer.thoughts import How
from bot.texts import either, gettext as _, ngettext
from bot.ui.posts.hint_words import HintWords, Named


def _unmatched(it: Named) -> str:
    if not it.n:
        return _("{name} can't match {suit} for a point.", name=it.name, suit=it.what)
    return _("{name} is less likely to match the suit, {suit}, for a point.", name=it.name, suit=it.what)


def _needed(it: Named) -> str:
    what = either(it.what.split("/"))
    if not it.n:
        return _("{name}, who's next, then needs {what}: no card that you haven't seen fits.", name=it.name, what=what)
    return ngettext(
        "{name}, who's next, then needs {what}: {n} card that you haven't seen fits.",
        "{name}, who's next, then needs {what}: {n} cards that you haven't seen fit.",
        it.n,
        name=it.name,
        what=what,
    )


HINT_WORDS: Final = HintWords(
    {
        PontisWhy.LIE: lambda it: _("That play proves that {name} faked a miss.", name=it.name),
        PontisWhy.EMPTIES: lambda _it: _("You play your last cards."),
        PontisWhy.BLOCKS: lambda it: _("{name}, who's next, probably can't play.", name=it.name),
        PontisWhy.MATCHES: lambda _it: _("It matches the suit, for one more point."),
        PontisWhy.TWO: lambda _it: _("You get rid of two cards at once."),
        PontisWhy.AGAIN: lambda _it: _("You can probably play on your next turn, too."),
        PontisWhy.OUT: lambda _it: _("You're likelier to be out of cards first."),
        PontisWhy.FEWER: lambda it: ngettext(
            "Only {n} card that you haven't seen fits {name}'s next bridge.",
            "Only {n} cards that you haven't seen fit {name}'s next bridge.",
            it.n,
            name=it.name,
        ),
        PontisWhy.UNMATCHED: _unmatched,
        PontisWhy.NARROWS: lambda it: ngettext(
            "{name}, who's next, has only {n} way to play.",
            "{name}, who's next, has only {n} ways to play.",
            it.n,
            name=it.name,
        ),
        PontisWhy.LIMITS: lambda it: ngettext(
            "{name} can score only {n} point next.", "{name} can score only {n} points next.", it.n, name=it.name
        ),
        PontisWhy.SECURES: lambda it: ngettext(
            "Whatever {name} plays, you can score {n} point on your next turn.",
            "Whatever {name} plays, you can score {n} points on your next turn.",
            it.n,
            name=it.name,
        ),
        PontisWhy.KEEPS_SUIT: lambda it: _(
            "It saves {card}, your only card of its suit: matching a suit is one more point.", card=it.what
        ),
        PontisWhy.ANSWERS: lambda it: _("Whatever {name} plays, you can match the suit then.", name=it.name),
        PontisWhy.SHEDS: lambda it: _("You get rid of {card}: a difference is seldom that high.", card=it.what),
        PontisWhy.KEEPS_SMALL: lambda it: _(
            "It saves {card}: most differences are small, so small cards fit often.", card=it.what
        ),
        PontisWhy.NEEDED: _needed,
        PontisWhy.KEEPS_CARD: lambda it: _("It saves {card} for a later turn.", card=it.what),
        PontisWhy.ON_TOP: lambda it: _("{card} ends on top of your bank.", card=it.what),
        PontisWhy.CARD: lambda _it: _("A card on your bank is a point now."),
        PontisWhy.WAITS: lambda _it: _("It saves your cards for the sum ability, which gets rid of two at once."),
    },
    {
        (PontisWhy.BLOCKS, How.SURE): lambda it: _("{name}, who's next, can't play.", name=it.name),
        (PontisWhy.BLOCKS, How.LIKELIER): lambda it: _("{name}, who's next, is likelier to miss a turn.", name=it.name),
        (PontisWhy.AGAIN, How.LIKELIER): lambda _it: _("You're likelier to be able to play on your next turn, too."),
        (PontisWhy.OUT, How.LIKELY): lambda _it: _("You'll probably be out of cards first."),
    },
)
