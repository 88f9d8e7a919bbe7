"""The rule of thumb for Pond · cards, which is quick enough to finish thousands of imagined rounds.

A seat knows its own profit group and its partner's, and expects the average of others. Scores are points for its side.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from bot.computer.pond.engine import (
    AVERAGE,
    AWARD,
    AWARDS,
    BAIT,
    CARDS,
    COUNTED,
    EQUAL,
    GROUP,
    LEVEL,
    OVER,
    PASSING,
    PLAY,
    PROFIT,
    STRONGER,
    SUITS,
    TRAP,
    VALUES,
    Round,
    Table,
)
from bot.games.pond.scoring import PROFIT_GROUPS


class Weights(NamedTuple):
    """Weights in points, fitted by `tools.fit_pond`.

    * ``foe`` and ``own``: the value of hidden trap cards to the opponents and to the side of the seat that laid them.
    * ``opens``: the least score of a card that opens a trap.
    * ``trump``, ``anti``, ``high`` and ``low``: the value of keeping the ace of trumps, the two of anti-trumps, the
      plain ace and the plain two. ``*_step``: how much less it is for each rank towards the middle.
    * ``spent`` and ``span``: cards are worth keeping in hands of more than ``spent`` cards, fully with ``span`` more.
    * ``bait`` and ``trap``: the chance that the own side takes what it adds to the pond. ``bait_keep`` and
      ``trap_keep``: how much keeping a card counts there.
    * ``against``: an exponent for the chance that all cards of opponents are weaker, or stronger.
    * ``rescue``: how often the partner can change the owner of a trick, as the last to play.
    """

    foe: float
    own: float
    opens: float
    trump: float
    trump_step: float
    anti: float
    anti_step: float
    high: float
    high_step: float
    low: float
    low_step: float
    spent: float
    span: float
    bait: float
    bait_keep: float
    trap: float
    trap_keep: float
    against: float
    rescue: float


_SIZES: Final = tuple(len(group) for group in PROFIT_GROUPS)
_WEAKER: Final = tuple(card / len(CARDS) for card in EQUAL)
_ABOVE: Final = tuple(1 - card / len(CARDS) for card in STRONGER)


_DECIDES: Final[tuple[Callable[[float, float], float], ...]] = (max, min)
"""How the leader settles a tie, for their own side and for the other one."""


class Heuristic:
    """A rule of thumb with these weights. It keeps tables of scores, by card."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._kept = cache(self._make_kept)
        self._winning = cache(self._make_winning)
        self._losing = cache(self._make_losing)
        self._adding = cache(self._make_adding)
        self._chances = cache(self._make_chances)

    def action(self, state: Round) -> int:
        """Return the action of the seat whose turn it is."""
        phase = state.phase
        if phase == PLAY:
            return self._last(state) if len(state.trick) == state.seats - 1 else self._earlier(state)
        if phase == PROFIT:
            return self._profit(state)
        if phase == AWARD:
            return self._award(state)
        turn = state.turn
        hand = state.hands[turn]
        scores = self._adding(phase, state.poisons[turn], state.groups[turn], state.poisons[turn - 1], len(hand))
        card = max(hand, key=scores.__getitem__)
        return PASSING if phase == TRAP and scores[card] < self.weights.opens else card

    def stakes(self, state: Round) -> tuple[float, float, float]:
        """Return the seat's expected scores if it takes the table, if its partner does, and if opponents do."""
        turn = state.turn
        partner = (turn + 2) % state.seats
        own, mate, left = state.stakes[turn], state.stakes[partner], -state.guessed[1 - (turn & 1)]
        card = state.traps[turn]
        if card < 0:
            return own, mate, left
        hidden, lost = self.weights.foe, self.weights.own
        if state.seats == 4:
            hidden, lost = 2 * hidden + self.weights.own, 2 * lost + self.weights.foe
        left -= state.averages[1 - (turn & 1)][card] + lost
        return own + state.values[turn][card] + hidden, mate + state.values[partner][card] + hidden, left

    # ---- decisions

    def _profit(self, state: Round) -> int:
        """Set aside a card of the group with most cards that aren't poison, best a poison card or one of no use."""
        turn = state.turn
        hand, poison, keep = state.hands[turn], state.poisons[turn], self._kept(11)
        good = [sum(counted[card] and SUITS[card] != poison for card in hand) for counted in COUNTED]
        return max(
            [card for card in hand if GROUP[card] >= 0],
            key=lambda card: good[GROUP[card]] + _SIZES[GROUP[card]] / 2 + (SUITS[card] == poison) - keep[card] / 4,
        )

    def _award(self, state: Round) -> int:
        own, mate, left = self.stakes(state)
        turn = state.turn
        return AWARDS + max(state.best, key=lambda seat: left if (seat - turn) & 1 else own if seat == turn else mate)

    def _last(self, state: Round) -> int:
        """Play the last card of a trick, so its taker is known, or the seat that names the taker."""
        turn, top, is_first = state.turn, state.top, state.first
        hand = state.hands[turn]
        own, mate, left = self.stakes(state)
        cards = len(hand)
        takes = self._winning(state.poisons[turn], state.groups[turn], cards)
        decide = _DECIDES[(state.starter - turn) & 1]
        sides = {(seat - turn) & 1 for seat in (state.best[:1] if is_first else state.best)}
        (other, leaves), *tied = [
            (left, self._losing(state.poisons[turn - 1], cards))
            if is_foes
            else (mate, self._winning(state.poisons[turn], state.groups[(turn + 2) % state.seats], cards))
            for is_foes in sides
        ]
        best, found = -1000.0, hand[0]
        for card in hand:
            level = LEVEL[card]
            if level > top:
                score = own + takes[card]
            else:
                score = other + leaves[card]
                for stake, gains in tied:
                    score = decide(score, stake + gains[card])
                if level == top and not is_first:
                    score = decide(score, own + takes[card])
            if score > best:
                best, found = score, card
        return found

    def _earlier(self, state: Round) -> int:
        """Play a card to a trick that others follow. They do what is best for them, if they can."""
        turn, seats, played = state.turn, state.seats, len(state.trick)
        hand = state.hands[turn]
        own, mate, left = self.stakes(state)
        cards = len(hand)
        takes = self._winning(state.poisons[turn], state.groups[turn], cards)
        leaves = self._losing(state.poisons[turn - 1], cards)
        holds, loses = self._chances(cards * (2 if (seats, played) == (4, 0) else 1))
        top = state.top
        is_foes = played > 0 and bool((state.owner() - turn) & 1)
        enough = top if state.awards(turn) else top + 1
        rescue = self.weights.rescue if (seats, played) == (4, 1) else 0.0
        leader = state.trick[0] if played else 0
        best, found = -1000.0, hand[0]
        for card in hand:
            lost = left + leaves[card]
            if LEVEL[card] < enough and is_foes:
                score = lost + rescue * max(0.0, mate + takes[card] - lost)
            else:
                taken, strongest = (own + takes[card], card) if LEVEL[card] >= enough else (mate + takes[card], leader)
                least = min(taken, lost)
                score = least + holds[strongest] * (taken - least) + loses[strongest] * (lost - least)
            if score > best:
                best, found = score, card
        return found

    # ---- tables

    def _make_chances(self, cards: int) -> tuple[Table, Table]:
        """Return, by card, the chances that so many cards are all weaker, and that all are stronger."""
        number = cards * self.weights.against
        return tuple(share**number for share in _WEAKER), tuple(share**number for share in _ABOVE)

    def _make_kept(self, cards: int) -> Table:
        """Return the value of keeping each card in a hand of this size."""
        share = max(0.0, min(1.0, (cards - self.weights.spent) / self.weights.span))
        return tuple(_keep(self.weights, level) * share for level in LEVEL)

    def _make_winning(self, poison: str, group: int, cards: int) -> Table:
        """Return the scores of cards that take their trick, from a hand of this size."""
        return tuple(value - keep for value, keep in zip(VALUES[poison, group], self._kept(cards), strict=True))

    def _make_losing(self, poison: str, cards: int) -> Table:
        """Return the scores of cards whose trick goes to opponents with this poison."""
        return tuple(-value - keep for value, keep in zip(AVERAGE[poison], self._kept(cards), strict=True))

    def _make_adding(self, phase: int, poison: str, group: int, against: str, cards: int) -> Table:
        """Return the scores of cards in a pond that either side may take: as bait, or in a trap."""
        weights = self.weights
        share, keeping = (weights.bait, weights.bait_keep) if phase == BAIT else (weights.trap, weights.trap_keep)
        columns = zip(VALUES[poison, group], AVERAGE[against], self._kept(cards), strict=True)
        return tuple(value * share - their * (1 - share) - keep * keeping for value, their, keep in columns)


