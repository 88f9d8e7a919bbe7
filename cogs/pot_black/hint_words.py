"""The reasons of hints at Pot Black in words."""

from typing import Final

from bot.computer.pot_black.why import PotBlackWhy
from bot.computer.thoughts import How
from bot.texts import gettext as _
from bot.ui.posts.hint_words import HintWords, Named


def _gives_ten(it: Named) -> str:
    if it.what and it.name:
        return _("You get rid of {card}: {name} will probably have to take it.", card=it.what, name=it.name)
    if it.what:
        return _("You get rid of {card}: an opponent will probably have to take it.", card=it.what)
    if it.name:
        return _("{name} will probably have to take a black ten.", name=it.name)
    return _("An opponent will probably have to take a black ten.")


def _shortens(it: Named) -> str:
    if not it.n:
        return _("It's your last {suit}: from then on, you may play any card when others lead it.", suit=it.what)
    return _(
        "Then you have only {n} {suit} left. Without any, you may play any card when others lead it.",
        n=it.n,
        suit=it.what,
    )


HINT_WORDS: Final = HintWords(
    {
        PotBlackWhy.LOW: lambda it: _("It's high enough to take the trick, and saves {card} for later.", card=it.what),
        PotBlackWhy.LOST: lambda it: _("It saves {card}: that probably wouldn't take this trick either.", card=it.what),
        PotBlackWhy.KEEPS_TEN: lambda it: _(
            "It saves {card} for a later trick that an opponent has to take.", card=it.what
        ),
        PotBlackWhy.GIVES_TEN: _gives_ten,
        PotBlackWhy.NO_TEN: lambda _it: _("It's the safer way not to get a black ten in this trick."),
        PotBlackWhy.RED: lambda it: _("You lead {suit}, a suit without a black ten.", suit=it.what),
        PotBlackWhy.HAS_NONE: lambda it: _(
            "{name} probably has no {suit}, and could play any card if you led that.", name=it.name, suit=it.what
        ),
        PotBlackWhy.HIGHEST: lambda it: _("Nobody has a higher card of the suit than {card}.", card=it.what),
        PotBlackWhy.EMPTIES_SUIT: lambda it: _(
            "It's your last {suit}: from then on, you can trump this suit.", suit=it.what
        ),
        PotBlackWhy.SHORTENS: _shortens,
        PotBlackWhy.LONGER: lambda it: _(
            "It leaves you {n} more {suit}: of the other suit, you have fewer.", n=it.n, suit=it.what
        ),
        PotBlackWhy.TRUMP: lambda _it: _("It's a trump, and the other card isn't."),
    },
    {
        (PotBlackWhy.GIVES_TEN, How.LIKELIER): lambda _it: _("An opponent is likelier to have to take a black ten."),
        (PotBlackWhy.NO_TEN, How.SURE): lambda _it: _("No black ten falls to you in this trick."),
        (PotBlackWhy.NO_TEN, How.LIKELY): lambda _it: _("You probably don't get a black ten in this trick."),
    },
)
