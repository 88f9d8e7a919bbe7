"""The reasons of hints in words, and those that several games have. `cogs/<game>/hint_words.py` has the others.

A reader sees them below the name of a move, in a hint before they play it or in a review long after: a sentence says
what the move does, not what is so in the hand.
"""

from typing import Any, Final

from bot.computer.thoughts import Cause, How, TrickWhy, Why
from bot.records.table import Table
from bot.texts import gettext as _, ngettext
from bot.ui.posts.face import Face
from bot.ui.posts.hint_words import HintWords, Named
from bot.ui.posts.names import name_of


def why(face: Face[Any], table: Table, cause: Cause | None) -> str:
    """Return a fact about the move in words; empty without one."""
    if cause is None:
        return ""
    words = face.hint_words.of(cause.why, cause.how) or _WORDS.of(cause.why, cause.how)
    if words is None:
        raise KeyError(cause.why)  # a test compares the words with the kinds
    seat = name_of(table, cause.seat) if cause.seat >= 0 else ""
    return words(Named(seat, cause.what, cause.number or 0))


def _gain(sentence: str, points: int) -> str:
    """Return the sentence, and by how much a trick changes the lead of the hint's reader if it does for the better."""
    if points <= 0:
        return sentence
    return f"{sentence} " + ngettext("That brings you about {n} point.", "That brings you about {n} points.", points)


def _keeps_trump(it: Named) -> str:
    if it.n:
        return _("It saves {card}, a trump that can win you a pond.", card=it.what)
    return _("It saves {card}, a trump, for a trick that's worth more.", card=it.what)


def _keeps_high(it: Named) -> str:
    if it.n:
        return _("It saves {card}, a high card that can win a trick.", card=it.what)
    return _("It saves {card}, a high card that can win a later trick.", card=it.what)


def _keeps_low(it: Named) -> str:
    if it.n:
        return _("It saves {card}, a low card that can leave a trick to others.", card=it.what)
    return _("It saves {card}: such a low card leaves a later trick to others.", card=it.what)


def _same(it: Named) -> str:
    if it.n:
        return _("Whatever you play, you'll probably take the trick.")
    if it.name:
        return _("Whatever you play, {name} will probably take the trick.", name=it.name)
    return _("I see hardly any difference, so play what you like.")


def _same_for_certain(it: Named) -> str:
    if it.n:
        return _("Whatever you play, you take the trick.")
    return _("Whatever you play, {name} takes the trick.", name=it.name)


def _leaves(it: Named) -> str:
    """Return that others take a trick. What they lose is a gain."""
    sentence = _("The other side will probably take the trick.")
    if it.name:
        sentence = _("{name} will probably take the trick.", name=it.name)
    if it.n <= 0:
        return sentence
    return f"{sentence} " + ngettext("That costs them about {n} point.", "That costs them about {n} points.", it.n)


_WORDS: Final = HintWords(
    {
        Why.ONLY: lambda _it: _("There's nothing else to play."),
        Why.LOSES: lambda _it: _("Every move loses if the other side plays well."),
        Why.SAME: _same,
        TrickWhy.TAKES: lambda it: _gain(_("You'll probably take the trick."), it.n),
        TrickWhy.PARTNER_TAKES: lambda it: _gain(_("Your partner will probably take the trick."), it.n),
        TrickWhy.LEAVES: _leaves,
        TrickWhy.KEEPS_TRUMP: _keeps_trump,
        TrickWhy.KEEPS_HIGH: _keeps_high,
        TrickWhy.KEEPS_LOW: _keeps_low,
        TrickWhy.KEEPS_STRONGER: lambda it: _("It saves {card}, the higher card of the two.", card=it.what),
        TrickWhy.KEEPS_WEAKER: lambda it: _("It saves {card}, the lower card of the two.", card=it.what),
    },
    {
        (Why.SAME, How.SURE): _same_for_certain,
        (TrickWhy.TAKES, How.SURE): lambda it: _gain(_("You take the trick for certain."), it.n),
        (TrickWhy.TAKES, How.LIKELIER): lambda _it: _("You're likelier to take the trick."),
        (TrickWhy.PARTNER_TAKES, How.SURE): lambda it: _gain(_("Your partner takes the trick for certain."), it.n),
        (TrickWhy.PARTNER_TAKES, How.LIKELIER): lambda _it: _("Your partner is likelier to take the trick."),
        (TrickWhy.LEAVES, How.LIKELIER): lambda _it: _("The other side is likelier to have to take the trick."),
    },
)
