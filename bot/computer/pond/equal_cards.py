"""Cards of Pond that count as one: nothing that their player can know tells them apart."""

from typing import Final

from bot.computer.pond.deals import Deals
from bot.computer.pond.engine import INDEX, LEVEL
from bot.games.cards import Card, Play
from bot.games.game import Move
from bot.games.pond.moves import Bait, Profit, Trap
from bot.games.pond.scoring import PROFIT_GROUPS, class_of
from bot.games.pond.state import Observation

_WITH_CARD: Final = (Profit, Bait, Trap, Play)


def alike(seen: Observation, move: Move, other: Move) -> bool:
    """Whether two moves with a card count as one: worth the same to everybody, and as strong.

    Of two ranks, both are as strong if no card that may still be played is between them, or is one of them: in one's
    own hand, cards don't matter.
    """
    if type(move) is not type(other) or not isinstance(move, _WITH_CARD):
        return False
    one, two = move.card, getattr(other, "card", move.card)
    if not _are_worth_the_same(seen, one, two):
        return False
    low, high = sorted((LEVEL[INDEX[one]], LEVEL[INDEX[two]]))
    return low == high or not any(low <= LEVEL[card] <= high for card in _elsewhere(seen))


def _are_worth_the_same(seen: Observation, one: Card, two: Card) -> bool:
    """Whether both cards are worth the same to everybody, whatever their profit is."""
    poisons = {seen.poison(seat) for seat in range(seen.setup.players)}
    worth = (
        [class_of(card, poison, group) for poison in sorted(poisons) for group in PROFIT_GROUPS] for card in (one, two)
    )
    return next(worth) == next(worth)


def _elsewhere(seen: Observation) -> list[int]:
    """Return the cards that others may still play, or have played to the trick."""
    return [*Deals(seen).hidden, *(INDEX[card] for _seat, card in seen.trick)]
