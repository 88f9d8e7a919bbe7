"""The toolkit for pictures of boards, hands and results, and the only home of Pillow.

A game's pictures are drawn with it from an observation alone: see `Drawings`.
"""

from collections.abc import Sequence
from typing import Any

from bot.games.game import Observation
from bot.pictures.canvas import MAX_HEIGHT, WIDTH, resized
from bot.pictures.picture import Drawing, Drawings, Picture
from bot.texts import SOURCE, using


def draw(
    drawing: Drawing, observation: Observation | None, names: Sequence[str], language: str = SOURCE, *details: Any
) -> Picture:
    """Draw in a language. ``names`` are by seat; ``details`` are further arguments of the drawing."""
    with using(language):
        return drawing(observation, names, *details)


__all__ = ["MAX_HEIGHT", "WIDTH", "Drawing", "Drawings", "Picture", "draw", "resized"]
