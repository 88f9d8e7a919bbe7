"""What a table of Pontis is between two entries, and what of it can be known."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bot.games import game
from bot.games.cards import Card
from bot.games.game import Outcome, Seat
from bot.games.pontis.bridges import SPANS, Required, Span, has_pair
from bot.games.pontis.events import Result
from bot.games.pontis.setup import Setup

Phase = Literal["dealer", "foundations", "deal", "play"]
"""Which entry is due: one of chance, or that of a seat."""


class Window(NamedTuple):
    """The last play, as long as it can be called a lie (T-06). ``lie`` follows from what is public (T-07)."""

    seat: Seat
    cards: tuple[Card, ...]
    lie: bool


class State(NamedTuple):
    """A table of Pontis. Everything but ``hands``, ``rest`` and foundations not yet turned up is public.

    ``dealer`` is that of the present game (0 before the first). ``banks`` are empty while face down, else the
    foundation comes first and the top last. ``slot`` is the turn (`Setup.owners`), ``idle`` the turns in a row
    without a play. ``suit_points``, ``calls`` and ``missed`` (the required values of each miss) are by seat and of this
    game. Hands are sorted by text.

    What a play or a pass leaves as it is comes first, up to ``calls``.
    """

    setup: Setup
    phase: Phase
    dealer: Seat
    results: tuple[Result, ...]
    foundations: tuple[Card, ...]
    rest: tuple[Card, ...]
    calls: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    banks: tuple[tuple[Card, ...], ...]
    slot: int
    idle: int
    suit_points: tuple[int, ...]
    missed: tuple[tuple[Required, ...], ...]
    window: Window | None
    outcome: Outcome | None

    @property
    def on_turn(self) -> Seat:
        """The seat whose turn it is."""
        return self.setup.owners[self.slot]

    @property
    def bank(self) -> int:
        """The bank of the turn."""
        return self.slot % self.setup.banks

    @property
    def tops(self) -> tuple[Card, Card]:
        """The top of the bank of the turn, and that of its affecter, the bank before it."""
        return self.banks[self.bank][-1], self.banks[self.bank - 1][-1]

    @property
    def span(self) -> Span:
        """What is to be bridged in this turn."""
        at, banks = self.slot % self.setup.banks, self.banks
        return SPANS[banks[at][-1]][banks[at - 1][-1]]

    @property
    def required(self) -> Required:
        """The values a bridge may have in this turn."""
        return self.span.required

    @property
    def ability(self) -> bool:
        """Whether this turn is one with the sum ability."""
        return self.idle >= self.setup.patience[self.span.equal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """What a seat, or the public, can know of a table of Pontis.

    Fields that `State` has too mean the same. ``suit`` is that of the foundations, ``""`` before they are laid.
    ``order`` lists the seats of the coming lap of turns, the seat on turn first. ``bank`` is the bank of the turn,
    ``required`` what it asks for and ``asked`` the arithmetic of each value; they are ``None`` and empty while nobody
    is on turn. ``totals`` are the points of the finished games, by seat.
    """

    setup: Setup
    phase: Phase
    dealer: Seat
    results: tuple[Result, ...]
    totals: tuple[int, ...]
    suit: str
    banks: tuple[tuple[Card, ...], ...]
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    rest_count: int
    slot: int
    order: tuple[Seat, ...]
    bank: int | None
    required: Required
    asked: tuple[str, ...]
    ability: bool
    idle: int
    suit_points: tuple[int, ...]
    calls: tuple[int, ...]
    missed: tuple[tuple[Required, ...], ...]
    window: Window | None


def cleared(setup: Setup, phase: Phase, dealer: Seat, results: tuple[Result, ...]) -> State:
    """A table with no cards on it, before the dealer is chosen or between two games."""
    no_points = (0,) * setup.players
    return State(
        setup=setup,
        phase=phase,
        dealer=dealer,
        results=results,
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


def broken(state: State) -> tuple[str, ...]:
    """The name of each invariant that the state breaks."""
    if state.phase != "play":
        return () if not any(state.hands) and not any(state.banks) else ("the table is empty before the deal",)
    setup = state.setup
    face_down = [card for bank, card in zip(state.banks, state.foundations, strict=True) if not bank]
    everywhere = Counter(face_down + [card for group in (*state.hands, *state.banks, state.rest) for card in group])
    wrong = {
        "every card is in one place": everywhere != Counter(setup.pack),
        "each bank stands on its foundation": any(
            bank and bank[0] != card for bank, card in zip(state.banks, state.foundations, strict=True)
        ),
        "the foundations share a suit": len({card[1] for card in state.foundations}) > 1,
        "the rest stays out": len(state.rest) != setup.rest,
        "hands never grow": any(len(hand) > setup.hand_size for hand in state.hands),
        "hands are sorted": any(list(hand) != sorted(hand) for hand in state.hands),
        "points for suits need plays": sum(state.suit_points) > sum(map(len, state.banks)),
        "a lie needs a miss": state.window is not None and state.window.lie and not state.missed[state.window.seat],
    }
    if not (state.banks[state.bank] and state.banks[state.bank - 1]):
        wrong["the banks of the turn are up"] = True
    elif state.outcome is None:
        wrong["the seat on turn can move"] = setup.fake == "off" and not can_move(
            state.hands[state.on_turn], state.span, ability=state.ability
        )
        wrong["no game goes on without plays"] = state.idle >= setup.patience[state.span.equal] + setup.lap
    return tuple(name for name, is_broken in wrong.items() if is_broken)


def can_move(hand: Sequence[Card], span: Span, *, ability: bool) -> bool:
    """Whether the hand holds a bridge: one card, or with the sum ability two."""
    return not span.singles.isdisjoint(hand) or (ability and has_pair(hand, span.required))
