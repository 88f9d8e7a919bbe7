"""The long tests: all of them are run by ``make whole-games``, and some by ``make test``.

Those of tests/kill are run in full by ``make kill-trials``.
"""

import os
from typing import Final

import pytest

IS_COMPLETE: Final = os.environ.get("FORMS") == "all"
ARE_TRIALS: Final = bool(os.environ.get("KILLS"))
"""Whether ``make kill-trials`` runs."""

on_demand: Final = pytest.mark.skipif(not IS_COMPLETE, reason="run by `make whole-games`")
"""Marks a form of a game whose parts other forms cover."""
