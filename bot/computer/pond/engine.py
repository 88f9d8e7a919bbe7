"""A compact engine of a round of Pond, for search. It doesn't check moves.

Cards are numbers from the weakest to the strongest: anti-trumps, plain cards by rank, trumps. So sorted hands are in
the order of strength. Points are side 0's points (seats 0 and 2) minus side 1's.
"""

from collections.abc import Callable, Mapping
from typing import Final

from bot.games.cards import PACK, Card, Play
from bot.games.game import Move
from bot.games.pond.moves import PASS, Award, Bait, Profit, Trap
from bot.games.pond.scoring import PROFIT_GROUPS, STRENGTH, group_of, points

Table = tuple[float, ...]
"""A number for each card."""

CARDS: Final[tuple[Card, ...]] = tuple(sorted(PACK, key=lambda card: (STRENGTH[card], card)))
INDEX: Final = {card: number for number, card in enumerate(CARDS)}
SUITS: Final = tuple(card[1] for card in CARDS)
GROUP: Final = tuple(PROFIT_GROUPS.index(group) if (group := group_of(card)) else -1 for card in CARDS)
"""The profit group that each card stands for, -1 for none."""
COUNTED: Final = tuple(tuple(card[0] in group for card in CARDS) for group in PROFIT_GROUPS)
"""By profit group: whether each card is in it."""

_LEVELS: Final = tuple(sorted(set(STRENGTH.values())))
LEVEL: Final = tuple(_LEVELS.index(STRENGTH[card]) for card in CARDS)
"""The strength of each card, from 0."""
EQUAL: Final = tuple(LEVEL.index(level) for level in LEVEL)
"""By card, the first that is equally strong."""
STRONGER: Final = tuple(sum(other <= level for other in LEVEL) for level in LEVEL)
"""By card, the first that is stronger, or the number of cards."""

VALUES: Final[dict[tuple[str, int], Table]] = {
    (suit, number): tuple(float(points(card, suit, group)) for card in CARDS)
    for suit in "HDC"
    for number, group in enumerate(PROFIT_GROUPS)
}
"""The points of each card, by poison and profit group."""
AVERAGE: Final[dict[str, Table]] = {
    suit: tuple(sum(column) / 3 for column in zip(*(VALUES[suit, group] for group in range(3)), strict=True))
    for suit in "HDC"
}
"""The average points of each card by poison, for a profit group that isn't known."""

PASSING: Final = 52
"""The action that opens no trap."""
AWARDS: Final = 53
"""The first of the actions that name the seat that takes a tied trick."""
NONE: Final = -1
"""No card."""

PROFIT, BAIT, TRAP, TRAPS, PLAY, AWARD, OVER = range(7)
"""The phases. `TRAP` is the starter's choice, `TRAPS` the cards of the others after a trap was opened."""


