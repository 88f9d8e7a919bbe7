"""The architecture: permitted imports, the home of each library, and names.

The permitted imports are the tables of docs/ARCHITECTURE.md.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bot.games import GAMES

ROOT: Final = Path(__file__).parents[1]
ARCHITECTURE: Final = ROOT / "docs/ARCHITECTURE.md"
EVERYTHING: Final = "everything"


def table_under(heading: str) -> dict[str, list[str]]:
    """Read a Markdown table of docs/ARCHITECTURE.md: the name in the first column, and the names in the second."""
    section = ARCHITECTURE.read_text(encoding="utf-8").partition(f"# {heading}\n")[2].partition("\n#")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    table = {re.findall(r"`(.+?)`", row[1])[0]: re.findall(rf"`(.+?)`|({EVERYTHING})", row[2]) for row in rows}
    assert len(table) == len(rows), f"two rows of one name under {heading}"
    return {name: ["".join(groups) for groups in found] for name, found in table.items()}


PERMITTED: Final = table_under("Permitted imports")
"""The parts that each part may import besides itself, in the order of the table."""

HOMES: Final = table_under("Libraries")
"""The parts in which a library may be imported."""

PURE: Final = ("bot.computer", "bot.ratings", "bot.transcript", "bot.fairness", "bot.games")
"""Parts without a clock, waiting, or input and output."""

IMPURE: Final = {"asyncio", "concurrent", "datetime", "os", "pathlib", "socket", "subprocess", "threading", "time"}

FOR_RULEBOOKS: Final = {
    *{"abc", "bisect", "collections", "dataclasses", "enum", "fractions", "functools", "heapq", "itertools", "math"},
    *{"operator", "random", "re", "string", "types", "typing", "unicodedata"},
}
"""The modules of the standard library that rulebooks may import."""

NO_NAMES: Final = {"base", "common", "core", "helper", "helpers", "manager", "service", "util", "utils"}
NO_BEGINNINGS: Final = ("get_", "do_", "handle_")
NAMED_ELSEWHERE: Final = frozenset({"do_GET"})
"""Names that the standard library requires: `http.server` calls a method of this name."""
SHARED_BY_RULEBOOKS: Final = ("game", "cards", "card_table", "daily", "typed")


def paths(*parts: str) -> list[Path]:
    """Return the source files in these folders."""
    return sorted(path for part in parts for path in (ROOT / part).rglob("*.py"))


def module_of(path: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


HOUSE: Final = {module_of(path): path for path in paths("bot", "cogs")}


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a source file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a source file."""
    return tuple(ast.walk(tree_of(path)))


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the name of every imported module, with submodules of our own packages in full."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            for name in node.names:
                inner = f"{source}.{name.name}"
                yield inner if inner in HOUSE else source


def part_of(module: str) -> str:
    """Return the part that a module belongs to, as in the table of imports."""
    return "cogs" if module.split(".", maxsplit=1)[0] == "cogs" else ".".join(module.split(".")[:2])


def is_within(module: str, place: str) -> bool:
    """Return whether a module is this package or inside it."""
    return module == place or module.startswith(f"{place}.")


@cache
def edges() -> tuple[tuple[str, str], ...]:
    """Return every pair of an importing and an imported module."""
    return tuple((module, imported) for module, path in HOUSE.items() for imported in imports(tree_of(path)))


def test_no_file_has_more_than_400_lines() -> None:
    sizes = {path: path.read_text("utf-8").count("\n") for path in paths("bot", "cogs", "tests", "benchmarks", "tools")}
    assert {str(path): size for path, size in sizes.items() if size > 400} == {}


UI_LAYERS: Final = ("bot.ui.posts", "bot.ui.interactions", "bot.ui.messages", "bot.ui.live", "bot.ui.actions")
"""The packages of the user interface; each may import those before it."""


def test_every_form_of_an_import_is_found() -> None:
    source = """
        import os.path, json
        from bot.games import game, GAMES
        from bot.errors import PlayError
        def late():
            from sqlite3 import connect
    """
    found = set(imports(ast.parse(source.replace("\n        ", "\n"))))
    assert found == {"os.path", "json", "bot.games.game", "bot.games", "bot.errors", "sqlite3"}


