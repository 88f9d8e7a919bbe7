"""The rulebook of Pond, a card game by Michael Schoessow for two players or two partnerships.

In a round, poison is turned, sixteen cards each are dealt, and everybody sets one aside in secret. Then ponds are built
and tricks played for them, until fewer than four cards are left. Rulings: PC-01 to PC-37, P-01 to P-07.
"""

from collections.abc import Mapping
from typing import ClassVar

from bot.errors import Text
from bot.games import cards
from bot.games.card_table import CardPlayed
from bot.games.game import CHANCE_ONLY, NOBODY, Actor, Event, Game, Move, Option, Seat, Step, Value
from bot.games.pond import deal, moves, phases
from bot.games.pond.moves import BaitLaid, ProfitChosen, TrapDeclined, TrapLaid
from bot.games.pond.observation import Observation, observe
from bot.games.pond.state import Setup, State, sides_of


class Pond(Game[State, Observation]):
    """The rulebook of Pond · cards."""

    key: ClassVar[str] = "pond"
    title: ClassVar[str] = Text("Pond · cards")
    options: ClassVar[tuple[Option, ...]] = (
        Option("players", (2, 4), "Two players, or four in pairs", "PC-31", 2),
        Option("rounds", (4, 2), "Number of rounds", "PC-36", 4),
        Option(
            "tie",
            ("leader", "first"),
            "Tied tricks: the leader decides, or the first of the tied cards wins",
            "PC-24",
            "leader",
        ),
        Option("tiebreak", ("none", "extra"), "Equal scores at the end: a draw, or two more rounds", "PC-35", "none"),
        Option(
            "history",
            ("log", "last"),
            "Earlier tricks to look up: all of them, or only the last",
            "PC-21",
            "log",
        ),
    )
    reasons: ClassVar[Mapping[str, str]] = {
        "points": "Most points after the last round.",
        "draw": "Equal points after the last round.",
    }
    quiet: ClassVar[tuple[type[Event], ...]] = (ProfitChosen, TrapLaid, TrapDeclined)
    uninformative: ClassVar[tuple[type[Event], ...]] = (ProfitChosen, TrapLaid)
    own: ClassVar[tuple[type[Event], ...]] = (BaitLaid, TrapDeclined, CardPlayed)

    chance = staticmethod(deal.draw)
    parse = staticmethod(moves.parse)
    tidy = staticmethod(cards.tidy)

    # ---- options

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Opposite seats are partners."""
        return sides_of(int(options["players"]))

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The options of the table."""
        return state.setup._asdict()

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Return the table before the dealer is drawn."""
        return State(Setup._make(options[key] for key in Setup._fields))

    def to_act(self, state: State) -> frozenset[Actor]:
        """The seats that owe an entry, or chance."""
        if state.outcome is not None:
            return NOBODY
        return phases.owing(state) if state.hands else CHANCE_ONLY

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The moves of a seat that owes an entry."""
        return tuple(phases.moves(state, seat)) if seat in self.to_act(state) else ()

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """Apply an entry of chance, or a move in the current phase."""
        return phases.apply(state, seat, move) if state.hands else deal.apply_chance(state, seat, move)

    def standing(self, state: State) -> tuple[int, ...]:
        """The totals of the finished rounds (G-10)."""
        return state.totals

    # ---- what can be known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Return the table as the seat, or the public, sees it."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))
