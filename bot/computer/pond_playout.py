"""One round of Pond changed in place: what a search plays out thousands of times from a state it imagined.

Cards are numbers, their places in `CARDS`, and so are moves: a card, `NO_TRAP`, or the seat that is to have a tied
trick. How strong a card is, what it stands for and what it scores is looked up where the rulebook looks it up, so that
both always agree; only the bookkeeping is its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.games.card_table import PLAYS
from bot.games.cards import PACK, Card
from bot.games.game import Move, Seat
from bot.games.pond import (
    AWARDS,
    BAITS,
    PASS,
    PROFIT_GROUPS,
    PROFITS,
    STRENGTH,
    TRAPS,
    State,
    group_of,
    points,
)
from bot.games.pond.rulebook import LAST_HANDS

CARDS: Final[tuple[Card, ...]] = tuple(sorted(PACK))
NO_TRAP: Final = -1

_NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
_STRENGTH: Final = tuple(STRENGTH[card] for card in CARDS)
_GROUP: Final = tuple(group_of(card) or "" for card in CARDS)
_POINTS: Final = {
    (poison, group): tuple(points(card, poison, group) for card in CARDS) for poison in "HDC" for group in PROFIT_GROUPS
}
_LAPS: Final = {
    players: tuple([(first - gone) % players for gone in range(1, players + 1)] for first in range(players))
    for players in (2, 4)
}
"""By number of players and starter: all seats, the next one last."""

_PLAY, _BAIT, _TRAP, _TRAPS, _AWARD, _PROFIT = range(6)
_PHASES: Final = {
    "play": _PLAY,
    "bait": _BAIT,
    "trap": _TRAP,
    "traps": _TRAPS,
    "award": _AWARD,
    "profit": _PROFIT,
}
_MOVES: Final[tuple[Mapping[Card, Move], ...]] = (PLAYS, BAITS, TRAPS, TRAPS, {}, PROFITS)
"""By phase: what may be done with a card."""


class Playout:
    """The rest of a round, from a state in which cards are dealt. The state itself stays as it is.

    ``turn`` is the seat whose move is next; of several that owe one at the same time, one after the other. ``over`` is
    true when the last trick of the round is taken.
    """

    def __init__(self, state: State) -> None:
        players = state.setup.players
        self._leader_names = state.setup.tie == "leader"
        self._poisons = tuple(turned[-1][1] for turned in state.turned)
        self._set_aside = [-1 if card is None else _NUMBER[card] for card in state.set_aside]
        self._hands = [_numbers(hand) for hand in state.hands]
        self._hidden = [_numbers(hand) for hand in state.hidden]
        self._laps = _LAPS[players]
        self._starter = state.starter
        self._phase = _PHASES[state.phase]
        self._stakes = [_NUMBER[card] for _, card in (*state.baits, *state.traps, *state.trick)]
        self._best = max((STRENGTH[card] for _, card in state.trick), default=-1)
        self._tied = [seat for seat, card in state.trick if STRENGTH[card] == self._best]
        self._points = [0] * players
        self._worth: list[tuple[int, ...]] = []
        if self._phase != _PROFIT:
            self._tell_groups()
            for taken in state.taken:
                self._points[taken.taker] += sum(self._worth[taken.taker][_NUMBER[card]] for _, card in taken.laid)
        self._owing = _owing(state, self._laps[state.starter])
        self.turn: Seat = state.starter if self._phase == _AWARD else self._owing.pop()
        self.over = False

    def legal(self) -> Sequence[int]:
        """The moves of the seat on turn, at least one, lowest first. With two packs a card may be there twice.

        To be read before the next move is played, and not to be changed.
        """
        phase = self._phase
        if phase == _TRAP:
            return [NO_TRAP, *self._hands[self.turn]]
        if phase == _PROFIT:
            return [card for card in self._hands[self.turn] if _GROUP[card]]
        return sorted(self._tied) if phase == _AWARD else self._hands[self.turn]

    def play(self, move: int) -> None:
        """The seat on turn makes a legal move."""
        phase = self._phase
        if phase == _AWARD:
            self._take(move)
            return
        if move == NO_TRAP:
            self._begin(_PLAY)
            return
        seat = self.turn
        self._hands[seat].remove(move)
        if phase == _PROFIT:
            self._set_aside[seat] = move
        else:
            self._stakes.append(move)
        if phase == _PLAY:
            strength = _STRENGTH[move]
            if strength > self._best:
                self._best = strength
                self._tied = [seat]
            elif strength == self._best:
                self._tied.append(seat)
        if self._owing:
            self.turn = self._owing.pop()
            if phase == _TRAP:
                self._phase = _TRAPS
        else:
            self._end_lap()

    def points(self) -> tuple[int, ...]:
        """The points of each seat's side for all that has been taken in the round."""
        of_side = [sum(self._points[side::2]) for side in (0, 1)]
        return tuple(of_side[seat % 2] for seat in range(len(self._points)))

    def move(self, number: int) -> Move:
        """A legal move as the rulebook knows it."""
        if self._phase == _AWARD:
            return AWARDS[number]
        return PASS if number == NO_TRAP else _MOVES[self._phase][CARDS[number]]

    def _begin(self, phase: int) -> None:
        self._phase = phase
        self._owing = self._laps[self._starter].copy()
        self.turn = self._owing.pop()

    def _end_lap(self) -> None:
        """All have made their move of the phase."""
        phase = self._phase
        if phase == _BAIT:
            self._begin(_TRAP)
        elif phase == _TRAPS:
            self._begin(_PLAY)
        elif phase == _PROFIT:
            picked_up = zip(self._hands, self._hidden, strict=True)
            self._hands = [sorted(hand + hidden) for hand, hidden in picked_up]
            self._tell_groups()
            self._begin(_BAIT)
        elif len(self._tied) > 1 and self._leader_names:
            self._phase = _AWARD
            self.turn = self._starter
        else:
            self._take(self._tied[0])

    def _take(self, taker: Seat) -> None:
        self._points[taker] += sum(map(self._worth[taker].__getitem__, self._stakes))
        self._stakes.clear()
        self._best = -1
        self._starter = taker
        self.over = len(self._hands[0]) < LAST_HANDS
        self._begin(_BAIT)

    def _tell_groups(self) -> None:
        """All have set a card aside, so it is known what every card is worth to whom."""
        told = zip(self._poisons, self._set_aside, strict=True)
        self._worth = [_POINTS[poison, _GROUP[card]] for poison, card in told]


def _numbers(hand: Iterable[Card]) -> list[int]:
    return [_NUMBER[card] for card in hand]


def _owing(state: State, lap: Sequence[Seat]) -> list[Seat]:
    """The seats that owe a move of this phase, the next one last."""
    match state.phase:
        case "profit":
            return [seat for seat, card in enumerate(state.set_aside) if card is None][::-1]
        case "traps":
            laid = {seat for seat, _ in state.traps}
            return [seat for seat in lap if seat not in laid]
        case "bait":
            return list(lap[: len(lap) - len(state.baits)])
        case _:
            return list(lap[: len(lap) - len(state.trick)])
