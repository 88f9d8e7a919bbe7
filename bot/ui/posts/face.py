# ruff: noqa: ARG002 - the defaults use none of their arguments
"""The class that each game implements in `cogs/<game>/face.py`: its texts and choices on boards and in hands."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from bot.games.game import AnyGame, Event, Move, Observation, Value
from bot.pictures import Drawings
from bot.tables import Sight, Table
from bot.texts import gettext as _
from bot.ui.posts.post import Button, Choices

O_contra = TypeVar("O_contra", bound=Observation, contravariant=True)


class OptionText(msgspec.Struct, frozen=True):
    """An option of a game in words: its label, and a phrase for each value that reads well alone (``3 rounds``).

    Menus show the label before a phrase that doesn't say what it sets, if the phrases aren't ``is_clear``.
    """

    label: str
    values: Mapping[Value, str]
    is_clear: bool = True

    def in_menu(self) -> Mapping[Value, str]:
        """Return each value as menus show it."""
        if self.is_clear:
            return self.values
        return {value: _("{option}: {value}", option=self.label, value=words) for value, words in self.values.items()}


class Face(Protocol[O_contra]):
    """The texts and choices of a game's boards and hands. Each game's cog has one.

    Everything is made from an observation, so it can't reveal more than that seat may know. Methods that return nothing
    here are for what only some games have.
    """

    game: AnyGame
    drawings: Drawings | None = None
    """The pictures of the game, if it has any."""
    settlements: tuple[type[Event], ...] = ()
    """The types of events that say how a deal was scored."""
    continuations: tuple[type[Event], ...] = ()
    """The types of events that are part of the turn before them. On boards, their lines stay with that turn's."""
    summed_up: tuple[type[Event], ...] = ()
    """The types of events that boards sum up together with what led to them, such as a trick that was taken."""

    def pitch(self) -> str:
        """Return the game in a line: ``Tricks with poison · 2 or 4 players · about 30 min``."""

    def option_texts(self) -> Mapping[str, OptionText]:
        """Return the options of the game in words, by key."""

    def progress(self, observation: O_contra) -> str:
        """Return the progress of the game for the heading: ``round 2 of 4``. Empty if the game has no rounds."""
        return ""

    def prompt(self, table: Table, observation: O_contra) -> str:
        """Return the decision and the players who have to make it, in one or two lines.

        For a seat that is to act, what the decision is for: "Choose your profit. …". For the public and for seats that
        wait: "**Cleo**: trap or no trap?".
        """

    def situation(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the cards or pieces on the table (pond, trick, banks), for the board and for hands.

        Lines of the paragraphs below the first are remarks, which give way if a phone's screen has no room.
        """
        return ()

    def standings(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the counts and scores that the board shows below the latest events."""
        return ()

    def hand(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the seat's cards and its knowledge beyond the board, as paragraphs."""
        return ()

    def news(self, table: Table, observation: O_contra, events: Sequence[Event]) -> Sequence[str]:
        """Return news that the seat or the public would miss otherwise, the oldest first: a few words each.

        For a seat: everything since its last move, or the last trick. ``events`` are the latest public ones. A hand
        joins the news to a line or two, and leaves out the oldest if there are too many.
        """
        return ()

    def beside_picture(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the paragraphs that a picture of the board, or of the seat's hand, doesn't replace; usually empty.

        If a phone's screen has no room for all, what happened lately gives way to the first one of a hand.
        """
        return ()

    def choices(self, table: Table, observation: O_contra) -> tuple[Choices, ...]:
        """Return the moves that the seat may make; empty if it isn't its turn."""

    def controls(self, table: Table, observation: O_contra) -> tuple[tuple[Button, ...], ...]:
        """Return the board as rows of buttons, or the buttons of a hand that only this game has; usually empty.

        Those that the seat can use are enabled; for the public, those that the seats to act can use.
        """
        return ()

    def describe(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the public board in words alone, for screen-reader users."""

    def say(self, table: Table, event: Event) -> str | None:
        """Return the event as a public sentence, or ``None`` if the board shows it already.

        An event of ``settlements`` takes one line here: who gained what.
        """

    def say_turn(self, table: Table, observation: O_contra, events: Sequence[Event]) -> Sequence[str]:
        """Return a turn in up to three lines; usually empty, as `say` has a line for each event.

        ``events`` are an event and its ``continuations``. Lines in small print give way where there is no room.
        """
        return ()

    def settlement(self, table: Table, observation: O_contra) -> str:
        """Return the score of the last finished deal: each side's points, the decisive categories, and the totals.

        It is posted once. Empty if no deal is finished, or if the game has none.
        """
        return ""

    def reasons(self, table: Table, observation: O_contra) -> str:
        """Return the reasons for the score of the last deal in at most two lines; empty if `say` has them."""
        return ""

    def scores(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the score of each finished deal, as paragraphs, the latest first."""

    def result(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the final scores and two or three sentences about the game, as paragraphs below the winner's name."""

    def name_move(self, table: Table, observation: O_contra, move: Move) -> str:
        """Return the move in words for autocomplete: ``play 10♦``."""

    def name_in_hint(self, table: Table, observation: O_contra, move: Move) -> tuple[str, str]:
        """Return the move by itself (``J♦``), and a remark on what it would bring, which may be empty."""
        return self.name_move(table, observation, move), ""

    def is_after_trick(self, observation: O_contra) -> bool:
        """Whether a trick is complete and the next one hasn't begun; never in games without tricks."""
        return False

    def deal(self, observation: O_contra) -> int:
        """Return the number of the current deal; each has its own hands, and its own score."""
        return 0


Faces = Mapping[str, Face[Any]]
"""The face of each game by its key."""


def waiting_line(face: Face[Any], sight: Sight) -> str | None:
    """Return the line on who has to act, for everyone else; ``None`` for a seat that has to act, or if nobody has."""
    seen = sight.observation
    if not seen.to_act or seen.seat in seen.to_act:
        return None
    return face.prompt(sight.table, seen).partition("\n")[0]
