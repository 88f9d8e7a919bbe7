"""Random states of Pond that agree with an observation."""

import random
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from bot.games.cards import Card, leave_out
from bot.games.pond.moves import Hand
from bot.games.pond.observation import FACE_DOWN, Observation
from bot.games.pond.scoring import group_of
from bot.games.pond.state import PACKS, Laid, State, Taken


def imagine(seen: Observation, rng: random.Random) -> State:
    """Return a whole state that agrees with the observation."""
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
    own = _own_face_down(seen)
    rng.shuffle(own)
    pool = leave_out(PACKS[seen.setup.players], _known(seen, own))
    set_aside = tuple(_draw_signal(pool, rng) if card == FACE_DOWN else card for card in seen.set_aside)
    hands, rest = _deal_hands(seen, set_aside, pool, rng)
    hidden = tuple(tuple(sorted(islice(rest, seen.hidden))) for _ in hands) if seen.hidden else ()
    traps = _filled(seen.traps, rest)
    own_rest = iter(own)
    taken = tuple(_filled_taken(one, own_rest if one.taker == seen.seat else rest) for one in seen.taken)
    return public._replace(hands=hands, hidden=hidden, set_aside=set_aside, traps=traps, taken=taken)


def _own_face_down(seen: Observation) -> list[Card]:
    """Return the cards of the observer's pile that ``history`` shows face down in ``taken``."""
    own_taken = [laid.card for taken in seen.taken if taken.taker == seen.seat for laid in taken.laid]
    return leave_out(seen.pile, _visible(own_taken))


def _known(seen: Observation, own_face_down: Iterable[Card]) -> Iterable[Card]:
    """Return every card that the observer can see, or has in its pile."""
    on_table = chain(seen.baits, seen.traps, seen.trick, *(taken.laid for taken in seen.taken))
    set_aside = (card for card in seen.set_aside if card is not None)
    return chain(
        chain.from_iterable(seen.turned),
        seen.hand,
        own_face_down,
        _visible(set_aside),
        _visible(laid.card for laid in on_table),
    )


def _visible(cards: Iterable[Card]) -> Iterator[Card]:
    return (card for card in cards if card != FACE_DOWN)


def _draw_signal(pool: list[Card], rng: random.Random) -> Card:
    """Take a card that may be set aside out of the pool."""
    card = rng.choice([card for card in pool if group_of(card)])
    pool.remove(card)
    return card


def _deal_hands(
    seen: Observation, set_aside: tuple[Card | None, ...], pool: list[Card], rng: random.Random
) -> tuple[tuple[Hand, ...], Iterator[Card]]:
    """Deal the pool to the other seats, again after a mis-deal. Return all hands and the cards that are left."""
    while True:
        rng.shuffle(pool)
        rest = iter(pool)
        hands = tuple(
            seen.hand if owner == seen.seat else tuple(sorted(islice(rest, count)))
            for owner, count in enumerate(seen.hand_counts)
        )
        if not _is_misdeal(hands, set_aside):
            return hands, rest


def _is_misdeal(hands: tuple[Hand, ...], set_aside: tuple[Card | None, ...]) -> bool:
    """Return whether a seat that still has to set a card aside has none for it (PC-10)."""
    return any(card is None and not any(map(group_of, hand)) for hand, card in zip(hands, set_aside, strict=True))


def _filled_taken(taken: Taken, cards: Iterator[Card]) -> Taken:
    return Taken(_filled(taken.baits, cards), _filled(taken.traps, cards), _filled(taken.trick, cards), taken.taker)


def _filled(part: tuple[Laid, ...], cards: Iterator[Card]) -> tuple[Laid, ...]:
    return tuple(Laid(seat, next(cards)) if card == FACE_DOWN else Laid(seat, card) for seat, card in part)
