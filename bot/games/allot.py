"""Hidden cards given at random to places that may not hold all of them."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from bot.games.cards import Card


@dataclass(slots=True)
class Place:
    """Room for ``size`` cards, all of them from ``may_hold``. ``cards`` is what it has got."""

    size: int
    may_hold: Collection[Card]
    cards: list[Card] = field(default_factory=list)


def allot(hidden: Sequence[Card], places: Sequence[Place], rng: random.Random) -> bool:
    """Fills the places with the hidden cards at random; true if every card found one.

    If there is any way to do it, it is done: a card may push others on (augmenting paths). Without restrictions every
    distribution is as likely.
    """
    return all(_put(card, places, rng, set()) for card in rng.sample(hidden, len(hidden)))


def _put(card: Card, places: Sequence[Place], rng: random.Random, tried: set[int]) -> bool:
    open_to = [at for at, place in enumerate(places) if at not in tried and card in place.may_hold]
    free = [places[at].size - len(places[at].cards) for at in open_to]
    if any(free):
        places[rng.choices(open_to, free)[0]].cards.append(card)
        return True
    for at in rng.sample(open_to, len(open_to)):
        if at in tried:
            continue
        tried.add(at)
        for number, other in enumerate(places[at].cards):
            if _put(other, places, rng, tried):
                places[at].cards[number] = card
                return True
    return False
