"""The lobby: the seats, the options, the levels of computers, the commitment of the deal and the buttons to start."""

from collections.abc import Iterator, Mapping, Set as AbstractSet
from typing import Any, Final

import discord
from msgspec.structs import replace

from bot.computer import offered
from bot.errors import InvalidOption, Text
from bot.games.game import AnyGame, Value
from bot.records.preference import Server
from bot.records.table import DEFAULT_CLOCK, DEFAULT_LEVEL, LEVELS, Sitter, Table
from bot.tables.absence.deadlines import CLOCKS
from bot.tables.defaults import possible
from bot.tables.hosting import learners
from bot.tables.seating import keeps_seats, larger, teams
from bot.texts import gettext as _, languages, ngettext
from bot.ui.messages.absence_notice import closing
from bot.ui.messages.duration import about as about_game
from bot.ui.messages.hint_texts import hint_names
from bot.ui.messages.lesson_pages import learn_button
from bot.ui.messages.result_texts import ended_buttons
from bot.ui.posts.face import Face
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Choice, Choices, Post, row_of
from bot.ui.posts.text import table_title, title_of

ADD: Final = "add"
ALL: Final = "all"
"""The effect of a choice in the menu: add a computer of its level, or change all that are here."""


def level_names() -> Mapping[str, str]:
    """Return the levels in words."""
    return {"easy": _("easy"), "fair": _("fair"), "strong": _("strong")}


def clock_names() -> Mapping[str, str]:
    """Return the name of each clock."""
    return {
        "none": _("No clock"),
        "live": _("90 seconds a move"),
        "day": _("1 day a move"),
        "three-days": _("3 days a move"),
    }


def has_levels(game_key: str) -> bool:
    """Whether players can choose how computers play the game."""
    return len(offered(game_key)) > 1


_MENU: Final = {
    "easy": (Text("Add an easy computer"), Text("All computers: easy"), Text("Makes the mistakes of beginners")),
    "fair": (Text("Add a fair computer"), Text("All computers: fair"), Text("Plays by rules of thumb")),
    "strong": (Text("Add a strong computer"), Text("All computers: strong"), Text("Thinks ahead")),
}
"""For each level, the choices to add a computer and to change all, and their description."""


def level_menu(table: Table) -> tuple[Choices, ...]:
    """Return the menu of a lobby with computers: how they play, and adding one of another level."""
    computers = {sitter.level for sitter in table.sitters if sitter.is_computer}
    if not has_levels(table.game) or not computers:
        return ()
    menu = [(level, *map(_, _MENU[level])) for level in offered(table.game)]
    adding = [Choice(f"{ADD}.{level}", add, about) for level, add, _all, about in menu if not table.is_full]
    changing = [
        Choice(f"{ALL}.{level}", all_of_it, about, {level} == computers) for level, _add, all_of_it, about in menu
    ]
    return (Choices(_("Change the computers…"), (*changing, *adding), verb="level"),)


ALL_SEATS: Final = "all"
"""The argument of the button that fills the table with computers."""
_MAX_LEARNERS: Final = 50
"""Characters of a line that names players who are new to the game; of more, it gives the number."""


def lobby(  # noqa: PLR0913 - what lobbies depend on
    table: Table,
    face: Face[Any],
    by_button: AbstractSet[int],
    *,
    is_crowded: bool,
    lead: str = "",
    has_learners: bool = True,
) -> Post:
    """Return the lobby, or what remains of a closed one.

    ``by_button`` are the users with closed direct messages. ``is_crowded`` proposes a thread.
    ``lead`` says who has won more games before this rematch. ``has_learners`` offers the lesson.
    """
    game = face.game
    heading = f"### {table_title(table, game)}"
    seats, options = _seats(table, game, by_button), options_line(table, face)
    if not table.is_open:
        rows = (ended_buttons(table),) if table.has_ended else ()
        return Post((f"{heading}\n{closing(table, title_of(game))}", seats, options), rows=rows)
    lines, news = [options], list(_news(table))
    about = ""
    # a phone has no room for all of this
    if is_crowded and len(news) <= 1:
        lines.append("-# " + _("Several games are running here. A thread keeps their boards apart: see **More**."))
    elif len(news) <= 1:
        people = table.seats - sum(sitter.is_computer for sitter in table.sitters)
        about = f"\n-# {lead or about_game(face, table.options, people)}"
        if game.has_hands:
            lines.append("-# " + _("🔒 You can check the shuffle"))
    needed = "\n".join(filter(None, (_needed(table, game), seats, _invited(table))))
    lines += news
    parts = (f"{heading}{about}", needed, "\n".join(filter(None, lines)))
    return Post(
        parts, (*level_menu(table), *_proposals(table, face)), (_buttons(table, face, has_learners=has_learners),)
    )


def _proposals(table: Table, face: Face[Any]) -> tuple[Choices, ...]:
    """Return menus of the options that people choose most: how long the game is to be."""
    texts = face.option_texts()
    menus = ((key, option_choices(table, face, key, texts[key].values)) for key in face.lobby_menus)
    return tuple(
        Choices(texts[key].label, choices, verb="propose", argument=key) for key, choices in menus if len(choices) > 1
    )


def option_choices(table: Table, face: Face[Any], key: str, names: Mapping[Any, str]) -> tuple[Choice, ...]:
    """Return the values that the host can choose for an option, under their names, each with what changes with it."""
    found = possible(face.game, table.options, key)
    return tuple(
        Choice(str(value), names[value], _along(face, table.options, after, key), value == table.options[key])
        for value, after in found.items()
    )


