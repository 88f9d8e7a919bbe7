"""The face of Pond · frogs: its options, moves and events, and the previews of moves."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.errors import Text
from bot.games import GAMES
from bot.games.frogs.moves import Began, Developed, Moved, Place, Placed, Scored, Shift, Stage, landing_of
from bot.games.frogs.position import Piece
from bot.games.frogs.rulebook import QUIET_PLIES, Frogs, Preview
from bot.games.frogs.state import Observation
from bot.games.game import Event, Move, Outcome, Value
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import name_of, with_short_names
from bot.ui.posts.pictures import with_move
from bot.ui.posts.post import Button, Choice, Choices, Post, Style
from bot.ui.posts.text import signed
from cogs.frogs import board as frogs_board, picture
from cogs.frogs.board import FROM, Grid, emoji_of, grid, in_words, just_developed, piece_button, signs, water
from cogs.frogs.decided import decided
from cogs.frogs.hint_words import HINT_WORDS
from cogs.frogs.lesson import LESSON, PUZZLES
from cogs.frogs.scores import (
    facts,
    final,
    own_score,
    points_for,
    points_of,
    scored,
    scored_by_both,
    turn_in_words,
    why,
    why_over,
)

TO: Final = "frogs-to"
"""The verb for choosing a move, which shows a preview."""

_WARNED_PLIES: Final = 20
"""Warn this many plies before a draw for lack of progress."""


class FrogsFace(Face[Observation]):
    """The face of Pond · frogs. All observations are equal, as nothing is hidden."""

    game = GAMES["frogs"]
    main_options = ("preset",)
    lobby_menus = ("preset",)
    drawings = picture.DRAWINGS
    lesson = LESSON
    hint_words = HINT_WORDS
    dear = 0.75
    record = Text("")
    close = 1
    puzzles = PUZZLES
    continuations: tuple[type[Event], ...] = (Developed, Scored)

    prompt = staticmethod(frogs_board.prompt)
    prompt_in_words = staticmethod(frogs_board.prompt_in_words)
    why = staticmethod(why)
    decided = staticmethod(decided)

    def pitch(self) -> str:
        return _("Grow frogs on a board, line up three.")

    def players(self) -> str:
        return _("2 players")

    def decisions(self, options: Mapping[str, Value]) -> float:
        return 11 if options["preset"] == "standard" else 15

    def option_texts(self) -> Mapping[str, OptionText]:
        ponds: Mapping[Value, str] = {
            "standard": _("Small pond, to 7 points"),
            "big": _("Big pond, to 10 points"),
            "small13": _("Small pond, 13 eggs, to 10"),
            "small14": _("Small pond, 14 eggs, to 10"),
        }
        repetition: Mapping[Value, str] = {
            "draw": _("Same position 3 times: a draw"),
            "off": _("Same position 3 times: play on"),
        }
        first: Mapping[Value, str] = {
            "drawn": _("First player: drawn"),
            "0": _("Seat 1 begins (unrated)"),
            "1": _("Seat 2 begins (unrated)"),
        }
        return {
            "preset": OptionText(_("Pond"), ponds),
            "repetition": OptionText(_("Repetition"), repetition),
            "first": OptionText(_("First player"), first),
        }

    # ---- the board

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        legend = _(
            "-# {egg} egg · {tadpole} tadpole · {frog} frog",
            egg=signs(Stage.EGG),
            tadpole=signs(Stage.TADPOLE),
            frog=signs(Stage.FROG),
        )
        below = _near_a_draw(observation) or [legend]
        return [points_of(table, observation), *below, *_unrated(table, observation)]

    def beside_picture(self, table: Table, observation: Observation) -> Sequence[str]:
        return [*_near_a_draw(observation), *_unrated(table, observation)]

    def tip(self, observation: Observation) -> int | None:
        if not observation.legal or len(observation.positions) > 2:
            return None
        placed = observation.setup.eggs - observation.spawns[observation.seat or 0]
        if placed in {3, 4} and _may_join_frogs(observation):
            return 2
        if placed in {4, 5} and self._may_serve_rival(observation):
            return 4
        is_either = len({type(move) for move in observation.legal}) > 1
        return {0: 3, 1: 0, 2: 1, 5: 5 if is_either else None}.get(placed)

    def _may_serve_rival(self, observation: Observation) -> bool:
        """Whether a move would finish a set that is mostly the rival's."""
        for move in observation.legal:
            gains = {event.owner: len(event.squares) for event in self.preview(observation, move).scored}
            own = gains.pop(observation.seat or 0, 0)
            if sum(gains.values()) > own:
                return True
        return False

    def controls(self, table: Table, observation: Observation) -> Grid:
        """Return the pond. A tap on an empty square previews an egg there, a tap on a piece shows its squares."""
        legal = frogs_board.legal_moves(observation)
        landing = landing_of(observation.last)
        origins = {move.origin for move in legal if isinstance(move, Shift)}

        def button(square: str, piece: Piece | None) -> Button:
            if piece is None and observation.outcome is not None:
                return water(square)
            if piece is None:
                egg = Place(square)
                return Button(TO, square, argument=str(egg), disabled=egg not in legal)
            style: Style = "primary" if square in origins else "success" if square == landing else "secondary"
            return piece_button(observation, piece, style, disabled=square not in origins)

        return grid(observation, button)

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        def menu(prompt: str, kind: type[Move]) -> tuple[Choices, ...]:
            options = tuple(self._option(table, observation, m) for m in observation.legal if isinstance(m, kind))
            return (Choices(prompt, options),) if options else ()

        return (*menu(_("Place an egg"), Place), *menu(_("Move a piece"), Shift))

    def _option(self, table: Table, observation: Observation, move: Move) -> Choice:
        table = with_short_names(table)
        preview = self.preview(observation, move)
        parts = [_end(observation, preview.outcome)] if preview.outcome else []
        for event in preview.scored:
            points = signed(len(event.squares))
            is_mine = event.owner == observation.seat
            parts.append(
                _("{points} for you", points=points) if is_mine else points_for(table, event.owner, len(event.squares))
            )
        if squares := [event.square for event in preview.developed]:
            parts.append(ngettext("{squares} develops", "{squares} develop", len(squares), squares=listed(squares)))
        stage = _stage_on(observation, move.origin) if isinstance(move, Shift) else None
        emoji = emoji_of(observation, observation.turn or 0, stage or Stage.EGG)
        return Choice(str(move), _label(observation, move), " · ".join(parts), emoji=emoji)

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the pond square by square, for screen-reader users."""
        last = "\n".join(self.say_turn(table, observation, observation.effects))
        return [in_words(table, observation), last, points_of(table, observation), *_near_a_draw(observation)]

    # ---- what happened

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        return _label(observation, move)

    def name_in_hint(self, table: Table, observation: Observation, move: Move) -> tuple[str, str]:
        match move:
            case Place(square):
                return _("egg on {square}", square=square), ""
            case Shift(origin, landing) if _stage_on(observation, origin) is Stage.TADPOLE:
                return _("tadpole {origin} → {landing}", origin=origin, landing=landing), ""
            case Shift(origin, landing):
                return _("frog {origin} → {landing}", origin=origin, landing=landing), ""
            case _:
                return self.name_move(table, observation, move), ""

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case Began(seat):
                return _("**{name}** begins.", name=name_of(table, seat))
            case Placed(seat, square):
                return _("**{name}** places an egg on {square}.", name=name_of(table, seat), square=square)
            case Moved(seat, origin, landing, Stage.TADPOLE):
                name = name_of(table, seat)
                return _("**{name}** moves a tadpole {origin} → {landing}.", name=name, origin=origin, landing=landing)
            case Moved(seat, origin, landing):
                name = name_of(table, seat)
                return _("**{name}** moves a frog {origin} → {landing}.", name=name, origin=origin, landing=landing)
            case Scored():
                return scored(table, event)
            case _:
                return None

    def say_turn(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return a move, what it developed and what it scored: a line each."""
        move = self.say(table, events[0]) if events and isinstance(events[0], Placed | Moved) else None
        if move is None:
            return ()
        developed = [event for event in events if isinstance(event, Developed)]
        gains = [event for event in events if isinstance(event, Scored)]
        return tuple(filter(None, (move, just_developed(observation, developed), scored_by_both(table, gains))))

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        turns = [turn_in_words(table, gain) for gain in reversed(observation.gains)]
        heading = [_("**Turns that scored**, latest first:")] if turns else []
        return [points_of(table, observation), "\n".join((*heading, *turns))]

    def ended_by(self, table: Table, observation: Observation) -> str:
        outcome = observation.outcome
        return "" if outcome is None else why_over(table, outcome, observation.setup.goal)

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return [
            final(table, observation),
            "\n".join(facts(table, observation, is_decided=bool(decided(table, observation)))),
        ]

    # ---- choosing a move

    def squares(self, table: Table, observation: Observation, origin: str) -> Post:
        """Return the pond with the squares where the piece can go."""
        piece = next(piece for piece in observation.pieces if piece.square == origin)
        moves = {move.landing: move for move in observation.legal if isinstance(move, Shift) and move.origin == origin}

        def button(square: str, piece: Piece | None) -> Button:
            if square in moves:
                return Button(TO, square, "success", str(moves[square]))
            if piece is None:
                return water(square)
            return piece_button(observation, piece, "primary" if square == origin else "secondary", disabled=True)

        back = (Button("hand", _("Back")),)
        return Post((_where_to(piece),), rows=(back,), grid=grid(observation, button))

    def second_press(self, table: Table, observation: Observation, first: str) -> Post | None:
        is_movable = any(isinstance(move, Shift) and move.origin == first for move in observation.legal)
        return self.squares(table, observation, first) if is_movable else None

    def confirm(self, table: Table, observation: Observation, move: Move) -> Post:
        """Return the preview of a move: what develops, scores and ends, with a button to make it."""
        preview = self.preview(observation, move)
        seat = observation.seat
        lines = [
            _own_developed(event) if event.owner == seat else _developed(table, event) for event in preview.developed
        ]
        lines += [own_score(event) if event.owner == seat else scored(table, event) for event in preview.scored]
        if preview.outcome is not None:
            reason = preview.outcome.reason
            said = why_over(table, preview.outcome, observation.setup.goal) or _(self.game.reasons[reason])
            lines.append(f"**{_end(observation, preview.outcome)}** {said}")
        label = _label(observation, move)
        text = f"**{_question(observation, move)}**\n" + (
            "\n".join(lines) or _("Nothing develops, and nothing scores.")
        )
        back = Button(FROM, _("Back"), argument=move.origin) if isinstance(move, Shift) else Button("hand", _("Back"))
        post = Post((text,), rows=((Button("play", label, "success", str(move)), back),))
        return with_move(post, picture.draw, table, observation, preview)

    def preview(self, observation: Observation, move: Move) -> Preview:
        """Return a move of the side to move with its effects."""
        assert isinstance(self.game, Frogs)  # noqa: S101 - the registry says so
        return self.game.preview(observation, move)


