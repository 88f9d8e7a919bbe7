"""Versions: what `--version` says, and `make release`."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot import version as versions
from bot.version import __version__
from tools.release import UNRELEASED, main

ROOT = Path(__file__).parents[1]
COMMITTED = r"\([0-9a-f]{7,}, \d{4}-\d\d-\d\d\)"
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str) -> str:
    """Run git, and return what it prints."""
    command = ["git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.com", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own command


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with what a release changes, and with the program."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ann@example.com")
    for name in ("pyproject.toml", "CHANGELOG.md", ".gitattributes"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "bot", tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def printed_version(folder: Path) -> str:
    """Return what the program in a folder says about its version."""
    command = [sys.executable, "-m", "bot", "--version"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own command


def test_a_checkout_names_its_commit_and_date(repository: Path) -> None:
    told = printed_version(repository)
    assert re.fullmatch(rf"Lilypad {re.escape(__version__)} {COMMITTED}\n", told)
    assert git(repository, "log", "-1", "--format=(%h, %cs)").strip() in told


def test_an_archive_names_its_commit_and_date(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("archive")
    git(repository, "archive", "--format=tar", "--output", str(folder / "lilypad.tar"), "HEAD")
    shutil.unpack_archive(folder / "lilypad.tar", folder)
    assert git(repository, "log", "-1", "--format=(%h, %cs)").strip() in printed_version(folder)


def test_a_program_without_git_names_its_version_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "_ROOT", tmp_path)
    versions.version.cache_clear()
    assert versions.version() == __version__
    versions.version.cache_clear()


def test_a_release_has_its_version_its_date_and_its_tag(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1.0.0"], repository) == 0
    assert "git push --follow-tags" in capsys.readouterr().out
    assert 'version = "1.0.0"' in (repository / "pyproject.toml").read_text("utf-8")
    assert '__version__: Final = "1.0.0"' in (repository / "bot/version.py").read_text("utf-8")
    changelog = (repository / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"{re.escape(UNRELEASED)}\n## \[1\.0\.0\] - \d{{4}}-\d\d-\d\d\n\n\*\*Action needed", changelog)
    assert git(repository, "tag", "--points-at", "HEAD").strip() == "v1.0.0"
    assert git(repository, "status", "--porcelain") == ""
    assert re.fullmatch(rf"Lilypad 1\.0\.0 {COMMITTED}\n", printed_version(repository))


@pytest.mark.parametrize("version", ["0.1.0", __version__, "1.0", "1.0.0rc1", "next"])
def test_only_newer_versions_of_three_numbers_are_released(repository: Path, version: str) -> None:
    assert main([version], repository) == 1
    assert git(repository, "log", "--format=%s") == "Begin\n"


def test_changes_that_are_not_committed_are_not_released(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("version = 1", encoding="utf-8")
    assert main(["1.0.0"], repository) == 1
    assert git(repository, "tag") == ""


def test_a_version_without_changes_is_not_released(repository: Path) -> None:
    assert main(["1.0.0"], repository) == 0
    assert main(["1.0.1"], repository) == 1


def test_action_needed_stands_first_in_each_version() -> None:
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    with_action = [section.partition("\n")[2].strip() for section in sections if "\n**Action needed**" in section]
    assert with_action
    assert all(section.startswith("**Action needed**") for section in with_action)
