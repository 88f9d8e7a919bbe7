"""The computer players for Pot Black.

Fair plays by the rule of thumb. Strong plays its cards in imagined deals, which the rule of thumb finishes, and
compares the chips. Both solve the last tricks. Easy is a beginner, who makes the same mistakes every time.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from bot.computer.imagined_deals import Habit, View, spread
from bot.computer.pot_black.engine import (
    CARDS,
    COSTS,
    SUITS,
    TENS,
    Deal,
    deal_of,
    evaluate,
    set_of,
    setup_of,
    solve,
)
from bot.computer.pot_black.equal_cards import alike
from bot.computer.pot_black.reasons import end_of, facts
from bot.computer.pot_black.thumb import finish, is_owned, puzzling, sensible, usual
from bot.computer.thoughts import (
    IMAGINED,
    REVIEWED,
    Cause,
    Facts,
    Thought,
    Verdict,
    only,
)
from bot.games.cards import Card, Play
from bot.games.game import Move
from bot.games.pot_black.state import PACKS, Observation
from bot.games.pot_black.tricks import strength


class Deals:
    """Deals the hidden cards of an observation of a seat that has to play."""

    def __init__(self, seen: Observation) -> None:
        self._me: Final = seen.seat or 0
        setup = setup_of(seen)
        own = set_of(seen.hand)
        hands = [0] * seen.setup.players
        hands[self._me] = own
        self.start: Final = deal_of(seen, setup, hands)
        """The deal with the hidden cards left out."""
        hidden = set_of(PACKS[len(setup.seats)]) & ~(own | self.start.gone | self.start.trick)
        self._others: Final = [seat for seat in setup.seats if seat != self._me]
        self._counts: Final = [seen.hand_counts[seat] for seat in self._others]
        self.following: Final = hidden & ~_void(seen, setup.after[self._me])
        """The hidden cards that the next seat may hold."""
        voids = [_void(seen, seat) for seat in self._others]
        holders = _holders(hidden, voids)
        self._free: Final = [card for card, seats in holders.items() if len(seats) == len(voids)]
        # The cards that fewest seats can hold are dealt first, so that hardly any deal fails.
        bound = [(card, seats) for card, seats in holders.items() if len(seats) < len(voids)]
        self._bound: Final = sorted(bound, key=lambda each: len(each[1]))

    def draw(self, rng: random.Random) -> Deal:
        """Return a deal that agrees with the observation. No seat holds a suit that it failed to follow."""
        hands = None
        while hands is None:
            hands = spread(self._bound, self._free, self._counts[:], rng)
        deal = self.start.copy()
        for seat, hand in zip(self._others, hands, strict=True):
            deal.hands[seat] = hand
        return deal


def _void(seen: Observation, seat: int) -> int:
    """Return all cards of the suits that a seat failed to follow."""
    return sum(SUITS["SHDC".index(suit)] for suit in seen.voids[seat])


def _holders(hidden: int, voids: Sequence[int]) -> dict[int, list[int]]:
    """Return who may hold each hidden card, by the cards that each can't have."""
    cards = [1 << at for at in range(52) if hidden >> at & 1]
    return {card: [at for at, void in enumerate(voids) if not card & void] for card in cards}


BUDGET: Final = 8_000
"""How often a card is tried in an imagined deal, all cards and deals together. Exact endings count `COSTS` times."""
FAIR_BUDGET: Final = 40
"""Likewise for fair with two cards."""
MARGIN: Final = 0.1
"""The gain in chips that isn't worth a card which a partner doesn't understand."""


