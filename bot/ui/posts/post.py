"""What a message says and offers, before it is a Discord message; and what a game has to know to say it.

A `Post` is plain data: nothing in it depends on Discord, so that faces are easy to read and to test.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from bot.games.game import AnyGame, Event, Move, Observation
from bot.tables import Table

Style = Literal["primary", "secondary", "success", "danger"]

O_contra = TypeVar("O_contra", bound=Observation, contravariant=True)


class Choice(msgspec.Struct, frozen=True):
    """A legal move as something to pick: its notation, a short label, and what it would mean; in a menu, whether it is
    the one that is picked already.
    """

    move: str
    label: str
    hint: str = ""
    is_picked: bool = False


class Choices(msgspec.Struct, frozen=True):
    """Things offered together: a menu under its prompt, or a row of buttons if there are few with short labels.

    They are moves, unless ``verb`` says what else picking one does; ``argument`` goes with that verb. ``style`` is that
    of buttons.
    """

    prompt: str
    choices: tuple[Choice, ...]
    as_buttons: bool = False
    style: Style = "primary"
    verb: str = "pick"
    argument: str = ""


class Button(msgspec.Struct, frozen=True):
    """A button: ``verb`` says what it does (`bot.ui.interactions.router`). A disabled one only shows its label."""

    verb: str
    label: str
    style: Style = "secondary"
    argument: str = ""
    disabled: bool = False


class Post(msgspec.Struct, frozen=True):
    """A message: paragraphs of Discord markdown, things to choose from, rows of buttons, perhaps a file.

    ``file`` is a name and a text.
    """

    paragraphs: tuple[str, ...]
    choices: tuple[Choices, ...] = ()
    rows: tuple[tuple[Button, ...], ...] = ()
    file: tuple[str, str] | None = None


class Face(Protocol[O_contra]):
    """How a game looks: what its boards and hands say. Each game's cog has one.

    Everything here is made from an observation alone, so it can tell no more than that seat may know.
    """

    game: AnyGame
    settlements: tuple[type[Event], ...]
    """The events that say how a deal was scored."""

    def progress(self, observation: O_contra) -> str:
        """Where the game stands, for the heading: ``round 2 of 4``."""

    def board(self, table: Table, observation: O_contra) -> Sequence[str]:
        """The public board as paragraphs; ``observation`` is the public's."""

    def hand(self, table: Table, observation: O_contra) -> Sequence[str]:
        """All that the seat has and knows beyond the board, as paragraphs."""

    def choices(self, table: Table, observation: O_contra) -> tuple[Choices, ...]:
        """What the seat may do now, to pick from; empty when it isn't its turn."""

    def describe(self, table: Table, observation: O_contra) -> Sequence[str]:
        """The public board in words alone, for who reads with the ears."""

    def say(self, table: Table, event: Event) -> str | None:
        """The event as a sentence for everybody, ``None`` where the board says it already."""

    def scores(self, table: Table, observation: O_contra) -> Sequence[str]:
        """How every finished deal was scored, part by part, as paragraphs."""

    def result(self, table: Table, observation: O_contra) -> Sequence[str]:
        """What stands below the winner's name at the end: how each total came about, as paragraphs."""

    def name_move(self, table: Table, observation: O_contra, move: Move) -> str:
        """The move in words, for autocomplete: ``play 10♦``."""

    def deal(self, observation: O_contra) -> int:
        """The number of the present deal; each has a hand message of its own."""


Faces = Mapping[str, Face[Any]]
"""The face of each game, by its key."""
