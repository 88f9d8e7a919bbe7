"""Releases a version: `make release VERSION=1.2.0`. It commits the version and the changelog, and tags the commit."""

import argparse
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from packaging.version import InvalidVersion, Version

ROOT: Final = Path(__file__).parents[1]
UNRELEASED: Final = "## [Unreleased]\n"


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Release the version that is given, and print what to push."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    version = parser.parse_args(arguments).version
    if problem := _problem(root, version):
        sys.stderr.write(f"{problem}\n")
        return 1
    _replace(root / "bot/version.py", r'__version__: Final = ".*"', f'__version__: Final = "{version}"')
    _replace(root / "pyproject.toml", r'^version = ".*"', f'version = "{version}"')
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    _replace(root / "CHANGELOG.md", re.escape(UNRELEASED), f"{UNRELEASED}\n## [{version}] - {today}\n")
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"Lilypad {version}")
    sys.stdout.write(f"Released {version}. Publish it: git push --follow-tags\n")
    return 0


def _problem(root: Path, version: str) -> str:
    """Return why the version can't be released, or nothing."""
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    try:
        is_newer = bool(re.fullmatch(r"\d+\.\d+\.\d+", version)) and Version(version) > max(map(Version, released))
    except InvalidVersion:
        is_newer = False
    if not is_newer:
        return f"The version has three numbers, and is newer than {released[0]}."
    if not re.search(rf"{re.escape(UNRELEASED)}\s*(?!## )\S", changelog):
        return "The changelog has nothing under Unreleased."
    if _git(root, "status", "--porcelain"):
        return "There are changes that aren't committed."
    return ""


def _replace(file: Path, old: str, new: str) -> None:
    text, count = re.subn(old, new, file.read_text("utf-8"), count=1, flags=re.MULTILINE)
    if count != 1:
        raise ValueError(f"{file} has no {old}")
    file.write_text(text, encoding="utf-8")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True)  # noqa: S603, S607 - the git on the path, our own arguments
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
