"""The reasons of hints in words.

A reader sees them below the name of a move, in a hint before they play it or in a review long after: a sentence says
what the move does, not what is so in the hand.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from bot.computer.thoughts import Cause, How, Why
from bot.tables import Table
from bot.texts import gettext as _, ngettext
from bot.ui.posts.names import name_of


def why(table: Table, cause: Cause | None, unit: str) -> str:
    """Return a fact about the move in words; empty without one."""
    if cause is None:
        return ""
    if cause.why is Why.BEST:
        return _best(cause.number or 0, unit)
    words = _BY_CERTAINTY.get((cause.why, cause.how), _WORDS[cause.why])
    if cause.number:
        words = _BEFORE_TRICKS.get(cause.why, words)
    seat = name_of(table, cause.seat) if cause.seat >= 0 else ""
    return words(_Named(seat, cause.what, cause.number or 0))


class _Named(NamedTuple):
    """What a sentence names: a player, a card or squares, and a number."""

    name: str
    what: str
    n: int


def _best(number: int, unit: str) -> str:
    """Return by how much the move is better, as no plain fact tells it from the next one."""
    if not number:
        return _("Only slightly better than the next best move.")
    if unit == "chips":
        return ngettext(
            "Over the next tricks, it brings about {n} chip more.",
            "Over the next tricks, it brings about {n} chips more.",
            number,
        )
    return ngettext(
        "Over the next turns, it brings about {n} point more.",
        "Over the next turns, it brings about {n} points more.",
        number,
    )


def _gain(sentence: str, points: int) -> str:
    """Return the sentence, and by how much a trick changes the lead of the hint's reader if it does for the better."""
    if points <= 0:
        return sentence
    return f"{sentence} " + ngettext("That brings you about {n} point.", "That brings you about {n} points.", points)


def _same(it: _Named) -> str:
    if it.n:
        return _("Whatever you play, you'll probably take the trick.")
    if it.name:
        return _("Whatever you play, {name} will probably take the trick.", name=it.name)
    return _("I see hardly any difference, so play what you like.")


def _same_for_certain(it: _Named) -> str:
    if it.n:
        return _("Whatever you play, you take the trick.")
    return _("Whatever you play, {name} takes the trick.", name=it.name)


def _leaves(it: _Named) -> str:
    """Return that others take a trick. What they lose is a gain."""
    sentence = _("The other side will probably take the trick.")
    if it.name:
        sentence = _("{name} will probably take the trick.", name=it.name)
    if it.n <= 0:
        return sentence
    return f"{sentence} " + ngettext("That costs them about {n} point.", "That costs them about {n} points.", it.n)


def _saves_for_now(it: _Named) -> str:
    if it.n:
        return _("It leaves you {card}, to take this pond with.", card=it.what)
    return _("It leaves you {card}, to lose this pond to others with.", card=it.what)


def _no_trap(it: _Named) -> str:
    if it.name:
        return _("The pond stays small, as {name} will probably take it.", name=it.name)
    return _("The pond stays small while nobody can tell who takes it.")


def _trap(it: _Named) -> str:
    if it.n:
        return _("A trap makes the pond bigger, and you'll probably take it.")
    if it.name:
        return _("A trap makes the pond bigger for {name}, who'll probably take it.", name=it.name)
    return _("A trap makes the pond bigger, which suits you more than the others.")


def _rid(it: _Named) -> str:
    if it.n:
        return _("You get rid of {card}, your poison.", card=it.what)
    return _("You get rid of {card}, your only poison.", card=it.what)


def _gives_ten(it: _Named) -> str:
    if it.what and it.name:
        return _("You get rid of {card}: {name} will probably have to take it.", card=it.what, name=it.name)
    if it.what:
        return _("You get rid of {card}: an opponent will probably have to take it.", card=it.what)
    if it.name:
        return _("{name} will probably have to take a black ten.", name=it.name)
    return _("An opponent will probably have to take a black ten.")


def _shortens(it: _Named) -> str:
    if not it.n:
        return _("It's your last {suit}: from then on, you may play any card when others lead it.", suit=it.what)
    return _(
        "Then you have only {n} {suit} left. Without any, you may play any card when others lead it.",
        n=it.n,
        suit=it.what,
    )


