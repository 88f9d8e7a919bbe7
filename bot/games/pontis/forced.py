"""Turns of Pontis without a play: chosen, or forced by the rules (G-03, T-04)."""

from collections.abc import Iterable

from bot.games.game import Event, Seat, Step
from bot.games.pontis import bridges
from bot.games.pontis.events import AbilityPassed, FoundationTurned, Missed, SumAbility
from bot.games.pontis.scoring import finish
from bot.games.pontis.state import State


def run(state: State, events: Iterable[Event], *, skips: bool = False) -> Step[State]:
    """Continue to the next seat that has a choice, or to the end of the game.

    If ``skips``, the seat on turn has chosen to miss or to decline. Other turns without a play are forced.
    """
    turns = _Turns(state, events)
    if skips:
        turns.skip()
    while turns.must_skip():
        turns.skip()
    return turns.step()


class _Turns:
    """A working copy of what changes in turns without a play. Turns up foundations on its way."""

    def __init__(self, state: State, events: Iterable[Event]) -> None:
        self._state = state
        self._setup = state.setup
        self._slot = state.slot
        self._idle = state.idle
        self._banks = [*state.banks]
        self._missed = [*state.missed]
        self._events = [*events]
        self.is_dry = False
        self._begin()

    def _begin(self) -> None:
        """Begin a turn. The first turn of a bank turns up its foundation (PT-07, PT-08)."""
        setup, banks = self._setup, self._banks
        self._seat: Seat = setup.owners[self._slot]
        self._bank = bank = self._slot % setup.banks
        if not banks[bank]:
            card = self._state.foundations[bank]
            banks[bank] = (card,)
            self._events.append(FoundationTurned(self._seat, bank, card))
        self._required = bridges.required(banks[bank][-1], banks[bank - 1][-1])
        self._patience = setup.patience(self._required)

    def must_skip(self) -> bool:
        """Return whether the rules force the seat on turn to skip: in honest play, if it has no bridge (PT-11)."""
        if self._setup.fake == "on" or self.is_dry:
            return False
        hand, has_ability = self._state.hands[self._seat], self._idle >= self._patience
        has_single = not bridges.single_bridges(self._required).isdisjoint(hand)
        return not has_single and not (has_ability and bridges.has_pair(hand, self._required))

    def skip(self) -> None:
        """End the turn by a miss, or pass the sum ability on (PT-15, PT-22).

        Nobody can continue after a lap of misses and a lap of sum abilities (PT-22, PT-37).
        """
        passed = self._seat if self._idle >= self._patience else None
        if passed is None:
            self._missed[self._seat] += (self._required,)
            self._events.append(Missed(self._seat, self._bank, self._required))
        else:
            self._events.append(AbilityPassed(self._seat))
        self._idle += 1
        self._slot = (self._slot + 1) % self._setup.lap
        self.is_dry = self._idle == self._patience + self._setup.lap
        if not self.is_dry:
            self._begin()
            if self._idle >= self._patience:
                self._events.append(SumAbility(self._seat, passed))

    def step(self) -> Step[State]:
        """Return the state after these turns. If nobody can play, the game is over (PT-30, PT-31)."""
        after = self._state._replace(
            slot=self._slot, idle=self._idle, banks=tuple(self._banks), missed=tuple(self._missed)
        )
        if not self.is_dry:
            return Step(after, tuple(self._events))
        first_misser = self._setup.owners[(self._slot - self._idle) % self._setup.lap]
        is_complete = all(bridges.equal(bank[-1], self._banks[0][-1]) for bank in self._banks)
        return finish(after, "complete_curdle" if is_complete else "stuck", first_misser, tuple(self._events))
