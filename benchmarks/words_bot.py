"""Lilypad without pictures, for comparison: ``python -m benchmarks.words_bot``."""

import sys

from bot.__main__ import main
from cogs.faces.frogs import FrogsFace
from cogs.faces.pond import PondFace
from cogs.faces.pontis import PontisFace
from cogs.faces.pot_black import PotBlackFace

if __name__ == "__main__":
    for face in (PondFace, FrogsFace, PontisFace, PotBlackFace):
        face.drawings = None  # type: ignore[assignment]  # a game without pictures has none
    sys.exit(main(["run"]))
