"""Translates moves of Pontis from the rulebook to the engine."""

from bot.computer.pontis import engine
from bot.computer.pontis.engine import NUMBERS, SKIP, set_of
from bot.games.game import Move
from bot.games.pontis.moves import Liar, cards_of
from bot.games.pontis.observation import Observation


def numbered(seen: Observation) -> list[tuple[engine.Move, Move]]:
    """Return the legal moves of an observation, without calls, as pairs: the engine's move, and the rulebook's."""
    found: list[tuple[engine.Move, Move]] = []
    for move in seen.legal:
        if not isinstance(move, Liar):
            cards = cards_of(move)
            found.append(((set_of(cards), NUMBERS[cards[-1]]) if cards else SKIP, move))
    return found


def worth_comparing(seen: Observation) -> list[tuple[engine.Move, Move]]:
    """Return the legal moves as pairs; only those that play the last cards, if there are any.

    Where misses may be faked, waiting often does as well as going out, but it looks absurd.
    """
    found, hand = numbered(seen), set_of(seen.hand)
    return [pair for pair in found if pair[0][0] == hand] or found
