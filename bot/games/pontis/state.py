"""The state of a table of Pontis."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from bot.games.cards import Card
from bot.games.game import Outcome, Seat
from bot.games.pontis import bridges
from bot.games.pontis.bridges import Required
from bot.games.pontis.moves import Result
from bot.games.pontis.setup import Setup

Phase = Literal["dealer", "foundations", "deal", "play"]
"""The entry that is due: one of chance, or one of a seat."""


class Window(NamedTuple):
    """The last play, while it may be called a lie (T-06). Whether it is one follows from public plays (T-07).

    ``missed`` are the required values of the seat's misses before the play. Later ones prove nothing.
    """

    seat: Seat
    cards: tuple[Card, ...]
    lie: bool
    missed: tuple[Required, ...] = ()


class State(NamedTuple):
    """A table of Pontis. Everything is public but ``hands``, ``rest`` and foundations not yet turned up.

    * ``dealer`` is the dealer of the current game, 0 before the first.
    * ``hands`` are sorted. ``banks`` are empty while face down; else the foundation is first and the top last.
    * ``slot`` is the current turn (see `Setup`), ``idle`` the number of turns in a row without a play.
    * ``suit_points``, ``calls`` and ``missed`` (the required values of each miss) are by seat, for the current game.
    """

    setup: Setup
    phase: Phase
    dealer: Seat
    results: tuple[Result, ...]
    foundations: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]
    banks: tuple[tuple[Card, ...], ...]
    slot: int
    idle: int
    suit_points: tuple[int, ...]
    calls: tuple[int, ...]
    missed: tuple[tuple[Required, ...], ...]
    window: Window | None
    outcome: Outcome | None

    @property
    def is_playing(self) -> bool:
        """Whether a seat is on turn."""
        return self.phase == "play" and self.outcome is None

    @property
    def on_turn(self) -> Seat:
        """The seat on turn."""
        return self.setup.owners[self.slot]

    @property
    def next_slot(self) -> int:
        """The slot after the current one."""
        return (self.slot + 1) % self.setup.lap

    @property
    def bank(self) -> int:
        """The bank of the turn."""
        return self.slot % self.setup.banks

    @property
    def tops(self) -> tuple[Card, Card]:
        """The tops of the bank of the turn and of its affecter, the bank before it."""
        bank = self.slot % self.setup.banks
        return self.banks[bank][-1], self.banks[bank - 1][-1]

    @property
    def required(self) -> Required:
        """The values a bridge may have in this turn."""
        return bridges.required(*self.tops)

    @property
    def ability(self) -> bool:
        """Whether the seat on turn has the sum ability."""
        return self.idle >= self.setup.patience(self.required)


def cleared(setup: Setup, phase: Phase, dealer: Seat, results: Sequence[Result]) -> State:
    """Return a table without cards, before the first deal or between two games."""
    no_points = (0,) * setup.players
    return State(
        setup=setup,
        phase=phase,
        dealer=dealer,
        results=tuple(results),
        foundations=(),
        hands=((),) * setup.players,
        rest=(),
        banks=((),) * setup.banks,
        slot=setup.first_slot(dealer),
        idle=0,
        suit_points=no_points,
        calls=no_points,
        missed=((),) * setup.players,
        window=None,
        outcome=None,
    )
