"""What Pond · frogs says: its boards, the squares to choose from, and what a move would do before it is confirmed."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.frogs import (
    QUIET_PLIES,
    Began,
    Developed,
    Frogs,
    Moved,
    Observation,
    Place,
    Placed,
    Preview,
    Scored,
    Shift,
)
from bot.games.frogs.moves import COLUMNS, ROWS
from bot.games.frogs.moves import squares as squares_of
from bot.games.game import Event, Move, Outcome, Seat
from bot.tables import Table
from bot.ui.posts.post import Button, Choice, Choices, Post, Style
from bot.ui.posts.text import name_of, number

FROM: Final = "frogs-from"
"""The verb of choosing what to move: an egg from the spawn, or the piece on a square."""
TO: Final = "frogs-to"
"""The verb of choosing where to: shows what the move would do."""
EGG: Final = "egg"

_SIDES: Final = ("Light", "Dark")
_EMPTY: Final = "·"
_WIDE: Final = {ord(sign): ord(sign) + 0xFEE0 for sign in map(chr, range(0x21, 0x7F))} | {ord(_EMPTY): 0x30FB}
"""Signs of one width: buttons are as wide as their labels, and the squares have to stand in columns."""
_LEGEND: Final = "-# L Light · D Dark · e egg, t tadpole, f frog"
_WARNED_PLIES: Final = 20
"""So many plies before the game would end for want of progress it is said."""


class FrogsFace:
    """How Pond · frogs looks. Nothing is secret in it, so every observation says the same."""

    game = GAMES["frogs"]
    settlements: tuple[type[Event], ...] = ()

    def progress(self, observation: Observation) -> str:
        """The size of the pond, and what wins."""
        terms = observation.terms
        return f"{terms.size}×{terms.size}, first to {terms.goal}"

    def deal(self, observation: Observation) -> int:
        """Always the same."""
        return 0

    def board(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond with coordinates on all sides, the last move, scores and spawns, and how near a draw is."""
        return [_grid(observation), *_last(table, observation), _standing(table, observation)]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond again, so that everything can be done from one message."""
        return self.board(table, observation)

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        """What can be moved."""
        if not observation.legal:
            return ()
        return (Choices("Place an egg, or move a piece", _movable(observation, table.version), verb=FROM),)

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
                return f"↳ {_developed(table, event)}"
            case Scored():
                return f"↳ {_scored(table, event)}"
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

        def button(square: str) -> Button:
            if square in targets:
                return Button(TO, square.translate(_WIDE), "success", str(targets[square]))
            style: Style = "primary" if square == chosen else "secondary"
            return Button(TO, marks.get(square, _EMPTY * 2).translate(_WIDE), style, square, disabled=True)

        rows = tuple(tuple(button(column + row) for column in COLUMNS[:size]) for row in ROWS[:size])
        back = (Button("hand", "Another piece"),)
        return Post((f"### Table {table.name}\nWhere does {what} go?\n{_LEGEND}",), rows=(*rows, back))

    def confirm(self, table: Table, observation: Observation, move: Move) -> Post:
        """What the move would develop, score and end, with a button to make it."""
        preview: Preview = _rulebook().preview(observation, move)
        lines = [_developed(table, event) for event in preview.developed]
        lines += [_scored(table, event) for event in preview.scored]
        if preview.outcome is not None:
            lines.append(f"{_end(table, preview.outcome)}: {self.game.reasons[preview.outcome.reason]}")
        what = self.name_move(table, observation, move)
        text = f"### Table {table.name} · {what}\n" + ("\n".join(lines) or "Nothing develops and nothing scores.")
        row = (Button("play", "Do it", "success", str(move)), Button(FROM, "Another square", argument=_chosen(move)))
        return Post((text,), rows=(row,))

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond square by square, for a screen reader."""
        on = {piece.square: f"{name_of(table, piece.owner)}'s {piece.stage}" for piece in observation.pieces}
        squares = (f"{square} {on.get(square, 'empty')}" for square in squares_of(observation.terms.size))
        return [", ".join(squares) + ".", *_last(table, observation), _standing(table, observation)]


