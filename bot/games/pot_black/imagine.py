"""Random states of Pot Black that agree with an observation."""

import random

from bot.games.cards import Card
from bot.games.game import Seat
from bot.games.pot_black.observation import PotBlackObservation
from bot.games.pot_black.state import PACKS, State

Hands = dict[Seat, list[Card]]


def imagine(seen: PotBlackObservation, rng: random.Random) -> State:
    """Return a whole state that agrees with the observation. No seat holds a suit it failed to follow."""
    hands = _imagined_hands(seen, rng) if seen.order else {}
    return State(
        terms=seen.terms,
        chips=seen.chips,
        out=seen.out,
        hands=tuple(tuple(sorted(hands.get(seat, ()))) for seat in range(seen.terms.players)),
        deal=seen.deal,
        dealer=seen.dealer,
        ante=seen.ante,
        order=seen.order,
        trick=seen.trick,
        tricks=seen.tricks,
        last_trick=seen.last_trick,
        outcome=seen.outcome,
    )


def _imagined_hands(seen: PotBlackObservation, rng: random.Random) -> Hands:
    shown = {*seen.hand, *seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
    hidden = [card for card in PACKS[len(seen.order)] if card not in shown]
    hands: Hands | None = None
    while hands is None:
        rng.shuffle(hidden)
        hands = _spread(seen, hidden, rng)
    if seen.seat is not None:
        hands[seen.seat] = list(seen.hand)
    return hands


def _spread(seen: PotBlackObservation, hidden: list[Card], rng: random.Random) -> Hands | None:
    """Deal the hidden cards to the seats that may hold them, or return ``None`` if some card finds no room.

    Every possible deal has a chance, so repeating this ends.
    """
    hands: Hands = {seat: [] for seat in seen.order if seat != seen.seat}
    holders = {suit: [seat for seat in hands if suit not in seen.voids[seat]] for suit in "SHDC"}
    room = {seat: seen.hand_counts[seat] for seat in hands}
    for card in _restricted(hidden, holders, len(hands)):
        seats = [seat for seat in holders[card[1]] if room[seat]]
        if not seats:
            return None
        (seat,) = rng.choices(seats, [room[seat] for seat in seats])
        hands[seat].append(card)
        room[seat] -= 1
    free = [card for card in hidden if len(holders[card[1]]) == len(hands)]
    for seat in hands:
        hands[seat] += free[: room[seat]]
        del free[: room[seat]]
    return hands


def _restricted(hidden: list[Card], holders: dict[str, list[Seat]], seats: int) -> list[Card]:
    """Return the cards that not every seat may hold, those with the fewest holders first."""
    cards = [card for card in hidden if len(holders[card[1]]) < seats]
    return sorted(cards, key=lambda card: len(holders[card[1]]))