def _may_join_frogs(observation: Observation) -> bool:
    """Whether an egg may be put between two frogs."""
    frogs = {piece.square for piece in observation.pieces if piece.stage is Stage.FROG}
    for move in observation.legal:
        if isinstance(move, Place):
            column, row = ord(move.square[0]), int(move.square[1])
            beside = {f"{chr(column - 1)}{row}", f"{chr(column + 1)}{row}"}
            above = {f"{chr(column)}{row - 1}", f"{chr(column)}{row + 1}"}
            if beside <= frogs or above <= frogs:
                return True
    return False


def _end(observation: Observation, outcome: Outcome) -> str:
    """Return the meaning of an end for the player who moves."""
    if len(set(outcome.places)) == 1:
        return _("This is a draw.")
    wins = outcome.places[observation.turn or 0] == 1
    return _("This wins the game.") if wins else _("This loses the game.")


def _label(observation: Observation, move: Move) -> str:
    """Return the move as its button says it: ``Place egg on b1``, ``Move tadpole a2 → a3``."""
    match move:
        case Place(square):
            return _("Place egg on {square}", square=square)
        case Shift(origin, landing) if _stage_on(observation, origin) is Stage.TADPOLE:
            return _("Move tadpole {origin} → {landing}", origin=origin, landing=landing)
        case Shift(origin, landing):
            return _("Move frog {origin} → {landing}", origin=origin, landing=landing)
        case _:
            return str(move)