def _developed(table: Table, event: Developed) -> str:
    return f"{name_of(table, event.owner)}'s {event.before} on {event.square} becomes a{_n(event.after)} {event.after}."


def _end(table: Table, outcome: Outcome) -> str:
    winners = [name_of(table, seat) for seat, place in enumerate(outcome.places) if place == 1]
    return f"The game ends, and {winners[0]} wins" if len(winners) == 1 else "The game ends in a draw"


def _n(word: str) -> str:
    return "n" if word[0] in "aeiou" else ""


def _scored(table: Table, event: Scored) -> str:
    return f"**{name_of(table, event.owner)} scores {len(event.squares)}**: {', '.join(event.squares)}."


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


def _movable(observation: Observation, version: int) -> tuple[Choice, ...]:
    """What can be moved; with the version in each value, as a menu that is offered again with the values it had
    would still show what was picked the last time.
    """
    chosen = dict.fromkeys(_chosen(move) for move in observation.legal)
    spawn = observation.spawns[observation.seat or 0]

    def choice(piece: str) -> Choice:
        value = f"{piece}@{version}"
        if piece == EGG:
            return Choice(value, "Place an egg", f"{spawn} left in your spawn")
        what = f"Move the {_stage_on(observation, piece)} on {piece}"
        return Choice(value, what, f"to {_landings(observation, piece)}")

    return tuple(choice(piece) for piece in sorted(chosen, key=lambda piece: (piece != EGG, piece)))


def _landings(observation: Observation, piece: str) -> str:
    return ", ".join(_landing(move) for move in observation.legal if _chosen(move) == piece)


def _marks(observation: Observation) -> dict[str, str]:
    """Each piece in two letters: whose, and what it is."""
    return {piece.square: _side(observation, piece.owner)[0] + piece.stage[0] for piece in observation.pieces}


def _grid(observation: Observation) -> str:
    """The pond, the square of the last move in brackets."""
    size = observation.terms.size
    marks = _marks(observation)
    last = _landing(observation.last) if observation.last else ""
    header = "   " + "   ".join(COLUMNS[:size])
    rows = [
        f"{row} "
        + "".join(_cell(marks.get(column + row, _EMPTY), is_last=column + row == last) for column in COLUMNS[:size])
        + row
        for row in ROWS[:size]
    ]
    return "```\n" + "\n".join((header, *rows, header)) + f"\n```\n{_LEGEND}{' · [ ] the last move' if last else ''}"


def _cell(mark: str, *, is_last: bool) -> str:
    return f"[{mark}]".ljust(4) if is_last else f" {mark:<3}"


def _last(table: Table, observation: Observation) -> Sequence[str]:
    """The last move in words; whose it was follows from whose turn it is."""
    match observation.last, observation.turn:
        case Place(square), int(turn):
            return (f"Last move: {name_of(table, 1 - turn)} placed an egg on {square}.",)
        case Shift(origin, landing), int(turn):
            return (f"Last move: {name_of(table, 1 - turn)} moved from {origin} to {landing}.",)
        case _:
            return ()


def _standing(table: Table, observation: Observation) -> str:
    goal = observation.terms.goal
    lines = [
        f"**{name_of(table, seat)}** ({_side(observation, seat)}): **{number(observation.scores[seat])}** of {goal} "
        f"points, {_eggs(observation.spawns[seat])} in the spawn"
        for seat in (0, 1)
    ]
    return "\n".join((*lines, *_near_a_draw(observation)))


def _eggs(count: int) -> str:
    return f"{count} egg{'' if count == 1 else 's'}"


def _near_a_draw(observation: Observation) -> Sequence[str]:
    """What may soon end the game without a winner, and nobody would see coming."""
    lines = []
    if observation.occurrences == 2 and observation.terms.repetition == "draw":
        lines.append("This position is here for the second time; the third time is a draw (PD-23).")
    if observation.quiet >= QUIET_PLIES - _WARNED_PLIES:
        left = QUIET_PLIES - observation.quiet
        lines.append(f"{left} more moves without a placing or a score are a draw (PD-24).")
    return lines


def _side(observation: Observation, seat: Seat) -> str:
    return _SIDES[seat != observation.light]
