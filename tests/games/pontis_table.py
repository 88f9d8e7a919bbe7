"""Tables of Pontis in known positions."""

from collections.abc import Sequence

import pytest

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.cards import Card, split
from bot.games.game import Event, Step, Value
from bot.games.pontis.rulebook import Pontis, setup_of
from bot.games.pontis.state import Setup, State

PONTIS = Pontis()


def listed(text: str) -> tuple[Card, ...]:
    """Return the cards of a text without separators."""
    group = split(text)
    assert group is not None
    return group


def setup(**options: Value) -> Setup:
    """Return the setup of a table with these options and defaults for the others."""
    return setup_of(PONTIS.settle(options))


def position(banks: str, hands: str, slot: int = 0, **options: Value) -> State:
    """Return a game in play. Banks and hands are separated by slashes. No card is anywhere else."""
    piles, held = [listed(bank) for bank in banks.split("/")], [listed(hand) for hand in hands.split("/")]
    return PONTIS.start(PONTIS.settle({"players": len(held), "banks": len(piles), **options}))._replace(
        phase="play",
        foundations=tuple(pile[0] for pile in piles),
        banks=tuple(piles),
        hands=tuple(tuple(sorted(hand)) for hand in held),
        slot=slot,
    )


def dealt(foundations: str, hands: str, **options: Value) -> Step[State]:
    """Deal the first game of a table by seat 0. Hands hold the cards given, and others up to their size.

    A hand is given as ``5H4D -3T``: these cards, and no other three or ten. The rest stays out.
    """
    state = PONTIS.start(PONTIS.settle(options))
    laid = listed(foundations)
    given = [hand.partition(" -") for hand in hands.split("/")]
    held = [list(listed(hand)) for hand, _, _ in given]
    left = cards.leave_out(state.setup.pack, [*laid, *(card for hand in held for card in hand)])
    for hand, (_, _, avoided) in zip(held, given, strict=True):
        for card in [card for card in left if card[0] not in avoided][: state.setup.hand_size - len(hand)]:
            left.remove(card)
            hand.append(card)
    for text in (
        "dealer 0",
        f"foundations {'/'.join(laid)}",
        f"deal {'/'.join(cards.join(hand) for hand in held)}/{cards.join(left)}",
    ):
        step = PONTIS.apply(state, None, PONTIS.parse(text))
        state = step.state
    return step


def play(state: State, *texts: str) -> State:
    """Play moves, each by the seat on turn unless it names another: ``2: liar 1``."""
    for text in texts:
        state = step_of(state, text).state
    return state


def step_of(state: State, text: str) -> Step[State]:
    """Return the step of one move in the notation of `play`."""
    seat, colon, move = text.rpartition(": ")
    return PONTIS.apply(state, int(seat) if colon else state.on_turn, PONTIS.parse(move))


def legal(state: State, seat: int | None = None) -> list[str]:
    """Return the legal moves of a seat, by default the one on turn."""
    return [str(move) for move in PONTIS.legal(state, state.on_turn if seat is None else seat)]


def refusal(state: State, text: str) -> str | None:
    """Return the ruling that the refusal of the move cites."""
    with pytest.raises(IllegalMove) as caught:
        step_of(state, text)
    return caught.value.ruling


def score_of(state: State) -> list[int]:
    """Return the scores at the end."""
    assert state.outcome is not None
    return list(state.outcome.scores)


def reason_of(state: State) -> str:
    """Return the reason of the end."""
    assert state.outcome is not None
    return state.outcome.reason


def of_type(events: Sequence[Event], kind: type[Event]) -> list[Event]:
    """Return the events of one type."""
    return [event for event in events if isinstance(event, kind)]
