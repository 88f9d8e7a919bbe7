"""What Pond · frogs says: boards, squares to choose from, and previews of moves."""

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
from bot.ui.posts.text import name_of, number, to_play

FROM: Final = "frogs-from"
"""The verb for choosing what to move: an egg from the spawn, or the piece on a square."""
TO: Final = "frogs-to"
"""The verb for choosing a target square, which shows a preview."""
EGG: Final = "egg"

_SIDES: Final = ("Light", "Dark")
_EMPTY: Final = "·"
_WIDE: Final = {ord(sign): ord(sign) + 0xFEE0 for sign in map(chr, range(0x21, 0x7F))} | {ord(_EMPTY): 0x30FB}
"""Full-width characters. Buttons are as wide as their labels, so these keep the squares in columns."""
_LEGEND: Final = "-# L Light · D Dark · e egg, t tadpole, f frog"
_WARNED_PLIES: Final = 20
"""Warn this many plies before a draw for lack of progress."""


class FrogsFace:
    """How Pond · frogs looks. All observations are equal, as nothing is hidden."""

    game = GAMES["frogs"]
    settlements: tuple[type[Event], ...] = ()

    def progress(self, observation: Observation) -> str:
        terms = observation.terms
        return f"{terms.size}×{terms.size}, first to {terms.goal}"

    def deal(self, observation: Observation) -> int:
        """Return 0: there is one hand per game."""
        return 0

    def prompt(self, table: Table, observation: Observation) -> str:
        return to_play(table, observation)

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        return [_grid(observation), *_last(table, observation)]

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        return [_standing(table, observation)]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        return self.standings(table, observation)

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        if not observation.legal:
            return ()
        return (Choices("Place an egg, or move a piece", _movable(observation, table.version), verb=FROM),)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        match move:
            case Place(square):
                return f"place an egg on {square}"
            case Shift(origin, landing):
                return f"{_stage_on(observation, origin)} {origin} to {landing}"
            case _:
                return str(move)

    def say(self, table: Table, event: Event) -> str | None:
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

    def settlement(self, _table: Table, _event: Event) -> str:
        return ""

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        return [_standing(table, observation)]

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return [*self.situation(table, observation), *self.standings(table, observation)]

    def squares(self, table: Table, observation: Observation, chosen: str) -> Post:
        """Return the pond as buttons. Only squares where the chosen piece may go can be pressed."""
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
        """Return what the move would develop, score and end, with a button to make it."""
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
        """Return the pond square by square, for screen readers."""
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
    """Return the pieces that can move, and the egg.

    Values contain the version: a menu with the same values as before would still show the last choice.
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
    """Return two letters for each piece: its side and its stage."""
    return {piece.square: _side(observation, piece.owner)[0] + piece.stage[0] for piece in observation.pieces}


def _grid(observation: Observation) -> str:
    """Return the pond as text, with the last move in brackets."""
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
    """Return the last move in words. The player was the one whose turn it isn't."""
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
    """Return warnings of draws that players may not see coming."""
    lines = []
    if observation.occurrences == 2 and observation.terms.repetition == "draw":
        lines.append("This position is here for the second time; the third time is a draw (PD-23).")
    if observation.quiet >= QUIET_PLIES - _WARNED_PLIES:
        left = QUIET_PLIES - observation.quiet
        lines.append(f"{left} more moves without a placing or a score are a draw (PD-24).")
    return lines


def _side(observation: Observation, seat: Seat) -> str:
    return _SIDES[seat != observation.light]
