"""The vocabulary that every rulebook speaks: seats, moves, options, outcomes, and the fold of a log.

A rulebook is a `Game`: pure functions over immutable values. It has no clock, no randomness of its own and no idea of
Discord. Chance is a seat of its own, written ``None`` (``null`` in transcripts).
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

from bot.errors import IllegalMove, InvalidMove, InvalidOption, TranscriptError

Seat = int
"""A place at the table, counted from 0 clockwise."""

Actor = Seat | None
"""Whoever writes an entry: a seat, or ``CHANCE``."""

CHANCE: Final = None
RESIGNED: Final = "resigned"
"""The reason of an outcome where a side conceded (G-10)."""
Ended = Literal["agreed", "closed", "abandoned"]
"""How a table ended outside the rules, without an outcome (G-11)."""
NOBODY: Final[frozenset[Actor]] = frozenset()
CHANCE_ONLY: Final[frozenset[Actor]] = frozenset({CHANCE})

Value = str | int
"""The value of an option."""

T = TypeVar("T")


class Shuffle(Protocol):
    """Where a rulebook takes chance from; `bot.fairness.Stream` is the one that can be verified."""

    def below(self, k: int) -> int:
        """A number from 0 to k - 1, each as likely."""

    def shuffle(self, pack: Sequence[T]) -> list[T]:
        """A new list with the cards of the pack in random order; the first is the top."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log: who, and the text of the move."""

    seat: Actor
    move: str


class Move:
    """A value with one text: ``str(move)`` and `Game.parse` are inverse (G-04)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Resign(Move):
    """Concede the table (G-10). Never listed among the legal moves."""

    def __str__(self) -> str:
        return "resign"


RESIGN: Final = Resign()


class Event:
    """Something that happened and that everybody at the table may know: what is secret is in no event."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A seat conceded; the table is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a table ended. ``places``: 1 for the winners, shared places are equal (G-07).

    ``reason`` is one of `Game.reasons`, or `RESIGNED`.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str

    @property
    def is_conceded(self) -> bool:
        """Whether a side resigned: then the last deal was not played to its end."""
        return self.reason == RESIGNED