def _question(observation: Observation, move: Move) -> str:
    """Return the question above a preview: ``Place an egg on b1?``."""
    match move:
        case Place(square):
            return _("Place an egg on {square}?", square=square)
        case Shift(origin, landing) if _stage_on(observation, origin) is Stage.TADPOLE:
            return _("Move the tadpole {origin} → {landing}?", origin=origin, landing=landing)
        case Shift(origin, landing):
            return _("Move the frog {origin} → {landing}?", origin=origin, landing=landing)
        case _:
            return f"{move}?"


def _stage_on(observation: Observation, square: str) -> Stage | None:
    return next((piece.stage for piece in observation.pieces if piece.square == square), None)


def _developed(table: Table, event: Developed) -> str:
    name, square = name_of(table, event.owner), event.square
    match event.before:
        case Stage.EGG:
            return _("{name}'s egg on {square} becomes a tadpole.", name=name, square=square)
        case Stage.TADPOLE:
            return _("{name}'s tadpole on {square} becomes a frog.", name=name, square=square)
        case _:
            return _("{name}'s frog on {square} becomes an egg.", name=name, square=square)


def _own_developed(event: Developed) -> str:
    """Return the same for the player's own piece."""
    match event.before:
        case Stage.EGG:
            return _("Your egg on {square} becomes a tadpole.", square=event.square)
        case Stage.TADPOLE:
            return _("Your tadpole on {square} becomes a frog.", square=event.square)
        case _:
            return _("Your frog on {square} becomes an egg.", square=event.square)


