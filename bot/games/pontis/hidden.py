"""What an observation of Pontis hides, made up at random."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.games import cards
from bot.games.cards import Card
from bot.games.game import Seat
from bot.games.pontis import bridges
from bot.games.pontis.state import Observation


class Hidden(NamedTuple):
    """Foundations, hands and rest as in `State`, those included that the observation shows."""

    foundations: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]


def make_up(observation: Observation, rng: random.Random) -> Hidden:
    """Hidden cards that agree with the observation.

    In honest play nobody is given a card that his misses deny, and the seat on turn is given a bridge; what a passed
    sum ability tells about pairs is not weighed. Raises ``ValueError`` if no deal agrees with the observation.
    """
    no_hands = tuple(() for _ in observation.hand_counts)
    match observation.phase:
        case "play":
            return _dealt(observation, rng)
        case "deal":
            laid = rng.sample(_of_suit(observation), observation.setup.banks)
            return Hidden(tuple(laid), no_hands, ())
        case _:
            return Hidden((), no_hands, ())


def _of_suit(observation: Observation) -> list[Card]:
    return [Card(rank + observation.suit) for rank in cards.RANKS]


def _dealt(observation: Observation, rng: random.Random) -> Hidden:
    seen = [*observation.hand, *(card for bank in observation.banks for card in bank)]
    unseen = cards.leave_out(observation.setup.pack, seen)
    may_hold = [_may_hold(observation, seat, unseen) for seat in range(len(observation.hand_counts))]
    for bridge in _bridges_on_turn(observation, may_hold, rng):
        hidden = _allotted(observation, unseen, may_hold, bridge, rng)
        if hidden is not None:
            return hidden
    raise ValueError("no deal agrees with this observation")


def _may_hold(observation: Observation, seat: Seat, unseen: Sequence[Card]) -> Sequence[Card]:
    """The unseen cards that the seat's misses leave open: in honest play a miss is true."""
    if observation.setup.fake == "on":
        return unseen
    denied = {value for required in observation.missed[seat] for value in required}
    return [card for card in unseen if bridges.value(card) not in denied]


def _bridges_on_turn(
    observation: Observation, may_hold: Sequence[Sequence[Card]], rng: random.Random
) -> list[tuple[Card, ...]]:
    """Every bridge that the seat on turn may be thinking of, in random order; nothing, once, if it need not be one."""
    if observation.setup.fake == "on" or not observation.order or observation.order[0] == observation.seat:
        return [()]
    seat = observation.order[0]
    choices: list[tuple[Card, ...]] = [(card,) for card in bridges.singles(may_hold[seat], observation.required)]
    if observation.ability and observation.hand_counts[seat] > 1:
        choices += bridges.pairs(may_hold[seat], observation.required)
    return rng.sample(choices, len(choices))


def _allotted(
    observation: Observation,
    unseen: Sequence[Card],
    may_hold: Sequence[Sequence[Card]],
    bridge: tuple[Card, ...],
    rng: random.Random,
) -> Hidden | None:
    """The unseen cards, the bridge already in the hand of the seat on turn, or ``None`` if they find no room."""
    on_turn = observation.order[0] if observation.order else 0
    hands = [
        _Place(0 if seat == observation.seat else count - len(bridge) * (seat == on_turn), may_hold[seat])
        for seat, count in enumerate(observation.hand_counts)
    ]
    face_down = [_Place(0 if bank else 1, _of_suit(observation)) for bank in observation.banks]
    rest = _Place(observation.rest_count, unseen)
    if not _allot(cards.leave_out(unseen, bridge), (*hands, *face_down, rest), rng):
        return None
    hands[on_turn].cards.extend(bridge)
    if observation.seat is not None:
        hands[observation.seat].cards.extend(observation.hand)
    return Hidden(
        tuple(bank[0] if bank else place.cards[0] for bank, place in zip(observation.banks, face_down, strict=True)),
        tuple(tuple(sorted(place.cards)) for place in hands),
        tuple(rest.cards),
    )


@dataclass(slots=True)
class _Place:
    """Room for ``size`` cards, all of them from ``may_hold``. ``cards`` is what it has got."""

    size: int
    may_hold: Collection[Card]
    cards: list[Card] = field(default_factory=list)


def _allot(hidden: Sequence[Card], places: Sequence[_Place], rng: random.Random) -> bool:
    """Fills the places with the hidden cards at random; true if every card found one.

    If there is any way to do it, it is done: a card may push others on (augmenting paths). Without restrictions every
    distribution is as likely.
    """
    return all(_put(card, places, rng, set()) for card in rng.sample(hidden, len(hidden)))


def _put(card: Card, places: Sequence[_Place], rng: random.Random, tried: set[int]) -> bool:
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
