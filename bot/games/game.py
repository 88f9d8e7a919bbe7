"""The interface of rulebooks: seats, moves, events, options, outcomes, and the fold of a log.

A rulebook is a `Game`: pure functions over immutable values, without a clock, randomness of its own, or Discord.
Chance is a seat of its own, written ``None`` (``null`` in transcripts).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

from bot.errors import IllegalMove, InvalidMove, InvalidOption, Text, TranscriptError
from bot.games.daily import Daily
from bot.games.typed import clean_move

Seat = int
"""A seat at the table, counted clockwise from 0."""

Actor = Seat | None
"""The author of an entry: a seat, or ``CHANCE``."""

CHANCE: Final = None
RESIGNED: Final = "resigned"
"""The reason of an outcome after a resignation (G-10)."""
STOPPED: Final = "stopped"
"""The reason of the standing at a table that ended early without a result."""
COUNTED: Final = "counted"
"""The reason of the standing at a table that all players agreed to count as it stood."""
Ended = Literal["agreed", "closed", "abandoned", "counted"]
"""The reason for ending a table outside the rules, without an outcome (G-11)."""
NOBODY: Final[frozenset[Actor]] = frozenset()
CHANCE_ONLY: Final[frozenset[Actor]] = frozenset({CHANCE})

Value = str | int
"""The value of an option."""

T = TypeVar("T")


class Shuffle(Protocol):
    """A source of chance for rulebooks. `bot.fairness.Stream` is the verifiable one."""

    def below(self, k: int) -> int:
        """Return a number from 0 to k - 1, all equally likely."""

    def shuffle(self, pack: Sequence[T]) -> list[T]:
        """Return the cards of the pack in random order, the top card first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table's log: a seat, or chance, and the text of its move."""

    seat: Actor
    move: str


class Move:
    """A move. ``str(move)`` and `Game.parse` are inverse (G-04)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Resign(Move):
    """Concede the table (G-10). Lists of legal moves don't include it."""

    def __str__(self) -> str:
        return "resign"


RESIGN: Final = Resign()


class Event:
    """Something that happened. Events are public and hold no secrets."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """The seat conceded, and the table is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game.

    ``places`` are 1 for the winners, and shared places are equal (G-07). ``reason`` is one of `Game.reasons`, or
    `RESIGNED`. For a table that ended early, it is the standing of that moment, with `STOPPED` or `COUNTED`.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str

    @property
    def is_conceded(self) -> bool:
        """Whether the game ended before its rules did, so that the last deal wasn't finished."""
        return self.reason in {RESIGNED, STOPPED, COUNTED}


