"""The options and the state of a table of Pontis, its scores, and what a seat or the public sees of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from bot.games import game
from bot.games.cards import JOKER, PACK, Card
from bot.games.game import Actor, Event, Move, Outcome, Seat, Step, places_of
from bot.games.pontis import bridges
from bot.games.pontis.moves import GameScored, Result, Score

Phase = Literal["dealer", "foundations", "deal", "play"]
"""The entry that is due: one of chance, or one of a seat."""


@dataclass(frozen=True)
class Setup:
    """The settled options of a table, and what follows from them.

    Turns are counted in slots, from 0: one a seat or, where there are more banks than seats, one a bank (T-02).
    """

    players: int
    jokers: int
    fake: str
    liar: str
    curdle: str
    out_bonus: str
    games: int
    banks: int
    teams: str

    @cached_property
    def lap(self) -> int:
        """The number of slots: turns until every seat and every bank has had one (PT-41)."""
        return max(self.players, self.banks)

    @cached_property
    def owners(self) -> tuple[Seat, ...]:
        """The seat of each slot (PT-40)."""
        return tuple(slot * self.players // self.lap for slot in range(self.lap))

    def owners_of(self, bank: int) -> tuple[Seat, ...]:
        """Return the seats that play at a bank, in the order of their turns (PT-40)."""
        return tuple(dict.fromkeys(self.owners[bank :: self.banks]))

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: in teams its bank, else itself (T-01)."""
        return tuple(seat % self.banks if self.teams == "on" else seat for seat in range(self.players))

    @cached_property
    def members(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side."""
        seats = range(self.players)
        return tuple(tuple(seat for seat in seats if self.sides[seat] == side) for side in sorted({*self.sides}))

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a game, in the order a shuffle starts from (G-12)."""
        return PACK + (JOKER,) * self.jokers

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each seat."""
        return (len(PACK) + self.jokers - self.banks) // self.players

    @property
    def rest(self) -> int:
        """The number of cards that stay out of play (PT-06)."""
        return (len(PACK) + self.jokers - self.banks) % self.players

    @property
    def counts_going_out(self) -> bool:
        """Whether going out scores extra points (PT-33)."""
        return self.out_bonus == "always" or self.games > 1

    def patience(self, required: bridges.Required) -> int:
        """Return the number of misses in a row that bring the sum ability: a lap (PT-15).

        After a curdle of two players it is one (PT-26).
        """
        return 1 if self.lap == 2 and 0 in required else self.lap

    def first_slot(self, dealer: Seat) -> int:
        """Return the slot of the dealer's first bank, where a game starts."""
        return self.owners.index(dealer)


class Window(NamedTuple):
    """The last play, while it may be called a lie (T-06). Whether it is one follows from public plays (T-07).

    ``missed`` are the required values of the seat's misses before the play. Later ones prove nothing.
    """

    seat: Seat
    cards: tuple[Card, ...]
    lie: bool
    missed: tuple[bridges.Required, ...] = ()


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
    missed: tuple[tuple[bridges.Required, ...], ...]
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
    def required(self) -> bridges.Required:
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


OUT_BONUS: Final = 4
STUCK_PENALTY: Final = -2


def finish(state: State, reason: str, seat: Seat, events: tuple[Event, ...]) -> Step[State]:
    """Score the game. Clear the table for the next one, or end the match.

    ``seat`` is the one that went out or, if the game is stuck, missed first.
    """
    setup = state.setup
    result = Result(reason, scored(state, reason, seat))
    results = (*state.results, result)
    scores = totals(setup, results)
    by_side = tuple([scores[members[0]] for members in setup.members])
    events = (*events, GameScored(len(state.results), result, by_side))
    if len(results) < setup.games:
        return Step(cleared(setup, "foundations", (state.dealer + 1) % setup.players, results), events)
    outcome = Outcome(scores, places_of(scores, setup.sides), reason)
    return Step(state._replace(results=results, window=None, outcome=outcome), events)


def scored(state: State, reason: str = "", seat: Seat = 0) -> tuple[Score, ...]:
    """Return the points of each side so far or, with the ``reason`` and seat of `finish`, at the end."""
    return tuple([_score(state, reason, seat, side) for side in range(len(state.setup.members))])


def _score(state: State, reason: str, seat: Seat, side: int) -> Score:
    members = state.setup.members[side]
    reason_of_side = reason if seat in members else ""
    return Score(
        cards=_cards(state, side),
        suit_points=sum([state.suit_points[member] for member in members]),
        bonus=OUT_BONUS if reason_of_side == "out" and state.setup.counts_going_out else 0,
        penalty=STUCK_PENALTY if reason_of_side == "stuck" else 0,
        calls=sum([state.calls[member] for member in members]),
    )


def _cards(state: State, side: int) -> int:
    """Count the cards of a side (T-12)."""
    setup = state.setup
    if setup.teams == "on":
        return len(state.banks[side])
    if setup.banks < setup.players:
        return setup.hand_size - len(state.hands[side])
    each = setup.banks // setup.players
    return sum(map(len, state.banks[side * each : (side + 1) * each]))


def totals(setup: Setup, results: tuple[Result, ...]) -> tuple[int, ...]:
    """Return the points of the finished games, by seat. Seats of a side have the same points (G-07)."""
    return tuple([sum([result.scores[side].total for result in results]) for side in setup.sides])


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """A table of Pontis as a seat, or the public, sees it.

    Fields named as in `State` mean the same. In addition:

    * ``totals``: the points of the finished games, by seat.
    * ``scores``: the points of each side so far in the current game; empty while no seat is on turn.
    * ``suit``: the suit of the foundations, ``""`` before they are laid.
    * ``order``: the seats of the coming lap of turns, the seat on turn first.
    * ``bank``: the bank of the turn; ``required``: the values it asks for; ``asked``: the arithmetic of each. They are
      ``None`` and empty while no seat is on turn.
    """

    setup: Setup
    phase: Phase
    dealer: Seat
    results: tuple[Result, ...]
    totals: tuple[int, ...]
    scores: tuple[Score, ...]
    suit: str
    banks: tuple[tuple[Card, ...], ...]
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    rest_count: int
    slot: int
    order: tuple[Seat, ...]
    bank: int | None
    required: bridges.Required
    asked: tuple[str, ...]
    ability: bool
    idle: int
    suit_points: tuple[int, ...]
    calls: tuple[int, ...]
    missed: tuple[tuple[bridges.Required, ...], ...]
    window: Window | None

    @property
    def last_card(self) -> Seat | None:
        """The seat on turn, if it holds one card. Without fakes, only seats with a card that fits have a turn."""
        holds_one = self.order and self.hand_counts[self.order[0]] == 1
        return self.order[0] if holds_one and self.setup.fake == "off" else None


def observe(state: State, seat: Seat | None, to_act: frozenset[Actor], legal: tuple[Move, ...]) -> Observation:
    """Return everything but other hands, the rest, and foundations that are face down."""
    setup, playing = state.setup, state.is_playing
    return Observation(
        seat=seat,
        to_act=to_act,
        legal=legal,
        outcome=state.outcome,
        setup=setup,
        phase=state.phase,
        dealer=state.dealer,
        results=state.results,
        totals=totals(setup, state.results),
        scores=scored(state) if playing else (),
        suit=state.foundations[0][1] if state.foundations else "",
        banks=state.banks,
        hand=() if seat is None else state.hands[seat],
        hand_counts=tuple(map(len, state.hands)),
        rest_count=len(state.rest),
        slot=state.slot,
        order=setup.owners[state.slot :] + setup.owners[: state.slot] if playing else (),
        bank=state.bank if playing else None,
        required=state.required if playing else (),
        asked=bridges.explain(*state.tops) if playing else (),
        ability=playing and state.ability,
        idle=state.idle,
        suit_points=state.suit_points,
        calls=state.calls,
        missed=state.missed,
        window=state.window,
    )
