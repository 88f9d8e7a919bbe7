"""Points of captured cards in Pond · cards: piles, scored rounds and the final result."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, face
from bot.games.game import Seat
from bot.games.pond.observation import Observation
from bot.games.pond.scoring import CardClass, Line, RoundScore, Tally, position
from bot.games.pond.scoring import tally as count
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import number, signed
from cogs.card_texts import faces, mark, paragraphs, ranks

_GAME: Final = GAMES["pond"]


# ---- a pile


def pile_in_full(observation: Observation) -> str:
    """Return the seat's pile by what the cards count as, for ``/pond won``."""
    own = observation.set_aside[observation.seat] if observation.pile and observation.seat is not None else None
    if own is None:
        return _("You haven't taken any cards yet this round.")
    counted = count(observation.pile, observation.poison(observation.seat or 0), own, ())
    cards, value = len(observation.pile), signed(observation.pile_points)
    worth = ngettext("{n} card, worth **{points}** so far", "{n} cards, worth **{points}** so far", cards, points=value)
    return "\n".join((worth, *_cards_by_class(counted)))


def _cards_by_class(tally: Tally) -> Iterator[str]:
    """Yield the captured cards, one line for each way they count: ``Profit 8 9 10 +30: 10♥ 8♠``."""
    for line in tally.lines:
        if line.cards:
            cards = faces(sorted(line.cards, key=position))
            yield _("{counted}: {cards}", counted=_counted(tally, line), cards=cards)


def _counted(tally: Tally, line: Line) -> str:
    """Return the category of captured cards, with the suit or the ranks that decide it, and their points."""
    points = signed(line.points)
    match line.kind:
        case CardClass.POISON:
            return _("Poison {suit} {points}", suit=mark("poison", SUIT_SYMBOLS[tally.poison]), points=points)
        case CardClass.PROFIT:
            return _("Profit {ranks} {points}", ranks=mark("profit", ranks(tally.group)), points=points)
        case CardClass.FACE:
            return _("J Q K {points}", points=points)
        case CardClass.NUMBER:
            return _("Numbers {points}", points=points)
        case _:
            return _("Aces {points}", points=points)


# ---- rounds


def round_in_brief(table: Table, played: int, score: RoundScore) -> str:
    """Return the points of each side as a line."""
    return _("**Round {n}**: {sides}", n=played + 1, sides=_sides(table, score))


def _sides(table: Table, score: RoundScore) -> str:
    return " · ".join(f"{names} {signed(score.points[seats[0]])}" for names, seats in side_names(table, _GAME))


def settlement(table: Table, observation: Observation) -> str:
    """Return the score of the last round: each player's categories, the sides of partners, and the totals."""
    if not observation.rounds:
        return ""
    score, lines = observation.rounds[-1], [_("**Round {n} scored**", n=len(observation.rounds))]
    for seat, tally in enumerate(score.tallies):
        counted = " · ".join(_counted(tally, line) for line in tally.lines if line.cards)
        lines.append(f"{_points_of(table, seat, tally)}: {counted or _('nothing taken')}")
    if len(score.tallies) > 2:
        lines.append(_("**Together**: {sides}", sides=_sides(table, score)))
    return "\n".join((*lines, _totals(table, observation.totals)))


def _round_in_full(table: Table, played: int, score: RoundScore) -> str:
    """Return the score of a round, card by card (PC-34)."""
    lines = [_("**Round {n} scored**", n=played + 1)]
    for seat, tally in enumerate(score.tallies):
        left = faces(sorted(tally.left, key=position)) or _("none")
        lines += [
            _points_of(table, seat, tally),
            *_cards_by_class(tally),
            _("-# Not scored: {card} (set aside) · left in hand: {cards}", card=face(tally.set_aside), cards=left),
        ]
    return "\n".join(lines)


