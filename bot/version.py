"""The version of this program, with its commit and that commit's date, as far as they are known."""

import subprocess
from functools import cache
from pathlib import Path
from typing import Final

__version__: Final = "0.2.0"

_ROOT: Final = Path(__file__).parents[1]
_EXPORTED: Final = Path(__file__).with_name("commit.txt")
"""Has the commit in archives, where git writes it into the file, and in container images."""


@cache
def version() -> str:
    """Return a line such as ``1.2.0 (3f9a1b2c, 2026-12-01)``; without commit and date where they can't be found."""
    commit = _exported() or _checked_out()
    return f"{__version__} ({commit})" if commit else __version__


def _exported() -> str:
    text = _EXPORTED.read_text("utf-8").strip() if _EXPORTED.exists() else ""
    return "" if text.startswith("$") else text


def _checked_out() -> str:
    """Ask git, as the owner of the checkout. A wheel or an image has none, and another user's checkout is refused."""
    if not (_ROOT / ".git").exists():
        return ""
    command = ["git", "-C", str(_ROOT), "log", "-1", "--format=%h, %cs"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)  # noqa: S603 - a constant
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout.strip()
