"""What Nim says."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.game import Event, Move
from bot.games.nim import NimObservation, Taken
from bot.records.table import Table
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Choice, Choices
from cogs.nim.hint_words import HINT_WORDS


class NimFace(Face[NimObservation]):
    """How Nim looks."""

    game = GAMES["nim"]
    hint_words = HINT_WORDS

    def pitch(self) -> str:
        """Return the game in one line."""
        return "Take the last stone · 2 players · about 2 min"

    def option_texts(self) -> Mapping[str, OptionText]:
        """Return the options in words."""
        return {"heap": OptionText("Heap", {12: "12 stones", 20: "20 stones"})}

    def progress(self, observation: NimObservation) -> str:
        """Return the size of the heap."""
        return f"{observation.left} stones"

    def prompt(self, table: Table, observation: NimObservation) -> str:
        """Return whose turn it is."""
        if observation.seat in observation.to_act:
            return "**Your turn.**"
        (seat,) = observation.to_act
        return f"**{name_of(table, seat)}** is to take stones."

    def situation(self, table: Table, observation: NimObservation) -> Sequence[str]:
        """Return the heap."""
        return ["●" * observation.left or "The heap is empty."]

    def choices(self, table: Table, observation: NimObservation) -> tuple[Choices, ...]:
        """Return the legal moves as buttons."""
        moves = tuple(Choice(str(move), str(move).capitalize()) for move in observation.legal)
        return (Choices("Take 1 to 3 stones", moves, as_buttons=True),) if moves else ()

    def describe(self, table: Table, observation: NimObservation) -> Sequence[str]:
        """Return the heap in words."""
        return [f"{observation.left} stones are left."]

    def say(self, table: Table, event: Event) -> str | None:
        """Return an event as a sentence."""
        return f"{name_of(table, event.seat)} takes {event.stones}." if isinstance(event, Taken) else None

    def scores(self, table: Table, observation: NimObservation) -> Sequence[str]:
        """Return nothing: the last stone decides."""
        return []

    def result(self, table: Table, observation: NimObservation) -> Sequence[str]:
        """Return the heap."""
        return self.situation(table, observation)

    def name_move(self, table: Table, observation: NimObservation, move: Move) -> str:
        """Return the move in words."""
        return str(move)


FACE: Final = NimFace()
