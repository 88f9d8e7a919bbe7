"""The rulebook of Pond · frogs, a board game by David Rose (Grubfellow Games, 2024).

Nothing is hidden and nothing but the first player is left to chance. The board itself, in integers, is `masks`.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, NoReturn

from bot.errors import IllegalMove, InvalidMove
from bot.games import game
from bot.games.frogs import masks
from bot.games.frogs.masks import (
    DEVELOPED,
    DEVELOPMENTS,
    FROG_GOINGS,
    FROGS,
    PLACINGS,
    SQUARE,
    TADPOLE_GOINGS,
    TADPOLES,
    Board,
    Position,
    score_sets,
    scored,
)
from bot.games.frogs.moves import (
    MOVES,
    SQUARES,
    Began,
    Developed,
    First,
    Place,
    Scored,
    Shift,
    Square,
    Stage,
    squares,
)
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
)

QUIET_PLIES: Final = 100
"""So many plies in a row without a placing and without a scoring end the table (PD-24)."""

TURN_OF: Final[dict[Actor, frozenset[Actor]]] = {CHANCE: CHANCE_ONLY, 0: frozenset({0}), 1: frozenset({1})}

_new: Final = tuple.__new__  # takes half the time of State(…)


class Terms(NamedTuple):
    """What the options of a table fix: the size of the pond, the eggs of each side, the goal."""

    preset: str
    repetition: str
    size: int
    eggs: int
    goal: int
    board: Board


def _terms(preset: str, repetition: str, size: int, eggs: int, goal: int) -> Terms:
    return Terms(preset, repetition, size, eggs, goal, masks.board_of(size))


TERMS: Final = {
    (preset, repetition): _terms(preset, repetition, size, eggs, goal)
    for preset, size, eggs, goal in (
        ("standard", 4, 11, 7),
        ("big", 5, 15, 10),
        ("small13", 4, 13, 10),
        ("small14", 4, 14, 10),
    )
    for repetition in ("draw", "off")
}


class State(NamedTuple):
    """A table of Pond · frogs.

    ``turn`` is whose turn it is, or would be if the game were not over; ``None`` as ``light`` is until it is drawn who
    begins. ``positions`` are those since the last placing or scoring, oldest first, the last is the present one
    (PD-23); each is seen from the side that is to move in it.
    """

    terms: Terms
    light: Seat | None
    turn: Seat | None
    positions: tuple[Position, ...]
    last: Move | None
    outcome: Outcome | None


class Piece(NamedTuple):
    """A piece on the pond."""

    square: Square
    owner: Seat
    stage: Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """Pond · frogs as everybody sees it: nothing is hidden. ``spawns`` and ``scores`` are by seat.

    ``pieces`` are sorted by square. ``turn`` is whose turn it is, or would be if the game were not over. ``light`` and
    ``turn`` are ``None`` until it is drawn who begins. ``occurrences`` says how often the present position has been
    there since the last placing or scoring, ``quiet`` how many plies ago that was, and ``positions`` are the positions
    since then, for programs (`State`). ``last`` is the last move of a seat.
    """

    terms: Terms
    pieces: tuple[Piece, ...]
    spawns: tuple[int, int]
    scores: tuple[int, int]
    light: Seat | None
    turn: Seat | None
    occurrences: int
    quiet: int
    positions: tuple[Position, ...]
    last: Move | None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move will do, shown before it is confirmed. ``outcome`` is ``None`` if the game goes on."""

    developed: tuple[Developed, ...]
    scored: tuple[Scored, ...]
    outcome: Outcome | None