def _unmatched(it: _Named) -> str:
    if not it.n:
        return _("{name} can't match {suit} for a point.", name=it.name, suit=it.what)
    return _("{name} is less likely to match the suit, {suit}, for a point.", name=it.name, suit=it.what)


def _saves(it: _Named) -> str:
    if it.what:
        return _("Otherwise {name} wins with {squares}.", name=it.name, squares=it.what)
    return _("Every other move loses.")


def _scores(it: _Named) -> str:
    if it.name:
        return ngettext(
            "It scores {n} point more for you than for {name}, at once.",
            "It scores {n} points more for you than for {name}, at once.",
            it.n,
            name=it.name,
        )
    return ngettext("It scores {n} point at once.", "It scores {n} points at once.", it.n)


_WORDS: Final[Mapping[Why, Callable[[_Named], str]]] = {
    Why.ONLY: lambda _it: _("There's nothing else to play."),
    Why.LOSES: lambda _it: _("Every move loses if the other side plays well."),
    Why.SAME: _same,
    Why.TAKES: lambda it: _gain(_("You'll probably take the trick."), it.n),
    Why.PARTNER_TAKES: lambda it: _gain(_("Your partner will probably take the trick."), it.n),
    Why.LEAVES: _leaves,
    Why.LOW: lambda it: _("The lower card is enough here, and saves {card} for later.", card=it.what),
    Why.KEEPS_TRUMP: lambda it: _("It saves {card}, a trump, for a trick that's worth more.", card=it.what),
    Why.KEEPS_ANTI_TRUMP: lambda it: _(
        "It saves {card}, an anti-trump: with that you can lose a bad pond later.", card=it.what
    ),
    Why.KEEPS_PROFIT: lambda it: _("It saves {card}, your profit, for a later pond that you take.", card=it.what),
    Why.KEEPS_POISON: lambda it: _(
        "It saves {card}, poison for {name}, for a later pond that they take.", card=it.what, name=it.name
    ),
    Why.KEEPS_HIGH: lambda it: _("It saves {card}, a high card that can win a later trick.", card=it.what),
    Why.KEEPS_LOW: lambda it: _("It saves {card}: such a low card leaves a later trick to others.", card=it.what),
    Why.KEEPS_TEN: lambda it: _("It saves {card} for a later trick that an opponent has to take.", card=it.what),
    Why.GROUP: lambda it: ngettext(
        "With it, {n} more card in your hand is profit, worth +15.",
        "With it, {n} more cards in your hand are profit, worth +15 each.",
        it.n,
    ),
    Why.RANKS: lambda it: _("It makes {n} ranks your profit, not only three.", n=it.n),
    Why.ASIDE: lambda it: _("It takes {card}, your poison, out of the round.", card=it.what),
    Why.RID: _rid,
    Why.POISON_FOR: lambda it: _("{card} is poison for {name}, who'll probably take it.", card=it.what, name=it.name),
    Why.ADDS: lambda it: _("{card} is worth +{n} to you in a pond that you'll probably take.", card=it.what, n=it.n),
    Why.NOW: lambda it: ngettext(
        "It makes this pond about {n} point better for you.",
        "It makes this pond about {n} points better for you.",
        it.n,
    ),
    Why.LATER: lambda it: ngettext(
        "It makes the ponds after this one about {n} point better for you.",
        "It makes the ponds after this one about {n} points better for you.",
        it.n,
    ),
    Why.KEEPS_FOR_LATER: lambda it: _("It saves {card} for a later pond, where it's worth more.", card=it.what),
    Why.ADDS_FOR: lambda it: _("In {name}'s pile, {card} is worth +{n}.", card=it.what, n=it.n, name=it.name),
    Why.CLEAN: lambda _it: _("It adds no poison to a pond that you'll probably take."),
    Why.CLEAN_FOR: lambda it: _("It adds no poison to a pond that {name} will probably take.", name=it.name),
    Why.CHEAP: lambda it: ngettext(
        "{card} brings {name} only {n} point, unless it's their profit.",
        "{card} brings {name} only {n} points, unless it's their profit.",
        it.n,
        card=it.what,
        name=it.name,
    ),
    Why.SAVES_FOR_NOW: _saves_for_now,
    Why.LESS_PROFIT: lambda it: _("{card} is less likely to be {name}'s profit.", card=it.what, name=it.name),
    Why.NO_TRAP: _no_trap,
    Why.NO_HIDING: lambda _it: _("Without traps, nobody can hide poison in this pond."),
    Why.TRAP: _trap,
    Why.GIVES_TEN: _gives_ten,
    Why.NO_TEN: lambda _it: _("It's the safer way not to get a black ten in this trick."),
    Why.RED: lambda it: _("You lead {suit}, a suit without a black ten.", suit=it.what),
    Why.HAS_NONE: lambda it: _(
        "{name} probably has no {suit}, and could play any card if you led that.", name=it.name, suit=it.what
    ),
    Why.HIGHEST: lambda it: _("Nobody has a higher card of the suit than {card}.", card=it.what),
    Why.EMPTIES_SUIT: lambda it: _("It's your last {suit}: from then on, you can trump this suit.", suit=it.what),
    Why.SHORTENS: _shortens,
    Why.LIE: lambda it: _("That play proves that {name} faked a miss.", name=it.name),
    Why.EMPTIES: lambda _it: _("You play your last cards."),
    Why.BLOCKS: lambda it: _("{name}, who's next, probably can't play.", name=it.name),
    Why.MATCHES: lambda _it: _("It matches the suit, for one more point."),
    Why.TWO: lambda _it: _("You get rid of two cards at once."),
    Why.AGAIN: lambda _it: _("You can probably play on your next turn, too."),
    Why.OUT: lambda _it: _("You're likelier to be out of cards first."),
    Why.FEWER: lambda it: ngettext(
        "Only {n} card that you haven't seen fits {name}'s next bridge.",
        "Only {n} cards that you haven't seen fit {name}'s next bridge.",
        it.n,
        name=it.name,
    ),
    Why.UNMATCHED: _unmatched,
    Why.NARROWS: lambda it: ngettext(
        "{name}, who's next, has only {n} way to play.",
        "{name}, who's next, has only {n} ways to play.",
        it.n,
        name=it.name,
    ),
    Why.LIMITS: lambda it: ngettext(
        "{name} can score only {n} point next.", "{name} can score only {n} points next.", it.n, name=it.name
    ),
    Why.SECURES: lambda it: ngettext(
        "Whatever {name} plays, you can score {n} point on your next turn.",
        "Whatever {name} plays, you can score {n} points on your next turn.",
        it.n,
        name=it.name,
    ),
    Why.KEEPS_SUIT: lambda it: _(
        "It saves {card}, your only card of its suit: matching a suit is one more point.", card=it.what
    ),
    Why.ANSWERS: lambda it: _("Whatever {name} plays, you can match the suit then.", name=it.name),
    Why.SHEDS: lambda it: _("You get rid of {card}: a difference is seldom that high.", card=it.what),
    Why.KEEPS_SMALL: lambda it: _(
        "It saves {card}: most differences are small, so small cards fit often.", card=it.what
    ),
    Why.CARD: lambda _it: _("A card on your bank is a point now."),
    Why.WAITS: lambda _it: _("It saves your cards for the sum ability, which gets rid of two at once."),
    Why.WINS: lambda it: ngettext("It wins at once.", "It wins in {n} moves, whatever the other side does.", it.n),
    Why.SAVES: _saves,
    Why.SCORES: _scores,
    Why.STOPS: lambda it: ngettext(
        "It keeps {name} from scoring {n} point with {squares}.",
        "It keeps {name} from scoring {n} points with {squares}.",
        it.n,
        name=it.name,
        squares=it.what,
    ),
    Why.FORCES: lambda it: ngettext(
        "Whatever {name} does, you can score {n} point on your next turn.",
        "Whatever {name} does, you can score {n} points on your next turn.",
        it.n,
        name=it.name,
    ),
    Why.THREATENS: lambda it: ngettext(
        "Unless {name} prevents it, you score {n} point next, with {squares}.",
        "Unless {name} prevents it, you score {n} points next, with {squares}.",
        it.n,
        name=it.name,
        squares=it.what,
    ),
    Why.PLAN: lambda it: ngettext(
        "It gains you {n} point if both play their best: {squares}.",
        "It gains you {n} points if both play their best: {squares}.",
        it.n,
        squares=it.what,
    ),
    Why.AVOIDS: lambda it: ngettext(
        "It avoids this line, which gains {name} {n} point: {squares}.",
        "It avoids this line, which gains {name} {n} points: {squares}.",
        it.n,
        name=it.name,
        squares=it.what,
    ),
    Why.PIECE: lambda _it: _("It brings one more of your pieces onto the pond."),
    Why.CENTRE: lambda it: _("{square} is in the middle, where a piece reaches most.", square=it.what),
    Why.NO_CORNER: lambda it: _("Your piece stays out of the corner {square}, where it reaches least.", square=it.what),
    Why.GROWS: lambda it: ngettext("{n} of your tadpoles becomes a frog.", "{n} of your tadpoles become frogs.", it.n),
    Why.SHRINKS: lambda it: ngettext(
        "{n} frog of {name} becomes an egg again.", "{n} frogs of {name} become eggs again.", it.n, name=it.name
    ),
    Why.FREER: lambda it: _("It leaves {name} fewer moves: {n}.", n=it.n, name=it.name),
}
_BEFORE_TRICKS: Final[Mapping[Why, Callable[[_Named], str]]] = {
    Why.KEEPS_TRUMP: lambda it: _("It saves {card}, a trump that can win you a pond.", card=it.what),
    Why.KEEPS_ANTI_TRUMP: lambda it: _(
        "It saves {card}, an anti-trump with which you can lose a bad pond.", card=it.what
    ),
    Why.KEEPS_PROFIT: lambda it: _("It saves {card}, your profit, for a pond that you take.", card=it.what),
    Why.KEEPS_POISON: lambda it: _(
        "It saves {card}, poison for {name}, for a pond that they take.", card=it.what, name=it.name
    ),
    Why.KEEPS_HIGH: lambda it: _("It saves {card}, a high card that can win a trick.", card=it.what),
    Why.KEEPS_LOW: lambda it: _("It saves {card}, a low card that can leave a trick to others.", card=it.what),
}
"""What stays in the hand, before the first trick of a deal has begun."""
_BY_CERTAINTY: Final[Mapping[tuple[Why, How], Callable[[_Named], str]]] = {
    (Why.SAME, How.SURE): _same_for_certain,
    (Why.TAKES, How.SURE): lambda it: _gain(_("You take the trick for certain."), it.n),
    (Why.TAKES, How.LIKELIER): lambda _it: _("You're likelier to take the trick."),
    (Why.PARTNER_TAKES, How.SURE): lambda it: _gain(_("Your partner takes the trick for certain."), it.n),
    (Why.PARTNER_TAKES, How.LIKELIER): lambda _it: _("Your partner is likelier to take the trick."),
    (Why.LEAVES, How.LIKELIER): lambda _it: _("The other side is likelier to have to take the trick."),
    (Why.ADDS, How.LIKELIER): lambda it: _("{card} is worth +{n} to you if you take this pond.", card=it.what, n=it.n),
    (Why.POISON_FOR, How.SURE): lambda it: _("{card} is poison for {name}, who takes it.", card=it.what, name=it.name),
    (Why.POISON_FOR, How.LIKELIER): lambda it: _(
        "{card} is poison for {name}, who won't want this pond.", card=it.what, name=it.name
    ),
    (Why.CLEAN, How.LIKELIER): lambda _it: _("It adds no poison, in case you have to take this pond."),
    (Why.GIVES_TEN, How.LIKELIER): lambda _it: _("An opponent is likelier to have to take a black ten."),
    (Why.NO_TEN, How.SURE): lambda _it: _("No black ten falls to you in this trick."),
    (Why.NO_TEN, How.LIKELY): lambda _it: _("You probably don't get a black ten in this trick."),
    (Why.BLOCKS, How.SURE): lambda it: _("{name}, who's next, can't play.", name=it.name),
    (Why.BLOCKS, How.LIKELIER): lambda it: _("{name}, who's next, is likelier to miss a turn.", name=it.name),
    (Why.AGAIN, How.LIKELIER): lambda _it: _("You're likelier to be able to play on your next turn, too."),
    (Why.OUT, How.LIKELY): lambda _it: _("You'll probably be out of cards first."),
}
"""The words for facts that have to be so, or are only likelier, where they differ from `_WORDS`."""
