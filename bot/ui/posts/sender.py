"""Shows posts with their emojis and pictures, and without what Discord refuses of them.

Every message goes through `Sender`. A channel, the answer to an interaction and its webhook are transports.

Discord doesn't list a file that a component shows among the attachments of its message. The id of the file is in the
component, in the answer to the request that uploaded it. An edit that lists this id keeps the file.
"""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, NamedTuple, cast
from weakref import WeakValueDictionary

import discord
from discord.components import MediaGalleryComponent

from bot.pictures import Picture
from bot.ui.posts.discord_errors import UPLOAD_REFUSED, Code
from bot.ui.posts.emojis import NO_EMOJIS, EmojiSet, is_about_emoji
from bot.ui.posts.layout import Shown, layout
from bot.ui.posts.pictures import drawn, file_name
from bot.ui.posts.post import Post
from bot.ui.posts.recent import Recent
from bot.ui.posts.tokens import Tokens

log: Final = logging.getLogger(__name__)

RETRY_S: Final = 600.0
"""How long messages stay in words after Discord has refused a picture."""
_MAX_REFUSED: Final = 1000
_NOT_ABOUT_UPLOADS: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS})


@dataclass(frozen=True, slots=True)
class Attached:
    """A file of a message on Discord."""

    name: str
    id: int

    def to_dict(self) -> dict[str, Any]:
        """Return the attachment that keeps the file in an edit of its message."""
        return {"id": str(self.id)}


Files = list[discord.File]
Transport = Callable[[discord.ui.LayoutView, Files], Awaitable[discord.Message | int | None]]
"""Makes the request that shows a message: to a channel, an interaction or a webhook. A file may be on Discord already.

It returns the message, or its id; ``None`` if Discord returns neither.
"""


class Draft(NamedTuple):
    """What a message shows; ``table``, ``version`` and ``mark`` as for `layout`."""

    post: Post
    table: str | int = 0
    version: int = 0
    mark: int = 0


class Sent(NamedTuple):
    """A message as Discord has taken it; ``message_id`` is 0 if Discord hasn't returned it."""

    message_id: int
    picture: Attached | None = None


class Sender:
    """Sends posts. One object serves the whole process. ``now`` returns seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.emojis = EmojiSet()
        self.tokens = Tokens(now)
        self._now = now
        self._refused_until = Recent[int, float](_MAX_REFUSED)
        """Places that get no pictures for a while: messages, channels, and users who get replies."""
        self._edits: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """Locks of the messages that are being edited, in whichever way."""

    def may_upload(self, place_ids: Iterable[int]) -> bool:
        """Whether Discord hasn't refused a picture lately in any of these places."""
        now = self._now()  # a time further ahead is from before the clock was put back
        return not any(now < self._refused_until.get(place_id, 0.0) <= now + RETRY_S for place_id in place_ids)

    async def send(
        self, draft: Draft, transport: Transport, places: Sequence[int], *, edits: int = 0, kept: Attached | None = None
    ) -> Sent:
        """Show a message; ``edits`` is the id of the one that is edited.

        If Discord refuses an emoji, the post is sent at once without any. If the message shows the picture already
        (``kept``), the file stays. If Discord refuses an upload, it is tried once more, and then the post is sent in
        words. The first of ``places`` then gets no pictures for a while. The message belongs to all these places.

        Two edits of one message are never under way together: nobody would know which one came last.
        """
        async with self._turn(edits) as is_first:
            kept = kept if is_first else None  # the edit before may have replaced the file
            try:
                return await self._send(draft, transport, places, kept=kept, emojis=self.emojis)
            except discord.HTTPException as error:
                if not is_about_emoji(error):
                    raise
                log.warning("Discord refused an emoji; using none until they are checked: %s", error)
                self.emojis.reject()
                return await self._send(draft, transport, places, kept=kept, emojis=NO_EMOJIS)

    @asynccontextmanager
    async def _turn(self, message_id: int) -> AsyncIterator[bool]:
        """Wait for other edits of the message, 0 being a new one. Yield whether there were none."""
        if not message_id:
            yield True
            return
        lock = self._edits.setdefault(message_id, asyncio.Lock())
        is_first = not lock.locked()
        async with lock:
            yield is_first

    def is_editing(self, message_id: int) -> bool:
        """Whether an edit of the message is under way."""
        lock = self._edits.get(message_id)
        return lock is not None and lock.locked()

    async def _send(
        self, draft: Draft, transport: Transport, places: Sequence[int], *, kept: Attached | None, emojis: EmojiSet
    ) -> Sent:
        post, may_upload = draft.post, self.may_upload(places)
        picture = await drawn(post) if may_upload or kept else None
        if post.scene is not None and picture is not None:
            shown = Shown(file_name(post.scene, picture), picture.alt)
            tries = _tries(shown.file, picture, kept, may_upload=may_upload)
            for file in tries:
                try:
                    # For a file already on Discord, only `to_dict` is used.
                    answer = await transport(layout(*draft, emojis, picture=shown), [cast("discord.File", file)])
                except discord.HTTPException as error:
                    if not _is_upload_refused(error):
                        raise
                    log.warning("Discord refused the picture %s: %s", shown.file, error)
                    if error.code == Code.MISSING_PERMISSIONS:
                        break
                else:
                    return _sent(answer, file if isinstance(file, Attached) else attached_to(answer))
            if may_upload:
                self._refused_until[places[0]] = self._now() + RETRY_S
        return _sent(await transport(layout(*draft, emojis), []))


def _sent(answer: discord.Message | int | None, picture: Attached | None = None) -> Sent:
    return Sent(answer.id if isinstance(answer, discord.Message) else answer or 0, picture)


def attached_to(message: object) -> Attached | None:
    """Return the file of the picture that a message shows in its container, if its id is known."""
    for container in getattr(message, "components", ()):
        for component in getattr(container, "children", ()):
            if isinstance(component, MediaGalleryComponent) and (media := component.items[0].media).attachment_id:
                name = media.url.partition("?")[0].rpartition("/")[2]
                return Attached(name, media.attachment_id)
    return None


def _tries(
    name: str, picture: Picture, kept: Attached | None, *, may_upload: bool
) -> Iterator[discord.File | Attached]:
    if kept is not None and kept.name == name:
        yield kept
    for _ in range(2 if may_upload else 0):  # a file can be sent only once
        yield discord.File(io.BytesIO(picture.png), name)


def _is_upload_refused(error: discord.HTTPException) -> bool:
    if is_about_emoji(error) or error.status in _NOT_ABOUT_UPLOADS:
        return False
    is_of_client = HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (is_of_client and error.code in UPLOAD_REFUSED)
