"""The previews of all games as pictures."""

import io
from functools import cache
from typing import Final

import pytest
from PIL import Image

from bot.pictures import Picture
from bot.preview import MOMENTS, previews

MAX_BYTES: Final = 20_000
GAME: Final = pytest.mark.parametrize("game", MOMENTS)


@cache
def drawn(game: str) -> dict[str, Picture]:
    """Return all previews of a game."""
    return {preview.name: preview.picture for preview in previews(game)}


def image_of(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.png))
