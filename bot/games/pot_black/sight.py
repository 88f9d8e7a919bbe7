"""What a seat, or the public, can know of a Pot Black table; and whole tables made up to agree with it.

Hands are all that is hidden; tricks, chips and pots lie open.
"""

import random
from dataclasses import dataclass

from bot.games.cards import Card
from bot.games.game import Actor, Move, Observation, Seat
from bot.games.pot_black.chips import Chips, Terms, side_totals
from bot.games.pot_black.state import (
    PACKS,
    Position,
    State,
    Trick,
    counted,
    held,
    ten_takers,
    trumps,
)
from bot.games.tricks import LISTED, Cards, mask


@dataclass(frozen=True, slots=True, kw_only=True)
class PotBlackObservation(Observation):
    """What one seat, or the public, can know. Tuples by seat have an entry for every seat, also for those knocked out.

    * ``deal`` counts from 1; it is 0 and ``dealer`` is ``None`` until there is a dealer. ``ante`` is that of this deal.
    * ``trumps`` and ``next_trumps`` are suits, or ``None`` for no trumps.
    * ``totals``: the chips of each seat's side. ``out``: the deal in which a seat was knocked out, 0 while it is in.
    * ``hand`` is sorted, empty for the public; ``hand_counts`` are everybody's.
    * ``order``: the seats in play from the leader of the present trick on; empty while no hands are dealt.
    * ``trick``: the cards played to the present trick, in that order. ``turn`` owes the next one.
    * ``tricks``: the complete tricks of this deal; ``last_trick`` may be of the deal before (BK-30).
    * ``taken`` and ``counted``: tricks of each seat in this deal, all of them and without those with a black ten.
    * ``ten_takers``: who took the ten of spades and the ten of clubs, ``None`` for one that has not fallen.
    * ``voids``: for each seat the suits (``"HS"``) in which it failed to follow in this deal.
    """

    terms: Terms
    sides: tuple[int, ...]
    deal: int
    dealer: Seat | None
    ante: int
    chips: Chips
    totals: tuple[int, ...]
    out: tuple[int, ...]
    in_play: tuple[Seat, ...]
    trumps: str | None
    next_trumps: str | None
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    order: tuple[Seat, ...]
    turn: Seat | None
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    last_trick: Trick | None
    taken: tuple[int, ...]
    counted: tuple[int, ...]
    ten_takers: tuple[Seat | None, Seat | None]
    voids: tuple[str, ...]

    @property
    def leader(self) -> Seat | None:
        """Who leads, or led, the present trick; ``None`` while no hands are dealt."""
        return self.order[0] if self.order else None


def observe(state: State, seat: Seat | None, to_act: frozenset[Actor], legal: tuple[Move, ...]) -> PotBlackObservation:
    """What the seat, or the public, can know of the state."""
    position, trick, outcome = state
    hands = held(position, trick)
    takers = [old.taker for old in position.tricks]
    players = position.terms.players
    return PotBlackObservation(
        seat=seat,
        to_act=to_act,
        legal=legal,
        outcome=outcome,
        terms=position.terms,
        sides=position.terms.sides,
        deal=position.deal,
        dealer=position.dealer,
        ante=position.ante,
        chips=position.chips,
        totals=side_totals(position.terms, position.chips.stacks),
        out=position.out,
        in_play=position.in_play,
        trumps=trumps(position.deal) if position.deal else None,
        next_trumps=trumps(position.deal + 1),
        hand=() if seat is None else LISTED.of(hands[seat]),
        hand_counts=tuple(hand.bit_count() for hand in hands),
        order=position.order,
        turn=state.turn,
        trick=trick,
        tricks=position.tricks,
        last_trick=position.last_trick,
        taken=tuple(takers.count(seat) for seat in range(players)),
        counted=counted(players, position.tricks),
        ten_takers=ten_takers(position.tricks),
        voids=voids(position, trick),
    )


def voids(position: Position, trick: tuple[Card, ...]) -> tuple[str, ...]:
    """For each seat the suits in which it failed to follow in this deal, sorted."""
    shown: list[set[str]] = [set() for _ in range(position.terms.players)]
    for seats, cards in [*((old.seats, old.cards) for old in position.tricks), (position.order, trick)]:
        for seat, card in zip(seats, cards, strict=False):
            if card[1] != cards[0][1]:
                shown[seat].add(cards[0][1])
    return tuple("".join(sorted(suits)) for suits in shown)


def imagine(seen: PotBlackObservation, rng: random.Random) -> State:
    """A whole state that agrees with the observation: hands of the right size, without suits that were not followed."""
    position = Position(
        terms=seen.terms,
        chips=seen.chips,
        out=seen.out,
        deal=seen.deal,
        dealer=seen.dealer,
        ante=seen.ante,
        hands=_imagined_hands(seen, rng) if seen.order else (),
        order=seen.order,
        tricks=seen.tricks,
        last_trick=seen.last_trick,
    )
    return State(position, seen.trick, seen.outcome)


def _imagined_hands(seen: PotBlackObservation, rng: random.Random) -> tuple[Cards, ...]:
    shown = {*seen.hand, *seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
    hidden = [card for card in PACKS[len(seen.order)] if card not in shown]
    hands: dict[Seat, list[Card]] | None = None
    while hands is None:
        rng.shuffle(hidden)
        hands = _spread(seen, hidden, rng)
    for seat, card in zip(seen.order, seen.trick, strict=False):
        hands[seat].append(card)
    return tuple(mask(hands.get(seat, ())) for seat in range(seen.terms.players))


def _spread(seen: PotBlackObservation, hidden: list[Card], rng: random.Random) -> dict[Seat, list[Card]] | None:
    """The hidden cards among the seats that may hold them, or ``None`` if chance led to a dead end.

    Every possible distribution can come out, so that trying again always ends.
    """
    hands: dict[Seat, list[Card]] = {seat: [] for seat in seen.order if seat != seen.seat}
    takers = {suit: [seat for seat in hands if suit not in seen.voids[seat]] for suit in "SHDC"}
    room = {seat: seen.hand_counts[seat] for seat in hands}
    free = [card for card in hidden if len(takers[card[1]]) == len(hands)]
    for card in sorted(hidden, key=lambda card: len(takers[card[1]]))[: len(hidden) - len(free)]:
        seats = [seat for seat in takers[card[1]] if room[seat]]
        if not seats:
            return None
        (seat,) = rng.choices(seats, [room[seat] for seat in seats])
        hands[seat].append(card)
        room[seat] -= 1
    for seat in hands:
        hands[seat] += free[: room[seat]]
        del free[: room[seat]]
    if seen.seat is not None:
        hands[seen.seat] = list(seen.hand)
    return hands
