"""The previews of all games as pictures."""

import io
from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from PIL import Image

from bot.cli.preview import MOMENTS, drawings_of, previews
from bot.games.game import Observation
from bot.pictures import Drawings, Picture, draw
from bot.texts import SOURCE

MAX_BYTES: Final = 20_000
GAME: Final = pytest.mark.parametrize("game", MOMENTS)


@cache
def drawn(game: str) -> dict[str, Picture]:
    """Return all previews of a game."""
    return {preview.name: preview.picture for preview in previews(game)}


def image_of(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.png))


def draw_table(observation: Observation, names: Sequence[str], language: str = SOURCE) -> Picture:
    return draw(_drawings_for(observation).table, observation, names, language)


def draw_result(observation: Observation, names: Sequence[str], language: str = SOURCE) -> Picture:
    return draw(_drawings_for(observation).result, observation, names, language)


def _drawings_for(observation: Observation) -> Drawings:
    """Return the drawings of the game that an observation belongs to."""
    return drawings_of(type(observation).__module__.split(".")[2])
