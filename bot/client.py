"""The Discord client: loads the cogs, opens the one door for presses, repairs what was left undone, closes cleanly."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.errors import SettingsError
from bot.settings import Settings
from bot.store.sqlite import SqliteStore
from bot.tables import Receipt, Tables
from bot.turns import Turns
from bot.ui.answer import Reply, answer
from bot.ui.board import Boards
from bot.ui.desk import Desk
from bot.ui.hand import Hands
from bot.ui.post import Face
from bot.ui.presses import Presses
from bot.ui.reading import Reading

log = logging.getLogger(__name__)

LOBBY_LIFE_S: Final = 24 * 60 * 60
"""A lobby in which nothing happens for so long closes by itself."""

COGS: Final = ("cogs.pond", "cogs.tables")


class Tree(app_commands.CommandTree["LilypadBot"]):
    """The command tree; what goes wrong before a command's own work starts is answered like everything else."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Tells the person, under a reference number unless it is a refusal."""

        async def fail() -> Reply:
            raise error

        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, fail())
        else:
            log.error("autocomplete of interaction %s failed", interaction.id, exc_info=error)


class LilypadBot(commands.AutoShardedBot):
    """The bot. It asks for no privileged intent and keeps no message and no member in memory.

    `tables`, `faces`, `desk` and `reading` are there for the cogs once `setup_hook` has run.
    """

    faces: dict[str, Face[Any]]
    tables: Tables
    desk: Desk
    reading: Reading

    def __init__(self, settings: Settings, now: Callable[[], float] = time.time) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self.settings = settings
        self.faces = {}
        self._now = now

    async def setup_hook(self) -> None:
        """Opens the store, loads the cogs, tells Discord the commands, and takes up what the last run left undone."""
        self._store = await SqliteStore.open(self.settings.database_path)
        self.tables = Tables(self._store, now=self._now)
        self._boards = Boards(self, self.tables, self.faces, self._now)
        self._hands = Hands(self, self.tables, self.faces, self._now, self._boards.redraw)
        self._turns = Turns(self.tables)
        self.desk = Desk(self.tables, self.faces, self._boards, self._hands)
        self.reading = Reading(self.tables, self.faces)
        presses = Presses({**self.desk.handlers, **self.reading.handlers})
        self.add_listener(presses.on_interaction)
        self.tables.on_change(self._changed)
        self.tables.on_change(self._turns.changed)
        for cog in COGS:
            await self.load_extension(cog)
        await self.tree.sync()
        self._taking_up = asyncio.create_task(self._take_up(), name="taking up the tables of the last run")
        self._close_idle_lobbies.start()

    async def on_message(self, message: discord.Message, /) -> None:
        """Messages are no commands here; their coming only tells whether a board is buried."""

    async def close(self) -> None:
        """Stops within seconds: no new work, the open connections, then the store."""
        if hasattr(self, "_store"):
            self._close_idle_lobbies.cancel()
            self._taking_up.cancel()
            await self._turns.close()
            await self._boards.close()
            await self._hands.close()
        await super().close()
        if hasattr(self, "_store"):
            await self._store.close()

    def _changed(self, receipt: Receipt) -> None:
        if receipt.before > 0:  # the answer to the command that opened a table is its first board
            self._boards.redraw(receipt.table.id)
            self._hands.redraw(receipt.table.id)

    async def _take_up(self) -> None:
        """Lets computers go on, and repairs what the last run committed and could not show, table by table."""
        await self._turns.resume()
        open_tables = [table.id for table in await self.tables.open_tables()]
        for table_id in dict.fromkeys((*await self.tables.tables_to_redraw(), *open_tables)):
            await asyncio.wait({self._boards.redraw(table_id), self._hands.redraw(table_id)})

    @tasks.loop(hours=1)
    async def _close_idle_lobbies(self) -> None:
        await self.tables.close_idle_lobbies(LOBBY_LIFE_S)


def make_bot(settings: Settings) -> LilypadBot:
    """The bot for these settings. ``discord_api_url`` moves the REST calls; the gateway's address comes from there."""
    if settings.discord_api_url:
        discord.http.Route.BASE = settings.discord_api_url
    return LilypadBot(settings)


async def run(settings: Settings) -> None:
    """Connects to Discord and plays until it is stopped. Needs ``discord_token``.

    Raises `SettingsError` if Discord refuses the token, `OSError` if it can't be reached at the start.
    """
    bot = make_bot(settings)
    async with bot:
        try:
            await bot.start(settings.discord_token or "")
        except discord.LoginFailure:
            raise SettingsError("Discord refuses DISCORD_TOKEN; copy it anew from the developer portal.") from None
