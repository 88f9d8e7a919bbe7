"""Puts all previews on one sheet, docs/images/pictures.png, and one of them into docs/images/table.png."""

import io
from pathlib import Path
from typing import Final

from PIL import Image

from bot.cli.preview import previews
from bot.games import GAMES

IMAGES: Final = Path(__file__).parents[1] / "docs/images"
SHOWN: Final = "pond-trick-seat-0"
"""The preview in the README."""
_COLUMNS: Final = 7
_WIDTH: Final = 265
_GAP: Final = 10
_GROUND: Final = "#313338"
_COLOURS: Final = 128


def main() -> None:
    """Draw the sheet, with each picture below the shortest column."""
    pictures = [preview for game in GAMES for preview in previews(game)]
    shown = next(preview for preview in pictures if preview.name == SHOWN)
    (IMAGES / "table.png").write_bytes(shown.picture.png)
    images = [Image.open(io.BytesIO(preview.picture.png)).convert("RGB") for preview in pictures]
    small = [image.resize((_WIDTH, image.height * _WIDTH // image.width)) for image in images]
    heights, places = [_GAP] * _COLUMNS, []
    for image in small:
        column = heights.index(min(heights))
        places.append((_GAP + column * (_WIDTH + _GAP), heights[column]))
        heights[column] += image.height + _GAP
    sheet = Image.new("RGB", (_GAP + _COLUMNS * (_WIDTH + _GAP), max(heights)), _GROUND)
    for image, place in zip(small, places, strict=True):
        sheet.paste(image, place)
    few = sheet.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(IMAGES / "pictures.png", "PNG", optimize=True)


if __name__ == "__main__":
    main()
