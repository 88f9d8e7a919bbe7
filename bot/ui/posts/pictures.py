"""The pictures of posts: what they show, and the words that stand for them. `bot.ui.posts.sender` sends them."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.games.game import Observation
from bot.pictures import Drawing, Picture
from bot.pictures.worker import painter
from bot.tables import Sight, Table
from bot.texts import language
from bot.ui.posts.face import Face
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Figure, Post, Scene, What


def illustrated(
    post: Post,
    face: Face[Any],
    sight: Sight,
    *,
    above: Sequence[str],
    below: Sequence[str] = (),
) -> Post:
    """Return a post in words with a picture instead, if there are pictures of its game.

    ``above`` and ``below`` are the paragraphs around the picture.
    """
    if face.drawings is None:
        return post
    observation = sight.observation
    what: What = "result" if observation.outcome else "board" if observation.seat is None else "hand"
    drawing = face.drawings.result if what == "result" else face.drawings.table
    scene = _scene(what, drawing, sight.table, observation)
    return _with_scene(post, replace(scene, above=tuple(above), below=tuple(below)))


def with_move(post: Post, drawing: Drawing, table: Table, observation: Observation, preview: object) -> Post:
    """Return a post about a move that isn't made yet, and a picture of its effects below."""
    return _with_scene(post, replace(_scene("move", drawing, table, observation, preview), above=post.paragraphs))


def _scene(what: What, drawing: Drawing, table: Table, observation: Observation, preview: object = None) -> Scene:
    names = tuple(label_of(table, seat) for seat in range(table.seats))
    described = msgspec.json.encode((what, table.game, language(), names, observation, preview), order="deterministic")
    return Scene(what, hashlib.sha256(described).hexdigest(), drawing, observation, names, language(), preview=preview)


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
    details = () if scene.preview is None else (scene.preview,)
    return await painter.draw(scene.key, scene.drawing, scene.observation, scene.names, scene.language, *details)


@lru_cache(maxsize=64)
def _shipped(figure: Figure) -> Picture:
    """Return a picture that comes with the bot."""
    return Picture(Path(figure.file).read_bytes(), figure.alt)


def file_name(scene: Scene | Figure, picture: Picture) -> str:
    """Return the name of a picture's file: equal pictures have equal names."""
    return f"{scene.what}-{hashlib.sha256(picture.png).hexdigest()[:16]}.png"