def _keep(weights: Weights, level: int) -> float:
    """Return the value of keeping a card of this strength."""
    if level > 18:
        return max(0.0, weights.trump - weights.trump_step * (25 - level))
    if level < 6:
        return max(0.0, weights.anti - weights.anti_step * level)
    return max(0.0, weights.high - weights.high_step * (18 - level), weights.low - weights.low_step * (level - 6))


WEIGHTS: Final = {
    2: Weights(
        foe=-16,
        own=1.99,
        opens=-15,
        trump=16.05,
        trump_step=1.91,
        anti=5.45,
        anti_step=0.36,
        high=-1.55,
        high_step=0.79,
        low=1.34,
        low_step=0.32,
        spent=-0.02,
        span=10.27,
        bait=0.55,
        bait_keep=1.93,
        trap=0.36,
        trap_keep=1.93,
        against=0.81,
        rescue=0.72,
    ),
    4: Weights(
        foe=-16,
        own=-0.4,
        opens=-15,
        trump=17.32,
        trump_step=2.3,
        anti=2.76,
        anti_step=2.04,
        high=-3.48,
        high_step=0.21,
        low=0.3,
        low_step=0.03,
        spent=1.94,
        span=9.16,
        bait=0.59,
        bait_keep=1.6,
        trap=0.37,
        trap_keep=2.74,
        against=0.87,
        rescue=0.47,
    ),
}
"""By number of players."""


