"""The rulebook of Pontis, a card game by Aaron Hopewell.

Bridge the difference between the top of your bank and your neighbour's. Rulings: PT-01 to PT-43, T-01 to T-12.
"""

from collections.abc import Mapping
from typing import ClassVar

from bot.errors import IllegalMove, Text
from bot.games import cards
from bot.games.cards import Play
from bot.games.game import CHANCE, CHANCE_ONLY, NOBODY, Actor, Event, Game, Move, Option, Seat, Step, Value
from bot.games.pontis import deal, moves, setup, turns
from bot.games.pontis.moves import AbilityPassed, Decline, Liar, Miss, Missed, Sum, SumAbility
from bot.games.pontis.setup import DEFAULT_PLAYERS, OPTIONS
from bot.games.pontis.state import Observation, State, cleared, observe, totals


class Pontis(Game[State, Observation]):
    """The rulebook of Pontis."""

    key: ClassVar[str] = "pontis"
    title: ClassVar[str] = Text("Pontis")
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    reasons: ClassVar[Mapping[str, str]] = {
        "out": "Someone played their last card.",
        "complete_curdle": "All banks showed the same value: a complete curdle.",
        "stuck": "Nobody played any more. The first to miss lost 2 points.",
    }
    quiet: ClassVar[tuple[type[Event], ...]] = (Missed, AbilityPassed, SumAbility)

    chance = staticmethod(deal.draw)
    parse = staticmethod(moves.parse)
    tidy = staticmethod(cards.tidy)

    # ---- options

    def settle(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return all options. Refuse more than thirteen players with the reason, also if they would share banks."""
        setup.check_players(given.get("players"))
        return super().settle(given)

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """As many banks as players. All other options have a fixed default."""
        if option.key != "banks":
            return super().default(option, chosen)
        return chosen.get("players", DEFAULT_PLAYERS)

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Refuse numbers of banks that don't fit the players, and options without meaning (T-01)."""
        setup.check(setup.setup_of(options))

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """The seats that share a bank are a side in teams. Without teams each seat is a side."""
        return setup.setup_of(options).sides

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The options of the table."""
        return {option.key: getattr(state.setup, option.key) for option in OPTIONS}

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Return the table before the dealer is drawn."""
        return cleared(setup.setup_of(options), "dealer", 0, ())

    def to_act(self, state: State) -> frozenset[Actor]:
        """The seat on turn. Seats that may call a liar have a right, not a duty (T-06)."""
        if state.outcome is not None:
            return NOBODY
        return frozenset({state.on_turn}) if state.phase == "play" else CHANCE_ONLY

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The moves of the seat on turn, and ``liar`` for each seat that may call."""
        if not state.is_playing:
            return ()
        found = turns.moves(state) if seat == state.on_turn else []
        if state.window is not None and turns.may_call(state, seat):
            found.append(Liar(state.window.seat))
        return tuple(sorted(found, key=str))

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """Apply a move, and all that follows from it without a choice (G-03)."""
        if seat is CHANCE:
            return deal.apply_chance(state, move)
        if state.phase != "play":
            raise IllegalMove("The cards are being dealt. Wait a moment.", "G-01")
        if isinstance(move, Liar):
            return turns.call(state, seat, move.seat)
        if seat != state.on_turn:
            raise IllegalMove("It isn't your turn yet.", "T-02")
        match move:
            case Play(card):
                return turns.play(state, seat, card)
            case Sum(under, top):
                return turns.play_sum(state, seat, under, top)
            case Miss():
                return turns.miss(state)
            case Decline():
                return turns.decline(state)
            case _:
                raise IllegalMove("Players can't make that move.", "G-01")

    def standing(self, state: State) -> tuple[int, ...]:
        """The points of the finished games. Those of the current one hold secrets (G-10)."""
        return totals(state.setup, state.results)

    # ---- what can be known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Return the table as the seat, or the public, sees it."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))
