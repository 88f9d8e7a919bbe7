"""Heights of messages on a phone, measured in the sandbox's page."""

import contextlib
import shutil
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import discord
from discord.ext import commands
from playwright.async_api import Frame, ViewportSize, async_playwright
from simcord.components import resolve_attachment_references

from bot.sandbox.proxy import listen, serve
from bot.sandbox.world import Window, World, world
from bot.ui.posts.emojis import EmojiSet
from bot.ui.posts.layout import Shown, layout
from bot.ui.posts.post import Post
from tests.discord.seen import Seen
from tests.posts import draw_now
from tests.waiting import until

CHROMIUM: Final = shutil.which("chromium")
FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PHONE: Final = ViewportSize(width=390, height=844)
_IN_A_WINDOW: Final = 50
"""SimCord's windows show this many messages."""
_APART: Final = timedelta(minutes=10)
"""Messages that follow each other sooner have no line with the author's name."""
_COMPONENTS_V2: Final = 1 << 15
_EPHEMERAL: Final = 1 << 6

_MESSAGES: Final = """() => {
    const state = window.simcordPreview;
    const measured = (message) =>
        [message.dataset.messageId, message.getBoundingClientRect().height, message.innerText];
    return state?.ready ? [...document.querySelectorAll(".channel-message")].map(measured) : [];
}"""


class Height(NamedTuple):
    """The height of a message in pixels, with its author's line, and its visible text."""

    pixels: int
    text: str


class Phone:
    """The sandbox's page at the size of a phone, as Ann sees it. ``room`` is the height of the visible channel."""

    def __init__(self, place: World, frame: Frame, room: int) -> None:
        self._place = place
        self._frame = frame
        self.room = room
        self._emojis = EmojiSet()
        existing = place.env.backend.application_emojis.values()
        self._emojis.fill(
            {each.name.rpartition("_")[0]: discord.PartialEmoji(name=each.name, id=each.id) for each in existing}
        )

    async def measure(self, posts: Sequence[tuple[Post | Seen, bool]]) -> list[Height]:
        """Return the height of each message. Private ones, marked with ``True``, have a line that says so.

        Messages that a player has seen elsewhere are shown without their pictures.
        """
        heights: list[Height] = []
        for first in range(0, len(posts), _IN_A_WINDOW):
            heights += await self._measure(posts[first : first + _IN_A_WINDOW])
        return heights

    async def _measure(self, posts: Sequence[tuple[Post | Seen, bool]]) -> list[Height]:
        async with self._place.turn:
            ids = [
                str(self._post(post, number, is_private=is_private)) for number, (post, is_private) in enumerate(posts)
            ]
            await self._window.preview.refresh()
        shown: dict[str, Height] = {}

        async def are_shown() -> bool:
            measured = await self._frame.evaluate(_MESSAGES)
            shown.update({message: Height(round(pixels), text) for message, pixels, text in measured})
            return shown.keys() >= set(ids)

        await until(are_shown)
        self._place.env.backend.messages[self._window.preview.channel.id].clear()
        return [shown[message] for message in ids]

    def _post(self, post: Post | Seen, number: int, *, is_private: bool) -> int:
        backend, channel_id = self._place.env.backend, self._window.preview.channel.id
        components, files = ([*post.components], []) if isinstance(post, Seen) else self._laid_out(post, number)
        message = backend.create_message(
            channel_id,
            backend.bot_user.id,
            components=components,
            attachments=files,
            flags=_COMPONENTS_V2 | (_EPHEMERAL if is_private else 0),
            interaction_metadata={"user": {"id": str(self._place.people[0].member.id)}} if is_private else None,
            broadcast=False,
        )
        message.timestamp = (datetime(2026, 1, 1, tzinfo=UTC) + number * _APART).isoformat()
        return message.id

    def _laid_out(self, post: Post, number: int) -> tuple[list[Any], list[Any]]:
        """Return the components of a post and the attachments they name."""
        backend, channel_id = self._place.env.backend, self._window.preview.channel.id
        files: list[Any] = []
        shown = None
        if post.scene is not None:
            picture = draw_now(post.scene)
            shown = Shown(f"picture-{number}.png", picture.alt)
            files.append(backend.cdn.store_attachment(backend.snowflake(), channel_id, shown.file, picture.png, None))
        view: Any = layout(post, 1, 1, emojis=self._emojis, picture=shown)
        return resolve_attachment_references(view.to_components(), files), files

    @property
    def _window(self) -> Window:
        return self._place.people[0].channel


@contextlib.asynccontextmanager
async def phone() -> AsyncIterator[Phone]:
    """Open the sandbox's page, with a bot that does nothing."""
    bot = commands.AutoShardedBot(command_prefix=commands.when_mentioned, intents=discord.Intents(guilds=True))
    async with world(bot) as place, serve(place, listen(0)) as address, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            page = await browser.new_page(viewport=PHONE)
            await page.goto(address)
            await page.get_by_label("Close the help").click()
            frame = next(frame for frame in page.frames if frame.name == "channel" or "/window" in frame.url)
            await frame.wait_for_url("**/window#*")  # loading ends the scripts of the page before
            await until(lambda: frame.evaluate("window.simcordPreview?.ready"))
            room = await frame.evaluate("document.getElementById('channel-timeline').clientHeight")
            yield Phone(place, frame, room)
        finally:
            await browser.close()
