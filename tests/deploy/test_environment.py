"""The virtual environment: which Python and which pip make it, and what happens after an upgrade of the system's."""

import os
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

MAKE = ("PIP=true", f"PYTHON={sys.executable}", ".venv/run.stamp")
"""Install the packages of `make run`, but without a network: nothing is installed."""


def packages(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "posix_prefix", {"base": str(environment)}))


def of_another_version(environment: Path) -> None:
    packages(environment).parent.rename(environment / "lib/python3.9")


def removed(environment: Path) -> None:
    for link in (environment / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/gone/python3.9")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what makes the environment, and without one."""
    for name in ("MAKEFLAGS", "MAKELEVEL", "DATABASE_URL"):  # of a `make` that runs the tests
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "checkout"
    folder.mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copytree(ROOT / "lock", folder / "lock")
    (folder / "bot").mkdir()
    (folder / "cogs").mkdir()
    return folder


def making(checkout: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Call make, and return its status and all output."""
    command, environment = ["make", *arguments], {**os.environ, **environment}
    ended = subprocess.run(  # noqa: S603 - our own
        command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    return ended.returncode, ended.stdout + ended.stderr


def programs(folder: Path) -> Path:
    """Return a folder with the programs that make needs, and no Python."""
    folder.mkdir()
    for name in ("cat", "env", "grep", "ls", "make", "rm", "sed", "sh", "sort", "tail", "test", "touch"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def write_python(file: Path, *, version: str = "", path: Path | None = None) -> Path:
    """Write a program that is this Python, perhaps one that says another version, or finds packages in a folder."""
    says = f'if [ "$1" = --version ]; then echo "Python {version}"; exit; fi\n' if version else ""
    finds = "unset PYTHONPATH\n" if path is None else f"export PYTHONPATH={path}\n"
    file.write_text(f'#!/bin/sh\n{says}{finds}exec {sys.executable} "$@"\n')
    file.chmod(0o755)
    return file


OLD_PIP = """
import os, sys

def main():
    if "--python" in sys.argv:
        sys.exit("no such option: --python")
    sees_others = any(os.path.exists(os.path.join(each, "pip")) for each in sys.path)
    print("pip", "for", sys.prefix, sees_others, *sys.argv[1:], file=sys.stderr)
    sys.exit("--version" not in sys.argv)
"""


def test_pip_without_the_option_python_installs_into_the_environment(checkout: Path, tmp_path: Path) -> None:
    pip = tmp_path / "packages/pip/_internal/cli/main.py"
    pip.parent.mkdir(parents=True)
    pip.write_text(OLD_PIP)
    for folder in pip.parents[:3]:
        (folder / "__init__.py").touch()
    python = write_python(tmp_path / "python", path=tmp_path / "packages")
    status, said = making(checkout, f"PYTHON={python}", "ready")
    assert status == 2, "this pip installs nothing"
    assert f"pip for {checkout}/.venv False --disable-pip-version-check install" in said
    assert "-r lock/run.txt" in said


def test_the_newest_python_on_the_path_is_taken(checkout: Path, tmp_path: Path) -> None:
    path = programs(tmp_path / "programs")
    for version in ("3.9", "3.14", "3.12"):
        write_python(path / f"python{version}", version=f"{version}.1")
    (path / "python3.9").write_text("#!/bin/sh\nexit 1\n")  # it isn't new enough
    (path / "python3.15-config").touch()
    assert making(checkout, "PIP=true", ".venv/bin/python", PATH=str(path)) == (
        0,
        "Creating .venv with Python 3.14.1.\n",
    )


def test_one_line_says_which_pythons_are_too_old(checkout: Path, tmp_path: Path) -> None:
    path = programs(tmp_path / "programs")
    (path / "python3.10").write_text("#!/bin/sh\nexit 1\n")
    (path / "python3.10").chmod(0o755)
    status, said = making(checkout, "ready", PATH=str(path))
    assert status == 2
    assert said.startswith("Python 3.11 or newer is needed, but none of these is: python3 python3.10.\n")


def test_a_python_without_pip_is_named_with_the_package_that_has_it(checkout: Path, tmp_path: Path) -> None:
    broken = tmp_path / "packages"
    (broken / "ensurepip").mkdir(parents=True)
    for name in ("pip.py", "ensurepip/__init__.py", "ensurepip/__main__.py"):
        (broken / name).write_text("raise ImportError")
    python = write_python(tmp_path / "python3.14", version="3.14.1", path=broken)
    status, said = making(checkout, f"PYTHON={python}", "ready", PYTHONPATH=str(broken))
    assert status == 2
    assert "Python 3.14.1 has no pip that works; on Debian and Ubuntu, install python3.14-venv.\n" in said
    assert not (checkout / ".venv").exists(), "the next try would take it for whole"


@pytest.mark.parametrize(
    ("line", "environment", "lock"),
    [
        ("", "", "run"),
        ("DATABASE_URL=sqlite:////srv/postgres.db", "", "run"),
        ("DATABASE_URL=postgresql://lily@db.example/pond", "", "postgres"),
        ("DATABASE_URL='postgres:///pond'", "", "postgres"),
        ("# DATABASE_URL=postgresql:///pond", "", "run"),
        ("DATABASE_URL=", "postgresql:///pond", "postgres"),
        ("DATABASE_URL=postgresql:///pond", "sqlite:///pond.db", "run"),
    ],
)
def test_the_address_of_the_database_decides_what_is_installed(
    line: str, environment: str, lock: str, checkout: Path
) -> None:
    (checkout / ".env").write_text(f"DISCORD_TOKEN=postgres\n{line}\nLOG_LEVEL=\n")
    status, said = making(checkout, "PIP=true", f"PYTHON={sys.executable}", "ready", DATABASE_URL=environment)
    assert status == 0, said
    assert f"Installing lock/{lock}.txt" in said


@pytest.mark.parametrize("change", [of_another_version, removed])
def test_an_environment_of_another_python_is_created_again(checkout: Path, change: Callable[[Path], None]) -> None:
    environment = checkout / ".venv"
    venv.create(environment, symlinks=True)
    (environment / "run.stamp").touch()

    def made() -> str:
        status, said = making(checkout, *MAKE)
        assert status == 0, said
        return said

    assert "up to date" in made()
    change(environment)
    assert "Installing lock/run.txt" in made()
    assert packages(environment).is_dir()
    assert "up to date" in made()
