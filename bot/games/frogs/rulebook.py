"""The rulebook of Pond · frogs, a board game by David Rose (Grubfellow Games, 2024).

Two sides place eggs, develop them, and score lines of equal pieces. Nothing is hidden, and chance only draws the first
player. Rulings: PD-01 to PD-25, F-01 to F-05.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.errors import IllegalMove, InvalidMove, Text
from bot.games import game
from bot.games.daily import Daily
from bot.games.frogs.moves import MOVES, SQUARES, Began, Developed, First, Scored
from bot.games.frogs.position import Position, actions, can_act, legal_action, play
from bot.games.frogs.state import PRESETS, Gain, Observation, Setup, State, observe, state_of
from bot.games.game import (
    CHANCE,
    CHANCE_ONLY,
    NOBODY,
    Actor,
    Game,
    Move,
    Option,
    Outcome,
    Seat,
    Shuffle,
    Step,
    Value,
    places_of,
)
from bot.games.typed import clean_move

QUIET_PLIES: Final = 100
"""Moves in a row without a placing and without a score that end the game (PD-24)."""

SIDES: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class Preview:
    """A move and its effects, shown before it is confirmed. ``outcome`` is ``None`` if the game continues."""

    move: Move
    developed: tuple[Developed, ...]
    scored: tuple[Scored, ...]
    outcome: Outcome | None


class Frogs(Game[State, Observation]):
    """The rulebook of Pond · frogs."""

    key: ClassVar[str] = "frogs"
    title: ClassVar[str] = Text("Pond · frogs")
    rules: ClassVar[int] = 2
    has_hands: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "preset",
            tuple(PRESETS),
            "Size of the pond, eggs for each player, and points to win",
            "PD-19",
            "standard",
        ),
        Option(
            "repetition",
            ("draw", "off"),
            "Draw if a position comes up for the third time",
            "PD-23",
            "draw",
        ),
        Option("first", ("drawn", "0", "1"), "Who begins, for a return game", "F-05", "drawn", sets_first=True),
    )
    reasons: ClassVar[Mapping[str, str]] = {
        "goal": "{winner} reached the goal.",
        "draw": "Both reached the goal with equal points.",
        "elimination": "A player who can't place or move anything loses, whatever the score.",
        "repetition": "The same position came up for the third time.",
        "no_progress": "100 moves in a row without a new egg or a point.",
    }
    quiet: ClassVar[tuple[type[game.Event], ...]] = (game.Event,)  # nothing is hidden
    # At this level, an easy player wins 66 % of the games that they begin and 34 % of the others, and a fair one 99 and
    # 96 % (120 games each, 2026-11-30).
    daily: ClassVar[Daily] = Daily({}, "easy", decisions=10, minutes=4, turns=({"first": "0"}, {"first": "1"}))
    uninformative: ClassVar[tuple[type[game.Event], ...]] = quiet

    # ---- options

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:  # noqa: ARG002 - the same for all options
        """Each seat is a side."""
        return SIDES

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The preset, the repetition rule and who begins."""
        return {"preset": state.setup.preset, "repetition": state.setup.repetition, "first": state.setup.first}

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Return an empty pond, before the first player is drawn."""
        preset, repetition = str(options["preset"]), str(options["repetition"])
        size, eggs, goal = PRESETS[preset]
        empty = Position(turn=None, pieces=(), spawns=(eggs, eggs), scores=(0, 0))
        setup = Setup(preset, repetition, size, eggs, goal, str(options.get("first", "drawn")))
        return State(setup, light=None, positions=(empty,), last=None, outcome=None)

    def to_act(self, state: State) -> frozenset[Actor]:
        """Chance, then one seat after the other."""
        if state.outcome is not None:
            return NOBODY
        return CHANCE_ONLY if state.turn is None else frozenset({state.turn})

    def chance(self, state: State, shuffle: Shuffle) -> Move:
        """Draw the seat that plays Light (PD-01), unless an option says which (F-05)."""
        return First(shuffle.below(2) if state.setup.first == "drawn" else int(state.setup.first))

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """All actions of the side to move."""
        if seat != state.turn or state.outcome is not None:
            return ()
        return tuple(actions(state.position, state.setup.size))

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """Apply the draw of the first player, or one turn."""
        if state.turn is None:
            return _begin(state, seat, move)
        if seat is CHANCE:
            raise IllegalMove("Chance only draws the first player.", "G-01")
        if seat != state.turn:
            raise IllegalMove("It isn't your turn yet.", "PD-01")
        return _play(state, seat, move)

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Return the table as everybody sees it."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))

    def preview(self, observation: Observation, move: Move) -> Preview:
        """Return a move of the side to move with its effects. Raises `IllegalMove`."""
        state, events = self.apply(state_of(observation), observation.turn, move)
        developed = tuple(event for event in events if isinstance(event, Developed))
        scored = tuple(event for event in events if isinstance(event, Scored))
        return Preview(move, developed, scored, state.outcome)

    def standing(self, state: State) -> tuple[int, ...]:
        """The pieces scored so far, by seat."""
        return state.position.scores

    # ---- text

    def parse(self, text: str) -> Move:
        """Return the move with this text. Raises `InvalidMove`."""
        if text in MOVES:
            return MOVES[text]
        raise InvalidMove("“{text}” isn't a move here. Try “place b2” or “move b2 b4”.", "G-04", text=text[:40])

    def tidy(self, text: str) -> str:
        """Read ``B2`` as a placing, and ``b2 b4``, ``b2-b4``, ``b2b4`` and ``b2 to b4`` as a move of a piece."""
        words = re.findall(r"(?<!\w)[a-e][1-5](?=[a-e][1-5]\b)|[^\s,>-]+", clean_move(text))
        words = [word for word in words if word != "to"]
        if words and all(word in SQUARES for word in words):
            words.insert(0, "place" if len(words) == 1 else "move")
        return " ".join(words)


class FrogsByRules1(Frogs):
    """Rulebook 1, without the option who begins. Nothing else differs."""

    rules: ClassVar[int] = 1
    options: ClassVar[tuple[Option, ...]] = Frogs.options[:-1]

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The preset and the repetition rule."""
        return {"preset": state.setup.preset, "repetition": state.setup.repetition}


