"""The invariants of Pontis."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from bot.games.pontis.state import State
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
