"""The pictures of posts: what they show, and the words that stand for them. `bot.ui.posts.sender` sends them."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bot.games.game import Observation
from bot.pictures import Picture, can_draw
from bot.pictures.worker import What, painter
from bot.tables import Table
from bot.texts import language
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Figure, Post, Scene


def illustrated(
    post: Post,
    table: Table,
    observation: Observation,
    *,
    above: Sequence[str],
    below: Sequence[str] = (),
) -> Post:
    """Return a post in words with a picture instead, if there are pictures of its game.

    ``above`` and ``below`` are the paragraphs around the picture.
    """
    if not can_draw(observation):
        return post
    what: What = "result" if observation.outcome else "board" if observation.seat is None else "hand"
    scene = _scene(what, table, observation)
    return _with_scene(post, replace(scene, above=tuple(above), below=tuple(below)))


def with_move(post: Post, table: Table, observation: Observation, preview: object) -> Post:
    """Return a post about a move that isn't made yet, and a picture of its effects below."""
    return _with_scene(post, replace(_scene("move", table, observation, preview), above=post.paragraphs))


def _scene(what: What, table: Table, observation: Observation, preview: object = None) -> Scene:
    names = tuple(label_of(table, seat) for seat in range(table.seats))
    described = msgspec.json.encode((what, language(), names, observation, preview), order="deterministic")
    return Scene(what, hashlib.sha256(described).hexdigest(), observation, names, language(), preview=preview)


def _with_scene(post: Post, scene: Scene) -> Post:
    return replace(post, paragraphs=(), scene=replace(scene, in_words=post.paragraphs))


def in_words(post: Post) -> Post:
    """Return the post without its picture."""
    scene = post.scene
    return post if scene is None else replace(post, paragraphs=(*scene.in_words, *post.paragraphs), scene=None)


async def drawn(post: Post) -> Picture | None:
    """Return the picture of a post; ``None`` if it has none, or if it can't be drawn."""
    scene = post.scene
    if scene is None:
        return None
    if isinstance(scene, Figure):
        return _shipped(scene)
    return await painter.draw(scene.key, scene.what, scene.observation, scene.names, scene.language, scene.preview)


@lru_cache(maxsize=64)
def _shipped(figure: Figure) -> Picture:
    """Return a picture that comes with the bot."""
    return Picture(Path(figure.file).read_bytes(), figure.alt)


def file_name(scene: Scene | Figure, picture: Picture) -> str:
    """Return the name of a picture's file: equal pictures have equal names."""
    return f"{scene.what}-{hashlib.sha256(picture.png).hexdigest()[:16]}.png"
