"""Puts all previews on one sheet, docs/images/pictures.png, and a hand being played into docs/images/hand.gif."""

import io
from pathlib import Path
from typing import Final

from PIL import Image

from bot.cli.preview import Moment, drawings_of, previews, state_at
from bot.games import GAMES
from bot.pictures import animation, draw

IMAGES: Final = Path(__file__).parents[1] / "docs/images"
MOVES: Final = 30
"""The moves of a game in the animation of the README."""
_NAMES: Final = ("Ann", "\N{ROBOT FACE} Moss")
_FOREVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""Lets a GIF play again and again."""
_SCALE: Final = 2
_COLUMNS: Final = 7
_WIDTH: Final = 265
_GAP: Final = 10
_GROUND: Final = "#313338"
_COLOURS: Final = 128


def main() -> None:
    """Draw the sheet, with each picture below the shortest column."""
    (IMAGES / "hand.gif").write_bytes(hand())
    pictures = [preview for game in GAMES for preview in previews(game)]
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


def hand() -> bytes:
    """Return the beginning of a game of Pond · cards against a computer, as one of its players sees it."""
    game, drawing = GAMES["pond"], drawings_of("pond").table
    states = (state_at(game, Moment(plies, {"players": 2})) for plies in range(MOVES))
    pngs = [draw(drawing, game.observe(state, 0), _NAMES).png for state in states]
    size, times = animation.size_of(pngs), animation.durations(len(pngs))
    frames = [
        animation.frame(before, png, size, time_ms, _SCALE)
        for before, png, time_ms in zip([None, *pngs], pngs, times, strict=False)
    ]
    return b"".join((animation.start(size, _SCALE), _FOREVER, *frames, animation.END))


if __name__ == "__main__":
    main()
