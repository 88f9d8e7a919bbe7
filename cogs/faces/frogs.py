"""What Pond · frogs says: its boards, the squares to choose from, and what a move would do before it is confirmed."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.frogs import Began, Developed, Frogs, Moved, Observation, Place, Placed, Preview, Scored, Shift
from bot.games.frogs.moves import COLUMNS, ROWS
from bot.games.frogs.moves import squares as squares_of
from bot.games.game import Event, Move, Seat
from bot.tables import Table
from bot.ui.post import Button, Choice, Choices, Post
from bot.ui.text import name_of, number

FROM: Final = "frogs-from"
"""The verb of choosing what to move: an egg from the spawn, or the piece on a square."""
TO: Final = "frogs-to"
"""The verb of choosing where to: shows what the move would do."""
EGG: Final = "egg"

_SIDES: Final = ("Light", "Dark")
_EMPTY: Final = "·"
_LEGEND: Final = "-# L Light · D Dark · e egg, t tadpole, f frog"


class FrogsFace:
    """How Pond · frogs looks. Nothing is secret in it, so every observation says the same."""

    game = GAMES["frogs"]

    def progress(self, observation: Observation) -> str:
        """The size of the pond, and what wins."""
        terms = observation.terms
        return f"{terms.size}×{terms.size}, first to {terms.goal}"

    def deal(self, observation: Observation) -> int:
        """Always the same."""
        return 0

    def board(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond with coordinates on all sides, scores and spawns."""
        return [_grid(observation), _standing(table, observation)]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond again, so that everything can be done from one message."""
        return self.board(table, observation)

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        """What can be moved."""
        if not observation.legal:
            return ()
        return (Choices("Place an egg, or move a piece", _movable(observation), verb=FROM),)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        """The move in words."""
        match move:
            case Place(square):
                return f"place an egg on {square}"
            case Shift(origin, landing):
                return f"{_stage_on(observation, origin)} {origin} to {landing}"
            case _:
                return str(move)

    def say(self, table: Table, event: Event) -> str | None:
        """The event as a sentence."""
        match event:
            case Began(seat):
                return f"{name_of(table, seat)} plays Light and begins."
            case Placed(seat, square):
                return f"**{name_of(table, seat)}** places an egg on {square}."
            case Moved(seat, origin, landing, stage):
                return f"**{name_of(table, seat)}** moves a {stage} from {origin} to {landing}."
            case Developed():
                return f"- {developed(event)}"
            case Scored(owner, squares):
                return f"- **{name_of(table, owner)} scores {len(squares)}**: {', '.join(squares)}."
            case _:
                return None

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        """Scores and spawns."""
        return [_standing(table, observation)]

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        """The last position and the scores."""
        return self.board(table, observation)

    def squares(self, table: Table, observation: Observation, chosen: str) -> Post:
        """The pond as buttons: where the chosen piece, or an egg, may go; all other squares can't be pressed."""
        what = "an egg" if chosen == EGG else f"the {_stage_on(observation, chosen)} on {chosen}"
        targets = {_landing(move): move for move in observation.legal if _chosen(move) == chosen}
        marks = _marks(observation)
        size = observation.terms.size
        rows = tuple(
            tuple(
                Button(TO, square, "success", str(targets[square]))
                if square in targets
                else Button(TO, marks.get(square, _EMPTY), argument=square, disabled=True)
                for square in (column + row for column in COLUMNS[:size])
            )
            for row in ROWS[:size]
        )
        back = (Button("hand", "Another piece"),)
        return Post((f"### Table {table.name}\nWhere does {what} go?\n{_LEGEND}",), rows=(*rows, back))

    def confirm(self, table: Table, observation: Observation, move: Move) -> Post:
        """What the move would develop, score and end, with a button to make it."""
        preview: Preview = _rulebook().preview(observation, move)
        lines = [developed(event) for event in preview.developed]
        lines += [
            f"**{name_of(table, scored.owner)} scores {len(scored.squares)}**: {', '.join(scored.squares)}."
            for scored in preview.scored
        ]
        if preview.outcome is not None:
            lines.append(f"The game ends: {self.game.reasons[preview.outcome.reason]}")
        what = self.name_move(table, observation, move)
        text = f"### Table {table.name} · {what}\n" + ("\n".join(lines) or "Nothing develops and nothing scores.")
        row = (Button("play", "Do it", "success", str(move)), Button(FROM, "Another square", argument=_chosen(move)))
        return Post((text,), rows=(row,))

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond square by square, for a screen reader."""
        on = {piece.square: f"{name_of(table, piece.owner)}'s {piece.stage}" for piece in observation.pieces}
        squares = (f"{square} {on.get(square, 'empty')}" for square in squares_of(observation.terms.size))
        return [", ".join(squares) + ".", _standing(table, observation)]


def developed(event: Developed) -> str:
    """``b2: egg → tadpole``."""
    return f"{event.square}: {event.before} → {event.after}"


def _rulebook() -> Frogs:
    rulebook = GAMES["frogs"]
    assert isinstance(rulebook, Frogs)  # noqa: S101 - the registry says so
    return rulebook


def _chosen(move: Move) -> str:
    return move.origin if isinstance(move, Shift) else EGG


def _landing(move: Move) -> str:
    return move.landing if isinstance(move, Shift) else move.square if isinstance(move, Place) else ""


def _stage_on(observation: Observation, square: str) -> str:
    return next((str(piece.stage) for piece in observation.pieces if piece.square == square), "piece")


def _movable(observation: Observation) -> tuple[Choice, ...]:
    chosen = dict.fromkeys(_chosen(move) for move in observation.legal)
    spawn = observation.spawns[observation.seat or 0]
    return tuple(
        Choice(EGG, "Place an egg", f"{spawn} left in your spawn")
        if piece == EGG
        else Choice(piece, f"Move the {_stage_on(observation, piece)} on {piece}")
        for piece in sorted(chosen, key=lambda piece: (piece != EGG, piece))
    )


def _marks(observation: Observation) -> dict[str, str]:
    """Each piece in two letters: whose, and what it is."""
    return {piece.square: _side(observation, piece.owner)[0] + piece.stage[0] for piece in observation.pieces}


def _grid(observation: Observation) -> str:
    size = observation.terms.size
    marks = _marks(observation)
    header = "   " + "  ".join(COLUMNS[:size])
    rows = [
        f"{row}  " + " ".join(f"{marks.get(column + row, _EMPTY):<2}" for column in COLUMNS[:size]) + f" {row}"
        for row in ROWS[:size]
    ]
    last = f"\nLast move: {observation.last}" if observation.last else ""
    return "```\n" + "\n".join((header, *rows, header)) + f"\n```\n{_LEGEND}{last}"


def _standing(table: Table, observation: Observation) -> str:
    return "\n".join(
        f"**{name_of(table, seat)}** ({_side(observation, seat)}): {number(observation.scores[seat])} scored, "
        f"{observation.spawns[seat]} eggs in the spawn"
        for seat in (0, 1)
    )


def _side(observation: Observation, seat: Seat) -> str:
    return _SIDES[seat != observation.light]
