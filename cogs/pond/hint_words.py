"""The reasons of hints at Pond · cards in words."""

from typing import Final

from bot.computer.pond.why import PondWhy
from bot.computer.thoughts import How
from bot.texts import gettext as _, ngettext
from bot.ui.posts.hint_words import HintWords, Named


def _keeps_anti_trump(it: Named) -> str:
    if it.n:
        return _("It saves {card}, an anti-trump with which you can lose a bad pond.", card=it.what)
    return _("It saves {card}, an anti-trump: with that you can lose a bad pond later.", card=it.what)


def _keeps_profit(it: Named) -> str:
    if it.n:
        return _("It saves {card}, your profit, for a pond that you take.", card=it.what)
    return _("It saves {card}, your profit, for a later pond that you take.", card=it.what)


def _keeps_poison(it: Named) -> str:
    if it.n:
        return _("It saves {card}, poison for {name}, for a pond that they take.", card=it.what, name=it.name)
    return _("It saves {card}, poison for {name}, for a later pond that they take.", card=it.what, name=it.name)


def _saves_for_now(it: Named) -> str:
    if it.n:
        return _("It leaves you {card}, to take this pond with.", card=it.what)
    return _("It leaves you {card}, to lose this pond to others with.", card=it.what)


def _no_trap(it: Named) -> str:
    if it.name:
        return _("The pond stays small, as {name} will probably take it.", name=it.name)
    return _("The pond stays small while nobody can tell who takes it.")


def _trap(it: Named) -> str:
    if it.n:
        return _("A trap makes the pond bigger, and you'll probably take it.")
    if it.name:
        return _("A trap makes the pond bigger for {name}, who'll probably take it.", name=it.name)
    return _("A trap makes the pond bigger, which suits you more than the others.")


def _rid(it: Named) -> str:
    if it.n:
        return _("You get rid of {card}, your poison.", card=it.what)
    return _("You get rid of {card}, your only poison.", card=it.what)


HINT_WORDS: Final = HintWords(
    {
        PondWhy.KEEPS_ANTI_TRUMP: _keeps_anti_trump,
        PondWhy.KEEPS_PROFIT: _keeps_profit,
        PondWhy.KEEPS_POISON: _keeps_poison,
        PondWhy.GROUP: lambda it: ngettext(
            "With it, {n} more card in your hand is profit, worth +15.",
            "With it, {n} more cards in your hand are profit, worth +15 each.",
            it.n,
        ),
        PondWhy.RANKS: lambda it: _("It makes {n} ranks your profit, not only three.", n=it.n),
        PondWhy.ASIDE: lambda it: _("It takes {card}, your poison, out of the round.", card=it.what),
        PondWhy.RID: _rid,
        PondWhy.POISON_FOR: lambda it: _(
            "{card} is poison for {name}, who'll probably take it.", card=it.what, name=it.name
        ),
        PondWhy.ADDS: lambda it: _(
            "{card} is worth +{n} to you in a pond that you'll probably take.", card=it.what, n=it.n
        ),
        PondWhy.AWARDS: lambda it: _("It gives the trick to {name}.", name=it.name),
        PondWhy.FEWER: lambda _it: _("Without traps, everyone has more cards left for the next ponds."),
        PondWhy.BARS: lambda it: _("It keeps {card}, your poison, out of this pond.", card=it.what),
        PondWhy.KEEPS_FOR_LATER: lambda it: _("It saves {card} for a later pond, where it's worth more.", card=it.what),
        PondWhy.ADDS_FOR: lambda it: _("In {name}'s pile, {card} is worth +{n}.", card=it.what, n=it.n, name=it.name),
        PondWhy.CLEAN: lambda _it: _("It adds no poison to a pond that you'll probably take."),
        PondWhy.CLEAN_FOR: lambda it: _("It adds no poison to a pond that {name} will probably take.", name=it.name),
        PondWhy.CHEAP: lambda it: ngettext(
            "{card} brings {name} only {n} point, unless it's their profit.",
            "{card} brings {name} only {n} points, unless it's their profit.",
            it.n,
            card=it.what,
            name=it.name,
        ),
        PondWhy.SAVES_FOR_NOW: _saves_for_now,
        PondWhy.LESS_PROFIT: lambda it: _("{card} is less likely to be {name}'s profit.", card=it.what, name=it.name),
        PondWhy.NO_TRAP: _no_trap,
        PondWhy.NO_HIDING: lambda _it: _("Without traps, nobody can hide poison in this pond."),
        PondWhy.TRAP: _trap,
    },
    {
        (PondWhy.ADDS, How.LIKELIER): lambda it: _(
            "{card} is worth +{n} to you if you take this pond.", card=it.what, n=it.n
        ),
        (PondWhy.POISON_FOR, How.SURE): lambda it: _(
            "{card} is poison for {name}, who takes it.", card=it.what, name=it.name
        ),
        (PondWhy.POISON_FOR, How.LIKELIER): lambda it: _(
            "{card} is poison for {name}, who won't want this pond.", card=it.what, name=it.name
        ),
        (PondWhy.CLEAN, How.LIKELIER): lambda _it: _("It adds no poison, in case you have to take this pond."),
    },
)
