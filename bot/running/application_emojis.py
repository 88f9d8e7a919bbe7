"""The application's emojis: creating those that are missing, and retiring those that no process uses.

All this happens in the background. Until every emoji exists, messages are plain text. Emojis are pictures that a
release ships. Each is named after what it shows, as screen readers read it, and after the hash of its picture:
``king_of_diamonds_3f9a``. A release with a new drawing creates a new emoji beside the old one.
"""

import asyncio
import contextlib
import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import discord

from bot.errors import StoreError
from bot.store.bot_processes import BotProcesses
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE
from bot.ui.posts.emojis import EmojiSet

log: Final = logging.getLogger(__name__)

PAUSE_S: Final = 0.5
"""Pause before each emoji is created or deleted, so that this takes few of the requests that Discord allows."""
RETRY_AFTER_S: Final = (60.0, 300.0, 1800.0)
"""Delays after failures; the last one repeats."""
CHECK_S: Final = 60.0
"""How often the emojis are checked. No two checks are closer."""
_PICTURES: Final = Path(__file__).parents[1] / "pictures/emojis"
_VERSIONED: Final = re.compile(r"(?P<name>\w+)_[0-9a-f]{4}")


class Listed(NamedTuple):
    """An emoji of the application."""

    id: int
    name: str


class Comparison(NamedTuple):
    """The emojis that this version uses, by name, and what to create and delete to have exactly these.

    ``missing`` are names in `pictures`, ``outdated`` emojis that only other versions use.
    """

    usable: Mapping[str, Listed]
    missing: tuple[str, ...]
    outdated: tuple[Listed, ...]


@cache
def pictures() -> Mapping[str, bytes]:
    """Return the picture of each emoji by its name."""
    return {file.stem: file.read_bytes() for file in sorted(_PICTURES.glob("*.png"))}


@cache
def full_names() -> Mapping[str, str]:
    """Return the name on Discord of each emoji: its name and the hash of its picture."""
    return {name: f"{name}_{hashlib.sha256(png).hexdigest()[:4]}" for name, png in pictures().items()}


@cache
def version() -> str:
    """Return the name of the set of emojis that this version of the program uses."""
    return hashlib.sha256(" ".join(full_names().values()).encode()).hexdigest()[:16]


def compare(listed: Iterable[Listed], wanted: Mapping[str, str]) -> Comparison:
    """Compare the application's emojis with the full names of those that are wanted. Others' emojis don't count."""
    by_full_name = {emoji.name: emoji for emoji in listed}
    usable = {name: by_full_name[full] for name, full in wanted.items() if full in by_full_name}
    outdated = [emoji for full, emoji in by_full_name.items() if _is_outdated(full, wanted)]
    return Comparison(usable, tuple(name for name in wanted if name not in usable), tuple(outdated))


def _is_outdated(full_name: str, wanted: Mapping[str, str]) -> bool:
    found = _VERSIONED.fullmatch(full_name)
    return found is not None and wanted.get(found["name"], full_name) != full_name


async def fetch(client: discord.Client) -> Comparison:
    """Compare the application's emojis on Discord with those of this version."""
    listed = [Listed(emoji.id, emoji.name) for emoji in await client.fetch_application_emojis()]
    return compare(listed, full_names())


class ApplicationEmojis:
    """Keeps the application's emojis complete, and fills an `EmojiSet` with them. Run `keep` in a task.

    Only the process that ``is_in_charge`` creates and retires emojis; the others wait until all exist. ``pause_s`` is
    the pause before each request that changes something.
    """

    def __init__(
        self,
        client: discord.Client,
        processes: BotProcesses,
        emojis: EmojiSet,
        *,
        is_in_charge: Callable[[], bool],
        pause_s: float,
    ) -> None:
        self._client = client
        self._processes = processes
        self._emojis = emojis
        self._is_in_charge = is_in_charge
        self._pause_s = pause_s
        self._is_complete = False
        self._outdated: list[Listed] = []
        self._checked_at = float("-inf")

    async def keep(self) -> None:
        """Complete the set, and again whenever Discord has refused one of its emojis. Runs until cancelled.

        What is done stays done: after a crash or an error, the next attempt creates the rest.
        """
        failures = 0
        while True:
            delay_s = CHECK_S
            try:
                await self._attempt()
                failures = 0
            except (*CONNECTION_ERRORS, *UNREADABLE, StoreError) as error:
                delay_s = RETRY_AFTER_S[min(failures, len(RETRY_AFTER_S) - 1)]
                failures += 1
                log.warning("emojis can't be completed; retrying in %.0f s: %s", delay_s, error)
            await self._wait(delay_s)

    async def _wait(self, delay_s: float) -> None:
        """Wait for the next attempt. After a refusal it comes at once, unless the last one was a moment ago."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(delay_s):
                await self._emojis.rejected.wait()
                await asyncio.sleep(self._checked_at + CHECK_S - asyncio.get_running_loop().time())

    async def _attempt(self) -> None:
        if not self._is_complete or self._emojis.rejected.is_set():
            await self._complete()
        if self._outdated and self._is_in_charge() and not await self._processes.has_others(version(), 3 * CHECK_S):
            await self._retire()

    async def _complete(self) -> None:
        """Create what is missing, and let messages use the set when nothing is."""
        self._is_complete = False
        self._checked_at = asyncio.get_running_loop().time()
        self._emojis.rejected.clear()
        usable, missing, outdated = await fetch(self._client)
        if missing and not self._is_in_charge():
            return
        if missing:
            log.info("creating %s of %s emojis", len(missing), len(full_names()))
        ids = {name: emoji.id for name, emoji in usable.items()}
        for name in missing:
            ids[name] = await self._create(name)
        names = full_names()
        self._emojis.fill({name: discord.PartialEmoji(name=names[name], id=ids[name]) for name in ids})
        self._outdated = list(outdated)
        self._is_complete = True

    async def _create(self, name: str) -> int:
        await asyncio.sleep(self._pause_s)
        emoji = await self._client.create_application_emoji(name=full_names()[name], image=pictures()[name])
        return emoji.id

    async def _retire(self) -> None:
        """Delete the emojis that only other versions use. Messages that still show them keep their words."""
        log.info("deleting %s outdated emojis", len(self._outdated))
        while self._outdated:
            await asyncio.sleep(self._pause_s)
            emoji, application_id = self._outdated[-1], self._client.application_id or 0
            with contextlib.suppress(discord.NotFound):
                await self._client.http.delete_application_emoji(application_id, emoji.id)
            self._outdated.pop()
