"""The invariants of Pontis, and states made up from observations."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from bot.games import cards
from bot.games.cards import Card
from bot.games.game import Seat
from bot.games.pontis import bridges
from bot.games.pontis.state import Observation, State
from bot.games.pontis.turns import moves


def broken(state: State) -> tuple[str, ...]:
    """Return the name of each invariant that the state breaks."""
    return tuple(name for name, holds in _invariants(state) if not holds)


def _invariants(state: State) -> Iterator[tuple[str, bool]]:
    if state.phase != "play":
        yield "the table is empty before the deal", not any(state.hands) and not any(state.banks)
        return
    yield from _of_cards(state)
    yield "points for suits need plays", sum(state.suit_points) <= sum(map(len, state.banks))
    yield "a lie needs a miss", not (state.window and state.window.lie) or bool(state.missed[state.window.seat])
    banks_are_up = bool(state.banks[state.bank] and state.banks[state.bank - 1])
    yield "the banks of the turn are up", banks_are_up
    if banks_are_up and state.outcome is None:
        yield "the seat on turn can move", bool(moves(state))
        yield "no game goes on without plays", state.idle < state.setup.patience(state.required) + state.setup.lap


def _of_cards(state: State) -> Iterator[tuple[str, bool]]:
    banks = [*zip(state.banks, state.foundations, strict=True)]
    face_down = [card for bank, card in banks if not bank]
    everywhere = Counter(chain(face_down, state.rest, *state.hands, *state.banks))
    yield "every card is in one place", everywhere == Counter(state.setup.pack)
    yield "each bank stands on its foundation", all(not bank or bank[0] == card for bank, card in banks)
    yield "the foundations share a suit", len({card[1] for card in state.foundations}) <= 1
    yield "the rest stays out", len(state.rest) == state.setup.rest
    yield "hands never grow", all(len(hand) <= state.setup.hand_size for hand in state.hands)
    yield "hands are sorted", all(list(hand) == sorted(hand) for hand in state.hands)


# ---- imagined states


class Hidden(NamedTuple):
    """Foundations, hands and rest of a `State`, including those that the observation shows."""

    foundations: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]


@dataclass(slots=True)
class _Place:
    """A place for ``size`` cards, all from ``may_hold``: a hand, a foundation or the rest."""

    size: int
    may_hold: Collection[Card]
    cards: list[Card] = field(default_factory=list)


def imagine(observation: Observation, rng: random.Random) -> State:
    """Return a whole state that agrees with the observation.

    In honest play no seat gets a card that its misses rule out, and the seat on turn gets a bridge. Passed sum
    abilities are not taken into account. Raise ``ValueError`` if no deal agrees with the observation.
    """
    hidden = _hidden(observation, rng)
    return State(
        setup=observation.setup,
        phase=observation.phase,
        dealer=observation.dealer,
        results=observation.results,
        foundations=hidden.foundations,
        hands=hidden.hands,
        rest=hidden.rest,
        banks=observation.banks,
        slot=observation.slot,
        idle=observation.idle,
        suit_points=observation.suit_points,
        calls=observation.calls,
        missed=observation.missed,
        window=observation.window,
        outcome=observation.outcome,
    )


def _hidden(observation: Observation, rng: random.Random) -> Hidden:
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
        hidden = _with_bridge(observation, unseen, may_hold, bridge, rng)
        if hidden is not None:
            return hidden
    raise ValueError("no deal agrees with this observation")


def _may_hold(observation: Observation, seat: Seat, unseen: Sequence[Card]) -> Sequence[Card]:
    """Return the unseen cards that the seat may hold. In honest play a miss tells the truth."""
    if observation.setup.fake == "on":
        return unseen
    denied = {value for required in observation.missed[seat] for value in required}
    return [card for card in unseen if bridges.value(card) not in denied]


def _bridges_on_turn(
    observation: Observation, may_hold: Sequence[Sequence[Card]], rng: random.Random
) -> list[tuple[Card, ...]]:
    """Return all bridges the seat on turn may hold, in random order, or an empty one if it needs none."""
    if observation.setup.fake == "on" or not observation.order or observation.order[0] == observation.seat:
        return [()]
    seat = observation.order[0]
    singles = bridges.single_bridges(observation.required)
    choices: list[tuple[Card, ...]] = [(card,) for card in dict.fromkeys(may_hold[seat]) if card in singles]
    if observation.ability and observation.hand_counts[seat] > 1:
        choices += bridges.pairs(may_hold[seat], observation.required)
    return rng.sample(choices, len(choices))


def _with_bridge(
    observation: Observation,
    unseen: Sequence[Card],
    may_hold: Sequence[Sequence[Card]],
    bridge: tuple[Card, ...],
    rng: random.Random,
) -> Hidden | None:
    """Deal the unseen cards, the bridge to the seat on turn. Return ``None`` if some card fits nowhere."""
    counts = list(observation.hand_counts)
    on_turn = observation.order[0] if observation.order else 0
    counts[on_turn] -= len(bridge)
    if observation.seat is not None:
        counts[observation.seat] = 0
    hands = [_Place(count, may_hold[seat]) for seat, count in enumerate(counts)]
    face_down = [_Place(0 if bank else 1, _of_suit(observation)) for bank in observation.banks]
    rest = _Place(observation.rest_count, unseen)
    if not _allot(cards.leave_out(unseen, bridge), (*hands, *face_down, rest), rng):
        return None
    hands[on_turn].cards.extend(bridge)
    if observation.seat is not None:
        hands[observation.seat].cards.extend(observation.hand)
    return Hidden(
        tuple((*bank, *place.cards)[0] for bank, place in zip(observation.banks, face_down, strict=True)),
        tuple(tuple(sorted(place.cards)) for place in hands),
        tuple(rest.cards),
    )


def _allot(hidden: Sequence[Card], places: Sequence[_Place], rng: random.Random) -> bool:
    """Put the hidden cards in random places. Return whether all of them fit.

    If there is any way, it is found, as a card may push others on (augmenting paths). Without restrictions all deals
    are equally likely.
    """
    return all(_put(card, places, rng, set()) for card in rng.sample(hidden, len(hidden)))


def _put(card: Card, places: Sequence[_Place], rng: random.Random, tried: set[int]) -> bool:
    open_to = [at for at, place in enumerate(places) if at not in tried and card in place.may_hold]
    free = [places[at].size - len(places[at].cards) for at in open_to]
    if any(free):
        places[rng.choices(open_to, free)[0]].cards.append(card)
        return True
    return any(_push_on(card, at, places, rng, tried) for at in rng.sample(open_to, len(open_to)))


def _push_on(card: Card, at: int, places: Sequence[_Place], rng: random.Random, tried: set[int]) -> bool:
    """Put the card in a full place, and one of that place's cards elsewhere."""
    if at in tried:
        return False
    tried.add(at)
    for number, other in enumerate(places[at].cards):
        if _put(other, places, rng, tried):
            places[at].cards[number] = card
            return True
    return False