def test_every_module_belongs_to_a_part_in_the_table_of_imports() -> None:
    assert {part_of(module) for module in HOUSE} - {"bot"} == PERMITTED.keys()


def test_the_table_names_only_modules_that_exist() -> None:
    named = {name for table in (PERMITTED, HOMES) for row in table.values() for name in row} - {EVERYTHING}
    assert named <= HOUSE.keys()


def test_parts_are_permitted_to_import_only_parts_further_down() -> None:
    order = list(PERMITTED)
    wrong = [
        f"{part} imports {name}"
        for part, names in PERMITTED.items()
        for name in names
        if name != EVERYTHING and order.index(part_of(name)) <= order.index(part)
    ]
    assert wrong == []


def test_packages_of_the_user_interface_import_only_those_below() -> None:
    wrong = [
        f"{module} imports {imported}"
        for number, layer in enumerate(UI_LAYERS)
        for module, imported in edges()
        if is_within(module, layer) and is_within(imported, "bot.ui")
        if not any(is_within(imported, lower) for lower in UI_LAYERS[: number + 1])
    ]
    assert wrong == []


def test_the_code_imports_only_what_the_table_permits() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, imported in edges()
        if imported.split(".")[0] in {"bot", "cogs"}
        and part_of(imported) != part_of(module)
        and EVERYTHING not in PERMITTED[part_of(module)]
        and not any(is_within(imported, place) for place in PERMITTED[part_of(module)])
    ]
    assert wrong == []


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_each_migration_has_a_number_of_its_own(engine: str) -> None:
    names = sorted(file.name for file in (ROOT / "bot/store" / engine / "migrations").glob("*.sql"))
    (baseline, *numbers) = [int(name[:4]) for name in names]
    assert names[0] == f"{baseline:04}_baseline.sql"
    assert numbers == list(range(baseline, baseline + len(numbers)))


def test_no_import_is_relative() -> None:
    assert [f"{module} imports {imported}" for module, imported in edges() if imported.startswith(".")] == []


def test_each_library_has_one_home() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, imported in edges()
        if part_of(module) not in HOMES.get(imported.split(".")[0], {part_of(module)})
    ]
    assert wrong == []


def test_rulebooks_import_only_errors_and_the_pure_standard_library() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, imported in edges()
        if is_within(module, "bot.games")
        and not is_within(imported, "bot.games")
        and imported != "bot.errors"
        and imported.split(".")[0] not in FOR_RULEBOOKS
    ]
    assert wrong == []


def test_no_rulebook_imports_another() -> None:
    def stranger(module: str, imported: str) -> bool:
        own, other = (name.removeprefix("bot.games.") for name in (module, imported))
        games = [key for key in GAMES if own.startswith(key)]
        return bool(games) and not other.startswith((*games, *SHARED_BY_RULEBOOKS))

    inside = [(module, imported) for module, imported in edges() if imported.startswith("bot.games.")]
    wrong = [(module, imported) for module, imported in inside if "bot.games." in module and stranger(module, imported)]
    assert wrong == []


@pytest.mark.parametrize("part", PURE)
def test_pure_parts_have_no_async_code_and_no_io(part: str) -> None:
    inside = {module: tree_of(path) for module, path in HOUSE.items() if is_within(module, part)}
    outside = [
        f"{m} imports {name}" for m, tree in inside.items() for name in imports(tree) if name.split(".")[0] in IMPURE
    ]
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    waits = [module for module, tree in inside.items() if any(isinstance(node, waiting) for node in ast.walk(tree))]
    assert outside + waits == []


def test_the_shared_random_generator_is_not_used() -> None:
    wrong = [
        f"{module}:{node.lineno} random.{node.attr}"
        for module, path in HOUSE.items()
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        and node.attr not in ("Random", "SystemRandom")
    ]
    wrong += [
        f"{module}:{node.lineno} from random"
        for module, path in HOUSE.items()
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module == "random" and {n.name for n in node.names} != {"Random"}
    ]
    assert wrong == []


