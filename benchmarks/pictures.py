"""Measure pictures: the processor time to draw one, and its size.

    python -m benchmarks.pictures

The yardstick pastes as many RGB sprites as a hand has, and saves them as a fast PNG.
"""

import io
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.cli.preview import drawings_of, names_at, observed
from bot.pictures import draw
from bot.pictures.canvas import SPRITES, WIDTH

ROUNDS: Final = 15
TARGET_BYTES: Final = 20_000
TARGET_MS: Final = 30
_NAMES: Final = ("Ann", "Moss", "Cleo", "Ben")
_HEIGHT: Final = 850
_SPRITES: Final = ("card-QS", "card-TH", "card-8D", "card-KC") * 4 + ("table-AS", "table-9H") * 4 + ("back",) * 4
_LINES: Final = 10
_MOMENTS: Final = {"pond": "trick", "frogs": "middle", "pontis": "table", "pot_black": "trick"}


def plain() -> bytes:
    """Draw a picture of the same size and as many parts in the simplest way."""
    image = Image.new("RGB", (WIDTH, _HEIGHT), "#14505c")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(48)
    for place, sprite in enumerate(_sprites()):
        image.paste(sprite, (place % 7 * 138, place // 7 * 150))
    for line in range(_LINES):
        pen.text((10, line * 70), _NAMES[line % 4], "#ffffff", font)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _sprites() -> list[Image.Image]:
    return [_LOADED[name] for name in _SPRITES]


_LOADED: Final = {name: Image.open(SPRITES / f"{name}.png").convert("RGBA").convert("RGB") for name in {*_SPRITES}}


def fastest_ms(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def pictures() -> None:
    """Print the time and the size of each picture, beside plain pasting."""
    yardstick = fastest_ms(plain)
    for game, moment in _MOMENTS.items():
        table, result, *_ = drawings_of(game)
        scenes = {"board": (table, moment, None), "hand": (table, moment, 0), "result": (result, "end", None)}
        for what, (drawing, at, seat) in scenes.items():
            work = partial(draw, drawing, observed(game, at, seat), names_at(game, at))
            ms, size = fastest_ms(work), len(work().png)
            missed = ms > TARGET_MS or size > TARGET_BYTES
            _line(f"{game}, {what}", f"{ms:4.1f} ms, {ms / yardstick:.2f} times plain, {size:6,} bytes", missed=missed)
    sys.stdout.write(f"  targets: {TARGET_MS} ms, {TARGET_BYTES:,} bytes; plain pasting takes {yardstick:.1f} ms\n")


def _line(name: str, figures: str, *, missed: bool = False) -> None:
    sys.stdout.write(f"  {name:32} {figures}{'  MISSED' if missed else ''}\n")


def main() -> None:
    """Print all figures."""
    pictures()


if __name__ == "__main__":
    main()
