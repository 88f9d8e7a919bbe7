"""Lilypad without pictures, for comparison: ``python -m benchmarks.words_bot``."""

import sys

from bot.__main__ import main
from bot.ui.posts import pictures

if __name__ == "__main__":
    pictures.can_draw = lambda observation: observation is None  # type: ignore[attr-defined]  # it is called for each message
    sys.exit(main(["run"]))
