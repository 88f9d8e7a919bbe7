"""Moments of random tables, and everything that is drawn, offered, refused or chosen at one of them for one viewer.

A viewer is a seat, or the public. What he gets at a moment may depend on his observation alone; so a pair of states
that give him the same observation has to give him the same of everything here.
"""

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import FrameType
from typing import Any, Final, NamedTuple

import pytest

from bot import computer
from bot.errors import IllegalMove
from bot.fairness import Deals
from bot.games.game import CHANCE, RESIGN, AnyGame, Event, Move, Observation, Seat, Value
from bot.games.pond import HandsPickedUp
from bot.selfplay import NAMES
from bot.tables import Place, Sight, Sitter, Table
from bot.ui.board import board
from bot.ui.hand import hand
from bot.ui.layout import layout
from bot.ui.post import Face, Post
from cogs.faces.frogs import FrogsFace
from cogs.faces.pond import PondFace, pile_in_full
from cogs.faces.pontis import PontisFace
from cogs.faces.pot_black import PotBlackFace
from tests.games.test_contract import all_choices

FACES: Final[Mapping[str, Face[Any]]] = {
    face.game.key: face for face in (PondFace(), FrogsFace(), PontisFace(), PotBlackFace())
}
_SECRET_WORDS: Final = ("profit", "trap")
"""The words of moves that others see made without seeing what they are (PC-20, PC-32)."""
_PREVIEWS: Final = 3
_MOMENTS: Final = 12
"""So many moments of a table are looked at."""


class Moment(NamedTuple):
    """A table at some moment of its game: the state, and the last public events."""

    table: Table
    state: Any
    events: tuple[Event, ...]

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """The public and every seat."""
        return (None, *range(self.table.seats))


def moments(game: AnyGame, rng: random.Random) -> Iterator[Moment]:
    """Moments of tables without end, over every choice of every option."""
    while True:
        for options in all_choices(game, rng):
            every = list(played(game, options, rng))
            yield from rng.sample(every, min(_MOMENTS, len(every)))


def played(
    game: AnyGame, options: Mapping[str, Value], rng: random.Random, preferred: Move | None = None
) -> Iterator[Moment]:
    """Every moment of a game at random; the preferred move is made as long as it is legal."""
    deals = Deals(rng.randbytes(32), ("",) * game.seats(options))
    state, dealt, version = game.start(options), 0, 0
    events: tuple[Event, ...] = ()
    while to_act := game.to_act(state):
        version += 1
        if CHANCE in to_act:
            state, seen = game.apply(state, CHANCE, game.chance(state, deals(dealt)))
            dealt += 1
        else:
            seat = rng.choice([seat for seat in range(game.seats(options)) if game.legal(state, seat)])
            legal = game.legal(state, seat)
            state, seen = game.apply(state, seat, preferred if preferred in legal else rng.choice(legal))
        events = (*events, *seen)[-8:]
        if CHANCE not in game.to_act(state):
            yield Moment(table_of(game, options, version), state, events)


def pages(moment: Moment, observation: Observation) -> tuple[object, ...]:
    """Everything that is ever drawn for the viewer, and every move that is offered while he types."""
    face, table = FACES[moment.table.game], moment.table
    named = tuple((str(move), face.name_move(table, observation, move)) for move in observation.legal)
    posts = [
        Post((*face.scores(table, observation), face.progress(observation), str(face.deal(observation)))),
        Post((*face.describe(table, observation), *face.result(table, observation))),
    ]
    if observation.seat is None:
        posts.append(board(face, Sight(table, observation, moment.events)))
    else:
        posts += _private(face, Sight(table, observation, moment.events))
    return (named, *((post, _components(post, table.version)) for post in posts))


def _private(face: Face[Any], sight: Sight) -> Iterator[Post]:
    table, observation = sight.table, sight.observation
    yield hand(face, sight, "[to the board](…)")
    yield Post((), face.choices(table, observation))
    if isinstance(face, PondFace):
        yield Post((pile_in_full(table, observation),))  # type: ignore[arg-type]  # Pond's face, so Pond's observation
    if isinstance(face, FrogsFace):
        seen: Any = observation
        yield face.squares(table, seen, "egg")
        for move in observation.legal[:_PREVIEWS]:
            yield face.confirm(table, seen, move)


@lru_cache(maxsize=64)
def _components(post: Post, version: int) -> str:
    """The message as Discord gets it, ids of buttons and menus included."""
    return repr(layout(post, 1, version).to_components())


# ---- what the tables answer


def refusals(game: AnyGame, state: Any, seat: Seat, moves: Sequence[Move]) -> list[tuple[str, str | None]]:
    """With which sentence and ruling each of the moves is refused."""
    told = []
    for move in moves:
        with pytest.raises(IllegalMove) as refusal:
            game.apply(state, seat, move)
        told.append((refusal.value.sentence, refusal.value.ruling))
    return told


def resigning(game: AnyGame, state: Any, viewer: Seat | None) -> object:
    """What the viewer sees when somebody resigns, ``None`` where nobody may."""
    if not game.may_resign(state):
        return None
    after, events = game.apply(state, 0, RESIGN)
    return events, game.observe(after, viewer)


def secret_moves(game: AnyGame, state: Any, viewer: Seat | None, rng: random.Random) -> dict[Seat, object]:
    """What the viewer sees of a secret move that another seat makes, which one is left to chance; by seat."""
    seen: dict[Seat, object] = {}
    for seat in game.to_act(state):
        moves = [] if seat is None or seat == viewer else game.legal(state, seat)
        secret = [move for move in moves if str(move).split()[0] in _SECRET_WORDS]
        if secret and seat is not None:
            after, events = game.apply(state, seat, rng.choice(secret))
            picked_up = any(isinstance(event, HandsPickedUp) for event in events)  # then there is more to know (PC-12)
            seen[seat] = events, None if picked_up else game.observe(after, viewer)
    return seen


# ---- what computers make of it


def choice(game: AnyGame, observation: Observation, seed: int) -> Move | None:
    """What a computer does on the seat, by the rules of thumb; ``None`` if it has nothing to do."""
    return computer.choose(game.key, observation, random.Random(seed)) if observation.legal else None


def work(game: AnyGame, observation: Observation, seed: int) -> int:
    """How long a computer takes to choose, in functions called: a measure of time that no other process disturbs."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        choice(game, observation, seed)
    finally:
        sys.setprofile(None)
    return calls


@lru_cache(maxsize=64)
def _sitters(seats: int) -> tuple[Sitter, ...]:
    return tuple(Sitter(seat, name, 100 + seat) for seat, name in enumerate(NAMES[:seats]))


def table_of(game: AnyGame, options: Mapping[str, Value], version: int) -> Table:
    """A table of the game that is being played, at this version."""
    seats = game.seats(options)
    return Table(
        id=1,
        name="Heron",
        game=game.key,
        options=options,
        seats=seats,
        status="playing",
        version=version,
        host_id=100,
        place=Place(1, 2),
        sitters=_sitters(seats),
        commitment="c" * 64,
        seed=None,
        outcome=None,
        opened_at=0.0,
        changed_at=0.0,
    )