def _points_of(table: Table, seat: Seat, tally: Tally) -> str:
    return f"{name_of(table, seat)} **{signed(tally.points)}**"


def _totals(table: Table, totals: Sequence[int]) -> str:
    """Return the points of each side in all finished rounds."""
    sides = " · ".join(f"{names} **{number(totals[seats[0]])}**" for names, seats in side_names(table, _GAME))
    return _("**Totals**: {sides}", sides=sides)


def _table(table: Table, observation: Observation) -> str:
    """Return the sides with their points, round by round and in all."""
    sides = sorted(side_names(table, _GAME), key=lambda side: -observation.totals[side[1][0]])
    lines = []
    for names, seats in sides:
        rounds = " ".join(signed(score.points[seats[0]]) for score in observation.rounds)
        total = number(observation.totals[seats[0]])
        lines.append(_("**{names} {total}** · rounds {rounds}", names=names, total=total, rounds=rounds))
    return "\n".join(lines)


def scores(table: Table, observation: Observation) -> list[str]:
    """Return the points of all finished rounds, then each round in full, the latest first."""
    if not observation.rounds:
        return [_("No round is finished yet.")]
    rounds = reversed(list(enumerate(observation.rounds)))
    return [_table(table, observation), *(_round_in_full(table, n, score) for n, score in rounds)]


# ---- the end


def result(table: Table, observation: Observation) -> list[str]:
    """Return the final scores, and a few sentences about the game."""
    if not observation.rounds:
        return []
    sentences = (
        _turning_point(table, observation),
        _biggest_catch(table, observation),
        _worst_poison(table, observation),
    )
    return paragraphs(_table(table, observation), "\n".join(paragraphs(*sentences)))


def _turning_point(table: Table, observation: Observation) -> str:
    """Return the round in which the winners went ahead for good; empty if the points didn't decide."""
    outcome = observation.outcome
    if outcome is None or outcome.is_conceded or 2 not in outcome.places:
        return ""
    winner, loser = outcome.places.index(1), outcome.places.index(2)
    leads = accumulate(score.points[winner] - score.points[loser] for score in observation.rounds)
    behind = max((n for n, lead in enumerate(leads, 1) if lead <= 0), default=0)
    names = next(names for names, seats in side_names(table, _GAME) if winner in seats)
    if not behind:
        return _("{names} led from the first round to the last.", names=names)
    return _("Turning point: round {round} put {names} ahead for good.", round=behind + 1, names=names)


def _biggest_catch(table: Table, observation: Observation) -> str:
    cards, where = _most(table, observation, CardClass.PROFIT)
    if not cards:
        return ""
    return ngettext(
        "Biggest catch: {n} profit card ({points}) by {name} in round {round}.",
        "Biggest catch: {n} profit cards ({points}) by {name} in round {round}.",
        cards,
        **where,
    )


def _worst_poison(table: Table, observation: Observation) -> str:
    cards, where = _most(table, observation, CardClass.POISON)
    if not cards:
        return ""
    return ngettext(
        "Worst poison: {n} card ({points}) for {name} in round {round}.",
        "Worst poison: {n} cards ({points}) for {name} in round {round}.",
        cards,
        **where,
    )


def _most(table: Table, observation: Observation, kind: CardClass) -> tuple[int, Mapping[str, object]]:
    """Return the largest number of cards of a kind that a player took in one round, and the values of a sentence on it.

    The number is 0 if nobody took any, or if several players share the record.
    """
    lines = [
        (line, seat, played)
        for played, score in enumerate(observation.rounds, 1)
        for seat, tally in enumerate(score.tallies)
        for line in tally.lines
        if line.kind is kind
    ]
    most = max(len(line.cards) for line, _seat, _played in lines)
    best = [each for each in lines if len(each[0].cards) == most]
    if len(best) > 1:
        return 0, {}
    line, seat, played = best[0]
    return most, {"points": signed(line.points), "name": name_of(table, seat), "round": played}
