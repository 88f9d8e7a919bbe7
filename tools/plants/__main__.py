"""``python -m tools.plants [NAME …]``: plant each fault in a copy, run the tests that should see it, and tell."""

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from tools.plants import ROOT, Plant, plants

LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv", ".*_cache", "build", "*.db*")
FAILED: Final = 1
"""The status with which pytest ends if tests have failed; others are errors of the plant."""
LONGEST_S: Final = 1200
_LINES: Final = 15
"""Lines of pytest's output that are shown where it didn't run as it should."""


def main(names: Sequence[str], jobs: int) -> int:
    """Try the faults with these names, or all. Return the status of the program: 1 if one isn't seen."""
    chosen = [plant for plant in plants() if not names or plant.name in names]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(_copied(Path(folder) / str(number)))

        def tried(plant: Plant) -> bool:
            copy = copies.get()
            try:
                return _is_seen(plant, copy)
            finally:
                copies.put(copy)

        seen = sum(pool.map(tried, chosen))
    _tell(f"{seen} of {len(chosen)} seen in {time.monotonic() - began:.0f} s")
    return 0 if seen == len(chosen) > 0 else 1


def _copied(folder: Path) -> Path:
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, symlinks=True)
    if (ROOT / ".venv").exists():
        (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    return folder


def _is_seen(plant: Plant, copy: Path) -> bool:
    """Plant the fault in the copy, run its tests there, and take it out again."""
    path, began = copy / plant.file, time.monotonic()
    before = path.read_bytes()
    try:
        path.write_text(plant.planted(copy), "utf-8")
    except ValueError as error:
        _tell(f"BROKEN  {error}")
        return False
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *shlex.split(plant.tests)]
    try:
        ran = subprocess.run(  # noqa: S603 - our own tests
            command, cwd=copy, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )
        status, said = ran.returncode, ran.stdout
    except subprocess.TimeoutExpired:
        status, said = 0, "the tests took too long"
    finally:
        path.write_bytes(before)
    result = {FAILED: "seen", 0: "MISSED"}.get(status, "BROKEN")
    _tell(f"{result:7} {time.monotonic() - began:4.0f} s  {plant.name}: {plant.harm}")
    if result == "BROKEN":
        _tell("\n".join(said.splitlines()[-_LINES:]))
    return result == "seen"


def _tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - its output


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.plants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault; all if there is none")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    given = parser.parse_args()
    sys.exit(main(given.names, given.jobs))