ODD: Final = 0.5
"""Likewise for a card that seems wasted."""


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return the card of the rule of thumb or, with two cards, the better one in a few deals."""
    if _looks_ahead(seen):
        return strong(seen, rng, FAIR_BUDGET)
    deals = Deals(seen)
    return Play(CARDS[usual(deals.start, deals.following)])


def look(seen: Observation, rng: random.Random) -> Thought | None:
    """Return the thought of the fair computer; ``None`` where it follows the rule of thumb."""
    return explain(seen, rng, FAIR_BUDGET) if _looks_ahead(seen) else None


def _looks_ahead(seen: Observation) -> bool:
    return len(seen.hand) == min(COSTS)


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in chips, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    return Cards(seen).explain(rng, budget or BUDGET, with_reasons=with_reasons)


def judge(seen: Observation, played: Move, rng: random.Random, budget: int | None = None) -> Verdict:
    """Return the best legal move, and by how much the one that was played is worse."""
    return Cards(seen).judge(played, rng, budget or BUDGET // REVIEWED)


def why(seen: Observation, move: Move, other: Move, rng: random.Random, number: int = IMAGINED) -> Cause | None:
    """Return the fact of most worth that tells a legal move from another one, in a number of deals, if there is any."""
    return Cards(seen).why(move, other, rng, number)


class Cards(View[Deal, int]):
    """The sensible cards of a seat that has to play. Values are chips."""

    even = 0.25

    def __init__(self, seen: Observation) -> None:
        self._seen: Final = seen
        self._deals: Final = Deals(seen)
        self.me = seen.seat or 0
        start, following = self._deals.start, self._deals.following
        playable = sensible(start, following)
        self.moves = [bit for bit in CARDS if bit & playable]
        self.absurd = [bit for bit in CARDS if bit & start.playable() & ~playable]
        odd = puzzling(start, following, playable)
        self.habit = Habit(usual(start, following), MARGIN, {bit: ODD for bit in self.moves if bit & odd})
        self._is_end: Final = len(seen.hand) in COSTS
        self.cost = COSTS.get(len(seen.hand), 1)

    def imagining(self, rng: random.Random, budget: int) -> Callable[[], Deal]:  # noqa: ARG002 - as in all games
        return lambda: self._deals.draw(rng)

    def value(self, deal: Deal, move: int) -> float:
        deal = deal.copy()
        deal.play(move)
        if self._is_end:
            return solve(deal, self.me)
        finish(deal)
        return evaluate(deal, self.me)

    def named(self, move: int) -> Move:
        return Play(CARDS[move])

    def facts(self, deals: Sequence[Deal], move: int, other: int) -> Facts:
        return facts(deals, move, other)

    def alike(self, move: int, other: int) -> bool:
        return alike(self._seen, Play(CARDS[move]), Play(CARDS[other]))

    def ends_trick(self, deal: Deal) -> bool:
        return deal.laid == len(deal.setup.seats) - 1

    def taker(self, deal: Deal, move: int) -> int:
        return end_of(deal.copy(), move).taker if deal.laid else -1


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones.

    They take every trick that isn't their partner's already and has no black ten, with a high card, throw away their
    highest cards when they can't follow suit, unless nobody can beat them, and never expect a black ten.
    """
    deals = Deals(seen)
    cards, winners = _choice(deals.start, deals.following)
    is_high = winners & deals.start.led if winners else not cards & deals.start.led
    choose = max if is_high else min
    return Play(choose(_named(winners or cards, rng), key=strength))


def _choice(deal: Deal, following: int) -> tuple[int, int]:
    """Return the cards that a beginner may play, and those that are to win the trick.

    Beginners leave a trick to their partner, and one with a black ten to anybody. They neither lead nor win with one,
    nor throw one on their partner's card.
    """
    kept = sensible(deal, following)
    kept &= ~puzzling(deal, following, kept)
    is_partners = deal.taking == deal.setup.partners[deal.turn]
    cards = kept & ~(TENS if is_partners or not deal.laid else TENS & deal.beaters) or kept
    losers = cards & ~deal.beaters
    if losers and (is_owned(deal, following) or deal.trick & TENS):
        return losers, 0
    return cards, cards & deal.beaters


def _named(cards: int, rng: random.Random) -> list[Card]:
    found = [CARDS[bit] for bit in CARDS if bit & cards]
    rng.shuffle(found)
    return found
