"""The easy computer for Pond · cards: a beginner, who makes the same mistakes every time.

They count what cards are worth to themselves, never what opponents get or fear. They throw their own poison into the
pond, never open a trap, and win with the strongest card or lose with the weakest. They leave their partner's tricks
alone.
"""

import random
from typing import Final

from bot.games.cards import Card, Play
from bot.games.game import Move, Seat
from bot.games.pond.moves import PASS, Award, Bait, Profit, Trap
from bot.games.pond.scoring import STRENGTH, profit_choices
from bot.games.pond.state import FACE_DOWN, Observation

_WANTED: Final = 15
"""The least points of a table that is worth leading the strongest card for to a beginner."""


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def _likes(seen: Observation, move: Move) -> float:
    match move:
        case Play(card):
            return _play(seen, card)
        case Bait(card) | Trap(card):
            return -abs(_worth_of(seen, card) - 4) - STRENGTH[card] / 1000
        case Profit(card):
            return next(choice.held for choice in profit_choices(seen.hand) if choice.card == card)
        case Award(seat):
            return _on_table(seen) * (1 if (seat - (seen.seat or 0)) % 2 == 0 else -1)
        case _:
            return 100.0 if move == PASS else 0.0


def _play(seen: Observation, card: Card) -> float:
    """Rate a card for the trick: strong ones if the table is worth having, weak ones if it isn't."""
    strength, me = STRENGTH[card], seen.seat or 0
    if not seen.trick:
        return strength if _on_table(seen) >= _WANTED else -strength
    top = max(STRENGTH[card] for _, card in seen.trick)
    wins = strength > top
    if (_owner(seen, top) - me) % 2 == 0:
        return _worth_of(seen, card) - 1000 * wins
    if _on_table(seen) + _worth_of(seen, card) <= 0:
        return -strength
    return 1000 + strength if wins else -_worth_of(seen, card)


def _owner(seen: Observation, top: int) -> Seat:
    """Return the seat that takes the trick as it lies. A tie across sides belongs to the leader's, if they award it."""
    tied = [seat for seat, card in seen.trick if STRENGTH[card] == top]
    awards = seen.setup.tie == "leader"
    return next((seat for seat in tied if awards and (seat - seen.trick[0].seat) % 2 == 0), tied[0])


def _on_table(seen: Observation) -> int:
    """Return the worth of the visible cards on the table to the seat."""
    laid = seen.baits + seen.traps + seen.trick
    return sum(_worth_of(seen, card) for _, card in laid if card != FACE_DOWN)


def _worth_of(seen: Observation, card: Card) -> int:
    return seen.points(seen.seat or 0, card)
