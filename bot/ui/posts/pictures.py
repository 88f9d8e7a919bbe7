"""The pictures of posts: what they show, and the words that stand for them. `bot.ui.posts.sender` sends them."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bot.games.game import Observation
from bot.pictures import Drawing, Picture, animation
from bot.pictures.worker import painter
from bot.records.table import Table
from bot.tables.tables import Sight
from bot.texts import language
from bot.ui.posts.face import Face
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Figure, Post, Scene, What

_FRAMES: Final = {1: 260, 2: 700}
"""About how many frames a file has room for, by how much they are smaller than their pictures."""
MAX_FRAMES: Final = max(_FRAMES.values())


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
    scene = replace(scene, above=tuple(above), below=tuple(below), in_words=post.paragraphs)
    return replace(post, paragraphs=(), scene=scene)


def with_move(post: Post, drawing: Drawing, table: Table, observation: Observation, preview: object) -> Post:
    """Return a post about a move that isn't made yet, and a picture of its effects below."""
    scene = _scene("move", drawing, table, observation, preview)
    return replace(post, paragraphs=(), scene=replace(scene, above=post.paragraphs, in_words=post.paragraphs))


def _scene(what: What, drawing: Drawing, table: Table, observation: Observation, preview: object = None) -> Scene:
    names = tuple(label_of(table, seat) for seat in range(table.seats))
    described = msgspec.json.encode((what, table.game, language(), names, observation, preview), order="deterministic")
    return Scene(what, hashlib.sha256(described).hexdigest(), drawing, observation, names, language(), preview=preview)


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
        return Picture(scene.data, scene.alt) if scene.data else _shipped(scene)
    details = () if scene.preview is None else (scene.preview,)
    return await painter.draw(scene.key, scene.drawing, scene.observation, scene.names, scene.language, *details)


async def figure_of(what: str, drawing: Drawing, names: tuple[str, ...], *details: Any) -> Figure | None:
    """Return a finished picture that isn't of a table; ``None`` if it can't be drawn."""
    described = msgspec.json.encode((what, language(), names, details), order="deterministic")
    key = hashlib.sha256(described).hexdigest()
    picture = await painter.draw(key, drawing, None, names, language(), *details)
    return picture and Figure(f"{what}.png", picture.alt, what=what, data=picture.png)


@lru_cache(maxsize=64)
def _shipped(figure: Figure) -> Picture:
    """Return a picture that comes with the bot."""
    return Picture(Path(figure.file).read_bytes(), figure.alt)


def file_name(scene: Scene | Figure, picture: Picture) -> str:
    """Return the name of a picture's file: equal pictures have equal names."""
    suffix = Path(scene.file).suffix if isinstance(scene, Figure) else ".png"
    return f"{scene.what}-{hashlib.sha256(picture.png).hexdigest()[:16]}{suffix}"


async def animated(posts: Sequence[Post]) -> bytes | None:
    """Return the pictures of posts as a GIF; ``None`` if they can't be drawn, or would make too large a file."""
    pngs: list[bytes] = []
    for post in posts:
        picture = await drawn(post)
        if picture is None:
            return None
        pngs.append(picture.png)
    for scale, most in _FRAMES.items():
        if 0 < len(pngs) <= most:
            gif = await _animation(pngs, scale)
            if gif is None or len(gif) <= animation.MAX_BYTES:
                return gif
    return None


async def _animation(pngs: Sequence[bytes], scale: int) -> bytes | None:
    size = animation.size_of(pngs)
    parts = [animation.start(size, scale)]
    before: bytes | None = None
    for png, duration_ms in zip(pngs, animation.durations(len(pngs)), strict=True):
        part = await painter.frame(before, png, size, duration_ms, scale)
        if part is None:
            return None
        parts.append(part)
        before = png
    return b"".join((*parts, animation.END))
