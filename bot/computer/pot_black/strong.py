"""The strong computer player for Pot Black: it plays each of its cards in imagined deals, and compares the chips."""

import random
from typing import Final

from bot.computer.imagined_deals import Judged, compare
from bot.computer.pot_black.deals import Deals
from bot.computer.pot_black.engine import ACES, CARDS, TENS, Deal
from bot.computer.pot_black.thumb import finish, pick
from bot.games.card_table import Play
from bot.games.game import Move
from bot.games.pot_black import PotBlackObservation

BUDGET: Final = 12_000
"""Deals played to the end for each move."""
TRICK: Final = 0.05
"""The worth of a counted trick that decides nothing, in chips."""
MARGIN: Final = 0.4
"""By how many chips another card has to be better than that of the rule of thumb. A partner understands the latter."""
GAME: Final = 30.0
"""The worth of ending the game well, in chips."""


def choose(seen: PotBlackObservation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    if len(seen.legal) == 1:
        return seen.legal[0]
    best, *others = think(seen, rng, budget or BUDGET)
    usual = pick(Deals(seen).start)
    is_as_good = any(other.move == usual and best.value - other.value < MARGIN for other in others)
    return Play(CARDS[usual if is_as_good else best.move])


def think(seen: PotBlackObservation, rng: random.Random, budget: int) -> list[Judged[int]]:
    """Return the sensible legal cards with their values in chips, the best first."""
    deals = Deals(seen)
    playable = sensible(deals.start)
    cards = [bit for bit in CARDS if bit & playable]
    rng.shuffle(cards)
    me = seen.seat or 0

    def value(deal: Deal, card: int) -> float:
        deal = deal.copy()
        deal.play(card)
        finish(deal)
        return worth(deal, me)

    return compare(cards, lambda: deals.draw(rng), value, budget)


def sensible(deal: Deal) -> int:
    """Return the playable cards, without those that would puzzle a partner when they complete a trick."""
    cards, setup = deal.playable(), deal.setup
    losers = cards & ~deal.beaters & ~TENS
    if deal.laid < len(setup.seats) - 1 or not losers:
        return cards
    kept = ACES & losers if losers & ~ACES else 0
    if deal.taking == setup.partners[deal.turn]:
        # The trick is its partner's already. One with a black ten is lost anyway.
        return cards if deal.trick & TENS else losers & ~kept
    return cards & ~deal.beaters if deal.trick & TENS else cards & ~kept


def worth(deal: Deal, me: int) -> float:
    """Return the worth of a finished deal to a seat, in chips: what its side has more than the mean of the others."""
    setup, stacks, counted = deal.setup, deal.stacks, deal.counted
    partner = setup.partners[me]
    ours = {me, partner}
    own = sum([stacks[seat] for seat in ours])
    tricks = sum([counted[seat] for seat in ours])
    sides = len(setup.seats) // len(ours)
    found = own - (sum(stacks) - own) / (sides - 1) + TRICK * (tricks - (sum(counted) - tricks) / (sides - 1))
    if deal.lost >= 0:
        return found + (-GAME if deal.lost in ours else GAME)
    if setup.has_partners:
        found += GAME * ((not sum(stacks) - own) - (not own))
    return found
