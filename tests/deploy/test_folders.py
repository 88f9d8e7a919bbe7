"""A checkout in a folder whose name has blanks and accents."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import DEADLINE_S
from tests.wire.bot_process import ROOT

MAKE = ("make", "--old-file=.venv/run.stamp", "--old-file=.venv/sandbox.stamp", "--old-file=.venv/dev.stamp")
"""Make without a network: what the virtual environment holds is up to date."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout, with its virtual environment."""
    folder = tmp_path_factory.mktemp("copies") / "Lilypad für zwei"
    private = shutil.ignore_patterns(".git", ".venv", ".env", "build", "__pycache__", "*_cache", "*.so", "*.db*")
    shutil.copytree(ROOT, folder, ignore=private)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def ended(checkout: Path, *command: str) -> str:
    """Run a command in the checkout, and return what it prints."""
    hidden = {"PYTHONPATH", "DATABASE_URL", "STATE_DIRECTORY", "MAKEFLAGS", "MAKELEVEL"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(  # noqa: S603 - our own
        command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_every_target_of_make_knows_its_files(checkout: Path) -> None:
    targets = re.findall(r"^([a-z-]+):(?! LOCK)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert "check" in targets
    assert checkout.name not in ended(checkout, *MAKE, "--dry-run", *targets), "a shell may split this path"


def test_the_program_is_compiled_and_its_commands_run(checkout: Path) -> None:
    ended(checkout, *MAKE, "compiled")
    python = ".venv/bin/python"
    assert f"Database: {checkout}/lilypad.db" in ended(checkout, python, "-m", "bot", "tables")
    ended(checkout, python, "-m", "bot", "selfplay", "frogs", "--out", f"{checkout}/zwei Spiele.jsonl")
    assert "frogs" in ended(checkout, python, "-m", "bot", "replay", "zwei Spiele.jsonl")
    ended(checkout, python, "-m", "bot", "preview", "frogs", "--moment", "end", "--out", "neue Bilder")


def test_tests_of_the_command_line_pass(checkout: Path) -> None:
    test = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/command_line/test_streams.py")
    ended(checkout, ".venv/bin/python", *test, "-k", "reader and replay")
