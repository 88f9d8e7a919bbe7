"""Measure pictures: the time to draw one, its size, and what drawing costs the bot's process.

    python -m benchmarks.pictures

The yardstick pastes as many RGB sprites as a hand has, and saves them as a fast PNG. Then 16 tables ask for a picture a
second each, as in a busy minute, while a timer of ten milliseconds shows how late the event loop is. The lag without
pictures is that of the machine: both are measured in turn, and compared.
"""

import asyncio
import io
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from benchmarks.latency import TICK_S
from benchmarks.percentiles import percentile_ms, percentiles
from bot.cli.preview import drawings_of, names_at, observed
from bot.games.game import Observation
from bot.pictures import Drawing, draw
from bot.pictures.canvas import SPRITES, WIDTH
from bot.pictures.worker import MAX_BYTES, Painter

ROUNDS: Final = 15
TARGET: Final = 0.45
TARGET_BYTES: Final = 20_000
TARGET_LAG_MS: Final = 5
TARGET_WORKER_MB: Final = 80
TARGET_KEPT_MB: Final = 64
_NAMES: Final = ("Ann", "Moss", "Cleo", "Ben")
_HEIGHT: Final = 850
_SPRITES: Final = ("card-QS", "card-TH", "card-8D", "card-KC") * 4 + ("table-AS", "table-9H") * 4 + ("back",) * 4
_LINES: Final = 10
_MOMENTS: Final = {"pond": "trick", "frogs": "middle", "pontis": "table", "pot_black": "trick"}
_TABLES: Final = 16
_BUSY_S: Final = 5.0
_TURNS: Final = 3
"""Number of measurements of the lag without and with pictures."""


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
            missed = ms > TARGET * yardstick or size > TARGET_BYTES
            _line(f"{game}, {what}", f"{ms:4.1f} ms, {ms / yardstick:.2f} times plain, {size:6,} bytes", missed=missed)
    sys.stdout.write(f"  targets: {TARGET} times plain pasting ({yardstick:.1f} ms), {TARGET_BYTES:,} bytes\n")


async def _lags(busy: "asyncio.Future[list[None]] | None") -> list[float]:
    lags_s: list[float] = []
    until = time.perf_counter() + _BUSY_S
    while not busy.done() if busy else time.perf_counter() < until:
        start = time.perf_counter()
        await asyncio.sleep(TICK_S)
        lags_s.append(time.perf_counter() - start - TICK_S)
    return lags_s


async def _table(
    painter: Painter, number: int, drawing: Drawing, observation: Observation, names: Sequence[str]
) -> None:
    """Ask for a picture a second."""
    await asyncio.sleep(number % _TABLES / _TABLES)
    for second in range(int(_BUSY_S)):
        start = time.perf_counter()
        await painter.draw(f"{number} {second}", drawing, observation, names, "en")
        await asyncio.sleep(max(0.0, start + 1 - time.perf_counter()))


async def beside_the_loop() -> None:
    """Print the lag of the event loop while pictures are drawn, and the memory of their process."""
    painter = Painter()
    scenes = [
        (drawings_of(game).table, observed(game, moment, 0), names_at(game, moment))
        for game, moment in _MOMENTS.items()
    ]
    await painter.draw("first", *scenes[0], "en")
    alone: list[float] = []
    beside: list[float] = []
    for turn in range(_TURNS):
        alone += await _lags(None)
        asked = (_table(painter, _TABLES * turn + number, *scenes[number % len(scenes)]) for number in range(_TABLES))
        busy = asyncio.gather(*asked)
        beside += await _lags(busy)
        await busy
    p99_ms, machine_ms = percentile_ms(beside, 99), percentile_ms(alone, 99)
    _line("lag without pictures", percentiles(alone))
    _line(f"lag with {_TABLES} pictures a second", percentiles(beside), missed=p99_ms > TARGET_LAG_MS)
    _line("p99 with pictures", f"{p99_ms / machine_ms:.2f} times that without, {p99_ms - machine_ms:+.2f} ms")
    worker_mb = max(memory_mb(process.pid or os.getpid()) for process in multiprocessing.active_children())
    _line(
        "memory of the process",
        f"{worker_mb:.0f} MB, target {TARGET_WORKER_MB} MB",
        missed=worker_mb > TARGET_WORKER_MB,
    )
    kept_mb = MAX_BYTES / 2**20
    _line("most that is kept", f"{kept_mb:.0f} MB, target {TARGET_KEPT_MB} MB", missed=kept_mb > TARGET_KEPT_MB)


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _line(name: str, figures: str, *, missed: bool = False) -> None:
    sys.stdout.write(f"  {name:32} {figures}{'  MISSED' if missed else ''}\n")


def main() -> None:
    """Print all figures."""
    pictures()
    asyncio.run(beside_the_loop())


if __name__ == "__main__":
    main()
