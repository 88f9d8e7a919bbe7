"""Follow docs/ADDING_A_GAME.md: add its example, docs/nim, to a copy of the project and play it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.commands import DEADLINE_S, ROOT

EXAMPLE: Final = ROOT / "docs/nim"
COPIED: Final = ("bot", "cogs", "tests", "tools", "docs", "pyproject.toml")
REGISTERED: Final = (
    ("bot/games/__init__.py", "from bot.games.pond.rulebook import", "from bot.games.nim import Nim\n", ""),
    ("bot/games/__init__.py", "PotBlack()", "", ", Nim()"),
)
"""Where the guide registers a game: the file, a text in it, and what to insert before and after that text."""


def copy_of_the_project(folder: Path) -> Path:
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def test_the_guide_names_every_file_of_its_example() -> None:
    linked = set(re.findall(r"\]\(nim/(\S+)\)", (ROOT / "docs/ADDING_A_GAME.md").read_text(encoding="utf-8")))
    assert linked == {str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*") if path.suffix in {".py", ".md"}}


def test_the_game_of_the_guide_passes_its_tests(tmp_path: Path) -> None:
    project = copy_of_the_project(tmp_path)
    shutil.copytree(EXAMPLE, project, dirs_exist_ok=True)
    for path, place, before, after in REGISTERED:
        text = (project / path).read_text(encoding="utf-8")
        assert text.count(place) == 1, f"{path} has no single {place}"
        (project / path).write_text(text.replace(place, f"{before}{place}{after}"), encoding="utf-8")

    tests = ("tests/games/test_contract.py", "tests/discord/test_nim.py", "tests/test_architecture.py")
    run = subprocess.run(  # noqa: S603 - our own tests
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "nim or permit or rulebook", *tests],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert [test for test in tests if f"{test} ." not in run.stdout] == []
