"""Lilypad without pictures, for comparison: ``python -m benchmarks.words_bot``."""

import sys
from importlib import import_module

from bot.__main__ import main
from bot.games import GAMES

if __name__ == "__main__":
    for game in GAMES:
        import_module(f"cogs.{game}.face").FACE.drawings = None
    sys.exit(main(["run"]))