def _unrated(table: Table, observation: Observation) -> Sequence[str]:
    """Return who began if that was chosen, and what it means; nothing where it was drawn."""
    if observation.setup.first == "drawn":
        return ()
    begun = name_of(table, int(observation.setup.first))
    return (f"-# {_('{name} was chosen to begin, so this game is unrated.', name=begun)}",)


def _near_a_draw(observation: Observation) -> Sequence[str]:
    """Return warnings of draws that players may not see coming; none after the end."""
    lines: list[str] = []
    if observation.outcome is not None:
        return lines
    if observation.occurrences == 2 and observation.setup.repetition == "draw":
        lines.append(_("This position has come up twice. The third time is a draw."))
    if observation.quiet >= QUIET_PLIES - _WARNED_PLIES:
        left = QUIET_PLIES - observation.quiet
        lines.append(
            ngettext(
                "{n} more move without a new egg or a point is a draw.",
                "{n} more moves without a new egg or a point are a draw.",
                left,
            )
        )
    return lines


FACE: Final = FrogsFace()


def _where_to(piece: Piece) -> str:
    if piece.stage is Stage.TADPOLE:
        return _(
            "**Tadpole on {square}**: tap the square where it goes.\n-# Tadpoles move one square.", square=piece.square
        )
    return _(
        "**Frog on {square}**: tap the square where it goes.\n"
        "-# Frogs move one or two squares in a line, and hop over anything.",
        square=piece.square,
    )
