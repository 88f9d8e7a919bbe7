"""Pictures of typical and extreme moments, to look at: ``python -m bot preview``. The same every time."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any, Final, NamedTuple

from bot.cli import selfplay
from bot.errors import LilypadError
from bot.games import GAMES
from bot.games.frogs.rulebook import Frogs
from bot.games.game import CHANCE, AnyGame, Entry, Observation, Seat, Value
from bot.pictures import WIDTH, Drawings, Picture, draw, resized
from bot.texts import SOURCE, languages

_SEED: Final = "preview"
_PEOPLE: Final = ("Ann", "\N{ROBOT FACE} Moss", "Cleo", "Ben", *selfplay.NAMES[4:])
_NAMES: Final = (
    "Bartholomew Fairweather",
    "\N{ROBOT FACE} Dragonfly",
    "田中さくら",
    "שירה לוי",
    "Ζωή Παπαδοπούλου",
    "🐸🌿 Frøya",
    "Александра",
    "فاطمة",
    "김철수",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
    "Đặng Thị Ánh",
    "🦆",
    "O’Neill-Ødegård",
)
"""The longest names, and names in many scripts."""


class NoPreview(LilypadError):
    """There is no such moment, seat or language."""


class Moment(NamedTuple):
    """A moment of a game between computers: after ``plies`` moves of seats, or at the end."""

    plies: int | None
    options: Mapping[str, int | str]
    names: Sequence[str] = _PEOPLE


class Preview(NamedTuple):
    """A picture and the name of its file."""

    name: str
    picture: Picture


MOMENTS: Final[Mapping[str, Mapping[str, Moment]]] = {
    "pond": {
        "profit": Moment(0, {}),
        "pond": Moment(7, {"players": 4}),
        "trick": Moment(14, {"players": 4}),
        "duel": Moment(23, {"players": 2}),
        "answer": Moment(13, {"players": 2}),
        "late": Moment(112, {"players": 4}),
        "names": Moment(27, {"players": 4}, _NAMES),
        "end": Moment(None, {"players": 4}),
    },
    "frogs": {
        "start": Moment(0, {}),
        "middle": Moment(9, {}),
        "big": Moment(17, {"preset": "big"}),
        "names": Moment(12, {}, _NAMES),
        "end": Moment(None, {}),
    },
    "pontis": {
        "duel": Moment(0, {"players": 2, "jokers": 4}),
        "table": Moment(9, {}),
        "eight": Moment(10, {"players": 8}),
        "crowd": Moment(4, {"players": 13}),
        "names": Moment(5, {"players": 13}, _NAMES),
        "banks": Moment(7, {"players": 6, "banks": 3, "teams": "on"}),
        "end": Moment(None, {"players": 6, "games": 4}),
        "single": Moment(None, {}),
        "many": Moment(None, {"players": 13}, _NAMES),
    },
    "pot_black": {
        "deal": Moment(0, {}),
        "trick": Moment(35, {}),
        "late": Moment(254, {}),
        "classic": Moment(70, {"players": 3, "form": "classic"}),
        "names": Moment(23, {}, _NAMES),
        "end": Moment(None, {}),
    },
}


def drawings_of(key: str) -> Drawings:
    """Return the drawings of a game."""
    drawings: Drawings = import_module(f"cogs.{key}.picture").DRAWINGS
    return drawings


def previews(
    key: str, moment: str | None = None, seat: Seat | None = None, language: str = SOURCE, size: int = WIDTH
) -> Iterator[Preview]:
    """Yield pictures of a game: of one moment or all; as a seat sees it, or the public and the seat to move."""
    game = GAMES[key]
    if language not in languages():
        raise NoPreview(f"There are no texts in the language {language}. Languages: {', '.join(languages())}.")
    asked = _moments(game, moment)
    seats = max(len(_names(game, at)) for at in asked.values())
    if seat is not None and seat >= seats:
        raise NoPreview(f"There is no seat {seat} there. The seats are 0 to {seats - 1}.")
    for name, at in asked.items():
        for preview in _of_moment(game, name, at, seat, language):
            yield preview if size == WIDTH else _resized(preview, size)


def _resized(preview: Preview, size: int) -> Preview:
    png, alt = preview.picture
    return preview._replace(picture=Picture(resized(png, size), alt))


def _moments(game: AnyGame, moment: str | None) -> Mapping[str, Moment]:
    known = MOMENTS.get(game.key, {})
    if moment is None:
        return known
    if moment not in known:
        raise NoPreview(f"{game.title} has no moment {moment}; it has {', '.join(known)}.")
    return {moment: known[moment]}


def _viewers(game: AnyGame, state: Any) -> list[Seat | None]:
    """Return who sees a moment: the public (`None`) and, in games with hands, the first seat that is to move."""
    movers = sorted(actor for actor in game.to_act(state) if actor is not CHANCE)
    return [None, *movers[:1]] if game.has_hands else [None]


def _of_moment(game: AnyGame, moment: str, at: Moment, seat: Seat | None, language: str) -> Iterator[Preview]:
    state = state_at(game, at)
    names = _names(game, at)
    if seat is not None and seat >= len(names):
        return
    public, drawings = game.observe(state, None), drawings_of(game.key)
    for viewer in _viewers(game, state) if seat is None else [seat]:
        suffix = "board" if viewer is None else f"seat-{viewer}"
        yield Preview(
            f"{game.key}-{moment}-{suffix}", draw(drawings.table, game.observe(state, viewer), names, language)
        )
    if public.outcome is not None:
        yield Preview(f"{game.key}-{moment}-result", draw(drawings.result, public, names, language))
    if isinstance(game, Frogs) and public.turn is not None:
        yield from _best_move(game, game.observe(state, public.turn), moment, names, language)


def _best_move(game: Frogs, observation: Any, moment: str, names: Sequence[str], language: str) -> Iterator[Preview]:
    """Yield the preview of the move that changes most."""
    effects = [game.preview(observation, move) for move in observation.legal]
    if effects:
        most = max(effects, key=lambda each: (len(each.scored), len(each.developed)))
        yield Preview(
            f"{game.key}-{moment}-preview", draw(drawings_of(game.key).table, observation, names, language, most)
        )


def _names(game: AnyGame, moment: Moment) -> Sequence[str]:
    return moment.names[: game.seats(game.settle(moment.options))]


def state_at(game: AnyGame, moment: Moment) -> Any:
    """Return the state at a moment."""
    options = game.settle(moment.options)
    entries = _played(game.key, tuple(options.items()))
    if moment.plies is None:
        return game.fold(options, entries)
    # Chance that is due after the last move belongs to the moment.
    by_seats = [number for number, entry in enumerate(entries) if entry.seat is not CHANCE]
    end = by_seats[moment.plies] if moment.plies < len(by_seats) else len(entries)
    return game.fold(options, islice(entries, end))


@cache
def _played(key: str, options: tuple[tuple[str, Value], ...]) -> Sequence[Entry]:
    """Return the entries of a game between computers."""
    return selfplay.play(selfplay.Plan(key, dict(options), _SEED, levels=("fair",)), 0).entries


def names_at(key: str, moment: str) -> Sequence[str]:
    """Return the names of the players at a moment, by seat."""
    return _names(GAMES[key], MOMENTS[key][moment])


def observed(key: str, moment: str, seat: Seat | None) -> Observation:
    """Return the view of a seat, or of the public, at a moment."""
    game = GAMES[key]
    observation: Observation = game.observe(state_at(game, MOMENTS[key][moment]), seat)
    return observation
