"""The parts of pictures: panels, lines, text, sprites and cards, drawn in the colours of one palette.

Everything names the flat colour that it lies on, its ground. So edges are smooth without mixing colours pixel by pixel.
"""

import io
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from bot.pictures import lettering, palette
from bot.pictures.palette import DEEP, EDGE, INK, RIPPLE, WATER, Colour

WIDTH: Final = 1000
MAX_HEIGHT: Final = 1000
TEXT: Final = 48
"""The smallest size of a text: 13 pixels on a phone."""
SPRITES: Final = Path(__file__).with_name("sprites")
ROWS: Final = 2
"""Rows of pixels that are drawn as one: nobody sees it at half the size, and files are 40 % smaller."""
_FINE: Final = 4
"""Shapes are drawn this many times larger for smooth edges."""
MAX_BYTES: Final = 20_000
"""The size of a file above which it is compressed harder."""
_FAST: Final = 7
_SMALL: Final = 8
"""Levels of compression. The second one takes twice as long and saves 15 %; only the fullest hands need it."""
_PATCH: Final = 0.02
"""Minimum share of a sprite that a flat colour fills. Colours with less are only at its edges."""

HAND_CARD: Final = (132, 142)
TABLE_CARD: Final = (96, 124)
"""The sizes of `Canvas.card`: of large cards, such as those of hands, and of small ones."""
Align = Literal["left", "centre", "right"]
Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle: its top left corner and its size."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The bottom edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[int, int]:
        """The point in the middle."""
        return self.x + self.width // 2, self.y + self.height // 2


Inks = tuple[Colour, Colour]
"""A colour and the ground it lies on."""


class Tile(NamedTuple):
    """A small picture in the palette's colours, and where it is opaque."""

    image: Image.Image
    mask: Image.Image


@lru_cache(maxsize=512)
def _shape(kind: str, width: int, height: int, radius: int, inks: Inks) -> Tile:
    """Return a rounded rectangle or an ellipse."""
    image = Image.new("L", (width * _FINE, height * _FINE))
    box = (0, 0, width * _FINE - 1, height * _FINE - 1)
    if kind == "ellipse":
        ImageDraw.Draw(image).ellipse(box, 255)
    else:
        ImageDraw.Draw(image).rounded_rectangle(box, radius * _FINE, 255)
    return _inked(_coarse(image, width, height), inks)


@lru_cache(maxsize=64)
def _straight(ends: tuple[Point, Point], width: int, inks: Inks) -> Tile:
    """Return a straight line with round ends."""
    wide, high = (int(max(place)) + width + 2 for place in zip(*ends, strict=True))
    fine = 2
    image = Image.new("L", (wide * fine, (high + high % ROWS) * fine))
    draw = ImageDraw.Draw(image)
    draw.line([(x * fine, y * fine) for x, y in ends], 255, width * fine)
    for x, y in ends:
        draw.ellipse((x * fine - width, y * fine - width, x * fine + width, y * fine + width), 255)
    return _inked(image.reduce((fine, fine * ROWS)), inks)


@lru_cache(maxsize=128)
def _polygon(points: tuple[Point, ...], inks: Inks) -> Tile:
    """Return a polygon that begins at the top left."""
    wide, high = (int(max(place)) + 2 for place in zip(*points, strict=True))
    image = Image.new("L", (wide * _FINE, high * _FINE))
    ImageDraw.Draw(image).polygon([(x * _FINE, y * _FINE) for x, y in points], 255)
    return _inked(_coarse(image, wide, high), inks)


@lru_cache(maxsize=512)
def _text(text: str, size: int, inks: Inks) -> Tile:
    """Return a line of text."""
    mask = lettering.mask(text, size)
    return _inked(_coarse(mask, mask.width, mask.height), inks)


@lru_cache(maxsize=512)
def sprite(name: str, ground: Colour, scale: float = 1.0) -> Tile:
    """Return a sprite on a ground."""
    with Image.open(SPRITES / f"{name}.png") as file:
        image = file.convert("RGBA")
    colours = palette.with_blends({palette.index(ground), *_flat_colours(_laid(image, ground))})
    size = round(image.width * scale), round(image.height * scale / ROWS)
    image = image.resize(size, Image.Resampling.BOX if scale == 1 else Image.Resampling.HAMMING)
    tile = Image.new("P", image.size)
    tile.putpalette(palette.FLAT)
    parts = _laid(image, ground).tobytes()
    rgb = parts[::3], parts[1::3], parts[2::3]
    nearest = {colour: palette.nearest(colour, colours) for colour in {*zip(*rgb, strict=True)}}
    tile.frombytes(_crisp(bytes(map(nearest.__getitem__, zip(*rgb, strict=True))), tile.width))
    return Tile(tile, image.getchannel("A").point(lambda level: 255 * (level > 8)))


