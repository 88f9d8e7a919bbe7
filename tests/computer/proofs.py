"""Positions of card games in which what each move is worth is proven, by trying everything in the deals that are left.

Values are points or chips of the seat to move, as its computer counts them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bot.computer.pontis.deals import Deals, Evaluation, numbered
from bot.computer.pontis.engine import Deal as PontisDeal
from bot.computer.pontis.thumb import play
from bot.computer.pot_black.engine import BITS, solve
from bot.games import GAMES
from bot.games.game import CHANCE, Move, Value
from tests.computer.test_pontis_strong import played as pontis_played
from tests.computer.test_pot_black_endgame import endings
from tests.computer.test_pot_black_engine import engine_of
from tests.games.checks import imagine
from tests.leaks.twins import moments

_TRIES: Final = {"pond": 40, "pot_black": 120}
"""Deals that are imagined to find those that are left: of Pot Black, where at most 90 are, all."""
_FORMS: Final[tuple[dict[str, Value], ...]] = ({}, {"form": "individual"}, {"players": 3, "deals": 5})
"""Options of Pot Black."""
_SOLVED: Final = 9
"""The most cards in all hands of Pontis that are tried out."""


class Proof(NamedTuple):
    """What a seat sees, and the worth of each of its moves in each deal that is left."""

    seen: Any
    worth: Mapping[Move, Sequence[float]]

    def is_best(self, move: Move) -> bool:
        """Whether no other move is better in any deal."""
        return all(a >= b for other in self.worth.values() for a, b in zip(self.worth[move], other, strict=True))

    def loss(self, move: Move) -> float:
        """Return by how much a move is worse than the same other one in each deal; 0 if that isn't proven."""
        losses = (min(a - b for a, b in zip(other, self.worth[move], strict=True)) for other in self.worth.values())
        return max(0.0, *losses)


def proofs(key: str, rng: random.Random) -> Iterator[Proof]:
    """Yield positions of games without end."""
    while True:
        yield from {"pond": _pond, "pontis": _pontis, "pot_black": _pot_black}[key](rng)


def _pontis(rng: random.Random) -> Iterator[Proof]:
    """Yield the last moves of a deal for two, in which nothing is hidden."""
    for state in pontis_played({"players": 2, "fake": rng.choice(("on", "off"))}, rng, ("easy", "fair")):
        seen = GAMES["pontis"].observe(state, state.on_turn)
        if sum(map(len, state.hands)) > _SOLVED or len(numbered(seen)) < 2:
            continue
        deal, known = Deals(seen).draw(rng), dict[tuple[Any, ...], float]()
        worth = {}
        for move, named in numbered(seen):
            after = deal.copy()
            play(after, move)
            worth[named] = [_tried_out(after, deal.seat, Evaluation(seen), known)]
        yield Proof(seen, worth)


def _tried_out(deal: PontisDeal, me: int, evaluate: Evaluation, known: dict[tuple[Any, ...], float]) -> float:
    """Return the value of a deal by trying every move."""
    if deal.ended:
        return evaluate(deal)
    key = (*deal.hands, *deal.tops, *deal.points, deal.slot, deal.idle)
    if key not in known:
        values = []
        for move in deal.moves():
            after = deal.copy()
            play(after, move)
            values.append(_tried_out(after, me, evaluate, known))
        known[key] = max(values) if deal.seat == me else min(values)
    return known[key]


def _pot_black(rng: random.Random) -> Iterator[Proof]:
    """Yield the last two tricks of deals."""
    for state in endings(rng.choice(_FORMS), 2, rng):
        seen = GAMES["pot_black"].observe(state, state.turn)
        if len(seen.legal) < 2:
            continue
        worth: dict[Move, list[float]] = {move: [] for move in seen.legal}
        for imagined in _deals_left("pot_black", seen, rng):
            for move, values in worth.items():
                deal = engine_of(imagined)
                deal.play(BITS[move.card])  # type: ignore[attr-defined]  # all are plays
                values.append(solve(deal, seen.seat))
        yield Proof(seen, worth)


def _pond(rng: random.Random) -> Iterator[Proof]:
    """Yield the last cards of rounds for two, after which the score is counted."""
    game = GAMES["pond"]
    for moment in moments(game, rng):
        for seat in game.to_act(moment.state):
            seen: Any = game.observe(moment.state, seat)
            ends = seen.phase == "play" and len(seen.trick) == 1 == seen.setup.players - 1 and len(seen.hand) <= 4
            if seat is CHANCE or not ends or len(seen.legal) < 2:
                continue
            worth: dict[Move, list[float]] = {move: [] for move in seen.legal}
            for imagined in _deals_left("pond", seen, rng):
                for move, values in worth.items():
                    after = game.apply(imagined, seat, move).state
                    if len(after.rounds) == len(seen.rounds):
                        break
                    totals = game.observe(after, seat).totals
                    values.append(totals[seat % 2] - totals[1 - seat % 2])
            if all(len(values) == len(worth[seen.legal[0]]) > 0 for values in worth.values()):
                yield Proof(seen, worth)


def _deals_left(key: str, seen: Any, rng: random.Random) -> list[Any]:
    """Return different whole states that agree with an observation."""
    found: dict[Any, Any] = {}
    for _ in range(_TRIES[key]):
        state = imagine(GAMES[key], seen, rng)
        found[state.hands] = state
    return [*found.values()]
