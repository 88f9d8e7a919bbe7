"""Who knows what in Pond: what a seat or the public sees of a state, and states that agree with what is seen."""

import random
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from bot.games.cards import Card, leave_out
from bot.games.game import Actor, Move, Seat
from bot.games.pond.moves import Hand
from bot.games.pond.scoring import group_of, points
from bot.games.pond.state import (
    FACE_DOWN,
    HIDDEN,
    PACKS,
    Laid,
    Observation,
    State,
    Taken,
    dealer_of,
    pile_of,
    round_of,
    tied_in,
    totals_of,
)

# ---- what is seen


def observe(state: State, seat: Seat | None, to_act: frozenset[Actor], legal: tuple[Move, ...]) -> Observation:
    """What the seat, or the public, can know."""
    dealt = bool(state.hands)
    pile = () if seat is None else pile_of(state, seat)
    return Observation(
        seat=seat,
        to_act=to_act,
        legal=legal,
        outcome=state.outcome,
        setup=state.setup,
        phase=state.phase,
        round=round_of(state),
        dealer=dealer_of(state),
        starter=state.starter if dealt else None,
        turned=state.turned,
        hand=state.hands[seat] if dealt and seat is not None else (),
        hand_counts=tuple(map(len, state.hands)),
        hidden=HIDDEN if state.hidden else 0,
        set_aside=_set_aside_seen(state, seat),
        baits=state.baits,
        traps=_traps_seen(state.traps, seat),
        trick=state.trick,
        taken=_taken_seen(state, seat),
        pile=pile,
        pile_points=_value(state, seat, pile) if pile and seat is not None else 0,
        pile_counts=_pile_counts(state),
        tied=tuple(sorted(tied_in(state.trick))) if state.phase == "award" else (),
        rounds=state.rounds,
        totals=totals_of(state),
    )


def _pile_counts(state: State) -> tuple[int, ...]:
    counts = [0] * state.setup.players
    for taken in state.taken:
        counts[taken.taker] += len(taken.laid)
    return tuple(counts)


def _set_aside_seen(state: State, seat: Seat | None) -> tuple[Card | None, ...]:
    """The own card; the partner's too once all have chosen (PC-32)."""
    partners = seat is not None and None not in state.set_aside
    return tuple(
        card
        if card is None or owner == seat or (partners and seat is not None and (owner - seat) % 2 == 0)
        else FACE_DOWN
        for owner, card in enumerate(state.set_aside)
    )


def _traps_seen(traps: tuple[Laid, ...], seat: Seat | None) -> tuple[Laid, ...]:
    return tuple(laid if laid.seat == seat else Laid(laid.seat, FACE_DOWN) for laid in traps)


def _taken_seen(state: State, seat: Seat | None) -> tuple[Taken, ...]:
    """The taker sees all of it, others the traps face down (PC-20); what `history` hides is face down (PC-21)."""
    seen = tuple(
        [
            taken if taken.taker == seat or not taken.traps else taken._replace(traps=_traps_seen(taken.traps, seat))
            for taken in state.taken
        ]
    )
    return seen if state.setup.history == "log" else (*map(_faded, seen[:-1]), *seen[-1:])


def _faded(taken: Taken) -> Taken:
    baits, traps, trick = (
        tuple(Laid(laid.seat, FACE_DOWN) for laid in part) for part in (taken.baits, taken.traps, taken.trick)
    )
    return Taken(baits, traps, trick, taken.taker)


def _value(state: State, seat: Seat, pile: Hand) -> int:
    """What the pile is worth to the seat so far (PC-33)."""
    poison = state.turned[seat][-1][1]
    group = group_of(state.set_aside[seat] or FACE_DOWN) or ""
    return sum(points(card, poison, group) for card in pile)


# ---- what is imagined


def imagine(seen: Observation, rng: random.Random) -> State:
    """A whole state that agrees with the observation, what it hides made up.

    With ``history=last`` the tricks that are no longer shown are made up without regard to who won them.
    """
    first = None if seen.dealer is None else (seen.dealer - seen.round) % seen.setup.players
    public = State(
        setup=seen.setup,
        phase=seen.phase,
        first_dealer=first,
        turned=seen.turned,
        baits=seen.baits,
        trick=seen.trick,
        rounds=seen.rounds,
        outcome=seen.outcome,
    )
    return public if seen.starter is None else _with_secrets(public._replace(starter=seen.starter), seen, rng)


def _with_secrets(public: State, seen: Observation, rng: random.Random) -> State:
    own_taken = [taken for taken in seen.taken if taken.taker == seen.seat]
    faded = leave_out(seen.pile, _visible(laid.card for taken in own_taken for laid in taken.laid))
    rng.shuffle(faded)
    pool = leave_out(PACKS[seen.setup.players], _known(seen, faded))
    set_aside = tuple(_draw_signal(pool, rng) if card == FACE_DOWN else card for card in seen.set_aside)
    while True:
        rng.shuffle(pool)
        rest = iter(pool)
        hands = tuple(
            seen.hand if owner == seen.seat else tuple(sorted(islice(rest, count)))
            for owner, count in enumerate(seen.hand_counts)
        )
        if not _misdealt(hands, set_aside):
            break
    own_rest = iter(faded)
    return public._replace(
        hands=hands,
        hidden=tuple(tuple(sorted(islice(rest, seen.hidden))) for _ in hands) if seen.hidden else (),
        set_aside=set_aside,
        traps=_filled(seen.traps, rest),
        taken=tuple(
            Taken(
                _filled(taken.baits, own_rest if taken.taker == seen.seat else rest),
                _filled(taken.traps, own_rest if taken.taker == seen.seat else rest),
                _filled(taken.trick, own_rest if taken.taker == seen.seat else rest),
                taken.taker,
            )
            for taken in seen.taken
        ),
    )


def _known(seen: Observation, faded: Iterable[Card]) -> Iterable[Card]:
    """Every card whose place the observation shows, and those of the own pile that `history` hides on the table."""
    on_table = chain(seen.baits, seen.traps, seen.trick, *(taken.laid for taken in seen.taken))
    set_aside = (card for card in seen.set_aside if card is not None)
    return chain(
        chain.from_iterable(seen.turned),
        seen.hand,
        faded,
        _visible(set_aside),
        _visible(laid.card for laid in on_table),
    )


def _visible(cards: Iterable[Card]) -> Iterator[Card]:
    return (card for card in cards if card != FACE_DOWN)


def _draw_signal(pool: list[Card], rng: random.Random) -> Card:
    """Takes a card that may be set aside out of the pool."""
    card = rng.choice([card for card in pool if group_of(card)])
    pool.remove(card)
    return card


def _misdealt(hands: tuple[Hand, ...], set_aside: tuple[Card | None, ...]) -> bool:
    """Whether somebody who has not chosen yet could not (PC-10)."""
    return any(card is None and not any(map(group_of, hand)) for hand, card in zip(hands, set_aside, strict=True))


def _filled(part: tuple[Laid, ...], cards: Iterator[Card]) -> tuple[Laid, ...]:
    return tuple(Laid(seat, next(cards)) if card == FACE_DOWN else Laid(seat, card) for seat, card in part)
