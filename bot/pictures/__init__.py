"""Pictures of boards, hands and results, drawn from an observation alone. The only home of Pillow.

picture = draw(observation, names, language)   # a board; with the hand if the observation has a seat
picture = draw_result(observation, names, language)
picture.png, picture.alt
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bot.games.frogs import observation as frogs_rules
from bot.games.frogs.rulebook import Preview
from bot.games.game import Observation
from bot.games.pond import observation as pond_rules
from bot.games.pontis import observation as pontis_rules
from bot.games.pot_black import observation as pot_black_rules
from bot.pictures import frogs, pond, pontis, pot_black, result
from bot.pictures.canvas import MAX_HEIGHT, WIDTH, resized
from bot.pictures.picture import Picture
from bot.texts import SOURCE, using

_DRAW: Final[Mapping[type[Observation], Callable[[Any, Sequence[str]], Picture]]] = {
    pond_rules.Observation: pond.draw,
    frogs_rules.Observation: frogs.draw,
    pontis_rules.Observation: pontis.draw,
    pot_black_rules.Observation: pot_black.draw,
}


_HEIGHT: Final[Mapping[type[Observation], Callable[[Any], int]]] = {
    pond_rules.Observation: pond.height,
    pontis_rules.Observation: pontis.height,
    pot_black_rules.Observation: pot_black.height,
}


def height_of(observation: Observation) -> int:
    """Return the height of a picture, or the maximum for games that don't say it before they draw."""
    height = _HEIGHT.get(type(observation))
    return height(observation) if height else MAX_HEIGHT


def can_draw(observation: Observation) -> bool:
    """Whether there are pictures of this game."""
    return type(observation) in _DRAW


def draw(observation: Observation, names: Sequence[str], language: str = SOURCE) -> Picture:
    """Draw a board, with the hand of the observing seat. ``names`` are by seat."""
    with using(language):
        return _DRAW[type(observation)](observation, names)


def draw_result(observation: Observation, names: Sequence[str], language: str = SOURCE) -> Picture:
    """Draw the result card of a finished game."""
    with using(language):
        return result.draw(observation, names)


def draw_move(
    observation: frogs_rules.Observation, names: Sequence[str], preview: Preview, language: str = SOURCE
) -> Picture:
    """Draw the result of a move in Pond · frogs before it is confirmed."""
    with using(language):
        return frogs.draw(observation, names, preview)


__all__ = ["MAX_HEIGHT", "WIDTH", "Picture", "can_draw", "draw", "draw_move", "draw_result", "height_of", "resized"]
