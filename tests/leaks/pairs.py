"""Compares everything that the bot shows, offers and computes for a viewer between a moment and its twin."""

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from importlib import import_module
from types import FrameType
from typing import Any, Final, NamedTuple

from bot import computer
from bot.computer.thoughts import Thought
from bot.errors import IllegalMove
from bot.games import GAMES
from bot.games.frogs.moves import Shift
from bot.games.game import RESIGN, AnyGame, Event, Move, Observation, Seat
from bot.games.pond.moves import HandsPickedUp
from bot.pictures import Picture
from bot.records.preference import HandStyle, UserSettings
from bot.records.table import Table
from bot.tables.tables import Sight
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand, note
from bot.ui.messages.hint_texts import hint
from bot.ui.messages.result_texts import why
from bot.ui.posts.face import Face
from bot.ui.posts.layout import MAX_TEXT, Shown as ShownPicture, layout, split
from bot.ui.posts.pictures import file_name
from bot.ui.posts.post import Post, Scene
from cogs.frogs.face import FrogsFace
from cogs.pond.face import PondFace
from cogs.pond.scores import pile_in_full
from tests.emoji_set import complete_set
from tests.leaks.knowledge import Viewer
from tests.leaks.twins import deals_of, moments, twins
from tests.posts import draw_now
from tests.recorded import Moment

FACES: Final[Mapping[str, Face[Any]]] = {key: import_module(f"cogs.{key}.face").FACE for key in GAMES}
_SECRET_WORDS: Final = ("profit", "trap")
"""First words of moves with a hidden card (PC-20, PC-32)."""
_PREVIEWS: Final = 3
_DRAWN: Final = 32
"""Of so many pairs, one is drawn."""
_HINTED: Final = 50
"""Of so many thoughts, one is compared with a hint."""
HINT_BUDGETS: Final = {"frogs": 300, "pond": 30, "pontis": 30, "pot_black": 30}
_TRIED: Final = 4
"""Illegal moves tried at each moment."""


class Subject(NamedTuple):
    """A rulebook to test, with its face, its computer player, and how pictures are drawn and their files named.

    The last two get the true state as well, which only a leak uses.
    """

    game: AnyGame
    face: Face[Any]
    choose: Callable[[str, Any, random.Random], Move] = computer.choose
    draw: Callable[[Scene, Any], Picture] = lambda scene, _state: draw_now(scene)
    file_name: Callable[[Scene, Picture, Any], str] = lambda scene, picture, _state: file_name(scene, picture)


SUBJECTS: Final[Mapping[str, Subject]] = {key: Subject(game, FACES[key]) for key, game in GAMES.items()}


class Shown(NamedTuple):
    """Everything that a viewer gets at a moment, including answers to possible input."""

    observation: Observation
    events: list[tuple[Event, ...]]
    """Public events of the whole log."""
    autocomplete: tuple[tuple[str, str], ...]
    pages: tuple[object, ...]
    refusals: list[tuple[str, str | None]]
    resigning: object
    secret_moves: dict[Seat, object]


def compared(subject: Subject, rng: random.Random) -> Iterator[list[str]]:
    """Compare moments with their twins without end. Yield the names of the parts that differ for a viewer."""
    game = subject.game
    known: dict[str, Move] = {}
    pairs = 0
    for moment in moments(game, rng):
        illegal = _illegal(game, moment, known, rng)
        originals: dict[Viewer, Shown] = {}
        for twin in twins(game, moment, deals_of(game, moment), rng):
            for viewer in twin.viewers:
                if viewer not in originals:
                    originals[viewer] = shown(subject, moment, viewer, illegal[viewer], rng)
                other = shown(subject, twin.moment, viewer, illegal[viewer], rng)
                found = [name for name, a, b in zip(Shown._fields, originals[viewer], other, strict=True) if a != b]
                if pairs % _DRAWN == 0 and message(subject, moment, viewer) != message(subject, twin.moment, viewer):
                    found.append("message")
                pairs += 1
                yield found


def _illegal(game: AnyGame, moment: Moment, known: dict[str, Move], rng: random.Random) -> dict[Viewer, list[Move]]:
    """Return some illegal moves for each seat. ``known`` collects the moves seen so far."""
    legal = {seat: game.legal(moment.state, seat) for seat in range(moment.table.seats)}
    known |= {str(move): move for moves in legal.values() for move in moves}
    some = [known[text] for text in rng.sample(sorted(known), min(_TRIED, len(known)))]
    return {None: [], **{seat: [move for move in some if move not in moves] for seat, moves in legal.items()}}


def thought(subject: Subject, rng: random.Random) -> Iterator[list[str]]:
    """Compare as `compared` does what a computer chooses and, now and then, how long it takes, and the hint."""
    game = subject.game
    pairs = 0
    for moment in moments(game, rng):
        for twin in twins(game, moment, deals_of(game, moment), rng):
            for viewer in twin.viewers:
                one, other = (game.observe(each.state, viewer) for each in (moment, twin.moment))
                if one.legal and other.legal:
                    pairs += 1
                    yield _differing_thought(subject, moment.table, one, other, pairs)


def _differing_thought(subject: Subject, table: Table, one: Observation, other: Observation, seed: int) -> list[str]:
    measures: dict[str, Callable[[Subject, Any, int], object]] = {"choice": choice}
    measures |= {"work": work} if seed % 10 == 0 else {}
    measures |= {"hint": partial(hinted, table)} if seed % _HINTED == 0 and one.seat in one.to_act else {}
    return [name for name, measure in measures.items() if measure(subject, one, seed) != measure(subject, other, seed)]


