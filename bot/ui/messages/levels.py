"""The levels of computers in words: the menu of a lobby, and a line on boards."""

from collections.abc import Mapping
from typing import Final

from bot.computer import offered
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


def level_menu(table: Table) -> tuple[Choices, ...]:
    """Return the menu of a lobby that adds a computer, or changes how those play that are here."""
    if not has_levels(table.game):
        return ()
    choices: list[Choice] = []
    descriptions = _descriptions()
    if not table.is_full:
        adding = {
            "easy": _("Add an easy computer"),
            "fair": _("Add a fair computer"),
            "strong": _("Add a strong computer"),
        }
        choices += [Choice(f"{ADD}.{level}", adding[level], descriptions[level]) for level in offered(table.game)]
    if any(sitter.is_computer for sitter in table.sitters):
        changing = {
            "easy": _("All computers: easy"),
            "fair": _("All computers: fair"),
            "strong": _("All computers: strong"),
        }
        choices += [Choice(f"{ALL}.{level}", changing[level], descriptions[level]) for level in offered(table.game)]
    return (Choices(_prompt(table), tuple(choices), verb="level"),) if choices else ()


def _prompt(table: Table) -> str:
    """Return what the menu does, so that it doesn't look like a setting."""
    if table.is_full:
        return _("Change the computers…")
    if any(sitter.is_computer for sitter in table.sitters):
        return _("Add or change computers…")
    return _("Add a computer by level…")


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


def _descriptions() -> Mapping[str, str]:
    return {
        "easy": _("Makes the mistakes of beginners"),
        "fair": _("Plays by rules of thumb"),
        "strong": _("Thinks ahead"),
    }