class Round:
    """A round with all its cards known.

    * ``phase`` and ``turn``: the next decision, and its seat.
    * ``hands``: sorted. ``hidden``: the cards that seats pick up after choosing their profit.
    * ``groups``: the profit group of each seat, `NONE` until it has chosen. ``values``: by seat, the points of cards.
    * ``stakes``: by seat, what the visible cards on the table are worth to it. ``guessed``: by side, what they are
      worth to a seat of unknown profit.
    * ``traps``: by seat, `NONE` for none. ``trick``: in the order of play.
    * ``best``: the seats with the best cards of the trick, in the order of play.
    """

    def __init__(self, poisons: str, starter: int, *, first: bool = False) -> None:
        """Begin a round without cards. ``first`` gives tied tricks to the first of the tied seats."""
        self.seats = seats = len(poisons)
        self.poisons = poisons
        self.first = first
        self.phase = PROFIT
        self.starter = starter
        self.turn = 0
        self.hands: list[list[int]] = []
        self.hidden: list[list[int]] = []
        self.groups = [NONE] * seats
        self.values: list[Table] = [AVERAGE[suit] for suit in poisons]
        self.averages = (AVERAGE[poisons[0]], AVERAGE[poisons[1]])
        self.stakes = [0.0] * seats
        self.guessed = [0.0, 0.0]
        self.traps = [NONE] * seats
        self.trick: list[int] = []
        self.best: list[int] = []
        self.top = NONE
        self.score = 0.0

    def copy(self) -> "Round":
        """Return an independent copy."""
        other = Round(self.poisons, self.starter, first=self.first)
        other.phase, other.turn = self.phase, self.turn
        other.hands = [hand[:] for hand in self.hands]
        other.hidden = self.hidden
        other.groups, other.values, other.averages = self.groups[:], self.values[:], self.averages
        other.stakes, other.guessed, other.traps = self.stakes[:], self.guessed[:], self.traps[:]
        other.trick, other.best, other.top, other.score = self.trick[:], self.best[:], self.top, self.score
        return other

    def actions(self) -> list[int]:
        """Return the actions of the seat whose turn it is, sorted. Equal cards are one."""
        if self.phase == AWARD:
            return sorted([AWARDS + seat for seat in self.best])
        found = sorted({*self.hands[self.turn]})
        if self.phase == PROFIT:
            return [card for card in found if GROUP[card] >= 0]
        return [*found, PASSING] if self.phase == TRAP else found

    def play(self, action: int) -> None:
        """Play an action of the seat whose turn it is."""
        phase = self.phase
        if phase == PLAY:
            self._play(action)
        elif phase == BAIT:
            self._bait(action)
        elif phase == PROFIT:
            self._set_aside(action)
        elif phase == AWARD:
            self._take(action - AWARDS)
        elif action == PASSING:
            self.phase = PLAY
        else:
            self._trap(action)

    def awards(self, seat: int) -> bool:
        """Return whether the side of a seat names the taker of a tied trick."""
        return not self.first and not (self.starter - seat) & 1

    def owner(self) -> int:
        """Return the seat that takes the trick as it lies. A tie across sides belongs to whoever may award it."""
        if self.first:
            return self.best[0]
        return next((seat for seat in self.best if self.awards(seat)), self.best[0])

    def choose_profit(self, seat: int, group: int) -> None:
        """Set the profit group of a seat."""
        self.groups[seat] = group
        self.values[seat] = VALUES[self.poisons[seat], group]

    def lay(self, card: int) -> None:
        """Add a visible card to the table."""
        stakes, guessed = self.stakes, self.guessed
        for seat, values in enumerate(self.values):
            stakes[seat] += values[card]
        even, odd = self.averages
        guessed[0] += even[card]
        guessed[1] += odd[card]

    def follow(self, seat: int, card: int) -> None:
        """Add a card to the trick."""
        self.lay(card)
        self.trick.append(card)
        level = LEVEL[card]
        if level > self.top:
            self.top = level
            self.best = [seat]
        elif level == self.top:
            self.best.append(seat)

    def _set_aside(self, card: int) -> None:
        self.hands[self.turn].remove(card)
        self.choose_profit(self.turn, GROUP[card])
        if NONE in self.groups:
            self.turn = self.groups.index(NONE)
            return
        self.hands = [sorted(hand + five) for hand, five in zip(self.hands, self.hidden, strict=True)]
        self.phase, self.turn = BAIT, self.starter

    def _bait(self, card: int) -> None:
        self.hands[self.turn].remove(card)
        self.lay(card)
        self.turn = (self.turn + 1) % self.seats
        if self.turn == self.starter:
            self.phase = TRAP

    def _trap(self, card: int) -> None:
        self.hands[self.turn].remove(card)
        self.traps[self.turn] = card
        self.phase = TRAPS
        for step in range(self.seats):
            seat = (self.starter + step) % self.seats
            if self.traps[seat] < 0:
                self.turn = seat
                return
        self.phase, self.turn = PLAY, self.starter

    def _play(self, card: int) -> None:
        turn = self.turn
        self.hands[turn].remove(card)
        self.follow(turn, card)
        self.turn = (turn + 1) % self.seats
        if self.turn != self.starter:
            return
        if self.first or len(self.best) == 1:
            self._take(self.best[0])
        else:
            self.phase = AWARD

    def _take(self, taker: int) -> None:
        gain = self.stakes[taker]
        if self.traps[taker] >= 0:
            values = self.values[taker]
            for card in self.traps:
                gain += values[card]
            self.traps = [NONE] * self.seats
        self.score += -gain if taker & 1 else gain
        self.stakes = [0.0] * self.seats
        self.guessed = [0.0, 0.0]
        self.trick = []
        self.top = NONE
        self.starter = self.turn = taker
        self.phase = BAIT if len(self.hands[0]) >= 4 else OVER


_KINDS: Final[Mapping[int, Callable[[Card], Move]]] = {PROFIT: Profit, BAIT: Bait, TRAP: Trap, TRAPS: Trap, PLAY: Play}
"""The moves that lay a card, by phase."""


def move_of(phase: int, action: int) -> Move:
    """Return the move of an action in a phase."""
    if phase == AWARD:
        return Award(action - AWARDS)
    if action == PASSING:
        return PASS
    return _KINDS[phase](CARDS[action])