def shown(subject: Subject, moment: Moment, viewer: Viewer, tried: Sequence[Move], rng: random.Random) -> Shown:
    """Collect everything that the viewer gets at the moment. The moves in ``tried`` are illegal."""
    game, state = subject.game, moment.state
    observation = game.observe(state, viewer)
    return Shown(
        observation,
        moment.log.seen[: moment.ply],
        tuple((str(move), subject.face.name_move(moment.table, observation, move)) for move in observation.legal),
        pages(subject.face, moment, observation),
        refusals(game, state, viewer or 0, tried),
        resigning(game, state, viewer),
        secret_moves(game, state, viewer, rng),
    )


def pages(face: Face[Any], moment: Moment, observation: Observation) -> tuple[object, ...]:
    """Draw every page for the viewer."""
    table = moment.table
    posts = [
        *map(Post, split(face.scores(table, observation), MAX_TEXT)),
        Post((face.progress(observation), str(face.deal(observation)))),
        Post((*face.describe(table, observation), *face.result(table, observation))),
        why(face, Sight(table, observation, moment.events)),
    ]
    if observation.seat is None:
        posts.append(board(face, Sight(table, observation, moment.events)))
    else:
        posts += _private(face, Sight(table, observation, moment.events))
    return tuple((post, _components(post, table.version)) for post in posts)


def message(subject: Subject, moment: Moment, viewer: Viewer) -> tuple[Picture, str] | None:
    """Return the picture of the board or the seat's hand, and its components, with alt text and the file's name."""
    face, observation = subject.face, subject.game.observe(moment.state, viewer)
    sight = Sight(moment.table, observation, moment.events)
    post = (
        board(face, sight, with_picture=True)
        if observation.seat is None
        else hand(face, sight, "[Open board](…)", UserSettings())
    )
    if not isinstance(post.scene, Scene):
        return None
    picture = subject.draw(post.scene, moment.state)
    shown = ShownPicture(subject.file_name(post.scene, picture, moment.state), picture.alt)
    view: Any = layout(post, moment.table.id, moment.table.version, emojis=_EMOJIS, picture=shown)
    return picture, repr(view.to_components())


def _private(face: Face[Any], sight: Sight) -> Iterator[Post]:
    table, observation = sight.table, sight.observation
    style: HandStyle = "pictures" if table.version % 2 else "text"
    yield hand(face, sight, "[Open board](…)", UserSettings(hands=style))
    yield Post((), face.choices(table, observation))
    if isinstance(face, PondFace):
        yield Post((pile_in_full(observation),))  # type: ignore[arg-type]  # Pond's face, so Pond's observation
    if isinstance(face, FrogsFace):
        yield note(face, sight, "[Open board](…)")
        seen: Any = observation
        for origin in sorted({move.origin for move in observation.legal if isinstance(move, Shift)}):
            yield face.squares(table, seen, origin)
        for move in observation.legal[:_PREVIEWS]:
            yield face.confirm(table, seen, move)


_EMOJIS: Final = complete_set()


@lru_cache(maxsize=64)
def _components(post: Post, version: int) -> str:
    """Return the components as they are sent, with their custom ids."""
    view: Any = layout(post, 1, version, emojis=_EMOJIS)
    return repr(view.to_components())


# ---- answers of the tables


def refusals(game: AnyGame, state: Any, seat: Seat, moves: Sequence[Move]) -> list[tuple[str, str | None]]:
    """Return the sentence and the ruling that refuse each move; empty if it is legal."""
    found = []
    for move in moves:
        try:
            game.apply(state, seat, move)
        except IllegalMove as refusal:
            found.append((refusal.sentence, refusal.ruling))
        else:
            found.append(("", None))
    return found


def resigning(game: AnyGame, state: Any, viewer: Viewer) -> object:
    """Return what the viewer sees when seat 0 resigns, or ``None`` if that isn't allowed."""
    if not game.may_resign(state):
        return None
    after, events = game.apply(state, 0, RESIGN)
    return events, game.observe(after, viewer)


def secret_moves(game: AnyGame, state: Any, viewer: Viewer, rng: random.Random) -> dict[Seat, object]:
    """Return what the viewer sees of a random secret move of each other seat."""
    seen: dict[Seat, object] = {}
    for seat in game.to_act(state):
        moves = [] if seat is None or seat == viewer else game.legal(state, seat)
        secret = [move for move in moves if str(move).split()[0] in _SECRET_WORDS]
        if secret and seat is not None:
            after, events = game.apply(state, seat, rng.choice(secret))
            picked_up = any(isinstance(event, HandsPickedUp) for event in events)  # which reveals more (PC-12)
            seen[seat] = events, None if picked_up else game.observe(after, viewer)
    return seen


# ---- computer players


def choice(subject: Subject, observation: Observation, seed: int) -> Move | None:
    """Return what a computer chooses for the seat, or ``None`` if it isn't to move."""
    return subject.choose(subject.game.key, observation, random.Random(seed)) if observation.legal else None


def hinted(table: Table, subject: Subject, observation: Observation, seed: int) -> object:
    """Return the hint for the seat, as it is sent, and how many functions a thought calls once its caches are full."""
    key = subject.game.key
    explain: Any = computer.EXPLAINERS[key]

    def think() -> Thought:
        thought: Thought = explain(observation, random.Random(seed), HINT_BUDGETS[key])
        return thought

    return hint(subject.face, Sight(table, observation, ()), think()), calls_of(think)


def work(subject: Subject, observation: Observation, seed: int) -> int:
    """Return how many functions a computer calls to choose."""
    return calls_of(lambda: choice(subject, observation, seed))


def calls_of(think: Callable[[], object]) -> int:
    """Return how many functions are called: a measure of time independent of other processes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        think()
    finally:
        sys.setprofile(None)
    return calls