@lru_cache(maxsize=256)
def _recoloured(name: str, ground: Colour, scale: float, colours: bytes) -> Tile:
    """Return a sprite in other colours."""
    tile = sprite(name, ground, scale)
    return tile._replace(image=tile.image.point(colours, "P"))


class Canvas:
    """A picture being drawn. Places and sizes are in pixels of the finished picture.

    Where no ``ground`` is given, things lie on the background.
    """

    def __init__(self, height: int) -> None:
        self.image = Image.new("P", (WIDTH, -(-height // ROWS)), palette.index(DEEP))
        self.image.putpalette(palette.FLAT)

    def png(self) -> bytes:
        """Return the file."""
        whole = self.image.resize((WIDTH, self.image.height * ROWS), Image.Resampling.NEAREST)
        file = _file(whole, _FAST)
        return file if len(file) <= MAX_BYTES else _file(whole, _SMALL)

    # ---- shapes

    def panel(
        self,
        box: Box,
        colour: Colour,
        *,
        radius: int,
        ground: Colour = DEEP,
        edge: Colour = EDGE,
        line: int = 4,
    ) -> None:
        """Draw a rounded rectangle with an edge."""
        outer = _shape("panel", box.width, box.height, radius, (edge, ground))
        self._stamp(outer, box.x, box.y)
        inner = _shape("panel", box.width - 2 * line, box.height - 2 * line, max(1, radius - line), (colour, edge))
        self._stamp(inner, box.x + line, box.y + line)

    def ellipse(self, box: Box, colour: Colour, ground: Colour = DEEP) -> None:
        """Draw an ellipse."""
        self._stamp(_shape("ellipse", box.width, box.height, 0, (colour, ground)), box.x, box.y)

    def polygon(self, points: Sequence[Point], colour: Colour, ground: Colour = DEEP) -> None:
        """Draw a polygon."""
        left, top = int(min(x for x, _ in points)), _even(min(y for _, y in points))
        moved = tuple((x - left, y - top) for x, y in points)
        self._stamp(_polygon(moved, (colour, ground)), left, top)

    def line(self, points: Sequence[Point], colour: Colour, width: int, ground: Colour = DEEP) -> None:
        """Draw a line with round joints, each of its parts by itself: the area is what takes time."""
        for start, end in pairwise(points):
            left, top = int(min(start[0], end[0])) - width, _even(min(start[1], end[1]) - width)
            moved = (start[0] - left, start[1] - top), (end[0] - left, end[1] - top)
            self._stamp(_straight(moved, width, (colour, ground)), left, top)

    def ripples(self, *places: tuple[int, int]) -> None:
        """Draw small waves on water."""
        for x, y in places:
            self.line([(x + step * 18, y + (10 if step % 2 else 0)) for step in range(5)], RIPPLE, 5, WATER)

    # ---- text

    def text(
        self,
        x: int,
        y: int,
        text: str,
        *,
        ground: Colour,
        ink: Colour = INK,
        size: int = TEXT,
        align: Align = "left",
        limit: int = WIDTH,
    ) -> int:
        """Draw a line of text whose capitals are centred at ``y``. Return its width."""
        short = lettering.shortened(text, size, limit)
        wide = lettering.width(short, size)
        left = x if align == "left" else x - wide // 2 if align == "centre" else x - wide
        self._stamp(_text(short, size, (ink, ground)), left, y - round(size * 0.63))
        return wide

    # ---- sprites

    def sprite(self, name: str, x: int, y: int, ground: Colour, scale: float = 1.0, *, is_faint: bool = False) -> None:
        """Draw a sprite centred at a point. It is faint if it isn't there any more."""
        tile = _recoloured(name, ground, scale, palette.faint(ground)) if is_faint else sprite(name, ground, scale)
        self._stamp(tile, x - tile.image.width // 2, y - tile.image.height // 2 * ROWS)

    def card(
        self, name: str, x: int, y: int, ground: Colour, *, is_large: bool = False, is_shaded: bool = False
    ) -> None:
        """Draw a card by its top left corner. A card face down is its back. One that can't be played is shaded."""
        kind = "back" if name == "??" else f"card-{name}" if is_large else f"table-{name}"
        self._stamp(_recoloured(kind, ground, 1.0, palette.shaded()) if is_shaded else sprite(kind, ground), x, y)

    def slot(self, box: Box, ground: Colour, colour: Colour) -> None:
        """Draw the empty place of a card."""
        self.panel(box, ground, ground=ground, radius=14, edge=colour, line=4)

    def _stamp(self, tile: Tile, x: int, y: int) -> None:
        self.image.paste(tile.image, (x, y // ROWS), tile.mask)


def _laid(sprite: Image.Image, ground: Colour) -> Image.Image:
    """Return a sprite on a ground, in any colours."""
    whole = Image.new("RGB", sprite.size, palette.rgb(ground))
    whole.paste(sprite, mask=sprite.getchannel("A"))
    return whole


def _flat_colours(image: Image.Image) -> frozenset[int]:
    """Return the flat colours of an image. Others that are similar to colours of its edges would make files larger."""
    areas: Counter[int] = Counter()
    for area, colour in image.getcolors(image.width * image.height) or ():
        areas[palette.nearest(colour, palette.UNBLENDED)] += area
    return frozenset(at for at, area in areas.items() if area >= _PATCH * image.width * image.height)


_BLENDED: Final = re.compile(b"[" + re.escape(bytes(at for at in palette.EVERY if palette.is_blended(at))) + b"]")
"""A pixel of a colour between two others."""


def _crisp(pixels: bytes, width: int) -> bytes:
    """Return the pixels of a sprite without blended colours between two others in a row."""
    crisp = bytearray(pixels)
    for at in (found.start() for found in _BLENDED.finditer(pixels)):
        if 0 < at % width < width - 1:
            left, right = crisp[at - 1], pixels[at + 1]
            if left != right and not palette.is_blended(left) and not palette.is_blended(right):
                crisp[at] = palette.nearer(pixels[at], left, right)
    return bytes(crisp)


def _inked(mask: Image.Image, inks: Inks) -> Tile:
    """Return ink put through a mask on a flat ground."""
    across = ImageChops.difference(ImageChops.offset(mask, 1, 0), ImageChops.offset(mask, -1, 0))
    is_steep = _translated(across.tobytes(), _STEEP, mask.size)
    amounts = Image.composite(_translated(mask.tobytes(), _CRISP, mask.size), mask, is_steep).tobytes()
    image = Image.frombytes("P", mask.size, amounts.translate(palette.ramp(*inks)))
    return Tile(image, _translated(amounts, _VISIBLE, mask.size))


def _translated(amounts: bytes, table: bytes, size: tuple[int, int]) -> Image.Image:
    return Image.frombytes("L", size, amounts.translate(table))


def _coarse(mask: Image.Image, width: int, height: int) -> Image.Image:
    """Return a mask in the rows that a canvas has."""
    return mask.resize((width, max(1, height // ROWS)), Image.Resampling.BOX)


def _even(y: float) -> int:
    return int(y) // ROWS * ROWS


_STEEP: Final = bytes([0] * 151 + [255] * 105)
"""Edges that change the ink by more than 150 from pixel to pixel are not blended. Nobody sees it in such steep ones."""
_CRISP: Final = bytes([0] * 128 + [255] * 128)
_VISIBLE: Final = bytes([0] * 8 + [255] * 248)


def _file(image: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def resized(png: bytes, width: int) -> bytes:
    """Return a picture at another width."""
    with Image.open(io.BytesIO(png)) as image:
        smaller = image.convert("RGB").resize((width, round(image.height * width / image.width)))
    out = io.BytesIO()
    smaller.save(out, "PNG")
    return out.getvalue()


def forget() -> None:
    """Forget all parts drawn before. For tests, which compare pictures that share no parts."""
    for cached in (_shape, _straight, _polygon, _text, _recoloured, sprite):
        cached.cache_clear()
    lettering.mask.cache_clear()
