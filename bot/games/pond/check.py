"""The invariants of Pond's state, by name."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from bot.games.pond.scoring import group_of
from bot.games.pond.state import HIDDEN, PACKS, VISIBLE, State, dealer_of

_BEFORE_DEAL = frozenset({"dealer", "poison", "deal", "over"})


def invariants(state: State) -> Iterator[tuple[str, bool]]:
    """Each invariant's name, and whether it holds."""
    yield "no card exists more often than in the pack", _conserved(state)
    yield "cards are dealt exactly while a round is played", bool(state.hands) == (state.phase not in _BEFORE_DEAL)
    yield (
        "poison is turned exactly while a round is dealt or played",
        bool(state.turned) == (bool(state.hands) or state.phase == "deal"),
    )
    yield "the game is over exactly when its phase says so", _over(state)
    yield "poison is no spade, and partners share it", _poisoned(state)
    if state.hands:
        yield from _of_the_round(state)


def _of_the_round(state: State) -> Iterator[tuple[str, bool]]:
    choosing = state.phase == "profit"
    yield "every seat has sixteen cards, whether held, hidden, set aside or laid", _sixteen_each(state)
    yield (
        "the hidden five are picked up when all have chosen",
        (all(len(five) == HIDDEN for five in state.hidden) if choosing else not state.hidden),
    )
    yield "somebody has to choose exactly in the profit phase", (None in state.set_aside) == choosing
    yield "every set-aside card tells a group", all(card is None or group_of(card) for card in state.set_aside)
    yield (
        "whoever has to choose can",
        all(
            card is not None or any(map(group_of, hand))
            for hand, card in zip(state.hands, state.set_aside, strict=True)
        ),
    )
    yield "hands are sorted", all(list(hand) == sorted(hand) for hand in state.hands)
    yield "as many cards are laid as the phase says", _laid_by_phase(state)
    yield "baits and tricks are laid in turn", _in_turn(state)
    yield (
        "the taker of the last trick starts, at first the dealer",
        state.starter == (state.taken[-1].taker if state.taken else dealer_of(state)),
    )


def _conserved(state: State) -> bool:
    table = chain(state.baits, state.traps, state.trick, *(taken.laid for taken in state.taken))
    seen = Counter(
        chain(
            chain.from_iterable(state.turned),
            chain.from_iterable(state.hands),
            chain.from_iterable(state.hidden),
            (card for card in state.set_aside if card is not None),
            (laid.card for laid in table),
        )
    )
    return seen <= Counter(PACKS[state.setup.players])


def _over(state: State) -> bool:
    if state.outcome is None:
        return state.phase != "over"
    return state.phase == "over" or state.outcome.is_conceded


def _poisoned(state: State) -> bool:
    suits = [turned[-1][1] for turned in state.turned]
    return "S" not in suits and suits[2:] == suits[:-2]


def _sixteen_each(state: State) -> bool:
    table = chain(state.baits, state.traps, state.trick, *(taken.laid for taken in state.taken))
    laid = Counter(one.seat for one in table)
    return all(
        len(hand) + laid[seat] + (HIDDEN if state.hidden else 0) + (state.set_aside[seat] is not None)
        == VISIBLE + HIDDEN
        for seat, hand in enumerate(state.hands)
    )


def _laid_by_phase(state: State) -> bool:
    players = state.setup.players
    baits, traps, trick = len(state.baits), len(state.traps), len(state.trick)
    match state.phase:
        case "profit":
            return (baits, traps, trick) == (0, 0, 0)
        case "bait":
            return baits < players and (traps, trick) == (0, 0)
        case "trap":
            return (baits, traps, trick) == (players, 0, 0)
        case "traps":
            return baits == players and 0 < traps < players and trick == 0
        case "play":
            return baits == players and traps in (0, players) and trick < players
        case _:
            return (baits, trick) == (players, players) and traps in (0, players)


def _in_turn(state: State) -> bool:
    return all(
        laid.seat == (state.starter + at) % state.setup.players
        for part in (state.baits, state.trick)
        for at, laid in enumerate(part)
    )
