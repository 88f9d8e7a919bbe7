"""Points of captured cards in Pond · cards: piles, scored rounds and the final result."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, Card, face
from bot.games.game import Event, Seat
from bot.games.pond.scoring import STRENGTH, CardClass, Line, RoundScore, Tally, class_of, position, tally as count
from bot.games.pond.state import FACE_DOWN, Observation, Taken
from bot.records.table import Table
from bot.texts import gettext as _, ngettext, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.card_texts import faces, held, mark, paragraphs, ranks

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
            return mark("poison", held(_("Poison {suit} {points}", suit=SUIT_SYMBOLS[tally.poison], points=points)))
        case CardClass.PROFIT:
            return mark("profit", held(_("Profit {ranks} {points}", ranks=ranks(tally.group), points=points)))
        case CardClass.FACE:
            return held(_("J Q K {points}", points=points))
        case CardClass.NUMBER:
            return held(_("Numbers {points}", points=points))
        case _:
            return held(_("Aces {points}", points=points))


# ---- rounds


def round_in_brief(table: Table, played: int, score: RoundScore) -> str:
    """Return the points of each side as a line."""
    return _("**Round {n}**: {sides}", n=played + 1, sides=_sides(table, score))


def ended_in_full(table: Table, observation: Observation) -> str:
    """Return the points of the last round; empty if there was no other. The headline says who had most in all."""
    outcome, rounds = observation.outcome, observation.rounds
    if outcome is None or outcome.reason not in _GAME.reasons or len(rounds) < 2:
        return ""
    return round_in_brief(table, len(rounds) - 1, rounds[-1])


def _sides(table: Table, score: RoundScore) -> str:
    return " · ".join(f"{names} {signed(score.points[seats[0]])}" for names, seats in side_names(table, _GAME))


def settlement(table: Table, observation: Observation) -> str:
    """Return the score of the last round: each player's categories, the sides of partners, and the totals."""
    if not observation.rounds:
        return ""
    return "\n".join((*_summary(table, observation), _totals(table, observation.totals)))


def _summary(table: Table, observation: Observation) -> list[str]:
    """Return what each player won and lost in the last round by kind, and the sides of partners."""
    score, lines = observation.rounds[-1], [_("**Round {n} scored**", n=len(observation.rounds))]
    lines += [f"{_points_of(table, seat, tally)}: {_categories(tally)}" for seat, tally in enumerate(score.tallies)]
    if len(score.tallies) > 2:
        lines.append(_("**Together**: {sides}", sides=_sides(table, score)))
    return lines


def reasons(table: Table, observation: Observation) -> str:
    """Return what cost or brought the seat most in the last round, and what all won and lost, its own side first."""
    seat = observation.seat
    if not observation.rounds or seat is None:
        return ""
    tallies = observation.rounds[-1].tallies
    lines = [_("You **{points}**: {counted}", points=signed(tallies[seat].points), counted=_categories(tallies[seat]))]
    others = sorted((n for n in range(len(tallies)) if n != seat), key=lambda n: (n - seat) % 2)
    lines += [f"{_points_of(table, n, tallies[n])}: {_categories(tallies[n])}" for n in others]
    said = "\n".join(paragraphs(_dearest(tallies[seat]), *lines))
    # Below the result of the game, these would be taken for the reasons of that.
    return said if observation.outcome is None else f"{_('**Round {n}**', n=len(observation.rounds))}: {said}"


def _left(tally: Tally) -> str:
    return faces(sorted(tally.left, key=position)) or _("none")


def _categories(tally: Tally) -> str:
    return " · ".join(_counted(tally, line) for line in tally.lines if line.cards) or _("nothing taken")


def _dearest(tally: Tally) -> str:
    """Return what cost or brought the player of a round most."""
    poison, profit = (
        next(line for line in tally.lines if line.kind is k) for k in (CardClass.POISON, CardClass.PROFIT)
    )
    if -poison.points > profit.points:
        return ngettext(
            "{n} poison card cost you {points}.",
            "{n} poison cards cost you {points}.",
            len(poison.cards),
            points=number(-poison.points),
        )
    if not profit.cards:
        return ""
    if poison.cards:
        return ngettext(
            "{n} profit card brought you {points}.",
            "{n} profit cards brought you {points}.",
            len(profit.cards),
            points=number(profit.points),
        )
    return ngettext(
        "{n} profit card brought you {points}, and you took no poison.",
        "{n} profit cards brought you {points}, and you took no poison.",
        len(profit.cards),
        points=number(profit.points),
    )


def _dearest_of_all(table: Table, score: RoundScore) -> str:
    """Return the poison or profit of a round that counted most; empty if nobody took any."""
    kinds = (CardClass.POISON, CardClass.PROFIT)
    found = [(line, seat) for seat, tally in enumerate(score.tallies) for line in tally.lines if line.kind in kinds]
    line, seat = max(found, key=lambda each: abs(each[0].points))
    values = {"points": signed(line.points), "name": name_of(table, seat)}
    if not line.cards:
        return ""
    if line.kind is CardClass.POISON:
        return ngettext(
            "{n} poison card mattered most: {points} for {name}.",
            "{n} poison cards mattered most: {points} for {name}.",
            len(line.cards),
            **values,
        )
    return ngettext(
        "{n} profit card mattered most: {points} for {name}.",
        "{n} profit cards mattered most: {points} for {name}.",
        len(line.cards),
        **values,
    )


