# ruff: noqa: ARG002 - the defaults use none of their arguments
"""The class that each game implements in `cogs/<game>/face.py`: its texts and choices on boards and in hands."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from bot.errors import Text
from bot.games.game import AnyGame, Event, Move, Observation, Value
from bot.pictures import Drawings
from bot.records.table import Table
from bot.tables.lessons import Lesson
from bot.tables.tables import Sight
from bot.texts import ngettext, number
from bot.ui.posts.hint_words import HintWords
from bot.ui.posts.post import Button, Choices, Post

O_contra = TypeVar("O_contra", bound=Observation, contravariant=True)


class OptionText(msgspec.Struct, frozen=True):
    """An option of a game in words: its label, and a phrase for each value that reads well alone (``3 rounds``)."""

    label: str
    values: Mapping[Value, str]


class Face(Protocol[O_contra]):
    """The texts and choices of a game's boards and hands. Each game's cog has one.

    Everything is made from an observation, so it can't reveal more than that seat may know. Methods that return nothing
    here are for what only some games have.
    """

    game: AnyGame
    drawings: Drawings | None = None
    """The pictures of the game, if it has any."""
    main_options: tuple[str, ...] = ("players",)
    """The options that hosts choose most often, such as the length of a game. All others are house rules."""
    lesson: Lesson | None = None
    """The lesson of the game, if it has one."""
    puzzles: Sequence[Lesson] = ()
    """The puzzles, if it has a lesson: of two steps each, the position with its best move, and what that is for."""
    settlements: tuple[type[Event], ...] = ()
    """The types of events that say how a deal was scored."""
    continuations: tuple[type[Event], ...] = ()
    """The types of events that are part of the turn before them. On boards, their lines stay with that turn's."""
    summed_up: tuple[type[Event], ...] = ()
    """The types of events that boards sum up together with what led to them, such as a trick that was taken."""
    unfinished: Text | None = None
    """What to say beside the score of a game that ends early, if its last deal isn't part of it (G-10)."""
    lobby_menus: Sequence[str] = ()
    """The options for which lobbies have a menu each."""
    hint_words: HintWords = HintWords()
    """Sentences for the facts by which hints explain moves of this game."""
    plays_for_chips: bool = False
    """Whether the scores are chips instead of points."""
    dear: float = 1.0
    """The loss from which a review shows a decision, in points or chips."""
    record: Text = Text("Most points")
    """What the highest score of winners is called among the records; empty if it means nothing."""
    close: int = 2
    """The largest lead at the end of a game that was close."""

    def pitch(self) -> str:
        """Return what the game is about in a sentence: ``Grow frogs on a board, line up three.``"""

    def players(self) -> str:
        """Return for how many players it is: ``2 or 4 players``."""
        return ""

    def decisions(self, options: Mapping[str, Value]) -> float:
        """Return about how often each player has to decide in a game of these options, measured in self-play."""
        return 0.0

    def option_texts(self) -> Mapping[str, OptionText]:
        """Return the options of the game in words, by key."""

    def depending(self, options: Mapping[str, Value]) -> Mapping[str, str]:
        """Return the options whose words depend on other options, in words; empty for those that others say."""
        return {}

    def progress(self, observation: O_contra) -> str:
        """Return the progress of the game for the heading: ``round 2 of 4``. Empty if the game has no rounds."""
        return ""

    def prompt(self, table: Table, observation: O_contra) -> str:
        """Return the decision and the players who have to make it, in one or two lines.

        For a seat that is to act, what the decision is for: "Choose your profit. …". For the public and for seats that
        wait: "**Cleo**: trap or no trap?".
        """

    def prompt_in_words(self, table: Table, observation: O_contra) -> str:
        """Return the prompt beside a board in words with menus, which nobody can tap."""
        return self.prompt(table, observation)

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

    def open_hand(self, table: Table, observation: O_contra) -> str:
        """Return the seat's cards and choices in a line, as others may read them afterwards; empty without any."""
        return ""

    def news(self, table: Table, observation: O_contra, events: Sequence[Event]) -> Sequence[str]:
        """Return news that the seat or the public would miss otherwise, the oldest first: a few words each.

        For a seat: everything since its last move, or the last trick. ``events`` are the public ones since then. A hand
        joins the news to a few lines, and leaves out the oldest if there are too many.
        """
        return ()

    def gained(self, table: Table, observation: O_contra, events: Sequence[Event], *, in_full: bool) -> str:
        """Return everyone's points or tricks since the seat's last move, for hands without room for all news.

        ``events`` are the public ones since then. If ``in_full``, they are beside the points so far, which a hand in
        words has anyway.
        """
        return ""

    def payoff(self, table: Table, observation: O_contra) -> str:
        """Return what the last trick brought, to the reader above all, in a line or two; empty before there is one.

        A hand says it until the next trick is complete.
        """
        return ""

    def beside_picture(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the paragraphs that a picture of the board, or of the seat's hand, doesn't replace; usually empty.

        If a phone's screen has no room for all, what happened lately gives way to the first one of a hand. Its first
        line is always shown: what only the seat knows and can't choose without.
        """
        return ()

    def choices(self, table: Table, observation: O_contra) -> tuple[Choices, ...]:
        """Return the moves that the seat may make; empty if it isn't its turn."""

    def behind(self, table: Table, observation: O_contra, picked: str) -> tuple[Choices, ...]:
        """Return the moves behind a choice that isn't a move yet; empty if it is none of this kind."""
        return ()

    def controls(self, table: Table, observation: O_contra) -> tuple[tuple[Button, ...], ...]:
        """Return the board as rows of buttons, or the buttons of a hand that only this game has; usually empty.

        Those that the seat can use are enabled; for the public, those that the seats to act can use.
        """
        return ()

    def why(self, table: Table, observation: O_contra, events: Sequence[Event]) -> tuple[str, str] | None:
        """Return why what was scored last counts what it does, with the arithmetic, and its ruling.

        That is a trick, a bridge, a set, a payment or a deal. ``None`` before there is any.
        """
        return None

    def second_press(self, table: Table, observation: O_contra, first: str) -> Post | None:
        """Return where a move of two presses is completed after the press of ``first``; ``None`` if it begins no move.

        The verbs of its buttons don't matter: those with a move as their argument play it.
        """
        return None

    def describe(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the public board in words alone, for screen-reader users."""

    def say(self, table: Table, event: Event) -> str | None:
        """Return the event as a public sentence, or ``None`` if the board shows it already.

        An event of ``settlements`` takes one line here: who gained what.
        """

    def shown(self, table: Table, event: Event) -> str | None:
        """Return an event that `say` leaves out because boards show it, such as a card played, for replays."""
        return None

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
        """Return the reasons for the score of the last deal in a few lines; empty if there are none.

        To a seat: what it won and lost by category, and a sentence on what brought or cost it most.
        """
        return ""

    def ended_by(self, table: Table, observation: O_contra) -> str:
        """Return why the game ended, with the names of the players who ended it; empty if its reason says it all."""
        return ""

    def decided(self, table: Table, observation: O_contra) -> str:
        """Return in a sentence what decided the game, the same to all; empty if nothing stands out, and before."""
        return ""

    def ended_in_full(self, table: Table, observation: O_contra) -> str:
        """Return `ended_by` with how the last deal went, for where there is room; empty if there's nothing to add."""
        return ""

    def end_of_deal(self, table: Table, observation: O_contra, events: Sequence[Event]) -> Sequence[str]:
        """Return the last trick or bridge of a deal, and what that brought, as paragraphs.

        The observation is one before the next deal, and ``events`` are the public ones since the reader's last move.
        """
        return ()

    def scores(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the score of each finished deal, as paragraphs, the latest first."""

    def amount(self, points: int) -> str:
        """Return a number of what the game is played for: ``47 points``."""
        return ngettext("{points} point", "{points} points", abs(points), points=number(points))

    def result(self, table: Table, observation: O_contra) -> Sequence[str]:
        """Return the final scores and two or three sentences about the game, as paragraphs below the winner's name."""

    def name_move(self, table: Table, observation: O_contra, move: Move) -> str:
        """Return the move in words for autocomplete: ``play 10♦``."""

    def name_in_hint(self, table: Table, observation: O_contra, move: Move) -> tuple[str, str]:
        """Return the move by itself (``J♦``), and a remark on what it would bring, which may be empty."""
        return self.name_move(table, observation, move), ""

    def tip(self, observation: O_contra) -> int | None:
        """Return the line of the first advice that is about this decision, when it is the first of its kind in a game.

        The number counts from 0 (`bot.texts.rules_pages.first_advice`).
        """
        return None

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