class Frogs(Game[State, Observation]):
    """Pond · frogs: two sides place eggs, let them grow, and score lines of equal pieces."""

    key: ClassVar[str] = "frogs"
    title: ClassVar[str] = "Pond · frogs"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "preset",
            ("standard", "big", "small13", "small14"),
            "standard: 4×4, 11 eggs, to 7; big: 5×5, 15 eggs, to 10; small13, small14: 4×4, 13 or 14 eggs, to 10",
            "PD-19",
            "standard",
        ),
        Option("repetition", ("draw", "off"), "Whether a position that comes a third time is a draw", "PD-23", "draw"),
    )
    reasons: ClassVar[Mapping[str, str]] = {
        "goal": "A side reached the goal; more scored pieces win (PD-19).",
        "draw": "A side reached the goal and both have scored the same (PD-19).",
        "elimination": "The side to move had no action and lost, whatever the scores (PD-20).",
        "repetition": "The same position came a third time: a draw, whatever the scores (PD-23).",
        "no_progress": f"{QUIET_PLIES} moves in a row placed and scored nothing: a draw, whatever the scores (PD-24).",
    }
    quiet: ClassVar[tuple[type[game.Event], ...]] = (game.Event,)  # nothing is hidden
    uninformative: ClassVar[tuple[type[game.Event], ...]] = quiet

    # ---- options

    def seats(self, options: Mapping[str, Value]) -> int:  # noqa: ARG002 - the same for all options
        """Two."""
        return 2

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:  # noqa: ARG002 - the same for all options
        """Each for himself."""
        return (0, 1)

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The preset and the repetition rule."""
        return {"preset": state.terms.preset, "repetition": state.terms.repetition}

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """An empty pond, before it is drawn who begins."""
        terms = TERMS[str(options["preset"]), str(options["repetition"])]
        return State(terms, None, None, ((0, 0, 0, terms.eggs, terms.eggs, 0, 0),), None, None)

    def to_act(self, state: State) -> frozenset[Actor]:
        """Chance, then one seat after the other."""
        return TURN_OF[state.turn] if state.outcome is None else NOBODY

    def chance(self, state: State, shuffle: Shuffle) -> Move:  # noqa: ARG002 - the only chance there is
        """Who plays Light (PD-01)."""
        return MOVES[f"first {shuffle.below(2)}"]

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Movings by their squares, then placings: that is sorted by text."""
        if seat != state.turn or state.outcome is not None:
            return ()
        return masks.moves(state.positions[-1], state.terms.board)

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """One turn: action, development, scoring, and whether that was the end.

        Told are the action, then the neighbours that develop, then the pieces that score, each time his own first. All
        in one function, as playing out and folding are mostly this.
        """
        terms, light, turn, positions, _, outcome = state
        if turn is None:
            return _begin(state, seat, move)
        board = terms.board
        pieces, mover, rival, spawn, rival_spawn, score, rival_score = positions[-1]
        action = None
        if type(move) is Place:
            action = PLACINGS.get(move.square) if spawn else None
        elif type(move) is Shift:
            origin = mover & SQUARE.get(move.origin, 0)
            if origin & pieces >> FROGS:
                action = FROG_GOINGS[origin].get(move.landing)
            elif origin & pieces >> TADPOLES:
                action = TADPOLE_GOINGS[origin].get(move.landing)
        if action is None or not action[4] & (board ^ (mover | rival)) or seat != turn or outcome is not None:
            _refuse(state, seat, move)

        flips, owned, near, eggs, _, _, told = action
        pieces ^= flips
        growing = pieces & near
        events = told[turn] + DEVELOPED[turn][growing, near & rival]
        pieces ^= DEVELOPMENTS[growing]
        mover ^= owned
        after = score_sets(pieces, mover, rival, spawn - eggs, rival_spawn, score, rival_score)

        _, next_mover, next_rival, next_spawn, _, next_score, next_rival_score = after
        if next_score == rival_score and next_rival_score == score:
            positions = (after,) if eggs else (*positions, after)
            may_end = len(positions) > 4
        else:
            events += scored(turn, mover ^ next_rival) + scored(1 - turn, rival ^ next_mover)
            positions, may_end = (after,), True
        # Nothing but a score, a repeated position, an empty spawn or a full pond ends a game: most turns need no test.
        may_end = may_end or not next_spawn or next_mover | next_rival == board
        turn = 1 - turn
        ended = _outcome(terms, turn, positions) if may_end else None
        return _new(Step, (_new(State, (terms, light, turn, positions, move, ended)), events))

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """The whole pond: the same for everybody but ``seat`` and ``legal``."""
        present = state.positions[-1]
        return Observation(
            seat=seat,
            to_act=self.to_act(state),
            legal=() if seat is None else self.legal(state, seat),
            outcome=state.outcome,
            terms=state.terms,
            pieces=_pieces(present, state.turn),
            spawns=_by_seat(state.turn, present[3], present[4]),
            scores=_by_seat(state.turn, present[5], present[6]),
            light=state.light,
            turn=state.turn,
            occurrences=_occurrences(state.positions),
            quiet=len(state.positions) - 1,
            positions=state.positions,
            last=state.last,
        )

    def imagine(self, observation: Observation, rng: random.Random) -> State:  # noqa: ARG002 - nothing is hidden
        """The state itself."""
        return _state_of(observation)

    def preview(self, observation: Observation, move: Move) -> Preview:
        """What a move of the seat whose turn it is will develop, score and end. Raises `IllegalMove`."""
        state, events = self.apply_move(_state_of(observation), observation.turn, move)
        developed = tuple(event for event in events if isinstance(event, Developed))
        scored = tuple(event for event in events if isinstance(event, Scored))
        return Preview(developed, scored, state.outcome)

    def standing(self, state: State) -> tuple[int, ...]:
        """The pieces scored so far, by seat."""
        present = state.positions[-1]
        return _by_seat(state.turn, present[5], present[6])

    def check(self, state: State) -> tuple[str, ...]:
        """The name of each invariant that the state breaks: none, always."""
        terms, present = state.terms, state.positions[-1]
        pieces, mover, rival, spawn, rival_spawn, score, rival_score = present
        planes = [pieces >> at & masks.LARGEST for at in (0, masks.TADPOLES, masks.FROGS)]
        broken = {
            "eggs of the side to move conserved (PD-17)": mover.bit_count() + spawn + score != terms.eggs,
            "eggs of the rival conserved (PD-17)": rival.bit_count() + rival_spawn + rival_score != terms.eggs,
            "one owner a piece": bool(mover & rival) or bool((mover | rival) & ~terms.board),
            "one stage a piece": sum(planes) != mover | rival or pieces.bit_count() != (mover | rival).bit_count(),
            "no set survives a turn (PD-12)": any(pieces & line == line for line in masks.LINES),
            "spawns and scores are counts": min(present[3:]) < 0,
            "the end is seen": state.turn is not None
            and state.outcome is None
            and _outcome(terms, state.turn, state.positions) is not None,
        }
        return tuple(name for name, is_broken in broken.items() if is_broken)

    # ---- text

    def parse(self, text: str) -> Move:
        """The very object that `legal` lists."""
        if text in MOVES:
            return MOVES[text]
        raise InvalidMove(f"{text!r} is no move here; write for example: place b2, or: move b2 b4.", "G-04")

    def tidy(self, text: str) -> str:
        """Also reads ``B2`` as a placing, and ``b2 b4``, ``b2-b4`` and ``b2 to b4`` as a moving."""
        words = [word for word in re.split(r"[\s,>→-]+", text.lower()) if word not in ("", "to")]
        if words and all(word in SQUARES for word in words):
            words.insert(0, "place" if len(words) == 1 else "move")
        return " ".join(words)


