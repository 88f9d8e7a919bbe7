"""Faults planted into a copy of the program, one after the other: do the tests see them?

The faults are data: `FOLDER` has a list for each group of parts.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = Path(__file__).parent


class Plant(NamedTuple):
    """A fault.

    Parameters
    ----------
    old: A line, or a part of one, that occurs once in the file.
    new: What stands there instead.
    tests: Arguments of pytest: the tests that should fail.
    harm: What goes wrong, and for whom.
    """

    name: str
    file: str
    old: str
    new: str
    tests: str
    harm: str

    def planted(self, root: Path) -> str:
        """Return the text of the file with the fault. Raises `ValueError` unless the old text occurs once."""
        text = (root / self.file).read_text("utf-8")
        if (count := text.count(self.old)) != 1:
            raise ValueError(f"{self.name}: the old text occurs {count} times in {self.file}")
        return text.replace(self.old, self.new)


def plants() -> Iterator[Plant]:
    """Yield all faults."""
    for path in sorted(FOLDER.glob("*.toml")):
        for name, fault in tomllib.loads(path.read_text("utf-8")).items():
            yield Plant(name, **fault)
