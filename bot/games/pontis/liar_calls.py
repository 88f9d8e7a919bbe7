"""Liar calls in Pontis (PT-25, T-06, T-07)."""

from typing import Final

from bot.errors import IllegalMove
from bot.games.cards import Card
from bot.games.game import Seat, Step, replaced
from bot.games.pontis.bridges import missed_values, value
from bot.games.pontis.events import LiarCalled
from bot.games.pontis.state import State, Window

CALL_POINTS: Final = 2


def window_of(state: State, seat: Seat, played: tuple[Card, ...]) -> Window | None:
    """Return the window for calling this play. It is a lie if a card has a value that the seat once missed (T-07)."""
    if state.setup.liar == "off":
        return None
    missed = state.missed[seat]
    denied = missed_values(missed)
    return Window(seat, played, any(value(card) in denied for card in played), missed)


def may_call(state: State, seat: Seat) -> bool:
    """Return whether the seat may call the last play: not its own, nor a team-mate's (T-06)."""
    sides = state.setup.sides
    return state.window is not None and sides[seat] != sides[state.window.seat]


def call(state: State, seat: Seat, accused: Seat) -> Step[State]:
    """Call the last play a lie. The first call closes the window."""
    window = state.window
    if state.setup.liar == "off":
        raise IllegalMove("Calling a liar is off in this game.", "PT-25")
    if window is None or accused != window.seat:
        raise IllegalMove("You can only call someone a liar right after they play.", "T-06")
    if not may_call(state, seat):
        raise IllegalMove("You can't call yourself or a teammate a liar.", "T-06")
    calls = replaced(state.calls, seat, state.calls[seat] + (CALL_POINTS if window.lie else -CALL_POINTS))
    if window.lie:
        calls = replaced(calls, accused, calls[accused] - CALL_POINTS)
    return Step(state._replace(calls=calls, window=None), (LiarCalled(seat, accused, window.lie, CALL_POINTS),))
