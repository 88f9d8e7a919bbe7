"""The pictures of messages: what they show, and how their files get to Discord and stay there.

Discord doesn't list a file that a component shows among the attachments of its message. The id of the file is in the
component, in the answer to the request that uploaded it. An edit that lists this id keeps the file.
"""

import hashlib
import io
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeVar, cast

import discord
import msgspec
from discord.components import MediaGalleryComponent
from msgspec.structs import replace

from bot.games.game import Observation
from bot.pictures import Picture, can_draw
from bot.pictures.worker import What, painter
from bot.tables import Table
from bot.texts import language
from bot.ui.posts.emojis import is_about_emoji
from bot.ui.posts.layout import Shown
from bot.ui.posts.post import Post, Scene
from bot.ui.posts.text import label_of

log: Final = logging.getLogger(__name__)

M = TypeVar("M")

MISSING_PERMISSIONS: Final = 50013
_UPLOAD_REFUSED: Final = frozenset({0, 40005, 50006, 50035, 50046, MISSING_PERMISSIONS})
"""Error codes of refused uploads. 0 is that of errors without a code, such as those of proxies."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file of a message on Discord."""

    name: str
    id: int

    def to_dict(self) -> dict[str, Any]:
        """Return what keeps the file in an edit of its message."""
        return {"id": str(self.id)}


Files = list[discord.File]
Request = Callable[[Shown | None, Files], Awaitable[M]]
"""Sends a message with this picture, or in words. A file may be on Discord already."""


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


def with_move(post: Post, table: Table, observation: Observation, *move: object) -> Post:
    """Return a post about a move that isn't made yet, and a picture of its effects below.

    ``move`` is the move and its preview.
    """
    return _with_scene(post, replace(_scene("move", table, observation, *move), above=post.paragraphs))


def _scene(what: What, table: Table, observation: Observation, *move: object) -> Scene:
    names = tuple(label_of(table, seat) for seat in range(table.seats))
    described = msgspec.json.encode((what, language(), names, observation, move), order="deterministic")
    return Scene(what, hashlib.sha256(described).hexdigest(), observation, names, language(), move=move)


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
    return await painter.draw(scene.key, scene.what, scene.observation, scene.names, scene.language, *scene.move)


def file_name(post: Post, picture: Picture) -> str:
    """Return the name of a picture's file: equal pictures have equal names."""
    what = post.scene.what if post.scene else "picture"
    return f"{what}-{hashlib.sha256(picture.png).hexdigest()[:16]}.png"


async def sent_with_picture(post: Post, kept: Attached | None, request: Request[M]) -> tuple[M, Attached | None]:
    """Send a post, and return the answer with the file of its picture, as far as Discord tells it.

    If the message shows the picture already (``kept``), the file stays. If Discord refuses an upload, it is tried once
    more, and then the post is sent in words.
    """
    picture = await drawn(post)
    if picture is not None:
        shown = Shown(file_name(post, picture), picture.alt)
        for file in _tries(shown.file, picture, kept):
            try:
                answer = await request(shown, [cast("discord.File", file)])  # nothing but `to_dict` is needed
            except discord.HTTPException as error:
                if not _is_upload_refused(error):
                    raise
                log.warning("Discord refused the picture %s: %s", shown.file, error)
                if error.code == MISSING_PERMISSIONS:
                    break
            else:
                return answer, file if isinstance(file, Attached) else attached_to(answer)
    return await request(None, []), None


def attached_to(message: object) -> Attached | None:
    """Return the file of the picture that a message shows, if Discord has told its id."""
    for component in discord_components(message):
        if isinstance(component, MediaGalleryComponent) and (media := component.items[0].media).attachment_id:
            name = media.url.partition("?")[0].rpartition("/")[2]
            return Attached(name, media.attachment_id)
    return None


def discord_components(message: object) -> Iterator[object]:
    """Yield the components of a message, also those in containers."""
    for component in getattr(message, "components", ()):
        yield component
        yield from getattr(component, "children", ())


def _tries(name: str, picture: Picture, kept: Attached | None) -> Iterator[discord.File | Attached]:
    if kept is not None and kept.name == name:
        yield kept
    for _ in range(2):  # a file can be sent only once
        yield discord.File(io.BytesIO(picture.png), name)


def _is_upload_refused(error: discord.HTTPException) -> bool:
    if is_about_emoji(error):
        return False
    is_of_client = HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (is_of_client and error.code in _UPLOAD_REFUSED)
