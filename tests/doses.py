"""The long tests: all of them are run by ``make whole-games``, and some by ``make test``."""

import os
from typing import Final

import pytest

IS_COMPLETE: Final = os.environ.get("FORMS") == "all"

on_demand: Final = pytest.mark.skipif(not IS_COMPLETE, reason="run by `make whole-games`")
"""Marks a form of a game whose parts other forms cover."""