def _along(face: Face[Any], before: Mapping[str, Value], after: Mapping[str, Value], key: str) -> str:
    """Return the other options that change with a choice, in words."""
    texts, depending = face.option_texts(), face.depending(after)
    changed = [other for other in after if other != key and after[other] != before[other]]
    words = [depending.get(each, texts[each].values[after[each]]) for each in changed if face.game.applies(each, after)]
    return _("Also: {options}", options=" · ".join(filter(None, words))) if any(words) else ""


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


def full_post(face: Face[Any], link: str) -> Post:
    """Return the host's ping when the last seat goes. ``link`` is the table's name with a link to its lobby."""
    said = _("Everyone's here: {table} · {game}", table=link, game=title_of(face.game))
    return Post((said,), rows=((Button("start", _("Start"), "success"),),))


def options_line(table: Table, face: Face[Any]) -> str:
    """Return the options that differ from the default, in words; empty if none does."""
    hints = hint_names()[table.hints] if table.hints != "auto" else ""
    return " · ".join(filter(None, (options_in_words(face, face.game.chosen(table.options), table.clock), hints)))


def options_in_words(face: Face[Any], options: Mapping[str, Value], clock: str, level: str = DEFAULT_LEVEL) -> str:
    """Return options, a clock and a level in words. Values that the game doesn't have any more are left out."""
    texts, depending = face.option_texts(), face.depending(options)
    chosen = [depending.get(key, texts[key].values.get(value, "")) for key, value in options.items() if key in texts]
    if clock != DEFAULT_CLOCK:
        chosen.append(clock_names().get(clock, ""))
    if level != DEFAULT_LEVEL:
        chosen.append(_("Computers: {level}", level=level_names().get(level, level)))
    return " · ".join(filter(None, chosen))


def _news(table: Table) -> Iterator[str]:
    """Yield what has changed without the host, in small print: the number of seats, and hints for learners."""
    if table.has_grown:
        yield "-# " + _("Somebody joined a full table, so it's for {n} now.", n=table.seats)
    ordinals = {1: _("first game"), 2: _("second game")}
    people = [each for each in table.sitters if each.user_id in learners(table)]
    if people and len([each for each in table.sitters if not each.is_computer]) > 1:
        names = ", ".join(f"{name_of(table, each.seat)} ({ordinals[each.nth_game]})" for each in people)
        hints = _("💡 Hints for {names}", names=names)
        many = ngettext("💡 Hints for {n} new player", "💡 Hints for {n} new players", len(people))
        yield "-# " + (hints if len(hints) <= _MAX_LEARNERS else many)


def _needed(table: Table, game: AnyGame) -> str:
    free = table.seats - len(table.sitters)
    if not free and not table.invited_only and (grown := larger(table, game)):
        return _("Everyone's here: press **Start**. For a game of {n}, others can **Join**.", n=grown.seats)
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
    sides = teams(table, game)
    lines = []
    for seat in range(table.seats):
        sitter = table.sitter_at(seat)
        name = _("*free*") if sitter is None else f"**{name_of(table, seat)}**"
        notes = [_("team {letter}", letter="AB"[sides[seat]])] if sides else []
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


def _buttons(table: Table, face: Face[Any], *, has_learners: bool) -> tuple[Button, ...]:
    """Return what most players press. All else is behind **More**: `bot.ui.actions.more_page`."""
    game, has_room = face.game, not table.is_full and table.place.guild_id is not None
    return row_of(
        (
            has_room or larger(table, game) is not None,
            Button("join", _("Join"), "success" if has_room else "secondary"),
        ),
        (not table.is_full, Button("computer", _("Add computer"))),
        (True, _start(table, game)),
        (face.lesson is not None and has_learners, learn_button(game.key)),
        (True, Button("more", _("More"))),
    )


def _start(table: Table, game: AnyGame) -> Button:
    """Return the button to start, with the players who are here if the game can be played by so many."""
    here = len(table.sitters)
    if not table.is_full and _is_for(game, table.options, here):
        return Button("start-here", ngettext("Start with {n}", "Start with the {n} here", here))
    return Button("start", _("Start"), "success" if table.is_full else "secondary")


def _is_for(game: AnyGame, options: Mapping[str, Value], players: int) -> bool:
    """Whether the game can be played by so many with all that was chosen."""
    try:
        game.settle({**game.chosen(options), "players": players})
    except InvalidOption:
        return False
    return True


def in_force(server: Server, guild: discord.Guild | None) -> Server:
    """Return the settings without deleted channels and roles, and without values that the program doesn't have.

    Nothing counts as deleted while Discord doesn't say what the server has.
    """
    if guild is not None and not guild.unavailable:
        server = replace(
            server,
            channels=tuple([each for each in server.channels if guild.get_channel_or_thread(each)]),
            role_id=_existing_role(guild, server.role_id),
            looking_role_id=_existing_role(guild, server.looking_role_id),
            daily_channel_id=_existing_channel(guild, server.daily_channel_id),
            recap_channel_id=_existing_channel(guild, server.recap_channel_id),
        )
    return replace(
        server,
        clock=server.clock if server.clock in CLOCKS else DEFAULT_CLOCK,
        level=server.level if server.level in LEVELS else DEFAULT_LEVEL,
        language=server.language if server.language in languages() else None,
    )


def _existing_channel(guild: discord.Guild, channel_id: int | None) -> int | None:
    return channel_id if channel_id and guild.get_channel_or_thread(channel_id) else None


def _existing_role(guild: discord.Guild, role_id: int | None) -> int | None:
    return role_id if role_id and guild.get_role(role_id) else None