class AnyState(Protocol):
    """What is the same for the states of all games: a state is a ``NamedTuple`` with an outcome."""

    @property
    def outcome(self) -> Outcome | None:
        """``None`` exactly while the game is on."""

    @property
    def _replace(self) -> Callable[..., Self]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What one seat, or the public (``seat`` is ``None``), can know. Each game adds its own fields to these."""

    seat: Seat | None
    to_act: frozenset[Actor]
    legal: tuple[Move, ...]
    outcome: Outcome | None


S = TypeVar("S", bound=AnyState)
O = TypeVar("O", bound=Observation)  # noqa: E741 - the observation, beside S the state
S_co = TypeVar("S_co", covariant=True)


class Step(NamedTuple, Generic[S_co]):
    """What a move leads to: the next state, and what everybody saw happen."""

    state: S_co
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, described well enough to make a slash option, a line of help and a check from it.

    ``default`` is ``None`` where it depends on the other options; `Game.settle` fills it in then.
    """

    key: str
    choices: tuple[Value, ...]
    help: str
    ruling: str
    default: Value | None = None

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers, also in JSON (G-05)."""
        return isinstance(self.choices[0], int)

    def read(self, value: object) -> Value:
        """The value, checked; numbers may come as text. Raises `InvalidOption`."""
        for choice in self.choices:
            if value == choice and type(value) is type(choice):
                return choice
            if isinstance(value, str) and value == str(choice):
                return choice
        raise InvalidOption(
            f"{self.key} can't be {value!r}; it is one of {', '.join(map(str, self.choices))}.", self.ruling
        )


class Game(ABC, Generic[S, O]):
    """A rulebook. All methods are pure: same arguments, same result, nothing changed.

    The state is folded from entries by `apply`; nobody but rulebooks and `bot.tables` holds one. Everybody else is
    given an observation.
    """

    key: ClassVar[str]
    """The name in transcripts and in the database: ``pond``."""
    title: ClassVar[str]
    """The name for people: ``Pond · cards``."""
    rules: ClassVar[int] = 1
    """The number of this version of the rules."""
    options: ClassVar[tuple[Option, ...]]
    reasons: ClassVar[Mapping[str, str]]
    """Each reason an outcome may have, with a sentence that explains it."""
    quiet: ClassVar[tuple[type[Event], ...]] = ()
    """The kinds of events that bring nothing to light which was hidden; all others do (`reveals`)."""
    uninformative: ClassVar[tuple[type[Event], ...]] = ()
    """The kinds of events from which nothing hidden can be concluded: at most that a secret choice was made."""
    own: ClassVar[tuple[type[Event], ...]] = ()
    """The kinds of events that show nothing but what their seat itself plays or says."""

    # ---- options

    def settle(self, given: Mapping[str, object]) -> dict[str, Value]:
        """All options of the game, defaults filled in, in the order of ``options``.

        Raises `InvalidOption` for an unknown key, a value outside the choices, or values that exclude one another
        (G-06).
        """
        known = {option.key: option for option in self.options}
        for key in given:
            if key not in known:
                raise InvalidOption(f"{self.title} has no option {key!r}; it has {', '.join(known)}.")
        chosen = {key: known[key].read(value) for key, value in given.items() if value is not None}
        settled: dict[str, Value] = {}
        for option in self.options:
            value = chosen.get(option.key, option.default)
            settled[option.key] = self.default(option, chosen) if value is None else value
        self.check_options(settled)
        return settled

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """The default of an option that depends on the others; ``chosen`` holds what was given."""
        raise NotImplementedError(f"{self.key}: {option.key} has no default")

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Raises `InvalidOption` for settled options that exclude one another. Most games have none."""

    @abstractmethod
    def seats(self, options: Mapping[str, Value]) -> int:
        """How many seats a table with these options has."""

    @abstractmethod
    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """The side of each seat, numbered from 0: ``(0, 1, 0, 1)`` for two partnerships, ``(0, 1, 2)`` without."""

    # ---- play

    @abstractmethod
    def start(self, options: Mapping[str, Value]) -> S:
        """The state before the first entry. ``options`` are settled."""

    @abstractmethod
    def to_act(self, state: S) -> frozenset[Actor]:
        """Who owes an entry: several in simultaneous play, chance alone where it is due, nobody at the end (G-01)."""

    @abstractmethod
    def chance(self, state: S, shuffle: Shuffle) -> Move:
        """The chance entry that is due, drawn from ``shuffle``."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> tuple[Move, ...]:
        """Every move of the seat that `apply` accepts now, sorted by text, no text twice; without `RESIGN`."""

    @abstractmethod
    def apply_move(self, state: S, seat: Actor, move: Move) -> Step[S]:
        """The step of any move but a resignation. Raises `IllegalMove` with a sentence and a ruling."""

    def apply(self, state: S, seat: Actor, move: Move) -> Step[S]:
        """The step that a seat's move, or a chance entry, leads to. Raises `IllegalMove`; then nothing has happened."""
        if type(move) is Resign:
            return self._resign(state, seat)
        return self.apply_move(state, seat, move)

    @abstractmethod
    def observe(self, state: S, seat: Seat | None) -> O:
        """What the seat, or the public, can know, built field by field."""

    @abstractmethod
    def imagine(self, observation: O, rng: random.Random) -> S:
        """A whole state that agrees with the observation, what it hides made up."""

    @abstractmethod
    def check(self, state: S) -> tuple[str, ...]:
        """The name of each invariant that the state breaks: none, always."""

    def reveals(self, events: Iterable[Event]) -> bool:
        """Whether a step with these events told anybody something hidden, so that it can't be taken back for free."""
        return any(not isinstance(event, self.quiet) for event in events)

    def informs(self, events: Iterable[Event]) -> bool:
        """Return whether anything hidden can be concluded from a step with these events."""
        return any(not isinstance(event, self.uninformative) for event in events)

    def shows_others(self, seat: Seat, events: Iterable[Event]) -> bool:
        """Return whether a step of the seat tells anything of what others hold, or of cards that nobody has seen."""
        return self.informs(e for e in events if not (isinstance(e, self.own) and getattr(e, "seat", None) == seat))

    def outcome(self, state: S) -> Outcome | None:
        """The outcome, ``None`` while the game is on."""
        return state.outcome

    # ---- text

    @abstractmethod
    def parse(self, text: str) -> Move:
        """The move whose text this is, to the letter. Raises `InvalidMove`."""

    def tidy(self, text: str) -> str:
        """What a person typed, brought into the form that `parse` reads; nonsense stays nonsense."""
        return " ".join(text.lower().split())

    # ---- resigning, by G-10

    @abstractmethod
    def standing(self, state: S) -> tuple[int, ...]:
        """The scores that would stand if the table ended now, by G-10: nothing that is still secret counts."""

    @abstractmethod
    def options_of(self, state: S) -> Mapping[str, Value]:
        """The settled options that the state was started with."""

    def may_resign(self, state: S) -> bool:
        """Whether any seat may resign now: two sides, something dealt, no chance due, not over."""
        two_sides = len(set(self.sides(self.options_of(state)))) == 2
        return two_sides and state.outcome is None and CHANCE not in self.to_act(state)

    def _resign(self, state: S, seat: Actor) -> Step[S]:
        if seat is CHANCE or not self.may_resign(state):
            raise IllegalMove("Nobody can resign here: that needs two sides and a game that is on.", "G-10")
        sides = self.sides(self.options_of(state))
        if not 0 <= seat < len(sides):
            raise IllegalMove(f"Seat {seat} is not at this table.", "G-10")
        places = tuple(2 if side == sides[seat] else 1 for side in sides)
        outcome = Outcome(self.standing(state), places, RESIGNED)
        return Step(state._replace(outcome=outcome), (Resigned(seat),))

    # ---- the log

    def run_chance(
        self, state: S, count: int, shuffle_of: Callable[[int], Shuffle]
    ) -> tuple[S, list[Entry], list[Event]]:
        """Writes chance for as long as it is due: the state after, the entries, the events.

        ``count`` is how many chance entries the log has already, ``shuffle_of(n)`` the chance of the n-th (from 0).
        """
        entries: list[Entry] = []
        events: list[Event] = []
        while CHANCE in self.to_act(state):
            move = self.chance(state, shuffle_of(count + len(entries)))
            entries.append(Entry(CHANCE, str(move)))
            state, seen = self.apply(state, CHANCE, move)
            events += seen
        return state, entries, events

    def fold(self, options: Mapping[str, Value], entries: Iterable[Entry]) -> S:
        """The state that the entries lead to. Raises `TranscriptError` at the first that is illegal."""
        state = self.start(options)
        for number, entry in enumerate(entries):
            try:
                state = self.apply(state, entry.seat, self.parse(entry.move)).state
            except (InvalidMove, IllegalMove) as fault:
                raise TranscriptError(f"entry {number}", fault.sentence) from None
        return state


AnyGame = Game[Any, Any]


def places_of(scores: Sequence[int], sides: Sequence[int]) -> tuple[int, ...]:
    """The place of each seat, 1 + the sides that are better (G-07); ``scores`` are those of the seats' sides."""
    ranked = sorted(dict(zip(sides, scores, strict=True)).values(), reverse=True)
    return tuple([1 + ranked.index(score) for score in scores])


def replaced(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the items with one of them replaced, such as the hand of a seat."""
    return (*items[:at], item, *items[at + 1 :])