def test_only_the_settings_read_the_environment() -> None:
    wrong = [
        f"{module}:{node.lineno}"
        for module, path in HOUSE.items()
        for node in nodes_of(path)
        if (isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and {"environ", "getenv"} & {n.name for n in node.names}
        )
    ]
    assert [place for place in wrong if not place.startswith("bot.settings:")] == []


def test_tables_are_found_for_somebody_on_discord_only_as_that_user() -> None:
    """Functions that find tables take the user who looks, or are called where that is checked."""
    of_everybody, of_a_viewer = (
        {"tables_in", "open_tables", "lobbies", "in_channel", "on_server"},
        {"find", "choose", "seen"},
    )
    wrong = []
    for module, path in HOUSE.items():
        if part_of(module) not in {"bot.ui", "cogs"} or module in {
            "bot.ui.actions.permissions",
            "bot.ui.live.drawings",
            "bot.ui.live.live_messages",
        }:
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                called, by_visitor = node.func.attr, "Visitor(interaction" in ast.unparse(node)
                of_tables = ast.unparse(node.func.value).endswith(("tables", "lists"))
                if of_tables and (called in of_everybody or (called in of_a_viewer and not by_visitor)):
                    wrong.append(f"{module}:{node.lineno} {called}")
            elif isinstance(node, ast.ImportFrom) and "OPERATOR" in {name.name for name in node.names}:
                wrong.append(f"{module} looks as the operator")
    assert wrong == []


def test_no_module_has_a_meaningless_name() -> None:
    assert [name for name in HOUSE if NO_NAMES.intersection(name.replace("_", ".").split("."))] == []


def test_no_function_or_class_has_a_meaningless_name() -> None:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in paths("bot", "cogs", "tests")
        for node in nodes_of(path)
        if isinstance(node, definitions) and node.name not in NAMED_ELSEWHERE
        if node.name.startswith(NO_BEGINNINGS) or node.name.endswith(("Manager", "Helper", "Utils"))
    ]
    assert wrong == []


def test_every_module_has_a_docstring() -> None:
    modules = [path for path in paths("bot", "cogs", "tests") if tree_of(path).body]
    assert [str(path.relative_to(ROOT)) for path in modules if not ast.get_docstring(tree_of(path))] == []


def test_every_test_is_named_by_a_sentence() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in paths("tests")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.name.startswith("test_") and node.name.count("_") < 3
    ]
    assert wrong == []


def test_importing_the_bot_does_not_load_the_sandbox() -> None:
    """Extras are imported where they are used, so that a server runs without them."""
    extras = set(HOMES["simcord"])
    wrong = [
        f"{module} imports {imported} at its top"
        for module, path in HOUSE.items()
        if part_of(module) not in extras
        for node in tree_of(path).body
        for imported in imports(node)
        if part_of(imported) in extras and isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert wrong == []


def test_no_two_files_share_a_name_outside_the_folders_of_games_and_features() -> None:
    others = [path for path in HOUSE.values() if not {*GAMES} & {*path.parts} and path.parent.parent.name != "cogs"]
    stems = Counter(path.stem for path in others)
    shared = {stem for stem, number in stems.items() if number > 1}
    assert shared == {"__init__"}


MAX_BRANCHES: Final = 10


def branches_of(function: ast.AST) -> int:
    """Count the branches of a function: also those within an expression, of which ruff counts none."""
    count = 0
    for node in ast.walk(function):
        if isinstance(
            node, ast.If | ast.IfExp | ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.match_case
        ):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
    return count


def test_functions_have_at_most_ten_branches() -> None:
    source = "def f(a):\n    return [b for b in a if b and not b % 2] if a else a or 0"
    assert branches_of(ast.parse(source)) == 5
    found = [
        f"{module}.{node.name} has {number}"
        for module, path in HOUSE.items()
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (number := branches_of(node)) > MAX_BRANCHES
    ]
    assert found == []
