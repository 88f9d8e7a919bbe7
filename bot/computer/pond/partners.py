"""Mistakes that a partner never makes: beating a trick of its partner without need, or throwing poison into it."""

from typing import Final

from bot.computer.pond.engine import LEVEL, PLAY, SUITS, Round
from bot.computer.pond.heuristic import HEURISTICS

_WORTH_TAKING: Final = 10.0
"""Points that a seat has to gain by beating its partner's card."""


def sensible(state: Round, strongest: int) -> list[int]:
    """Return the actions of the seat to move, without absurd ones if there are others.

    ``strongest`` is the strength of the strongest card that may be in another hand.
    """
    actions = state.actions()
    if state.phase != PLAY or not _is_owned(state, strongest):
        return actions
    turn = state.turn
    own, mate, _ = HEURISTICS[state.seats].stakes(state)
    partner = state.values[state.owner()]
    below = state.top if (state.starter - turn) & 1 and not state.first else state.top + 1
    found = [
        card
        for card in actions
        if (
            SUITS[card] != state.poisons[turn]
            if LEVEL[card] < below
            else LEVEL[card] > state.top and _gains(state, card, own, mate)
        )
    ]
    return found or [card for card in actions if LEVEL[card] < below and partner[card] > 0] or actions


def _is_owned(state: Round, strongest: int) -> bool:
    """Return whether the partner of the seat to move takes the trick unless this seat does.

    A tie with an opponent belongs to the leader's side, or to the first of the tied. A partner who may award it keeps
    it only while it is worth more to them.
    """
    if not state.trick or (state.owner() - state.turn) & 1:
        return False
    if len(state.best) > 1 and not state.first:
        _, mate, left = HEURISTICS[state.seats].stakes(state)
        if mate <= left:
            return False
    is_safe_in_ties = state.first or state.awards(state.turn)
    return len(state.trick) == state.seats - 1 or strongest < state.top + is_safe_in_ties


def _gains(state: Round, card: int, own: float, mate: float) -> bool:
    """Return whether the table and the card are worth clearly more to the seat than to its partner."""
    return own + state.values[state.turn][card] > mate + state.values[state.owner()][card] + _WORTH_TAKING
