"""Every text that players can see goes through gettext, or is the template of an error."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot import errors

ROOT: Final = Path(__file__).parents[1]
SHOWN: Final = sorted({*ROOT.glob("bot/ui/**/*.py"), *ROOT.glob("cogs/**/*.py")})
"""The files that build what players see."""
REFUSING: Final = sorted(
    {
        *ROOT.glob("bot/fairness.py"),
        *(path for part in ("ui", "tables", "games", "store") for path in ROOT.glob(f"bot/{part}/**/*.py")),
        *ROOT.glob("cogs/**/*.py"),
    }
)
"""The files that raise errors which players see."""

TRANSLATED: Final = {"_", "gettext", "ngettext", "translated", "Text"}
REFUSALS: Final = {
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.PlayError) and name != "PlayError"
} | {"PlayError"}
NOT_SHOWN: Final = {
    "ValueError",
    "TypeError",
    "RuntimeError",
    "LookupError",
    "NotImplementedError",
    "compile",
    "persist",
    "describe",
    "every",  # the name of what the calendar does, for the log
}
"""Errors that are defects, regular expressions, and descriptions of options: Discord's translator gets those."""
LABELS: Final = {"Button": (1, "label"), "Choice": (1, "label"), "MenuChoice": (1, "label"), "Choices": (0, "prompt")}
"""The label of each component: its position and keyword."""
WORDS: Final = re.compile(r"[^\W\d_]{2,}['’]?[^\W\d_]*[,.:;]? [^\W\d_]{2,}")
COMMAND: Final = "python -m bot "
NOTATION: Final = re.compile(r"(?:(?:[-\d] )?[a-z]+(?: [A-Z0-9?\[\]/+]+| [a-z]\d| \d)*(?:; ?|$))+")
"""Moves, and entries of a log, in notation."""
WORD: Final = re.compile(r"[^\W\d_]{2,}")


def name_of(function: ast.expr) -> str:
    """Return the name of a called function or method."""
    if isinstance(function, ast.Subscript):  # Workers[int]
        return name_of(function.value)
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def is_exempt(call: ast.Call) -> bool:
    """Whether texts in a call are translated, or not for players: logs, defects, names of tasks."""
    if (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in {"log", "logs"}
    ):
        return True
    name = name_of(call.func)
    return name in TRANSLATED | REFUSALS | NOT_SHOWN or (name == "__init__" and isinstance(call.func, ast.Attribute))


def docstrings(tree: ast.AST) -> set[int]:
    """Return the ids of strings that stand alone: docstrings, also those of attributes."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def literals(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the strings in a node that could be shown without a translation."""
    if isinstance(node, ast.Call) and is_exempt(node):
        return
    if isinstance(node, ast.Call) and name_of(node.func) in {"command", "Group", "Command", "Workers", "create_task"}:
        node = ast.Call(node.func, node.args[1:], [each for each in node.keywords if not is_description(each)])
    for child in ast.iter_child_nodes(node):
        if is_internal(node, child):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child
        yield from literals(child)


def is_description(keyword: ast.keyword) -> bool:
    """Whether a keyword is the name or the description of a command, or the name of a task."""
    return keyword.arg in {"name", "description"}


def is_internal(parent: ast.AST, child: ast.AST) -> bool:
    """Whether this is a key, the description of a group of commands, or a name for the log."""
    if isinstance(parent, ast.Subscript):
        return child is parent.slice
    if isinstance(parent, ast.ClassDef):
        return isinstance(child, ast.keyword) or (isinstance(child, ast.FunctionDef) and child.name == "__str__")
    return False


def is_text(literal: str) -> bool:
    """Whether a literal has several words, and is neither a command of the shell nor in notation."""
    is_code = literal.startswith(COMMAND) or NOTATION.fullmatch(literal)
    return WORDS.search(literal) is not None and not is_code


def untranslated(source: str) -> list[str]:
    """Return the texts of several words that aren't translated, and the labels that aren't."""
    tree = ast.parse(source)
    alone = docstrings(tree)
    found = [each.value for each in literals(tree) if id(each) not in alone and is_text(str(each.value))]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and name_of(node.func) in LABELS]
    labels = [label for call in calls for label in labels_of(call)]
    return [str(text) for text in (*found, *labels)]


def labels_of(call: ast.Call) -> list[str]:
    """Return the words in the label of a button or a menu that aren't translated."""
    position, keyword = LABELS[name_of(call.func)]
    given = [*call.args[position : position + 1], *(each.value for each in call.keywords if each.arg == keyword)]
    texts = [each for value in given for each in (literals(value) if not isinstance(value, ast.Constant) else [value])]
    return [str(text.value) for text in texts if WORD.search(str(text.value))]


def built_refusals(source: str) -> list[int]:
    """Return the lines of errors for players whose text is put together in code, and so can't be translated."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    refusals = [call for call in calls if name_of(call.func) in REFUSALS and call.args]
    return [call.lineno for call in refusals if isinstance(call.args[0], (ast.JoinedStr, ast.BinOp, ast.Call))]


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_texts_for_players_go_through_gettext(path: Path) -> None:
    assert untranslated(path.read_text()) == []


@pytest.mark.parametrize("path", REFUSING, ids=lambda path: str(path.relative_to(ROOT)))
def test_refusals_are_templates_with_values(path: Path) -> None:
    assert built_refusals(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        'Post(("Your move is taken back.",))',
        'text = f"{name} takes the trick"',
        'Button("hand", "Undo")',
        'Choices(prompt=f"Pick {n}", choices=())',
        'sentence("Done. " + "You can play on.")',
    ],
)
def test_a_text_that_is_not_translated_is_found(source: str) -> None:
    assert untranslated(source)


@pytest.mark.parametrize(
    "source",
    [
        'Post((_("Your move is taken back."),))',
        'Button("hand", _("Undo"))',
        'log.info("table %s is closed", 1)',
        '"""A docstring of a module."""',
        'raise NotAllowed("Table {name} is full.", name=name)',
    ],
)
def test_translated_texts_and_logs_are_allowed(source: str) -> None:
    assert untranslated(source) == []


def test_a_refusal_put_together_in_code_is_found() -> None:
    assert built_refusals('raise NotAllowed(f"Table {name} is full.")') == [1]
