"""Measure how long it takes to draw a hand, beside pasting as many RGB sprites and saving them as a fast PNG.

python -m benchmarks.pictures
"""

import io
import sys
import time
from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.pictures import draw
from bot.pictures.canvas import SPRITES, WIDTH
from bot.preview import observed

ROUNDS: Final = 15
TARGET: Final = 0.45
_NAMES: Final = ("Ann", "Moss", "Cleo", "Ben")
_HEIGHT: Final = 850
_SPRITES: Final = ("card-QS", "card-TH", "card-8D", "card-KC") * 4 + ("table-AS", "table-9H") * 4 + ("back",) * 4
_LINES: Final = 10


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


def fastest_ms(work: Callable[[], bytes]) -> float:
    """Return the least processor time of some rounds."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def main() -> None:
    """Print the time, the ratio and the size."""
    observation = observed("pond", "trick", 0)
    ours, yardstick = fastest_ms(lambda: draw(observation, _NAMES).png), fastest_ms(plain)
    size = len(draw(observation, _NAMES).png)
    ratio = ours / yardstick
    sys.stdout.write(f"a hand with its table: {ours:.1f} ms, {ratio:.2f} times plain pasting (target {TARGET})")
    sys.stdout.write(f", {size:,} bytes\n")


if __name__ == "__main__":
    main()