def _round_in_full(table: Table, played: int, score: RoundScore) -> str:
    """Return the score of a round, card by card (PC-34)."""
    lines = [_("**Round {n} scored**", n=played + 1)]
    for seat, tally in enumerate(score.tallies):
        lines += [
            _points_of(table, seat, tally),
            *_cards_by_class(tally),
            _(
                "-# Not scored: {card} (set aside) · left in hand: {cards}",
                card=face(tally.set_aside),
                cards=_left(tally),
            ),
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


# ---- why


def why(
    table: Table,
    observation: Observation,
    events: Sequence[Event],  # noqa: ARG001 - as in all games
) -> tuple[str, str] | None:
    """Return why the last trick, or the round that was scored after it, counts what it does, and the ruling."""
    trick = observation.last_trick
    if trick is None:
        return None
    if not observation.taken:
        dearest = _dearest_of_all(table, observation.rounds[-1])
        return "\n".join(paragraphs(*_summary(table, observation), dearest)), "PC-29"
    strengths = [STRENGTH[laid.card] for laid in trick.trick]
    is_tie = strengths.count(max(strengths)) > 1
    cards = [laid.card for laid in trick.laid if laid.card != FACE_DOWN]
    has_poison = any(card[1] == observation.poison(trick.taker) for card in cards)
    taken = _why_taken(table, observation, max(strengths), is_tie=is_tie)
    lines = "\n".join(filter(None, (taken, *_why_counted(table, observation, trick, cards))))
    if is_tie:
        return lines, "PC-23" if observation.setup.players == 2 else "PC-24"
    return lines, "PC-29" if has_poison else "PC-22"


def _why_counted(table: Table, observation: Observation, trick: Taken, cards: Sequence[Card]) -> Iterator[str]:
    """Yield what the cards of a trick count for its taker, as far as the reader may know."""
    taker, has_traps = trick.taker, len(cards) < len(trick.laid)
    poison, own = observation.poison(taker), observation.set_aside[taker]
    poisonous = [card for card in cards if card[1] == poison]
    if own is None or own == FACE_DOWN:
        yield _why_known(table, taker, poisonous, has_traps=has_traps)
        return
    counted = count(cards, poison, own, ())
    yield from _cards_by_class(counted)
    points = signed(counted.points)
    yield _("Without the traps: **{points}**", points=points) if has_traps else _("In all: **{points}**", points=points)
    if taker == observation.seat:
        yield from [_why_poison(card, poison, counted.group) for card in poisonous]


def _why_taken(table: Table, observation: Observation, best: int, *, is_tie: bool) -> str:
    """Return why the taker of the last trick took it."""
    trick = observation.last_trick
    assert trick is not None  # noqa: S101 - `why` has checked it
    name, card = name_of(table, trick.taker), next(face(laid.card) for laid in trick.trick if laid.seat == trick.taker)
    if is_tie:
        if observation.setup.tie == "first":
            return _("**{name}** took the trick: the first of equal cards takes it.", name=name)
        leader = name_of(table, trick.trick[0].seat)
        return _("**{name}** got the trick: the best cards were equal, so {leader} chose.", name=name, leader=leader)
    if best >= STRENGTH[Card("8S")]:
        return _("**{name}** took the trick with {card}: spades from 8 up are trumps.", name=name, card=card)
    if best < min(STRENGTH[other] for other in STRENGTH if other[1] != "S"):
        return _("**{name}** took the trick with {card}, the highest of all anti-trumps.", name=name, card=card)
    return _("**{name}** took the trick with {card}, the highest rank: suits don't matter.", name=name, card=card)


def _why_known(table: Table, taker: Seat, poisonous: Sequence[Card], *, has_traps: bool) -> str:
    """Return what is known of the worth of a trick to its taker, whose profit isn't."""
    name = name_of(table, taker)
    if not poisonous:
        if has_traps:
            return _("What it's worth to {name} depends on their secret profit and the traps.", name=name)
        return _("What it's worth to {name} depends on their secret profit.", name=name)
    cards, points = faces(sorted(poisonous, key=position)), signed(CardClass.POISON * len(poisonous))
    known = ngettext(
        "{cards} is poison to {name}: {points}.",
        "{cards} are poison to {name}: {points}.",
        len(poisonous),
        cards=cards,
        name=name,
        points=points,
    )
    rest = _("The rest depends on their secret profit.")
    if has_traps:
        rest = _("The rest depends on their secret profit and the traps.")
    return f"{known} {rest}"


def _why_poison(card: Card, poison: str, group: str) -> str:
    """Return what a poison card costs its taker, and what its rank would count without that."""
    values = {"card": face(card), "points": signed(CardClass.POISON)}
    otherwise = class_of(Card(card[0] + "S"), poison, group)
    if otherwise is CardClass.PROFIT:
        return _("{card} is poison to you: {points}, although its rank is your profit.", **values)
    rank, worth = ranks((card,)), signed(otherwise)
    return _(
        "{card} is poison to you: {points}, although {rank} counts {worth} otherwise.", rank=rank, worth=worth, **values
    )