class AnyState(Protocol):
    """A state of any game: a ``NamedTuple`` with an outcome."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, ``None`` while the game goes on."""

    @property
    def _replace(self) -> Callable[..., Self]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A table as a seat, or the public (``seat`` is ``None``), sees it. Games add fields of their own."""

    seat: Seat | None
    to_act: frozenset[Actor]
    legal: tuple[Move, ...]
    outcome: Outcome | None

    @property
    def last_card(self) -> Seat | None:
        """The seat that can only play its last card, as everybody knows. It plays itself (G-03)."""
        return None


S = TypeVar("S", bound=AnyState)
O = TypeVar("O", bound=Observation)  # noqa: E741 - the observation, beside S the state
S_co = TypeVar("S_co", covariant=True)


class Step(NamedTuple, Generic[S_co]):
    """The result of a move: the next state, and the events."""

    state: S_co
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game. Slash options, help and checks are made from it.

    ``default`` is ``None`` if it depends on other options; then `Game.default` returns it.
    """

    key: str
    choices: tuple[Value, ...]
    help: str
    ruling: str
    default: Value | None = None
    sets_first: bool = False
    """Whether it says which seat begins. Games whose host has chosen that count nowhere; lobbies have no menu of it."""

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers, in JSON as well (G-05)."""
        return isinstance(self.choices[0], int)

    def read(self, value: object) -> Value:
        """Return the value if it is one of the choices. Numbers may be text. Raises `InvalidOption`."""
        for choice in self.choices:
            if (isinstance(value, str) and value == str(choice)) or (value == choice and type(value) is type(choice)):
                return choice
        raise InvalidOption(
            "{key} can't be {value}. Choose one of these: {choices}.",
            self.ruling,
            key=self.key,
            value=repr(value),
            choices=", ".join(map(str, self.choices)),
        )


class Game(ABC, Generic[S, O]):
    """A rulebook of pure functions. Only rulebooks and `bot.tables` hold states. All others get observations."""

    key: ClassVar[str]
    """The name in transcripts and in the database: ``pond``."""
    title: ClassVar[str]
    """The name for people: ``Pond · cards``."""
    rules: ClassVar[int] = 1
    """The version of the rules."""
    has_hands: ClassVar[bool] = True
    """Whether seats hold hidden cards; then chance after a move is a new deal. Without, no text speaks of cards."""
    options: ClassVar[tuple[Option, ...]]
    proposed: ClassVar[Mapping[str, Value]] = {}
    proposed_to_learners: ClassVar[Mapping[str, Value]] = {}
    """Options with which tables of people begin, not with the rules' defaults; those of learners, a shorter game."""
    reasons: ClassVar[Mapping[str, str]]
    """The reasons of outcomes, with a sentence that explains each."""
    quiet: ClassVar[tuple[type[Event], ...]] = ()
    """The types of events that reveal nothing hidden. All others do (see `reveals`)."""
    uninformative: ClassVar[tuple[type[Event], ...]] = ()
    """The types of events that allow no conclusion on anything hidden, except that a secret choice was made."""
    own: ClassVar[tuple[type[Event], ...]] = ()
    """The types of events that only show what their seat itself plays or says."""
    daily: ClassVar[Daily | None] = None
    """The form of its dailies and challenges, if it has any."""
    duplicates: ClassVar[Mapping[str, tuple[Text, Mapping[str, Value]]]] = {}
    """The name and the options of each form of duplicates, by its key, with two sides each."""
    # ---- options

    def settle(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return all options of the game in the order of ``options``, with defaults for those not given.

        Raise `InvalidOption` for unknown keys and values, and for options that exclude one another (G-06).
        """
        known = {option.key: option for option in self.options}
        for key in given:
            if key not in known:
                raise InvalidOption(
                    "{game} has no option {key}. Options: {known}.",
                    game=self.title,
                    key=repr(key),
                    known=", ".join(known),
                )
        chosen = {key: known[key].read(value) for key, value in given.items() if value is not None}
        settled: dict[str, Value] = {}
        for option in self.options:
            value = chosen.get(option.key, option.default)
            settled[option.key] = self.default(option, chosen) if value is None else value
        self.check_options(settled)
        return settled

    def chosen(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """Return those of the settled options from which `settle` fills in all others: the ones that aren't default."""
        chosen = dict(options)
        for key in options:
            others = {other: value for other, value in chosen.items() if other != key}
            try:
                if self.settle(others) == options:
                    chosen = others
            except InvalidOption:
                continue
        return chosen

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """Return the default of an option that depends on those given."""
        raise NotImplementedError(f"{self.key}: {option.key} has no default")

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Raise `InvalidOption` for options that exclude one another. Most games have none."""

    def needs(self, options: Mapping[str, Value], given: Mapping[str, object]) -> Mapping[str, Value]:  # noqa: ARG002
        """Return the options without which a choice has no meaning; in most games none."""
        return {}

    def applies(self, key: str, options: Mapping[str, Value]) -> bool:
        """Whether an option matters with these settled options. In most games every one does."""
        return key in options

    def seats(self, options: Mapping[str, Value]) -> int:
        """Return the number of seats."""
        return len(self.sides(options))

    @abstractmethod
    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Return the side of each seat, from 0: ``(0, 1, 0, 1)`` for two partnerships, ``(0, 1, 2)`` without."""

    def keeps_record(self, options: Mapping[str, Value]) -> bool:  # noqa: ARG002 - in most games, none matters
        """Whether all that was public in the deal that is being played may be looked up; else it has to end first."""
        return not self.has_hands

    # ---- play

    @abstractmethod
    def start(self, options: Mapping[str, Value]) -> S:
        """Return the state before the first entry. ``options`` are settled."""

    @abstractmethod
    def to_act(self, state: S) -> frozenset[Actor]:
        """Return the sources of the next entry: one or several seats, or chance alone, or nobody at the end (G-01)."""

    @abstractmethod
    def chance(self, state: S, shuffle: Shuffle) -> Move:
        """Draw the chance entry that is due."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> tuple[Move, ...]:
        """Return the moves of the seat that `apply` accepts now, but for `RESIGN`, sorted, without equal texts."""

    @abstractmethod
    def apply_move(self, state: S, seat: Actor, move: Move) -> Step[S]:
        """Apply any move but a resignation, before the end. Raise `IllegalMove` with a sentence and a ruling."""

    def apply(self, state: S, seat: Actor, move: Move) -> Step[S]:
        """Apply a seat's move, or a chance entry. Raises `IllegalMove`."""
        if type(move) is Resign:
            return self._resign(state, seat)
        if state.outcome is not None:
            raise IllegalMove("The game is over.", "G-11")
        return self.apply_move(state, seat, move)

    @abstractmethod
    def observe(self, state: S, seat: Seat | None) -> O:
        """Return the table as the seat, or the public, sees it. Build it field by field."""

    def reveals(self, events: Iterable[Event]) -> bool:
        """Return whether these events revealed something hidden, so that the move can't simply be undone."""
        return any(not isinstance(event, self.quiet) for event in events)

    def informs(self, events: Iterable[Event]) -> bool:
        """Return whether these events allow a conclusion on anything hidden."""
        return any(not isinstance(event, self.uninformative) for event in events)

    def shows_others(self, seat: Seat, events: Iterable[Event]) -> bool:
        """Return whether a step of the seat reveals anything about other hands, or about cards nobody has seen."""
        return self.informs(e for e in events if not (isinstance(e, self.own) and getattr(e, "seat", None) == seat))

    # ---- text

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Return the move with exactly this text. Raises `InvalidMove`."""

    def tidy(self, text: str) -> str:
        """Bring typed text into the form that `parse` reads."""
        return clean_move(text)

    def card_verb(self, state: S) -> str:  # noqa: ARG002 - in most games, cards are only played
        """Return the verb of the moves that name a card now: ``card QS`` is typed for one of these."""
        return "play"

    # ---- resigning, by G-10

    @abstractmethod
    def standing(self, state: S) -> tuple[int, ...]:
        """Return the scores if the table ended now (G-10). Nothing that is still secret counts."""

    def stopped(self, state: S, reason: str) -> Outcome:
        """Return the scores and the places if the table ended now (G-08, G-10)."""
        scores = self.standing(state)
        return Outcome(scores, places_of(scores, self.sides(self.options_of(state))), reason)

    @abstractmethod
    def options_of(self, state: S) -> Mapping[str, Value]:
        """Return the options that the table was started with."""

    def may_resign(self, state: S) -> bool:
        """Return whether seats may resign now: there are two sides, and a seat is to act."""
        two_sides = len(set(self.sides(self.options_of(state)))) == 2
        return two_sides and state.outcome is None and CHANCE not in self.to_act(state)

    def _resign(self, state: S, seat: Actor) -> Step[S]:
        if state.outcome is not None:
            raise IllegalMove("The game is over.", "G-10")
        if seat is CHANCE or not self.may_resign(state):
            raise IllegalMove("You can only resign in a game between two sides.", "G-10")
        sides = self.sides(self.options_of(state))
        if not 0 <= seat < len(sides):
            raise IllegalMove("There's no seat {seat} at this table.", "G-10", seat=seat)
        places = tuple(2 if side == sides[seat] else 1 for side in sides)
        return Step(state._replace(outcome=Outcome(self.standing(state), places, RESIGNED)), (Resigned(seat),))

    # ---- the log

    def run_chance(
        self, state: S, count: int, shuffle_of: Callable[[int], Shuffle]
    ) -> tuple[S, list[Entry], list[Event]]:
        """Write chance entries as long as they are due. Return the state, the entries and the events.

        ``count`` is the number of chance entries in the log so far, ``shuffle_of(n)`` the source of the n-th, from 0.
        """
        entries, events = list[Entry](), list[Event]()
        while CHANCE in self.to_act(state):
            entries.append(Entry(CHANCE, str(move := self.chance(state, shuffle_of(count + len(entries))))))
            state, seen = self.apply(state, CHANCE, move)
            events += seen
        return state, entries, events

    def steps(self, options: Mapping[str, Value], entries: Iterable[Entry]) -> Iterator[Step[S]]:
        """Yield the step of each entry. Raise `TranscriptError` at the first illegal one."""
        state = self.start(options)
        for number, entry in enumerate(entries):
            try:
                step = self.apply(state, entry.seat, self.parse(entry.move))
            except (InvalidMove, IllegalMove) as error:
                raise TranscriptError(f"entry {number}", error.sentence) from None
            state = step.state
            yield step

    def fold(self, options: Mapping[str, Value], entries: Iterable[Entry]) -> S:
        """Return the state after the entries. Raise `TranscriptError` at the first illegal one."""
        state = self.start(options)
        for step in self.steps(options, entries):
            state = step.state
        return state


AnyGame = Game[Any, Any]


def places_of(scores: Sequence[int], sides: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat: 1 + the number of better sides (G-07). ``scores`` are the sides', by seat."""
    ranked = sorted(dict(zip(sides, scores, strict=True)).values(), reverse=True)
    return tuple([1 + ranked.index(score) for score in scores])
