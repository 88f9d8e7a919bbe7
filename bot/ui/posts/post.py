"""The content of a message as plain data. Nothing here depends on Discord, so it is easy to test."""

from typing import Any, Literal

import msgspec

from bot.games.game import Observation
from bot.pictures import Drawing

What = Literal["board", "hand", "move", "result"]
"""What a picture shows."""

Style = Literal["primary", "secondary", "success", "danger"]


class Choice(msgspec.Struct, frozen=True):
    """A legal move to pick: its notation, a short name, what it brings, and a hint at what it would mean.

    ``is_picked`` preselects it in a menu. ``emoji`` is the name of an emoji to show before the label in a menu.
    ``verb`` is the verb of its button if pressing it doesn't play the move yet.
    """

    move: str
    name: str
    hint: str = ""
    is_picked: bool = False
    emoji: str = ""
    verb: str = ""
    worth: str = ""

    @property
    def label(self) -> str:
        """Return the name with what the move brings: ``10♦ · 5 for you``."""
        return f"{self.name} · {self.worth}" if self.worth else self.name


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
    """A menu of the server's members. Up to ``most`` may be picked; those ``picked`` are at first."""

    prompt: str
    verb: str
    picked: tuple[int, ...] = ()
    most: int = 25
    argument: str = "people"


class Button(msgspec.Struct, frozen=True):
    """A button. ``verb`` selects its handler in `bot.ui.actions.press`; for ``origin``, see `Press`.

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


def row_of(*buttons: tuple[object, Button]) -> tuple[Button, ...]:
    """Return the row of those buttons whose condition holds."""
    return tuple(button for is_offered, button in buttons if is_offered)


class Scene(msgspec.Struct, frozen=True):
    """A picture to draw of an observation, and the paragraphs of its message that go with it.

    Parameters
    ----------
    what: What it shows; the name of its file begins with this.
    key: The same for scenes that look the same.
    drawing: Draws it.
    names: The names of the players, by seat.
    above: The paragraphs above the picture.
    below: The paragraphs below the picture.
    in_words: The paragraphs in place of all that, where the picture can't be shown.
    preview: The move that it shows with its effects, before the move is confirmed.
    """

    what: What
    key: str
    drawing: Drawing
    observation: Observation
    names: tuple[str, ...]
    language: str
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    in_words: tuple[str, ...] = ()
    preview: Any = None


class Figure(msgspec.Struct, frozen=True):
    """A finished picture, and the paragraphs of its message that go with it, as in a `Scene`.

    ``data`` is its content. Without it, ``file`` is one that comes with the bot.
    """

    file: str
    alt: str
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    what: str = "rules"
    data: bytes = b""

    @property
    def key(self) -> str:
        """The same for figures that look the same."""
        return self.file

    @property
    def in_words(self) -> tuple[str, ...]:
        """The paragraphs where the picture can't be shown."""
        return *self.above, *self.below


class Section(msgspec.Struct, frozen=True):
    """A paragraph with a row of buttons of its own."""

    text: str
    row: tuple[Button, ...]


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
    scene: Scene | Figure | None = None
    sections: tuple[Section, ...] = ()
    """Follow the paragraphs."""
    is_plain: bool = False
    """Whether it has no emojis."""
    version: int = 0
    """The version of the table that it shows. That may be newer than what its message was read with."""
