"""Lessons: games in which a learner makes the moves of one seat and a script makes all others. Pure.

A lesson is data: `cogs/<game>/lesson.py` has one for each game, and its puzzles.
"""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from bot.errors import IllegalMove, Text
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Entry, Event, Move, Seat, Value
from bot.records.table import Place, Sitter, Table
from bot.tables.folds import KEPT_EVENTS, read
from bot.tables.random_names import COMPUTER_NAMES
from bot.tables.tables import Sight

LEARNER: Final[Seat] = 0
"""The seat of the learner in every lesson."""

_CHANCE: Final = "-"
"""Stands for the seat in entries of chance."""


class Step(NamedTuple):
    """A step of a lesson: a position, what is said about it, and the move that it teaches.

    Parameters
    ----------
    says: What is new here, and what to do. Together with what the move before brought, at most 45 words.
    move: The move that leads to the next step; empty if nothing is to be played here.
    better: What speaks for the taught move, to stand after ``but``. It is true whichever other move was made, and names
        the taught move only where ``says`` does.
    before: The entries since the step before: ``seat move; seat move``, with `_CHANCE` for the seat of chance.
    remarks: What other moves would have done, by patterns of moves (``play ?S``). The first that fits counts. For other
        moves it is what their menu says, with ``better``.
    options: Those of a new game that begins with ``before``; ``None`` continues the game of the step before.
    brought: What the move brought. The next step begins with it.
    is_choice: Whether the learner has to find the move. Each other move has a remark, and after two of them, the
        learner may have it shown.
    """

    says: Text
    move: str = ""
    better: Text = Text("")
    before: str = ""
    remarks: Mapping[str, Text] = {}
    options: Mapping[str, Value] | None = None
    brought: Text = Text("")
    is_choice: bool = False

    @property
    def entries(self) -> list[Entry]:
        """The entries of ``before``."""
        pairs = (entry.split(maxsplit=1) for entry in self.before.split(";") if entry)
        return [Entry(CHANCE if seat == _CHANCE else int(seat), move) for seat, move in pairs]

    def remark(self, move: Move) -> Text | None:
        """Return the remark for a move that isn't the taught one, if there is one."""
        return next((said for pattern, said in self.remarks.items() if fnmatchcase(str(move), pattern)), None)


class Lesson(NamedTuple):
    """The steps of a lesson on a game.

    Parameters
    ----------
    first_game: The options of the table that the last step opens.
    """

    game: str
    steps: Sequence[Step]
    first_game: Mapping[str, Value] = {}

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def step(self, number: int) -> Step:
        """Return a step. Numbers that no step has come from a lesson that was longer: return the last one."""
        return self.steps[min(number, self.last)]


def puzzle(game: str, question: Step, solution: Text) -> Lesson:
    """Return a puzzle: a lesson of a position with a clearly best move, and of what is said about that move then."""
    return Lesson(game, (question._replace(is_choice=True), Step(solution)))


class _Position(NamedTuple):
    options: Mapping[str, Value]
    state: Any
    events: tuple[Event, ...]


def sight(lesson: Lesson, number: int, name: str) -> Sight:
    """Return the learner's view at a step. ``name`` is the learner's own name."""
    game, position = GAMES[lesson.game], _position(lesson.game, tuple(lesson.steps), min(number, lesson.last))
    observation = game.observe(position.state, LEARNER)
    return Sight(_table(game, position.options, name), observation, position.events[-KEPT_EVENTS:])


def tried(lesson: Lesson, number: int, text: str) -> Move:
    """Return the legal move that a learner tries at a step. Raise `InvalidMove` or `IllegalMove` for all others."""
    game, position = GAMES[lesson.game], _position(lesson.game, tuple(lesson.steps), min(number, lesson.last))
    legal = game.legal(position.state, LEARNER)
    move = read(game, text, legal)
    if move not in legal:
        game.apply(position.state, LEARNER, move)
        raise IllegalMove("In a lesson, make one of the moves on offer.")
    return move


def _position(key: str, steps: tuple[Step, ...], number: int) -> _Position:
    first = max(at for at, step in enumerate(steps[: number + 1]) if step.options is not None or at == 0)
    return _folded(key, tuple(sorted((steps[first].options or {}).items())), tuple(_log(steps[first : number + 1])))


def _log(steps: Sequence[Step]) -> list[Entry]:
    """Return all entries up to the last of these steps, with the taught moves of those before."""
    taught = [[Entry(LEARNER, step.move)] if step.move else [] for step in steps[:-1]]
    return list(chain.from_iterable(chain(step.entries, made) for step, made in zip(steps, [*taught, []], strict=True)))


@lru_cache(maxsize=64)
def _folded(key: str, options: tuple[tuple[str, Value], ...], entries: tuple[Entry, ...]) -> _Position:
    game = GAMES[key]
    settled = game.settle(dict(options))
    state = game.start(settled)
    events: list[Event] = []
    for step in game.steps(settled, entries):
        state = step.state
        events += step.events
    return _Position(settled, state, tuple(events))


def _table(game: AnyGame, options: Mapping[str, Value], name: str) -> Table:
    """Return a table for the texts of a lesson: the learner among computers. It isn't stored anywhere."""
    seats = game.seats(options)
    computers = [Sitter(seat, COMPUTER_NAMES[seat - 1], None) for seat in range(1, seats)]
    sitters = (Sitter(LEARNER, name, 1), *computers)
    return Table(0, "", game.key, options, seats, "playing", 0, 1, Place(None, 0), sitters, "", None, None, 0.0, 0.0)
