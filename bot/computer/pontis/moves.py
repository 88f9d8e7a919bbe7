"""Translates moves of Pontis from the rulebook to the engine."""

from bot.computer.pontis import engine
from bot.computer.pontis.engine import CARDS, NUMBERS, SKIP, set_of
from bot.games.card_table import Play
from bot.games.cards import JOKER
from bot.games.game import Move
from bot.games.pontis.moves import Liar, Sum
from bot.games.pontis.observation import Observation


def numbered(seen: Observation) -> list[tuple[engine.Move, Move]]:
    """Return the legal moves of an observation, without calls, as pairs: the engine's move, and the rulebook's."""
    jokers = [bit for bit in engine.each(set_of(seen.hand)) if CARDS[bit.bit_length() - 1] == JOKER]
    found: list[tuple[engine.Move, Move]] = []
    for move in seen.legal:
        match move:
            case Play(card):
                found.append(((1 << NUMBERS[card], NUMBERS[card]), move))
            case Sum(under, top):
                cards = jokers[0] | jokers[1] if under == top else 1 << NUMBERS[under] | 1 << NUMBERS[top]
                found.append(((cards, NUMBERS[top]), move))
            case Liar():
                pass
            case _:
                found.append((SKIP, move))
    return found


def worth_comparing(seen: Observation) -> list[tuple[engine.Move, Move]]:
    """Return the legal moves as pairs; only those that play the last cards, if there are any.

    Where misses may be faked, waiting often does as well as going out, but it looks absurd.
    """
    found, hand = numbered(seen), set_of(seen.hand)
    return [pair for pair in found if pair[0][0] == hand] or found
