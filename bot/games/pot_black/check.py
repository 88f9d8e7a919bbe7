"""The invariants of Pot Black."""

from collections.abc import Iterator
from itertools import chain

from bot.games.pot_black.chips import FEWEST_IN_PLAY
from bot.games.pot_black.state import HAND, PACKS, State


def broken(state: State) -> tuple[str, ...]:
    """Return the name of each invariant that the state breaks."""
    return tuple(name for name, holds in _invariants(state) if not holds)


def _invariants(state: State) -> Iterator[tuple[str, bool]]:
    chips, terms = state.chips, state.terms
    yield "chips conserved", chips.total == terms.stack * terms.players
    yield "chips never negative", min(*chips.stacks, chips.main, chips.side) >= 0
    yield "one pot in the classic form", terms.form != "classic" or not chips.side
    yield "at least three play on", state.outcome is not None or len(state.in_play) >= FEWEST_IN_PLAY
    yield "a complete trick is taken", not state.trick or len(state.trick) < len(state.order)
    yield "hands are even", _hands_are_even(state)
    yield "cards conserved", not state.order or _cards_are_conserved(state)
    yield "a finished deal is settled", state.outcome is not None or len(state.tricks) < HAND


def _hands_are_even(state: State) -> bool:
    """Return whether all seats in play hold as many cards, but for those that have played to the trick."""
    played = [len(state.tricks) + (at < len(state.trick)) for at in range(len(state.order))]
    counts = dict.fromkeys(range(state.terms.players), 0)
    counts |= {seat: HAND - number for seat, number in zip(state.order, played, strict=True)}
    return [len(hand) for hand in state.hands] == [*counts.values()]


def _cards_are_conserved(state: State) -> bool:
    shown = chain(state.trick, *(trick.cards for trick in state.tricks))
    return sorted(chain(shown, *state.hands)) == sorted(PACKS[len(state.order)])
