"""Pontis, by Aaron Hopewell: bridge the difference between your bank and your neighbour's.

Rulings: ``docs/rules/pontis.md``. What the rules force is done by the fold itself (`bot.games.pontis.turns`), so in
honest play the seat on turn always has a bridge.
"""

import random
from collections.abc import Mapping
from typing import ClassVar

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.card_table import PLAYS, Dealer, Play
from bot.games.cards import SUITS, Card
from bot.games.game import (
    CHANCE_ONLY,
    NOBODY,
    Actor,
    Event,
    Game,
    Move,
    Option,
    Seat,
    Shuffle,
    Step,
    Value,
)
from bot.games.pontis import bridges, hidden, moves, setup, turns
from bot.games.pontis.events import AbilityPassed, Missed, SumAbility
from bot.games.pontis.moves import DECLINE, LIARS, MISS, SUMS, Deal, Decline, Foundations, Liar, Miss, Sum
from bot.games.pontis.setup import DEFAULT_PLAYERS, OPTIONS
from bot.games.pontis.state import Observation, State, broken, cleared
from bot.games.pontis.turns import may_call, totals


class Pontis(Game[State, Observation]):
    """The rulebook of Pontis."""

    key: ClassVar[str] = "pontis"
    title: ClassVar[str] = "Pontis"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    reasons: ClassVar[Mapping[str, str]] = {
        "out": "A seat played its last card; that earns it 4 points.",
        "complete_curdle": "All banks showed equal values when the play ended; that costs nobody anything.",
        "stuck": "Nobody could play any more, not even two cards; the first who had missed lost 2 points.",
    }
    quiet: ClassVar[tuple[type[Event], ...]] = (Missed, AbilityPassed, SumAbility)

    # ---- options

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """As many banks as players; all other options have a default of their own."""
        if option.key != "banks":
            return super().default(option, chosen)
        return chosen.get("players", DEFAULT_PLAYERS)

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Refuses banks that neither divide the players nor are a multiple, and options without meaning (T-01)."""
        setup.setup_of(options)

    def seats(self, options: Mapping[str, Value]) -> int:
        """As many as there are players."""
        return setup.setup_of(options).players

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Team t is the seats s with s mod banks = t; without teams each seat is a side."""
        return setup.setup_of(options).sides

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The settled options that the state was started with."""
        return setup.options_of(state.setup)

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Before the dealer is chosen."""
        return cleared(setup.setup_of(options), "dealer", 0, ())

    def to_act(self, state: State) -> frozenset[Actor]:
        """The seat on turn; those who may call a liar have a right, not a duty (T-06)."""
        if state.outcome is not None:
            return NOBODY
        return frozenset({state.on_turn}) if state.phase == "play" else CHANCE_ONLY

    def chance(self, state: State, shuffle: Shuffle) -> Move:
        """The dealer, the foundations (the suit first), or the deal from the dealer's left (G-12)."""
        setup = state.setup
        match state.phase:
            case "dealer":
                return Dealer(shuffle.below(setup.players))
            case "foundations":
                suit = SUITS[shuffle.below(4)]
                return Foundations(tuple(shuffle.shuffle([Card(rank + suit) for rank in cards.RANKS])[: setup.banks]))
            case _:
                pack = shuffle.shuffle(cards.leave_out(setup.pack, state.foundations))
                dealt, n = setup.hand_size * setup.players, setup.players
                hands = tuple(tuple(pack[(seat - state.dealer - 1) % n : dealt : n]) for seat in range(n))
                return Deal(hands, tuple(pack[dealt:]))

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The bridges of the seat on turn, or a miss where it may be faked; and ``liar`` for all who may call."""
        if state.outcome is not None or state.phase != "play":
            return ()
        call = [LIARS[state.window.seat]] if state.window and may_call(state, state.window, seat) else []
        if seat != state.on_turn:
            return tuple(call)
        hand, required, ability = state.hands[seat], state.required, state.ability
        fakes = state.setup.fake == "on"
        return (
            *([DECLINE] if fakes and ability else []),
            *call,
            *([MISS] if fakes and not ability else []),
            *[PLAYS[card] for card in bridges.singles(hand, required)],
            *([SUMS[pair] for pair in bridges.pairs(hand, required)] if ability else []),
        )

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """The step of a move, with all that follows from it without a choice up to the next entry."""
        if state.outcome is not None:
            raise IllegalMove("This table is over.", "G-11")
        if seat is None:
            return turns.apply_chance(state, move)
        if state.phase != "play":
            raise IllegalMove("Cards are being dealt; wait for them.", "G-01")
        if isinstance(move, Liar):
            return turns.call(state, seat, move.seat)
        if seat != state.setup.owners[state.slot]:
            raise IllegalMove("It is somebody else's turn.", "T-02")
        match move:
            case Play():
                return turns.play(state, seat, move.card)
            case Sum(under, top):
                return turns.sum_of(state, seat, under, top)
            case Miss():
                return turns.miss(state)
            case Decline():
                return turns.decline(state)
            case _:
                raise IllegalMove("Only chance does that.", "G-01")

    def standing(self, state: State) -> tuple[int, ...]:
        """Totals of the finished games, by seat: the present one holds secrets."""
        return totals(state.setup, state.results)

    # ---- what can be known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Everything but the other hands, the rest and foundations that are face down."""
        setup = state.setup
        on_turn = state.phase == "play" and state.outcome is None
        return Observation(
            seat=seat,
            to_act=self.to_act(state),
            legal=() if seat is None else self.legal(state, seat),
            outcome=state.outcome,
            setup=setup,
            phase=state.phase,
            dealer=state.dealer,
            results=state.results,
            totals=totals(setup, state.results),
            suit=state.foundations[0][1] if state.foundations else "",
            banks=state.banks,
            hand=() if seat is None else state.hands[seat],
            hand_counts=tuple(map(len, state.hands)),
            rest_count=len(state.rest),
            slot=state.slot,
            order=tuple(setup.owners[(state.slot + turn) % setup.lap] for turn in range(setup.lap)) if on_turn else (),
            bank=state.bank if on_turn else None,
            required=state.required if on_turn else (),
            asked=bridges.explain(*state.tops) if on_turn else (),
            ability=on_turn and state.ability,
            idle=state.idle,
            suit_points=state.suit_points,
            calls=state.calls,
            missed=state.missed,
            window=state.window,
        )

    def imagine(self, observation: Observation, rng: random.Random) -> State:
        """A whole state that agrees with the observation.

        In honest play no seat is given a card that its misses deny, and the seat on turn is given a move.
        """
        made_up = hidden.make_up(observation, rng)
        return State(
            setup=observation.setup,
            phase=observation.phase,
            dealer=observation.dealer,
            results=observation.results,
            foundations=made_up.foundations,
            hands=made_up.hands,
            rest=made_up.rest,
            banks=observation.banks,
            slot=observation.slot,
            idle=observation.idle,
            suit_points=observation.suit_points,
            calls=observation.calls,
            missed=observation.missed,
            window=observation.window,
            outcome=observation.outcome,
        )

    def check(self, state: State) -> tuple[str, ...]:
        """Names of broken invariants."""
        return broken(state)

    # ---- text

    def parse(self, text: str) -> Move:
        """The move whose text this is, to the letter."""
        return moves.parse(text)

    def tidy(self, text: str) -> str:
        """Cards as people write them are brought into the program's form."""
        return cards.tidy(text)
