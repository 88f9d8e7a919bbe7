"""Draws the pictures' sprites and the emojis from the SVG files in `art`.

Run it by `make sprites` after a change of a drawing. Cards are made of one template for each use, the suits, and ranks;
pieces of Pond · frogs have one template for both owners.
"""

import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from bot.games import cards
from bot.games.cards import Card
from bot.pictures.palette import SUITS

ROOT: Final = Path(__file__).parents[1]
ART: Final = ROOT / "art"
PICTURES: Final = ROOT / "bot/pictures"
HASH: Final = PICTURES / "sprites/SOURCES.sha256"
"""The hash of everything that the sprites are made from. A test compares it."""

RANKS: Final = "A23456789TJQK"
JOKER_INK: Final = "#6a2c91"
COLOURS: Final = 32
EMOJI: Final = 128


class Owner(NamedTuple):
    """The look of a side's pieces: Light is plain with one outline, Dark has spots and a double outline."""

    name: str
    fill: str
    line: str
    halo: str
    has_spots: bool


OWNERS: Final = (
    Owner("light", "#fff4d6", "#10262b", "none", has_spots=False),
    Owner("dark", "#232a4d", "#fff4d6", "#10162b", has_spots=True),
)
SPOTS: Final = {
    "egg": ((100, 68), (128, 84), (72, 84), (128, 116), (72, 116), (100, 132)),
    "tadpole": ((76, 104), (104, 94), (52, 94), (122, 138)),
    "frog": ((100, 78), (76, 140), (124, 140), (100, 146)),
}
SIGNS: Final = {"poison": 52, "profit": 52, "chip": 64, "pad": 180, "chip-side": 72, "hand": 66, "pile": 66}
"""The widths of all other sprites."""
MARGINS: Final = {"egg": -36, "tadpole": -16, "frog": -2}
"""The margins of pieces as emojis: the drawings are smaller than their squares."""
BODY: Final = (
    '<ellipse cx="46" cy="148" rx="30" ry="15"/><ellipse cx="154" cy="148" rx="30" ry="15"/>'
    '<circle cx="66" cy="54" r="25"/><circle cx="134" cy="54" r="25"/><ellipse cx="100" cy="110" rx="64" ry="50"/>'
)


class Drawing(NamedTuple):
    """A picture to make: its file, its SVG source, and its width in pixels."""

    file: Path
    svg: str
    width: int


def source(name: str) -> str:
    """Return an SVG file of `art`."""
    return (ART / f"{name}.svg").read_text(encoding="utf-8")


def inside(svg: str) -> str:
    """Return what is within the outer element of an SVG."""
    return re.sub(r"^<svg[^>]*>|</svg>\s*$", "", svg.strip())


def fill(template: str, **values: object) -> str:
    """Replace the placeholders of a template."""
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", str(value))
    return template


def card(use: str, name: str) -> str:
    """Return a card of the template ``use``: ``QS``, or ``XX`` for the joker."""
    if name == "XX":
        star = f'<g transform="translate(-4 -70) scale(0.72)">{inside(source("star"))}</g>'
        values = {"rank": star, "squeeze": 0.9, "ink": JOKER_INK, "suit": inside(source("joker"))}
    else:
        squeeze = 0.68 if name[0] == "T" else 1
        values = {"rank": _rank(name[0]), "squeeze": squeeze, "ink": SUITS[name[1]]}
        values["suit"] = inside(source(f"suit-{name[1]}"))
    return fill(source(use), **values)


def _rank(rank: str) -> str:
    found = re.search(rf'<path id="{rank}"[^>]+>', source("ranks"))
    if found is None:
        raise ValueError(f"art/ranks.svg has no rank {rank}")
    return found[0]


def piece(stage: str, owner: Owner) -> str:
    """Return a piece of Pond · frogs."""
    spots = "".join(f'<circle cx="{x}" cy="{y}" r="7" fill="{owner.line}"/>' for x, y in SPOTS[stage])
    values = {"body": BODY, "fill": owner.fill, "line": owner.line, "halo": owner.halo}
    return fill(source(stage), spots=spots if owner.has_spots else "", **values)


def drawings() -> Iterator[Drawing]:
    """Yield everything to draw."""
    for name in [*(rank + suit for suit in "SHDC" for rank in RANKS), "XX"]:
        yield Drawing(_sprite(f"card-{name}"), card("card", name), 132)
        yield Drawing(_sprite(f"table-{name}"), card("card-table", name), 96)
        yield Drawing(_emoji(cards.name(Card(name))), card("card-emoji", name), EMOJI)
    for suit, ink in SUITS.items():
        svg = source(f"suit-{suit}").replace("<path", f'<path fill="{ink}"')
        yield Drawing(_sprite(f"suit-{suit}"), svg, 52)
        # The outline keeps dark suits visible in dark mode.
        outlined = svg.replace("<path", '<path stroke="#fffdf7" stroke-width="9" paint-order="stroke"')
        yield Drawing(_emoji(cards.SUIT_NAMES[suit]), _as_emoji(outlined, 8), EMOJI)
    for owner in OWNERS:
        for stage in SPOTS:
            yield Drawing(_sprite(f"{stage}-{owner.name}"), piece(stage, owner), 150)
            drawn = _as_emoji(piece(stage, owner), MARGINS[stage])
            yield Drawing(_emoji(f"{owner.name} {stage}"), drawn, EMOJI)
    for name, width in SIGNS.items():
        yield Drawing(_sprite(name), source(name), width)
    # Many backs in a picture would make its file large, and their veins can't be seen there.
    yield Drawing(_sprite("back"), re.sub(r'<path id="veins"[^>]+>', "", source("card-back")), 96)
    for name in ("poison", "profit", "chip", "card-back", "water"):
        yield Drawing(_emoji(name.replace("-", " ")), _as_emoji(source(name), 4), EMOJI)
    yield Drawing(_sprite("robot"), fill(source("robot"), ink="#10262b", ground="#f6f0df"), 46)


def _sprite(name: str) -> Path:
    return PICTURES / f"sprites/{name}.png"


def _emoji(words: str) -> Path:
    """Return the file of an emoji. Its name on Discord is the same, as screen readers read it."""
    return PICTURES / f"emojis/{words.replace(' ', '_')}.png"


def _as_emoji(svg: str, margin: int) -> str:
    box = re.findall(r'viewBox="([^"]+)"', svg)[0]
    return fill(source("emoji"), margin=margin, size=132 - 2 * margin, box=box, shape=inside(svg))


def render(drawing: Drawing) -> bytes:
    """Return the PNG of a drawing, with few colours."""
    import resvg_py  # noqa: PLC0415 - only needed here, and installed for development alone

    png = resvg_py.svg_to_bytes(svg_string=drawing.svg, width=drawing.width)
    image = Image.open(io.BytesIO(bytes(png))).convert("RGBA")
    out = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(out, "PNG", optimize=True)
    return out.getvalue()


def fingerprint() -> str:
    """Return the hash of the sources: the drawings and this script."""
    sources = [*sorted(ART.glob("*.svg")), Path(__file__)]
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def main() -> None:
    """Draw all sprites and emojis, in place of the former ones."""
    for folder in (PICTURES / "sprites", PICTURES / "emojis"):
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.png"):
            old.unlink()
    for drawing in drawings():
        drawing.file.write_bytes(render(drawing))
    HASH.write_text(fingerprint() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