HEURISTICS: Final = {players: Heuristic(weights) for players, weights in WEIGHTS.items()}


def pick(state: Round) -> int:
    """Return the action of the seat whose turn it is, by the fitted rule of thumb."""
    return HEURISTICS[state.seats].action(state)


def finish(state: Round) -> float:
    """Play the rest of the round by the fitted rule of thumb. Return its score."""
    action = HEURISTICS[state.seats].action
    while state.phase != OVER:
        state.play(action(state))
    return state.score


_WORTH_TAKING: Final = 10.0
"""Points that a seat has to gain by beating its partner's card."""


def usual(state: Round, actions: list[int]) -> int:
    """Return the sensible action that the rule of thumb prefers for the seat to move."""
    action = pick(state)
    if action not in actions:
        state = state.copy()
        state.hands[state.turn] = actions
        action = pick(state)
    return action


def sensible(state: Round, strongest: int) -> list[int]:
    """Return the actions of the seat to move, without absurd ones if there are others.

    ``strongest`` is the strength of the strongest card that may be in another hand.
    """
    actions = state.actions()
    if not _is_owned(state, strongest):
        return actions
    leaving = [card for card in actions if LEVEL[card] < _enough(state)]
    clean = [card for card in actions if SUITS[card] != state.poisons[state.turn]]
    found = [card for card in clean if card in leaving or gains(state, card)]
    return found or sorted({*leaving, *clean}) or actions


def _enough(state: Round) -> int:
    """Return the least strength of a card that may take the trick."""
    return state.top if (state.starter - state.turn) & 1 and not state.first else state.top + 1


def _is_owned(state: Round, strongest: int) -> bool:
    """Return whether the partner of the seat to move takes the trick unless this seat does.

    A tie with an opponent belongs to the leader's side, or to the first of the tied. A partner who may award it keeps
    it only while it is worth more to them.
    """
    if state.phase != PLAY or not state.trick or (state.owner() - state.turn) & 1:
        return False
    if len(state.best) > 1 and not state.first:
        _, mate, left = HEURISTICS[state.seats].stakes(state)
        if mate <= left:
            return False
    is_safe_in_ties = state.first or state.awards(state.turn)
    return len(state.trick) == state.seats - 1 or strongest < state.top + is_safe_in_ties


def gains(state: Round, card: int) -> bool:
    """Return whether the card beats its partner's, and is worth clearly more to the seat with the table."""
    own, mate, _ = HEURISTICS[state.seats].stakes(state)
    return (
        LEVEL[card] > state.top
        and own + state.values[state.turn][card] > mate + state.values[state.owner()][card] + _WORTH_TAKING
    )
