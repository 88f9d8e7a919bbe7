"""Turns of Pontis without a play: chosen, or forced by the rules (G-03, T-04)."""

from bot.games.cards import Card
from bot.games.game import Event, Seat, Step
from bot.games.pontis import bridges
from bot.games.pontis.bridges import Required
from bot.games.pontis.events import AbilityPassed, FoundationTurned, Missed, SumAbility
from bot.games.pontis.scoring import finish
from bot.games.pontis.state import State


def run(state: State, events: tuple[Event, ...], *, skips: bool = False) -> Step[State]:
    """Continue to the next seat that has a choice, or to the end of the game.

    If ``skips``, the seat on turn has chosen to miss or to decline. Other turns without a play are forced: in honest
    play, a seat without a bridge must skip (PT-11).
    """
    setup, slot, idle = state.setup, state.slot, state.idle
    banks, missed, seen = [*state.banks], [*state.missed], [*events]
    passed: Seat | None = None
    while True:
        seat, bank = setup.owners[slot], slot % setup.banks
        if not banks[bank]:  # the first turn of a bank turns up its foundation (PT-07, PT-08)
            banks[bank] = (state.foundations[bank],)
            seen.append(FoundationTurned(seat, bank, state.foundations[bank]))
        required = bridges.required(banks[bank][-1], banks[bank - 1][-1])
        patience = setup.patience(required)
        has_ability = idle >= patience
        if has_ability and idle > state.idle:
            seen.append(SumAbility(seat, passed))
        if not skips and (setup.fake == "on" or _can_bridge(state.hands[seat], required, has_ability)):
            return Step(_after(state, slot, idle, banks, missed), tuple(seen))
        skips = False
        passed = seat if has_ability else None
        if has_ability:  # passed on (PT-22)
            seen.append(AbilityPassed(seat))
        else:
            missed[seat] += (required,)
            seen.append(Missed(seat, bank, required))
        slot, idle = (slot + 1) % setup.lap, idle + 1
        if idle == patience + setup.lap:
            return _end(_after(state, slot, idle, banks, missed), tuple(seen))


def _can_bridge(hand: tuple[Card, ...], required: Required, has_ability: bool) -> bool:  # noqa: FBT001 - whether the seat has the sum ability
    """Return whether a seat has a bridge: one card, or two with the sum ability (PT-10, PT-17)."""
    return not bridges.single_bridges(required).isdisjoint(hand) or (has_ability and bridges.has_pair(hand, required))


def _after(
    state: State, slot: int, idle: int, banks: list[tuple[Card, ...]], missed: list[tuple[Required, ...]]
) -> State:
    """Return the state in the turn of the slot."""
    return state._replace(slot=slot, idle=idle, banks=tuple(banks), missed=tuple(missed))


def _end(state: State, events: tuple[Event, ...]) -> Step[State]:
    """End a game in which nobody could play for a lap of misses and a lap of sum abilities (PT-22, PT-30, PT-37)."""
    first_misser = state.setup.owners[(state.slot - state.idle) % state.setup.lap]
    is_complete = all(bridges.equal(bank[-1], state.banks[0][-1]) for bank in state.banks)
    return finish(state, "complete_curdle" if is_complete else "stuck", first_misser, events)
