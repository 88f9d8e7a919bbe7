"""The invariants of Pond, and states made up from observations."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from bot.games.cards import Card, leave_out
from bot.games.pond.moves import Hand
from bot.games.pond.scoring import group_of
from bot.games.pond.state import FACE_DOWN, HIDDEN, PACKS, VISIBLE, Laid, Observation, State, Taken

_WITHOUT_HANDS = frozenset({"dealer", "poison", "deal", "over"})


def broken(state: State) -> tuple[str, ...]:
    """Return the name of each invariant that the state breaks."""
    return tuple(name for name, holds in _invariants(state) if not holds)


def _invariants(state: State) -> Iterator[tuple[str, bool]]:
    yield "no card exists more often than in the pack", _conserved(state)
    yield "cards are dealt exactly while a round is played", bool(state.hands) == (state.phase not in _WITHOUT_HANDS)
    yield (
        "poison is turned exactly while a round is dealt or played",
        bool(state.turned) == (bool(state.hands) or state.phase == "deal"),
    )
    yield "the game is over exactly when its phase says so", _over(state)
    yield "poison is no spade, and partners share it", _poisoned(state)
    if state.hands:
        yield from _of_choosing(state)
        yield from _of_the_table(state)


def _of_choosing(state: State) -> Iterator[tuple[str, bool]]:
    choosing = state.phase == "profit"
    yield (
        "the hidden five are picked up when all have chosen",
        [len(five) for five in state.hidden] == ([HIDDEN] * state.setup.players if choosing else []),
    )
    yield "somebody has to choose exactly in the profit phase", (None in state.set_aside) == choosing
    yield "every set-aside card tells a group", all(card is None or group_of(card) for card in state.set_aside)
    undecided = [hand for hand, card in zip(state.hands, state.set_aside, strict=True) if card is None]
    yield "whoever has to choose can", all(any(map(group_of, hand)) for hand in undecided)


def _of_the_table(state: State) -> Iterator[tuple[str, bool]]:
    yield "every seat has sixteen cards, whether held, hidden, set aside or laid", _sixteen_each(state)
    yield "hands are sorted", all(list(hand) == sorted(hand) for hand in state.hands)
    yield "as many cards are laid as the phase says", _laid_by_phase(state)
    yield "baits and tricks are laid in turn", _in_turn(state.baits, state) and _in_turn(state.trick, state)
    yield (
        "the taker of the last trick starts, at first the dealer",
        state.starter == (state.taken[-1].taker if state.taken else state.dealer),
    )


def _laid(state: State) -> list[Laid]:
    return [*state.baits, *state.traps, *state.trick, *chain.from_iterable(taken.laid for taken in state.taken)]


def _conserved(state: State) -> bool:
    set_aside = [card for card in state.set_aside if card is not None]
    on_table = [laid.card for laid in _laid(state)]
    seen = Counter(chain(set_aside, on_table, *state.turned, *state.hands, *state.hidden))
    return seen <= Counter(PACKS[state.setup.players])


def _over(state: State) -> bool:
    if state.outcome is None:
        return state.phase != "over"
    return state.phase == "over" or state.outcome.is_conceded


def _poisoned(state: State) -> bool:
    suits = [turned[-1][1] for turned in state.turned]
    return "S" not in suits and suits[2:] == suits[:-2]


def _sixteen_each(state: State) -> bool:
    laid = Counter(one.seat for one in _laid(state))
    hidden = HIDDEN if state.hidden else 0
    return all(
        len(hand) + hidden + laid[seat] + (state.set_aside[seat] is not None) == VISIBLE + HIDDEN
        for seat, hand in enumerate(state.hands)
    )


def _laid_by_phase(state: State) -> bool:
    every = state.setup.players
    baits, traps, trick = {
        "profit": ([0], [0], [0]),
        "bait": (range(every), [0], [0]),
        "trap": ([every], [0], [0]),
        "traps": ([every], range(1, every), [0]),
        "play": ([every], [0, every], range(every)),
    }.get(state.phase, ([every], [0, every], [every]))
    return len(state.baits) in baits and len(state.traps) in traps and len(state.trick) in trick


def _in_turn(laid: tuple[Laid, ...], state: State) -> bool:
    return all(one.seat == (state.starter + at) % state.setup.players for at, one in enumerate(laid))


# ---- imagined states


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
        last_trick=seen.last_trick and _filled_taken(seen.last_trick, iter(PACKS[seen.setup.players])),
        past=seen.past,
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
    last_trick = taken[-1] if taken else public.last_trick
    return public._replace(
        hands=hands, hidden=hidden, set_aside=set_aside, traps=traps, taken=taken, last_trick=last_trick
    )


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
