"""Planted leaks are found, so the leak tests work."""

import random
from itertools import islice

import pytest

from tests.leaks.pairs import Subject, compared, thought
from tests.leaks.planted import PLANTED

PAIRS = 1000
"""Maximum number of pairs needed to find a planted leak."""


@pytest.mark.parametrize(("subject", "name"), PLANTED.values(), ids=PLANTED)
def test_a_planted_leak_is_found(subject: Subject, name: str) -> None:
    compare = thought if name == "choice" else compared
    assert any(name in differences for differences in islice(compare(subject, random.Random(1)), PAIRS))
