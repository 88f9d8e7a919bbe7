"""The likelihood of an imagined deal, given the actions of other seats that play by the rule of thumb."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from bot.computer.pond.engine import AWARDS, BAIT, INDEX, PASSING, Round
from bot.computer.pond.heuristic import HEURISTICS
from bot.games.pond.observation import FACE_DOWN, Observation
from bot.games.pond.scoring import STRENGTH
from bot.games.pond.state import Laid

_SURPRISE: Final = 0.6
"""The weight of an action that the rule of thumb wouldn't have chosen."""
_HIDDEN: Final = -1


class Replay:
    """Replays a round up to an observation."""

    def __init__(self, seen: Observation) -> None:
        self._me = seen.seat or 0
        self._events = [*_events(seen)]
        self._starter = self._events[0][0] if self._events else 0
        self._laid = [
            [card for seat, card in self._events if seat == owner and 0 <= card < PASSING]
            for owner in range(seen.setup.players)
        ]
        visible = all(laid.card != FACE_DOWN for taken in seen.taken for laid in taken.baits + taken.trick)
        self.is_telling = visible and any(seat != self._me for seat, _ in self._events)

    def weight(self, state: Round, secrets: Sequence[Sequence[int]]) -> float:
        """Return the weight of an imagined deal: 1 if it explains everything, less for each surprise.

        ``secrets`` are the cards, by seat and in order, that the observing seat can't see.
        """
        past = Round(state.poisons, self._starter, first=state.first)
        past.phase, past.turn = BAIT, self._starter
        past.groups, past.values = state.groups, state.values
        past.hands = [
            sorted([*hand, *laid, *secret]) for hand, laid, secret in zip(state.hands, self._laid, secrets, strict=True)
        ]
        hidden = [iter(secret) for secret in secrets]
        expected = HEURISTICS[state.seats].action
        weight = 1.0
        for seat, event in self._events:
            past.turn = seat  # trap cards come in any order
            action = next(hidden[seat]) if event == _HIDDEN else event
            if seat != self._me and expected(past) != action:
                weight *= _SURPRISE
            past.play(action)
        return weight


def _events(seen: Observation) -> Iterator[tuple[int, int]]:
    """Yield the seats and actions of the round, in the engine's order. Cards that can't be seen are `_HIDDEN`."""
    for taken in seen.taken:
        yield from _pond(taken.baits, taken.traps)
        if not taken.traps:
            yield taken.baits[0].seat, PASSING
        yield from map(_laid, taken.trick)
        if _is_tied(seen, taken.trick):
            yield taken.trick[0].seat, AWARDS + taken.taker
    yield from _pond(seen.baits, seen.traps)
    if seen.phase in {"play", "award"} and not seen.traps:
        yield seen.baits[0].seat, PASSING
    yield from map(_laid, seen.trick)


def _pond(baits: Sequence[Laid], traps: Sequence[Laid]) -> Iterator[tuple[int, int]]:
    order = [laid.seat for laid in baits]
    return map(_laid, chain(baits, sorted(traps, key=lambda laid: order.index(laid.seat))))


def _laid(laid: Laid) -> tuple[int, int]:
    return laid.seat, _HIDDEN if laid.card == FACE_DOWN else INDEX[laid.card]


def _is_tied(seen: Observation, trick: Sequence[Laid]) -> bool:
    """Return whether the leader had to name the seat that takes the trick."""
    strengths = [STRENGTH[laid.card] for laid in trick if laid.card != FACE_DOWN]
    return seen.setup.tie != "first" and strengths.count(max(strengths, default=0)) > 1