def _by_seat(turn: Seat | None, mover: int, rival: int) -> tuple[int, int]:
    return (rival, mover) if turn == 1 else (mover, rival)


def _state_of(seen: Observation) -> State:
    return State(seen.terms, seen.light, seen.turn, seen.positions, seen.last, seen.outcome)


def _pieces(position: Position, turn: Seat | None) -> tuple[Piece, ...]:
    pieces, mover, *_ = position
    owners = _by_seat(turn, 0, 1)
    standing = sorted(name for bit, name in masks.NAMES.items() if bit & pieces)
    return tuple(Piece(at, owners[0 if masks.SQUARE[at] & mover else 1], stage) for at, stage in standing)


def _begin(state: State, seat: Actor, move: Move) -> Step[State]:
    if seat is not CHANCE or not isinstance(move, First) or move.seat not in (0, 1):
        raise IllegalMove("First it is drawn who plays Light.", "PD-01")
    return Step(state._replace(light=move.seat, turn=move.seat), (Began(move.seat),))


def _occurrences(positions: tuple[Position, ...]) -> int:
    """How often the last position is there with the same side to move, which is every other position (F-03)."""
    return positions[::-2].count(positions[-1])


def _outcome(terms: Terms, turn: Seat, positions: tuple[Position, ...]) -> Outcome | None:
    """The tests after an action in the order of F-02; ``turn`` is the seat now to move.

    An empty spawn is no elimination by itself, a full pond is (PD-20 to PD-22).
    """
    _, repetition, _, _, goal, board = terms
    _, _, _, _, _, score, rival_score = present = positions[-1]
    if score >= goal or rival_score >= goal:
        places = _by_seat(turn, 1 + (score < rival_score), 1 + (rival_score < score))
        return Outcome(_by_seat(turn, score, rival_score), places, "draw" if score == rival_score else "goal")
    if not masks.can_act(present, board):
        return Outcome(_by_seat(turn, score, rival_score), _by_seat(turn, 2, 1), "elimination")
    if repetition == "draw" and len(positions) > 4 and _occurrences(positions) == 3:
        return Outcome(_by_seat(turn, score, rival_score), (1, 1), "repetition")
    if len(positions) > QUIET_PLIES:
        return Outcome(_by_seat(turn, score, rival_score), (1, 1), "no_progress")
    return None


