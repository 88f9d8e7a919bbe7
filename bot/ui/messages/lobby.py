"""The lobby: the seats, the options, the commitment of the deal and the buttons to start."""

from collections.abc import Set as AbstractSet
from typing import Final

from bot.games.game import AnyGame
from bot.tables import Table
from bot.texts import gettext as _
from bot.ui.messages.absence_notice import CLOCK_NAMES, closing
from bot.ui.messages.results import ended_buttons
from bot.ui.posts.post import Button, Post, Style
from bot.ui.posts.text import name_of

_THREAD: Final = "-# Several games are running here. A thread keeps boards apart."


def lobby(table: Table, game: AnyGame, by_button: AbstractSet[int], *, is_crowded: bool = False) -> Post:
    """Return the lobby, or what remains of a closed one.

    ``by_button`` are the users with closed direct messages. ``is_crowded`` proposes a thread.
    """
    heading = f"### Table {table.name} · {game.title}\n{_state(table, game.title)}"
    seats = _seats(table, game, by_button)
    if not table.is_open:
        return Post((heading, seats, _options(table)), rows=_last_buttons(table))
    proposal = _THREAD if is_crowded else ""
    return Post(
        (heading, seats, _options(table), proposal, _fair_deal(table) if game.has_hands else ""),
        rows=_buttons(table, game),
    )


def options_line(table: Table) -> str:
    """Return the table's options as a line."""
    return " · ".join(f"{key} {value}" for key, value in table.options.items())


def _state(table: Table, title: str) -> str:
    if not table.is_open:
        return closing(table, title)
    if table.is_full:
        return "Everybody is here: anyone seated may press **Start**."
    free = table.seats - len(table.sitters)
    return f"{free} free seat{'s' if free > 1 else ''}: press **Join**, or let a computer sit down."


def _seats(table: Table, game: AnyGame, by_button: AbstractSet[int]) -> str:
    sides = game.sides(table.options)
    partners = len(set(sides)) < len(sides)
    lines = []
    for seat in range(table.seats):
        sitter = next((sitter for sitter in table.sitters if sitter.seat == seat), None)
        name = "*free*" if sitter is None else f"**{name_of(table, seat)}**"
        notes = [f"team {'AB'[sides[seat]]}"] if partners and len(set(sides)) == 2 else []
        if sitter is not None and sitter.user_id == table.host_id:
            notes.append("host")
        if sitter is not None and sitter.user_id in by_button:
            notes.append(_("hand by button") if game.has_hands else _("no direct messages"))
        if sitter is not None and sitter.cut:
            notes.append("has cut")
        lines.append(f"{seat + 1}. {name}" + (f" ({', '.join(notes)})" if notes else ""))
    return "\n".join(lines)


def _options(table: Table) -> str:
    return f"Options: {options_line(table)} · {CLOCK_NAMES[table.clock]}"


def _fair_deal(table: Table) -> str:
    return (
        f"-# Fair deal: all chance is fixed by a secret seed. Its SHA-256 is `{table.commitment}`; "
        "the seed is shown at the end. Press **Cut** to mix in a text of your own."
    )


def _last_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a closed table; none if it was closed before the start."""
    if not table.has_ended:
        return ()
    has_players = any(sitter.user_id is not None or sitter.held_for is not None for sitter in table.sitters)
    return (ended_buttons() if has_players else ended_buttons()[1:],)


def _buttons(table: Table, game: AnyGame) -> tuple[tuple[Button, ...], ...]:
    join: Style
    start: Style
    join, start = ("secondary", "success") if table.is_full else ("success", "secondary")
    seats = (
        Button("join", "Join", join),
        Button("leave", "Leave"),
        Button("computer", "Add computer"),
        Button("start", "Start", start),
    )
    last = Button("cut", "Cut") if game.has_hands else Button("more", "More")
    others = (Button("rules", "Rules"), Button("options", "Options"), last)
    return seats, (*others, Button("remove", "Remove")) if len(table.sitters) > 1 else others
