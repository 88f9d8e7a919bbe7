"""Writes PNG files in which every row of pixels is shown several times."""

import struct
from collections.abc import Sequence
from typing import Final

from PIL import Image
from zlib_ng import zlib_ng

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PALETTE_8_BITS: Final = (8, 3, 0, 0, 0)
_AS_WRITTEN: Final = 0
_AS_ABOVE: Final = 2
"""The filter of a row that is written as its difference from the row above."""
_LEVEL: Final = 6
"""The level of compression. Higher ones take several times as long, and save little."""


def encode(image: Image.Image, palette: Sequence[int], rows: int) -> bytes:
    """Return the file of an image of palette indices, with each row shown ``rows`` times.

    Repeated rows are zeros, which costs hardly any bytes or time.
    """
    width, height = image.size
    lines = Image.new("L", ((width + 1) * rows, height), _AS_WRITTEN)
    lines.paste(Image.frombytes("L", image.size, image.tobytes()), (1, 0))
    for row in range(1, rows):
        start = (width + 1) * row
        lines.paste(_AS_ABOVE, (start, 0, start + 1, height))
    data = zlib_ng.compress(lines.tobytes(), _LEVEL)
    header = struct.pack(">II5B", width, height * rows, *_PALETTE_8_BITS)
    chunks = ((b"IHDR", header), (b"PLTE", bytes(palette)), (b"IDAT", data), (b"IEND", b""))
    return _SIGNATURE + b"".join(map(_chunk, chunks))


def _chunk(chunk: tuple[bytes, bytes]) -> bytes:
    kind, data = chunk
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
