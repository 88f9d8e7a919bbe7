"""A SimCord world in real time.

SimCord is made for tests: time stands still until a test advances it, every action waits until the bot is idle, a bot
that is busy for long is an error, everything that happened is recorded, and there is one window. People in front of a
browser need the opposite. `LiveEnv` changes these five things, and nothing that the bot can see.
"""

import asyncio
import contextlib
import contextvars
import logging
import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import msgspec
import simcord
from discord.ext import commands
from simcord.backend.cdn import CDN_BASE
from simcord.preview import Preview, _component_projection, _markdown, _messages, _queries, _snapshot
from simcord.preview._media import MediaInfo, MediaWorker

from bot.running.application_emojis import full_names, pictures

_REMEMBERED: Final = 4096


def remember_texts() -> None:
    """Let SimCord's windows remember the texts that they have parsed."""
    for module in (_component_projection, _messages, _queries, _snapshot):
        module.markdown_tokens = _tokens  # type: ignore[attr-defined]  # they import it from `_markdown`


def _tokens(
    value: object, profile: str = "message", *, context: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    # The caller may change the tokens, so each gets its own.
    tokens: list[dict[str, Any]] = msgspec.msgpack.decode(_parsed(value, profile, msgspec.msgpack.encode(context)))
    return tokens


@lru_cache(_REMEMBERED)
def _parsed(value: object, profile: str, context: bytes) -> bytes:
    return msgspec.msgpack.encode(_markdown.markdown_tokens(value, profile, context=msgspec.msgpack.decode(context)))


_PNG: Final = b"\x89PNG\r\n\x1a\n"
_BYTES_A_PIXEL: Final = 4


def add_emojis(env: simcord.Env) -> None:
    """Create the application's emojis with their pictures, as an earlier run of the bot would have done."""
    for name, png in pictures().items():
        emoji = env.backend.create_application_emoji(full_names()[name])
        url = f"{CDN_BASE}/emojis/{emoji.id}.png"
        env.backend.cdn._blobs[url] = png  # noqa: SLF001 - SimCord stores only attachments and stickers


def show_at_once(preview: Preview) -> None:
    """Show the bot's pictures in this window without decoding them first."""
    preview._media_worker = _Pictures()  # noqa: SLF001 - SimCord creates its own if there is none


class _Pictures(MediaWorker):
    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        if not blob.startswith(_PNG):
            return await super().validate(key, blob, media_time=media_time)
        width, height = struct.unpack(">II", blob[16:24])
        decoded = width * height * _BYTES_A_PIXEL
        return MediaInfo("PNG", width, height, 1, decoded, blob, "image/png", capture=blob, poster=blob)


log = logging.getLogger(__name__)

PATIENCE_S: Final = 0.1
"""Maximum time that an action waits for a busy bot. Later changes are shown when they happen."""

GLANCE_S: Final = 0.01
"""Maximum time that the clock waits for a busy bot before it moves on to the next timer."""

ANSWER_S: Final = 3.0
"""Maximum time that a press waits for its answer, as on Discord."""


class Windows:
    """All previews of a world. SimCord stores its only one in this place."""

    _closed = True  # SimCord allows another preview if the last one is closed

    def __init__(self) -> None:
        self.all: list[Preview] = []

    def _mark_action_dispatched(self) -> None:
        for preview in self.all:
            preview._mark_action_dispatched()  # noqa: SLF001 - what SimCord calls on its preview


class LiveEnv(simcord.Env):
    """A SimCord world in real time. Call `start`, then `catch_up` a few times a second, then `end`.

    A press waits ``answer_s`` for its answer.
    """

    def __init__(self, bot: commands.AutoShardedBot, answer_s: float) -> None:
        self._answer_s = answer_s
        self._windows = Windows()
        self._is_live = False
        super().__init__(bot, strict_sync=False, check_errors=False, shard_count=1)
        self.backend.advance_clock(self._behind_s())

    async def start(self) -> None:
        """Log the bot in, and wait until it is ready."""
        await super().start()
        await self.bot.wait_until_ready()
        self._is_live = True

    async def catch_up(self) -> None:
        """Set the world's clock to the present, and run the timers that are due."""
        with contextlib.suppress(TimeoutError):  # too many timers: the next call continues
            await self.advance_time(self._behind_s())

    def news(self) -> bool:
        """Return whether anything happened since the last call, and drop what SimCord recorded of it."""
        happened = bool(self.backend.transcript)
        if happened:
            self._forget()
        return happened

    def _forget(self) -> None:
        backend = self.backend
        backend.transcript.clear()
        backend.http_requests.clear()
        messages = (message for channel in backend.messages.values() for message in channel.values())
        in_sight = {attachment["url"] for message in messages for attachment in message.attachments}
        files = backend.cdn._blobs  # noqa: SLF001 - SimCord never drops pictures of old boards
        for url in [url for url in files if "/attachments/" in url and url not in in_sight]:
            del files[url]

    async def end(self) -> None:
        """Close the bot, then the world."""
        await self.bot.close()
        await self.shutdown()

    def _behind_s(self) -> float:
        return max(0.0, (datetime.now(UTC) - self.now()).total_seconds())

    # ---- overrides of SimCord

    @property
    def _preview(self) -> Any:
        return self._windows

    @_preview.setter
    def _preview(self, preview: Preview | None) -> None:
        if preview is not None:
            self._windows.all.append(preview)

    def _schedule_timer(
        self, record: Any, callback: Any, args: tuple[Any, ...], schedule_context: contextvars.Context | None
    ) -> None:
        # SimCord also runs timers while an action settles. Here only `catch_up` does, except during login, when it
        # isn't called yet.
        if not self._is_live:
            super()._schedule_timer(record, callback, args, schedule_context)

    async def _settle_internal(self, *, dispatch: str | None = None, **_: Any) -> None:
        with contextlib.suppress(TimeoutError):
            patience_s = GLANCE_S if self._advancing else PATIENCE_S
            await super()._settle_internal(timeout=patience_s, dispatch=dispatch)
        if dispatch == "INTERACTION_CREATE":
            await self._answer()

    async def _answer(self) -> None:
        """Let time pass until the latest interaction is answered, or Discord would have given up."""
        interaction = next(reversed(self.backend.interactions.values()))
        deadline = asyncio.get_running_loop().time() + self._answer_s
        while not interaction.responded and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(PATIENCE_S / 5)
            await self.catch_up()

    def _capture_errors(self) -> None:
        """Do nothing: discord.py logs errors of commands, presses and listeners."""

    def _record_error(self, error: BaseException) -> None:
        log.error("A task of the bot raised %s.", type(error).__name__, exc_info=error)
