"""Pictures in the simulated Discord: the application's emojis, and the bot's own PNG files.

SimCord drops the pictures of emojis, but its page shows those that are in its store. It decodes every picture in a
process of its own, one after the other, which takes about 0.1 s each and allows only eight at a time. Pictures of the
bot are shown as they are.
"""

import struct
from typing import Final

import simcord
from simcord.backend.cdn import CDN_BASE
from simcord.preview import Preview
from simcord.preview._media import MediaInfo, MediaWorker

from bot.running.application_emojis import full_names, pictures

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
