"""What decided a game of Pond · cards: a pond, or else a round. Everything in it was revealed when it was scored."""

from collections.abc import Iterator
from typing import Final

from bot.games import GAMES
from bot.games.cards import face
from bot.games.game import Seat
from bot.games.pond.scoring import RoundScore, points
from bot.games.pond.state import Observation, Taken
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext, number
from bot.ui.posts.names import name_of, side_names
from bot.ui.posts.text import signed
from cogs.causes import Cause, Whole, decided_in

_GAME: Final = GAMES["pond"]


def decided(table: Table, observation: Observation) -> str:
    """Return the pond that decided the game, or else the round; empty if none did, and before the end."""
    if observation.outcome is None:
        return ""
    rounds = (
        Whole(_round(table, n, score), [_pond(table, n, taken, score) for taken in past])
        for n, (past, score) in enumerate(zip(observation.past, observation.rounds, strict=False), 1)
    )
    return decided_in(observation.outcome, _GAME.sides(table.options), rounds)


def _pond(table: Table, played: int, taken: Taken, score: RoundScore) -> Cause:
    sides, tally = _GAME.sides(table.options), score.tallies[taken.taker]
    worth = sum(points(laid.card, tally.poison, tally.group) for laid in taken.laid)
    gains = tuple(worth if side == sides[taken.taker] else 0 for side in sides)
    return Cause(gains, _taken(table, played, taken, tally.poison, worth))


def _taken(table: Table, played: int, taken: Taken, poison: str, worth: int) -> str:
    """Return who took a pond, and what it brought or cost: with the traps that did, if there were any."""
    name, side = name_of(table, taken.taker), _side_of(table, taken.taker)
    if worth >= 0:
        gained = {"round": played, "name": name, "points": signed(worth)}
        if side == name:
            return _("Decided in round {round}: {name} took a pond worth {points}.", **gained)
        return _("Decided in round {round}: {name} took a pond worth {points} for {side}.", side=side, **gained)
    values = {"round": played, "side": side, "points": number(-worth)}
    if traps := [*_traps(table, taken, poison)]:
        return _("Decided in round {round}: a pond with {traps} cost {side} {points}.", traps=listed(traps), **values)
    cards = sum(laid.card[1] == poison for laid in taken.laid)
    return ngettext(
        "Decided in round {round}: a pond with {n} poison card cost {side} {points}.",
        "Decided in round {round}: a pond with {n} poison cards cost {side} {points}.",
        cards,
        **values,
    )


def _traps(table: Table, taken: Taken, poison: str) -> Iterator[str]:
    """Yield the other side's traps that were poison to the taker: ``Ann's trap 10♦``."""
    sides = _GAME.sides(table.options)
    for seat, card in taken.traps:
        if card[1] == poison and sides[seat] != sides[taken.taker]:
            yield _("{name}'s trap {card}", name=name_of(table, seat), card=face(card))


def _side_of(table: Table, seat: Seat) -> str:
    return next(names for names, seats in side_names(table, _GAME) if seat in seats)


def _round(table: Table, played: int, score: RoundScore) -> Cause:
    sides = " · ".join(f"{names} {signed(score.points[seats[0]])}" for names, seats in side_names(table, _GAME))
    return Cause(score.points, _("Decided in round {round}: {sides}.", round=played, sides=sides))
