"""The virtual environment after an upgrade of the system's Python."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import DEADLINE_S
from tests.wire.bot_process import ROOT

MAKE = ("make", "PIP=true", f"PYTHON={sys.executable}", ".venv/run.stamp")
"""Install the packages of `make run`, but without a network: nothing is installed."""


def packages(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "posix_prefix", {"base": str(environment)}))


def of_another_version(environment: Path) -> None:
    packages(environment).parent.rename(environment / "lib/python3.9")


def removed(environment: Path) -> None:
    for link in (environment / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/gone/python3.9")


@pytest.mark.parametrize("change", [of_another_version, removed])
def test_an_environment_of_another_python_is_created_again(
    tmp_path: Path, change: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAKEFLAGS", raising=False)  # of a `make` that runs the tests
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "lock", tmp_path / "lock")
    environment = tmp_path / ".venv"
    venv.create(environment, symlinks=True)
    (environment / "run.stamp").touch()

    def made() -> str:
        ended = subprocess.run(MAKE, cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE_S, check=False)  # noqa: S603 - our own
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    assert "up to date" in made()
    change(environment)
    assert "Installing lock/run.txt" in made()
    assert packages(environment).is_dir()
    assert "up to date" in made()
