"""Everybody can tell apart what differs in meaning, with any kind of colour vision."""

from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from bot.pictures import palette
from bot.pictures.canvas import SPRITES, sprite
from tests.pictures.colours import SIMULATIONS, contrast, difference, seen

MEANINGS: Final = (
    ("suit-S", "suit-H", "suit-D", "suit-C"),
    ("egg-light", "egg-dark", "tadpole-light", "tadpole-dark", "frog-light", "frog-dark"),
    ("poison", "profit", "chip"),
)
"""Sprites that mean different things in the same place."""
LEAST: Final = 20
"""The least CIEDE2000 between pixels that tell two meanings apart."""
SHARE: Final = 0.08
"""The least share of the pixels that differ so much."""
INKS: Final = (
    (palette.INK, (palette.PLATE, palette.TURN, palette.CARD, palette.CREAM)),
    (palette.FOAM, (palette.DEEP, palette.WATER)),
    (palette.MUTED, (palette.PLATE,)),
    (palette.LOSS, (palette.PLATE,)),
    *((ink, (palette.CARD, palette.PLATE)) for ink in palette.SUITS.values()),
)


@pytest.mark.parametrize(("ink", "grounds"), INKS)
def test_text_has_a_contrast_of_4_5(ink: str, grounds: tuple[str, ...]) -> None:
    for ground in grounds:
        assert contrast(palette.rgb(ink), palette.rgb(ground)) >= 4.5, ground


@pytest.mark.parametrize("suit", palette.SUITS)
def test_suits_of_cards_that_cannot_be_played_have_a_contrast_of_3(suit: str) -> None:
    assert contrast(palette.rgb(palette.SUITS[suit]), palette.rgb(palette.SHADE)) >= 3


def test_pieces_and_cards_have_a_contrast_of_3() -> None:
    for ground in (palette.WATER, palette.DEEP):
        assert contrast(palette.rgb(palette.CARD), palette.rgb(ground)) >= 3
        assert contrast(palette.rgb(palette.TURN), palette.rgb(ground)) >= 3
    for line in (palette.INK, palette.NAVY):
        assert contrast(palette.rgb(line), palette.rgb(palette.PAD)) >= 3
        assert contrast(palette.rgb(line), palette.rgb(palette.CREAM)) >= 3


@pytest.mark.parametrize("simulation", SIMULATIONS)
@pytest.mark.parametrize("kind", MEANINGS, ids=lambda kind: kind[0])
def test_meanings_are_told_apart_by_their_pixels(kind: tuple[str, ...], simulation: str) -> None:
    ground = palette.PAD if "egg" in kind[0] else palette.PLATE
    for one, other in combinations(kind, 2):
        first, second = (sprite(name, ground).image.convert("RGB") for name in (one, other))
        size = max(first.width, second.width), max(first.height, second.height)
        pixels = [_padded(image, size, ground) for image in (first, second)]
        known: dict[tuple[tuple[int, int, int], tuple[int, int, int]], bool] = {}
        differing = 0
        for pair in zip(*pixels, strict=True):
            if pair not in known:
                known[pair] = difference(seen(pair[0], simulation), seen(pair[1], simulation)) >= LEAST
            differing += known[pair]
        assert differing >= SHARE * len(pixels[0]), f"{one} and {other}"


def _padded(image: Image.Image, size: tuple[int, int], ground: str) -> list[tuple[int, int, int]]:
    whole = Image.new("RGB", size, palette.rgb(ground))
    whole.paste(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    data = whole.tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


@pytest.mark.parametrize("simulation", [name for name in SIMULATIONS if name != "greyscale"])
def test_suits_differ_in_colour_too(simulation: str) -> None:
    """Four greys that are dark enough for text can't differ so much. Their shapes do."""
    colours = [seen(palette.rgb(ink), simulation) for ink in palette.SUITS.values()]
    assert min(difference(one, other) for one, other in combinations(colours, 2)) >= LEAST


@pytest.mark.parametrize("simulation", SIMULATIONS)
def test_the_plate_of_the_player_to_move_stands_out(simulation: str) -> None:
    """The arrow and the thicker edge do it in greyscale."""
    turn, plate = (seen(palette.rgb(colour), simulation) for colour in (palette.TURN, palette.PLATE))
    if simulation != "greyscale":
        assert difference(turn, plate) >= LEAST


def test_no_sprite_is_without_its_colours_in_the_palette() -> None:
    for path in sorted(SPRITES.glob("*.png")):
        with Image.open(path) as image:
            assert image.mode == "P", path.name
            assert Path(path).stat().st_size < 4000, path.name