def _begin(state: State, seat: Actor, move: Move) -> Step[State]:
    """The drawn or chosen seat plays Light and moves first (PD-01, F-01, F-05)."""
    if seat is not CHANCE or not isinstance(move, First) or move.seat not in SIDES:
        raise IllegalMove("Wait a moment: the first player is being drawn.", "PD-01")
    if state.setup.first not in {"drawn", str(move.seat)}:
        raise IllegalMove("An option of this table says who begins.", "F-05")
    opened = state.position._replace(turn=move.seat)
    return Step(state._replace(light=move.seat, positions=(opened,)), (Began(move.seat),))


def _play(state: State, seat: Seat, move: Move) -> Step[State]:
    """Play one turn and test for the end. Raises `IllegalMove`.

    Placing and scoring can't be reversed, so they restart the list of positions (PD-23).
    """
    before = state.position
    action = legal_action(before, state.setup.size, move)
    position, events, gone = play(before, seat, action)
    points = position.scores[0] - before.scores[0], position.scores[1] - before.scores[1]
    gains = (*state.gains, Gain(seat, action, points)) if any(points) else state.gains
    is_reversible = position.spawns == before.spawns and not any(points)
    positions = (*state.positions, position) if is_reversible else (position,)
    outcome = outcome_of(state.setup, positions)
    return Step(State(state.setup, state.light, positions, move, outcome, gains, events, gone), events)


def outcome_of(setup: Setup, positions: tuple[Position, ...]) -> Outcome | None:
    """Test for the end of the game after a turn, in the order of F-02."""
    position = positions[-1]
    scores = position.scores
    if max(scores) >= setup.goal:
        return Outcome(scores, places_of(scores, SIDES), "draw" if scores[0] == scores[1] else "goal")
    if not can_act(position, setup.size):
        return Outcome(scores, (2, 1) if position.turn == 0 else (1, 2), "elimination")
    if setup.repetition == "draw" and positions.count(position) == 3:
        return Outcome(scores, (1, 1), "repetition")
    if len(positions) > QUIET_PLIES:
        return Outcome(scores, (1, 1), "no_progress")
    return None
