"""The planted faults still fit the program. Whether tests see them, `make plants` tries."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.plants import ROOT, Plant, plants

EVERY = tuple(plants())


@pytest.mark.parametrize("plant", EVERY, ids=[plant.name for plant in EVERY])
def test_a_fault_fits_one_place_and_names_tests_that_exist(plant: Plant) -> None:
    assert plant.planted(ROOT) != (ROOT / plant.file).read_text("utf-8")
    assert "\n" not in plant.old
    files = [each.partition("::")[0] for each in shlex.split(plant.tests) if each.startswith("tests/")]
    assert files
    assert all((ROOT / each).exists() for each in files)


def test_there_are_faults_for_every_folder_of_the_program() -> None:
    assert set(_folders()) - {Path(plant.file).parent for plant in EVERY} == set()


def test_every_fault_has_a_name_and_tells_whom_it_harms() -> None:
    assert len({plant.name for plant in EVERY}) == len(EVERY) >= 40
    assert all(plant.harm.endswith(".") for plant in EVERY)


def _folders() -> Iterator[Path]:
    """Yield the folders with code. Those with a mere docstring, such as the one of all cogs, need no fault."""
    for file in (*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")):
        if file.name != "__init__.py" or file.stat().st_size > 200:
            yield file.parent.relative_to(ROOT)
