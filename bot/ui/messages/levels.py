"""The levels of computers in words: the menu of a lobby, and a line on boards."""

from collections.abc import Mapping
from typing import Final

from bot.computer import offered
from bot.errors import Text
from bot.pictures.picture import COMPUTER
from bot.tables import Table
from bot.texts import gettext as _
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import plain

ADD: Final = "add"
ALL: Final = "all"
"""The effect of a choice in the menu: add a computer of its level, or change all that are here."""


def level_names() -> Mapping[str, str]:
    """Return the levels in words."""
    return {"easy": _("easy"), "fair": _("fair"), "strong": _("strong")}


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
    """Return the menu of a lobby that adds a computer, or changes how those play that are here."""
    if not has_levels(table.game):
        return ()
    has_computers = any(sitter.is_computer for sitter in table.sitters)
    menu = [(level, *map(_, _MENU[level])) for level in offered(table.game)]
    adding = [Choice(f"{ADD}.{level}", add, about) for level, add, _all, about in menu if not table.is_full]
    changing = [Choice(f"{ALL}.{level}", change, about) for level, _add, change, about in menu if has_computers]
    if table.is_full:  # the prompt says what the menu does, so that it doesn't look like a setting
        prompt = _("Change the computers…")
    elif has_computers:
        prompt = _("Add or change computers…")
    else:
        prompt = _("Add a computer by level…")
    return (Choices(prompt, (*adding, *changing), verb="level"),) if adding or changing else ()


def level_mark(table: Table) -> str:
    """Return the level of a table's computers for the end of a heading; empty if they differ or there are none."""
    levels = {sitter.level for sitter in table.sitters if sitter.is_computer}
    if len(levels) != 1 or not has_levels(table.game):
        return ""
    return f" · {COMPUTER} {level_names()[levels.pop()]}"


def level_line(table: Table) -> str:
    """Return the level of each computer of a table, in small print; empty if a `level_mark` says it for all."""
    computers = [sitter for sitter in table.sitters if sitter.is_computer]
    if len({sitter.level for sitter in computers}) < 2 or not has_levels(table.game):
        return ""
    names = {sitter.seat: label_of(table, sitter.seat).removeprefix(COMPUTER).strip() for sitter in computers}
    groups = [
        _("{names}: {level}", names=", ".join(plain(names[each.seat]) for each in alike), level=words)
        for level, words in level_names().items()
        if (alike := [sitter for sitter in computers if sitter.level == level])
    ]
    return f"-# {COMPUTER} {' · '.join(groups)}"
