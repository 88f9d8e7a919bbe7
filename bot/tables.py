"""Tables: open, sit, cut, start, play, resign, observe. The only writer of a table's log.

A table's state is the fold of its log and of nothing else. Every change is one transaction, committed before anything
is shown; whoever listens (`on_change`) is told after the commit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from bot.games.game import Event, Observation, Outcome, Seat, Value

Status = Literal["lobby", "playing", "over", "closed"]
"""``closed``: given up before the end, by the host or because nobody came."""


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user as far as the tables know him."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table's board lives. ``guild_id`` is ``None`` in a direct message."""

    guild_id: int | None
    channel_id: int


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a seat: a user, or (``user_id`` is ``None``) a computer."""

    seat: Seat
    name: str
    user_id: int | None
    cut: str = ""

    @property
    def is_computer(self) -> bool:
        """Whether a computer plays this seat."""
        return self.user_id is None


@dataclass(frozen=True, slots=True)
class Table:
    """One instance of play, without its state and without its seed.

    ``version`` grows with every change, also those of the lobby. ``seed`` is ``None`` until the table is over.
    ``sitters`` are in the order of the seats; in the lobby free seats are missing.
    """

    id: int
    name: str
    game: str
    options: Mapping[str, Value]
    seats: int
    status: Status
    version: int
    host_id: int
    place: Place
    sitters: tuple[Sitter, ...]
    commitment: str
    seed: str | None
    outcome: Outcome | None
    opened_at: float
    changed_at: float

    def sitter(self, user_id: int) -> Sitter | None:
        """The user's place at the table, if he has one."""
        return next((sitter for sitter in self.sitters if sitter.user_id == user_id), None)

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.sitters) == self.seats


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a change did: the table after it, the version before it, and what happened, in order."""

    table: Table
    before: int
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What one user, or the public, sees of a table that has started.

    ``events`` are the last public ones, oldest first; ``observation`` is that of the user's seat, or the public's.
    """

    table: Table
    observation: Observation
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A message that shows a table, and the version of the table that it shows.

    ``kind`` is ``board``, ``hand`` (to ``user_id``) or ``ping`` (of ``user_id``); ``user_id`` is 0 for a board.
    ``digest`` stands for the content, so that an edit which would change nothing is left out.
    """

    table_id: int
    kind: Literal["board", "hand", "ping"]
    user_id: int
    channel_id: int
    message_id: int
    version: int
    posted_at: float
    digest: str


Listener = Callable[[Receipt], None]
