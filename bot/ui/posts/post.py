"""The content of a message as plain data, and the protocol by which games provide it.

Nothing here depends on Discord, so that faces are easy to read and to test.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from bot.games.game import AnyGame, Event, Move, Observation, Value
from bot.pictures.worker import What
from bot.tables import Table

Style = Literal["primary", "secondary", "success", "danger"]

O_contra = TypeVar("O_contra", bound=Observation, contravariant=True)


class Choice(msgspec.Struct, frozen=True):
    """A legal move to pick: its notation, a short label and what it would mean.

    ``is_picked`` preselects it in a menu. ``emoji`` is the name of an emoji to show before the label in a menu.
    """

    move: str
    label: str
    hint: str = ""
    is_picked: bool = False
    emoji: str = ""


class Choices(msgspec.Struct, frozen=True):
    """Options offered together: a menu with a prompt, or rows of buttons.

    Picking one plays it as a move, unless ``verb``, its ``argument`` and ``origin`` say otherwise. ``style`` applies to
    buttons.
    """

    prompt: str
    choices: tuple[Choice, ...]
    as_buttons: bool = False
    style: Style = "primary"
    verb: str = "pick"
    argument: str = ""
    origin: str = ""


class UserMenu(msgspec.Struct, frozen=True):
    """A menu of the server's members. None to ``most`` of them may be picked; those ``picked`` are at first."""

    prompt: str
    verb: str
    picked: tuple[int, ...] = ()
    most: int = 25


class Button(msgspec.Struct, frozen=True):
    """A button. ``verb`` selects its handler in `bot.ui.interactions.router`; for ``origin``, see `Press`.

    ``emoji`` is the name of an emoji to show before the label, or instead of it if ``replaces_label``.
    """

    verb: str
    label: str
    style: Style = "secondary"
    argument: str = ""
    disabled: bool = False
    origin: str = ""
    emoji: str = ""
    replaces_label: bool = False


class Scene(msgspec.Struct, frozen=True):
    """A picture to draw of an observation, and the paragraphs of its message that go with it.

    Parameters
    ----------
    what: What it shows; the name of its file begins with this.
    key: Equal for scenes that look equal.
    names: The names of the players, by seat.
    above: The paragraphs above the picture.
    below: The paragraphs below the picture.
    in_words: The paragraphs in place of all that, where the picture can't be shown.
    move: The move that it shows and its effects, before the move is confirmed.
    """

    what: What
    key: str
    observation: Observation
    names: tuple[str, ...]
    language: str
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    in_words: tuple[str, ...] = ()
    move: tuple[Any, ...] = ()


class Post(msgspec.Struct, frozen=True):
    """A message: paragraphs of Discord markdown, choices, a menu of ``people``, rows of buttons, and optionally a file.

    With a ``scene``, its picture and its paragraphs come first.

    ``grid`` is a board as rows of buttons. It takes up to 31 of the 40 components of a message, so the paragraphs
    become one text, and only one row can follow.
    """

    paragraphs: tuple[str, ...]
    choices: tuple[Choices, ...] = ()
    rows: tuple[tuple[Button, ...], ...] = ()
    file: tuple[str, str] | None = None
    grid: tuple[tuple[Button, ...], ...] = ()
    people: UserMenu | None = None
    scene: Scene | None = None
    is_plain: bool = False
    """Whether it has no emojis."""


class OptionText(msgspec.Struct, frozen=True):
    """An option of a game in words: its label, and a phrase for each value that reads well alone (``3 rounds``).

    Only the lobby offers an option that isn't ``is_common``; the others are also options of the command ``open``.
    """

    label: str
    values: Mapping[Value, str]
    is_common: bool = True


class Face(Protocol[O_contra]):
    """The texts and choices of a game's boards and hands. Each game's cog has one.

    Everything is made from an observation, so it can't reveal more than that seat may know.
    """

    game: AnyGame
    settlements: tuple[type[Event], ...]
    """The types of events that say how a deal was scored."""
    continuations: tuple[type[Event], ...]
    """The types of events that are part of the turn before them. On boards, their lines stay with that turn's."""

    def pitch(self) -> str:
        """Return what the game is: ``Tricks with poison · 2 or 4 players · about 30 min``."""

    def option_texts(self) -> Mapping[str, OptionText]:
        """Return the options of the game in words, by key."""

    def progress(self, observation: O_contra) -> str:
        """Return the progress of the game for the heading: ``round 2 of 4``."""

    def prompt(self, table: Table, observation: O_contra) -> str:
        """Return who is to decide what, in one or two lines.

        For a seat that is to act, what the decision is for: "Choose your profit. …". For the public and for seats that
        wait: "**Cleo**: trap or no trap?".
        """

    def situation(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return what lies on the table (pond, trick, banks), for the board and for hands.

        Lines of the paragraphs below the first are remarks, which give way if a phone's screen has no room.
        """

    def standings(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return what else the board shows, below the latest events: counts and scores."""

    def hand(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return what the seat has and knows beyond the board, as paragraphs."""

    def news(self, table: Table, observation: O_contra, events: Sequence[Event]) -> Sequence[str]:
        """Return what the seat or the public would miss otherwise as lines, the oldest first; usually empty.

        ``events`` are the latest public ones. Of the lines, the last are shown, as many as there is room for.
        """

    def beside_picture(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return what a picture of the board, or of the seat's hand, doesn't show, as paragraphs; usually empty."""

    def choices(self, table: Table, observation: O_contra) -> tuple[Choices, ...]:
        """Return the moves that the seat may make; empty if it isn't its turn."""

    def controls(self, table: Table, observation: O_contra) -> tuple[tuple[Button, ...], ...]:
        """Return the board as rows of buttons, or the buttons of a hand that only this game has; usually empty.

        Those that the seat can use are enabled; for the public, those that the seats to act can use.
        """

    def describe(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the public board in words alone, for screen-reader users."""

    def say(self, table: Table, event: Event) -> str | None:
        """Return the event as a public sentence, or ``None`` if the board shows it already.

        An event of ``settlements`` takes one line here: who gained what.
        """

    def settlement(self, table: Table, observation: O_contra) -> str:
        """Return how the last finished deal was scored: each side's points, what made the difference, and the totals.

        It is posted once. Empty if no deal is finished, or if the game has none.
        """

    def scores(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return how each finished deal was scored, as paragraphs, the latest first."""

    def result(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the final scores and two or three sentences about the game, as paragraphs below the winner's name."""

    def name_move(self, table: Table, observation: O_contra, move: Move) -> str:
        """Return the move in words for autocomplete: ``play 10♦``."""

    def deal(self, observation: O_contra) -> int:
        """Return the number of the current deal; each has its own hands, and its own score."""


Faces = Mapping[str, Face[Any]]
"""The face of each game by its key."""
