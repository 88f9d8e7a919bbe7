"""The lobby: the seats, the options, the commitment of the deal and the buttons to start."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from bot.games.game import AnyGame, Value
from bot.tables import Sitter, Table
from bot.tables.seating import keeps_seats
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.ui.messages.absence_notice import clock_names, closing
from bot.ui.messages.hint_texts import hint_names
from bot.ui.messages.levels import has_levels, level_menu, level_names
from bot.ui.messages.results import ended_buttons
from bot.ui.posts.face import Face
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import proof, table_title, title_of

ALL_SEATS: Final = "all"
"""The argument of the button that fills the table with computers."""
CALL_PAUSE_S: Final = 60 * 60.0
"""Lobbies mention a server's role for finding players only once in this time. `call_post` says "once an hour"."""


def lobby(table: Table, face: Face[Any], by_button: AbstractSet[int], *, is_crowded: bool) -> Post:
    """Return the lobby, or what remains of a closed one.

    ``by_button`` are the users with closed direct messages. ``is_crowded`` proposes a thread.
    """
    game = face.game
    heading = f"### {table_title(table, game)}"
    seats, options = _seats(table, game, by_button), options_line(table, face)
    if not table.is_open:
        below = (options, proof(table) if table.has_ended else "")
        return Post((f"{heading}\n{closing(table, title_of(game))}", seats, *below), rows=_last_buttons(table))
    lines = [options]
    about = ""
    if is_crowded:  # a phone has no room for more
        lines.append("-# " + _("Several games are running here. A thread keeps their boards apart."))
    else:
        about = f"\n-# {face.pitch()}"
        if game.has_hands:
            lines.append("-# " + _("🔒 You can check the shuffle"))
    needed = "\n".join(filter(None, (_needed(table), seats, _invited(table))))
    parts = (f"{heading}{about}", needed, "\n".join(filter(None, lines)))
    return Post(parts, level_menu(table), _buttons(table, game, is_crowded=is_crowded))


def call_post(table: Table, face: Face[Any], link: str, role_id: int | None, *, is_quiet: bool) -> Post:
    """Return the message that looks for players. ``link`` is the table's name with a link to its lobby.

    A quiet one doesn't mention the role, as another lobby has just done so.
    """
    text = ngettext(
        "Looking for {n} more player for **{game}** · {table}",
        "Looking for {n} more players for **{game}** · {table}",
        table.seats - len(table.sitters),
        game=title_of(face.game),
        table=link,
    )
    mention = f"<@&{role_id}> " if role_id and not is_quiet else ""
    quiet = "-# " + _("I only notify {role} once an hour.", role=f"<@&{role_id}>") if role_id and is_quiet else ""
    return Post((f"{mention}{text}", quiet), rows=((Button("join", _("Join"), "success"),),))


def options_line(table: Table, face: Face[Any]) -> str:
    """Return the options that differ from the default, in words; empty if none does."""
    hints = hint_names()[table.hints] if table.hints != "auto" else ""
    return " · ".join(filter(None, (options_in_words(face, face.game.chosen(table.options), table.clock), hints)))


def options_in_words(face: Face[Any], options: Mapping[str, Value], clock: str, level: str = "fair") -> str:
    """Return options, a clock and a level in words. Values that the game doesn't have any more are left out."""
    texts = face.option_texts()
    chosen = [texts[key].values.get(value, "") for key, value in options.items() if key in texts]
    if clock != "none":
        chosen.append(clock_names().get(clock, ""))
    if level != "fair":
        chosen.append(_("Computers: {level}", level=level_names().get(level, level)))
    return " · ".join(filter(None, chosen))


def _needed(table: Table) -> str:
    free = table.seats - len(table.sitters)
    if not free:
        return _("Everyone's here. Any player can press **Start**.")
    if table.place.guild_id is None:
        return ngettext(
            "One seat left. Nobody else can join here, so add a computer.",
            "{n} seats left. Nobody else can join here, so add computers.",
            free,
        )
    if table.invited_only:
        return ngettext(
            "One seat left. Invited players can press **Join**.",
            "{n} seats left. Invited players can press **Join**.",
            free,
        )
    if keeps_seats(table):
        return ngettext(
            "One seat left, kept for a player of the last game. Press **Join**, or add a computer.",
            "{n} seats left, kept for the players of the last game. Press **Join**, or add a computer.",
            free,
        )
    return ngettext(
        "One seat left. Press **Join**, or add a computer.",
        "{n} seats left. Press **Join**, or add a computer.",
        free,
    )


def _invited(table: Table) -> str:
    """Return the only users who can join, if the host has chosen them and a seat is free."""
    people = [f"<@{user}>" for user in table.invited]
    return _("Invited: {people}", people=", ".join(people)) if people and not table.is_full else ""


def _seats(table: Table, game: AnyGame, by_button: AbstractSet[int]) -> str:
    sides = game.sides(table.options)
    has_teams = len(set(sides)) == 2 < len(sides)
    lines = []
    for seat in range(table.seats):
        sitter = table.sitter_at(seat)
        name = _("*free*") if sitter is None else f"**{name_of(table, seat)}**"
        notes = [_("team {letter}", letter="AB"[sides[seat]])] if has_teams else []
        if sitter is not None:
            notes += _notes(table, game, sitter, is_by_button=sitter.user_id in by_button)
        lines.append(f"{seat + 1}. {name}" + (f" ({', '.join(notes)})" if notes else ""))
    return "\n".join(lines)


def _notes(table: Table, game: AnyGame, sitter: Sitter, *, is_by_button: bool) -> Iterator[str]:
    """Yield remarks about a player for the others."""
    if sitter.user_id == table.host_id:
        yield _("host")
    if sitter.is_computer and has_levels(table.game):
        yield level_names()[sitter.level]
    if is_by_button:
        yield _("hand by button") if game.has_hands else _("no direct messages")
    if sitter.cut:
        yield _("has cut")


def _last_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a closed table; none if it was closed before the start."""
    if not table.has_ended:
        return ()
    has_players = any(sitter.user_id is not None or sitter.held_for is not None for sitter in table.sitters)
    return (ended_buttons(rematch=has_players),)


def _buttons(table: Table, game: AnyGame, *, is_crowded: bool) -> tuple[tuple[Button, ...], ...]:
    seats = [Button("leave", _("Leave"))]
    if not table.is_full:
        seats.append(Button("computer", _("Add computer")))
        if table.place.guild_id is not None:
            seats.insert(0, Button("join", _("Join"), "success"))
    if table.seats - len(table.sitters) > 1:
        seats.append(Button("computer", _("Fill with computers"), argument=ALL_SEATS))
    seats.append(_start(table, game))
    others = [Button("rules", _("Rules")), Button("options", _("Options"))]
    others.append(Button("fair", _("🔒 Shuffle")) if game.has_hands else Button("more", _("More")))
    if table.looked_at is None and not (table.is_full or table.invited_only or table.place.guild_id is None):
        others.append(Button("look", _("Find players")))
    if is_crowded:
        others.append(Button("thread", _("Open in a thread")))
    return tuple(seats), tuple(others)


def _start(table: Table, game: AnyGame) -> Button:
    """Return the button to start, with the players who are here if the game can be played by so many."""
    here = len(table.sitters)
    if not table.is_full and any(option.key == "players" and here in option.choices for option in game.options):
        return Button("start-here", ngettext("Start with {n}", "Start with the {n} here", here))
    return Button("start", _("Start"), "success" if table.is_full else "secondary")
