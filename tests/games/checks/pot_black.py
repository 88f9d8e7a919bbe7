"""The invariants of Pot Black, and states made up from observations."""

import random
from collections.abc import Iterator
from itertools import chain, islice

from bot.games.cards import SUITS, Card
from bot.games.game import Seat
from bot.games.pot_black.chips import FEWEST_IN_PLAY
from bot.games.pot_black.state import HAND, PACKS, Observation, State


def broken(state: State) -> tuple[str, ...]:
    """Return the name of each invariant that the state breaks."""
    return tuple(name for name, holds in _invariants(state) if not holds)


def _invariants(state: State) -> Iterator[tuple[str, bool]]:
    chips, setup = state.chips, state.setup
    yield "chips conserved", chips.total == setup.stack * setup.players
    yield "chips never negative", min(*chips.stacks, chips.main, chips.side) >= 0
    yield "one pot in the classic form", setup.form != "classic" or not chips.side
    yield "at least three play on", state.outcome is not None or len(state.in_play) >= FEWEST_IN_PLAY
    yield "a complete trick is taken", not state.trick or len(state.trick) < len(state.order)
    yield "hands are even", _hands_are_even(state)
    yield "cards conserved", not state.order or _cards_are_conserved(state)
    yield "a finished deal is settled", state.outcome is not None or len(state.tricks) < HAND


def _hands_are_even(state: State) -> bool:
    """Return whether all seats in play hold as many cards, but for those that have played to the trick."""
    played = [len(state.tricks) + (at < len(state.trick)) for at in range(len(state.order))]
    counts = dict.fromkeys(range(state.setup.players), 0)
    counts |= {seat: HAND - number for seat, number in zip(state.order, played, strict=True)}
    return [len(hand) for hand in state.hands] == [*counts.values()]


def _cards_are_conserved(state: State) -> bool:
    shown = chain(state.trick, *(trick.cards for trick in state.tricks))
    return sorted(chain(shown, *state.hands)) == sorted(PACKS[len(state.order)])


# ---- imagined states

Hands = dict[Seat, list[Card]]


def imagine(seen: Observation, rng: random.Random) -> State:
    """Return a whole state that agrees with the observation. No seat holds a suit it failed to follow."""
    hands = _imagined_hands(seen, rng) if seen.order else {}
    return State(
        setup=seen.setup,
        chips=seen.chips,
        out=seen.out,
        hands=tuple(tuple(sorted(hands.get(seat, ()))) for seat in range(seen.setup.players)),
        deal=seen.deal,
        dealer=seen.dealer,
        ante=seen.ante,
        order=seen.order,
        trick=seen.trick,
        tricks=seen.tricks,
        last_trick=seen.last_trick,
        settled=seen.settled,
        outcome=seen.outcome,
    )


def _imagined_hands(seen: Observation, rng: random.Random) -> Hands:
    shown = {*seen.hand, *seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
    hidden = [card for card in PACKS[len(seen.order)] if card not in shown]
    hands: Hands | None = None
    while hands is None:
        rng.shuffle(hidden)
        hands = _spread(seen, hidden, rng)
    if seen.seat is not None:
        hands[seen.seat] = list(seen.hand)
    return hands


def _spread(seen: Observation, hidden: list[Card], rng: random.Random) -> Hands | None:
    """Deal the hidden cards to the seats that may hold them, or return ``None`` if some card finds no room.

    Every possible deal has a chance, so repeating this ends.
    """
    hands: Hands = {seat: [] for seat in seen.order if seat != seen.seat}
    holders = _holders(seen, [*hands])
    restricted = [card for card in hidden if len(holders[card[1]]) < len(hands)]
    for card in sorted(restricted, key=lambda card: len(holders[card[1]])):
        if not _place(card, holders[card[1]], seen.hand_counts, hands, rng):
            return None
    free = iter([card for card in hidden if len(holders[card[1]]) == len(hands)])
    for seat, hand in hands.items():
        hand.extend(islice(free, seen.hand_counts[seat] - len(hand)))
    return hands


def _holders(seen: Observation, seats: list[Seat]) -> dict[str, list[Seat]]:
    """Return the seats that may hold cards of each suit."""
    return {suit: [seat for seat in seats if suit not in seen.voids[seat]] for suit in SUITS}


def _place(card: Card, holders: list[Seat], counts: tuple[int, ...], hands: Hands, rng: random.Random) -> bool:
    """Put a card in the hand of a random holder, if any has room."""
    room = {seat: counts[seat] - len(hands[seat]) for seat in holders if len(hands[seat]) < counts[seat]}
    if room:
        (seat,) = rng.choices([*room], [*room.values()])
        hands[seat].append(card)
    return bool(room)
