"""Observations: a table of Pontis as a seat, or the public, sees it."""

from dataclasses import dataclass

from bot.games import game
from bot.games.cards import Card
from bot.games.game import Actor, Move, Seat
from bot.games.pontis import bridges
from bot.games.pontis.bridges import Required
from bot.games.pontis.moves import Result, Score
from bot.games.pontis.scoring import scored, totals
from bot.games.pontis.setup import Setup
from bot.games.pontis.state import Phase, State, Window


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
    required: Required
    asked: tuple[str, ...]
    ability: bool
    idle: int
    suit_points: tuple[int, ...]
    calls: tuple[int, ...]
    missed: tuple[tuple[Required, ...], ...]
    window: Window | None


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