def _refuse(state: State, seat: Actor, move: Move) -> NoReturn:
    """Raises `IllegalMove` with the first thing that is wrong with the move."""
    if state.outcome is not None:
        raise IllegalMove("The game is over.", "G-11")
    if seat is CHANCE:
        raise IllegalMove("Nothing is left to chance after the first player.", "G-01")
    if seat != state.turn:
        raise IllegalMove("It is not your turn.", "PD-01")
    if isinstance(move, Place):
        raise _fault_of_placing(state, move.square)
    if isinstance(move, Shift):
        raise _fault_of_moving(state, move.origin, move.landing)
    raise IllegalMove("On your turn you place an egg or move a tadpole or a frog.", "PD-10")


def _fault_of_landing(state: State, square: Square) -> IllegalMove | None:
    if square not in squares(state.terms.size):
        return IllegalMove(f"There is no square {square} on this pond.", "PD-06")
    _, mover, rival, *_ = state.positions[-1]
    if (mover | rival) & masks.SQUARE[square]:
        return IllegalMove(f"{square} is not empty.", "PD-07")
    return None


def _fault_of_placing(state: State, square: Square) -> IllegalMove:
    empty_spawn = IllegalMove("Your spawn is empty, so you have to move a tadpole or a frog.", "PD-21")
    return _fault_of_landing(state, square) or empty_spawn


def _fault_of_moving(state: State, origin: Square, landing: Square) -> IllegalMove:
    pieces, mover, *_ = state.positions[-1]
    square = mover & masks.SQUARE.get(origin, 0)
    if not square:
        return IllegalMove(f"No piece of yours stands on {origin}.", "PD-11")
    if square & pieces:
        return IllegalMove(f"Your piece on {origin} is an egg, and eggs don't move.", "PD-10")
    too_far = (
        IllegalMove("A tadpole moves one square, up, down, left or right.", "PD-10")
        if square << masks.TADPOLES & pieces
        else IllegalMove("A frog moves one or two squares in a straight line, up, down, left or right.", "PD-07")
    )
    return _fault_of_landing(state, landing) or too_far
