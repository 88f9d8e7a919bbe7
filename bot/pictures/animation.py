"""Animations of pictures as GIF files, frame by frame. They play once.

Pictures of all games share one palette, so frames lose nothing. Each has only what changed since the frame before.
"""

import io
import struct
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata

from bot.pictures.palette import COLOURS, DEEP, FLAT, index

MAX_BYTES: Final = 4_000_000
"""Maximum size of a file."""
END: Final = b";"
_FRAME_MS: Final = 1_200
_LAST_MS: Final = 4_000
_TOTAL_MS: Final = 90_000
"""The time of an animation is no longer than this, unless its frames are more than can be seen."""
_SHORTEST_MS: Final = 150
_SIZE_AT: Final = slice(16, 24)
"""The width and the height in a PNG file."""

Size = tuple[int, int]


def size_of(pngs: Sequence[bytes]) -> Size:
    """Return the size of an animation that has room for each of these pictures but the last one.

    The last one may be the result, which is often higher: it gets smaller, so that no other frame has an empty part.
    """
    sizes = [struct.unpack(">II", png[_SIZE_AT]) for png in pngs]
    return max(width for width, _ in sizes), max(height for _, height in sizes[: max(1, len(sizes) - 1)])


def start(size: Size, scale: int = 1) -> bytes:
    """Return the beginning of a file. Without an extension that says otherwise, it plays once."""
    colours = bytes(value for colour in COLOURS for value in colour).ljust(768, b"\0")
    return b"GIF89a" + struct.pack("<HHBBB", size[0] // scale, size[1] // scale, 0xF7, 0, 0) + colours


def durations(count: int) -> list[int]:
    """Return the time of each frame in milliseconds."""
    return [max(_SHORTEST_MS, min(_FRAME_MS, _TOTAL_MS // count))] * (count - 1) + [_LAST_MS]


def frame(before: bytes | None, png: bytes, size: Size, duration_ms: int, scale: int = 1) -> bytes:
    """Return a picture as the next frame, after the picture ``before``."""
    image = _on_canvas(png, size, scale)
    box: tuple[int, int, int, int] | None = (0, 0, *image.size)
    if before is not None:
        box = ImageChops.difference(_on_canvas(before, size, scale), image).getbbox()
    part = image.crop(box or (0, 0, 1, 1))  # an equal picture is a frame, too
    return b"".join(getdata(part, (box or (0, 0))[:2], duration=duration_ms))


def _on_canvas(png: bytes, size: Size, scale: int) -> Image.Image:
    """Return the palette's indices of a picture, at the top of a canvas of this size."""
    canvas = Image.new("L", size, index(DEEP))
    with Image.open(io.BytesIO(png)) as picture:
        indices = _shrunk(picture, size[1]) if picture.height > size[1] else picture
        left = (size[0] - indices.width) // 2 if indices is not picture else 0
        canvas.paste(Image.frombytes("L", indices.size, indices.tobytes()), (left, 0))
    return canvas if scale == 1 else canvas.resize((size[0] // scale, size[1] // scale), Image.Resampling.NEAREST)


def _shrunk(picture: Image.Image, height: int) -> Image.Image:
    """Return a picture of this height, in the same palette."""
    colours = Image.new("P", (1, 1))
    colours.putpalette(FLAT)
    wide = picture.width * height // picture.height
    small = picture.convert("RGB").resize((wide, height), Image.Resampling.LANCZOS)
    return small.quantize(palette=colours, dither=Image.Dither.NONE)
