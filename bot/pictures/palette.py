"""The colours of all pictures: one palette, so that drawing never has to convert anything."""

from collections.abc import Collection
from functools import cache
from typing import Final

Colour = str
"""A colour as ``#rrggbb``."""
Rgb = tuple[int, int, int]

# ---- grounds
DEEP: Final = "#14505c"
"""The background of every picture."""
WATER: Final = "#247480"
RIPPLE: Final = "#3a8692"
PLATE: Final = "#f6f0df"
"""Name plates and panels."""
TURN: Final = "#ffb92e"
"""The plate of a player to move. Only this says so by colour; an arrow says it by shape."""
CARD: Final = "#fffdf7"
SHADE: Final = "#c9d3d0"
"""Cards that can't be played now."""
PAD: Final = "#7dbf8e"
EDGE: Final = "#0b2a31"
NAVY: Final = "#232a4d"
CREAM: Final = "#fff4d6"
BACK: Final = "#2b5d8c"

# ---- inks
INK: Final = "#10262b"
MUTED: Final = "#4c5d60"
FOAM: Final = "#e9f7f5"
"""Text on water."""
POISON: Final = "#6a2c91"
LOSS: Final = "#9b2c00"
SUITS: Final = {"S": "#0a0a0c", "H": "#bb3a00", "D": "#002c94", "C": "#0a7b68"}
"""Okabe–Ito's black, vermillion, blue and green, darkened to a contrast of 4.5:1 on a card.

The blue is darker still, so that every two suits differ for people with any kind of colour vision.
"""

_BLENDED: Final = (
    # One colour in between is enough for smooth edges; more would only make files larger.
    *((ink, ground) for ink in (INK, EDGE) for ground in (PLATE, TURN, CARD, PAD, WATER, DEEP, SHADE, CREAM)),
    *((ink, ground) for ink in (PLATE, CARD, FOAM, TURN, PAD) for ground in (DEEP, WATER)),
    *((ink, CARD) for ink in (*SUITS.values(), POISON, BACK)),
    *((ink, PLATE) for ink in (SUITS["H"], SUITS["D"], SUITS["C"], POISON, LOSS, MUTED)),
    *((ink, SHADE) for ink in SUITS.values()),
    *((NAVY, CREAM), (BACK, PAD), (WATER, DEEP), (PAD, "#65a97c"), (SUITS["D"], DEEP)),
)


_FLAT: Final = (
    *(DEEP, WATER, RIPPLE, PLATE, TURN, CARD, SHADE, PAD, EDGE, NAVY, CREAM, BACK, INK, MUTED, FOAM, POISON, LOSS),
    *("#65a97c", *SUITS.values()),
)
_BIAS: Final = 1.7
"""Factor for the distance of a blended colour: thin edges make smaller files."""
_THIN: Final = (80, 175)
"""The amounts of ink, of 255, between which an edge has the blended colour."""


def rgb(colour: Colour) -> Rgb:
    """Return the red, green and blue of a colour."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def between(one: Colour, other: Colour) -> Rgb:
    """Return the colour between two others."""
    (r, g, b), (red, green, blue) = rgb(one), rgb(other)
    return round((r + red) / 2), round((g + green) / 2), round((b + blue) / 2)


COLOURS: Final = tuple(dict.fromkeys([*map(rgb, _FLAT), *(between(*inks) for inks in _BLENDED)]))
FLAT: Final = [part for colour in COLOURS for part in colour]
"""The palette as Pillow wants it."""


EVERY: Final = tuple(range(len(COLOURS)))
"""The indices of all colours."""
UNBLENDED: Final = EVERY[: len(_FLAT)]


@cache
def nearest(colour: Rgb, among: tuple[int, ...] = EVERY) -> int:
    """Return the index of the most similar colour among those with these indices."""
    red, green, blue = colour

    def distance(at: int) -> float:
        other, bias = COLOURS[at], 1 if at < len(_FLAT) else _BIAS
        return bias * (3 * (other[0] - red) ** 2 + 4 * (other[1] - green) ** 2 + 2 * (other[2] - blue) ** 2)

    return min(among, key=distance)


def with_blends(flat: Collection[int]) -> tuple[int, ...]:
    """Return indices of flat colours, and of the colours between them."""
    colours = {_FLAT[at] for at in flat}
    pairs = [(ink, ground) for ink, ground in _BLENDED if {ink, ground} <= colours]
    return (*flat, *(COLOURS.index(between(ink, ground)) for ink, ground in pairs))


def is_blended(at: int) -> bool:
    """Whether the colour at an index lies between two others."""
    return at >= len(_FLAT)


@cache
def nearer(at: int, one: int, other: int) -> int:
    """Return whichever of the last two indices has the colour more similar to the colour of the first."""

    def distance(to: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(COLOURS[at], COLOURS[to], strict=True))

    return min(one, other, key=distance)


def index(colour: Colour) -> int:
    """Return the index of a colour."""
    return nearest(rgb(colour))


@cache
def ramp(ink: Colour, ground: Colour) -> bytes:
    """Return the palette's index for each of 256 amounts of ink on a ground."""
    none, middle, full = index(ground), nearest(between(ink, ground)), index(ink)
    low, high = _THIN
    return bytes(none if amount < low else full if amount > high else middle for amount in range(256))


@cache
def faint(ground: Colour) -> bytes:
    """Return, for each index, the index of its colour mixed half and half with the ground."""
    middle = [tuple((one + other) // 2 for one, other in zip(each, rgb(ground), strict=True)) for each in COLOURS]
    return bytes([nearest((red, green, blue)) for red, green, blue in middle] + [0] * (256 - len(middle)))


@cache
def shaded() -> bytes:
    """Return, for each index, the index of its colour on a card that can't be played."""
    ground = rgb(SHADE)
    bright = rgb(CARD)
    darker = [nearest(tuple(c * g // b for c, g, b in zip(each, ground, bright, strict=True))) for each in COLOURS]
    return bytes(darker + [0] * (256 - len(darker)))
