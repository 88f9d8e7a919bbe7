"""The invariants of Pond."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from bot.games.pond.scoring import group_of
from bot.games.pond.state import HIDDEN, PACKS, VISIBLE, Laid, State

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
