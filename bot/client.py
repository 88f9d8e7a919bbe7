"""The Discord client: puts the parts of a running bot together, and closes it cleanly."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands
from discord.ext import commands, tasks
from discord.gateway import DiscordWebSocket
from discord.voice_client import VoiceClient
from yarl import URL

from bot.emojis import PAUSE_S, ApplicationEmojis
from bot.errors import LilypadError, SettingsError
from bot.leases import TICK_S, Leases
from bot.settings import Settings
from bot.store.opening import open_store
from bot.tables import Quotas, Tables
from bot.tables.absence.timer import DeadlineTimer
from bot.thinkers import Thinkers
from bot.turns import Turns
from bot.ui.actions.absence import AbsenceActions
from bot.ui.actions.hands import HandReplies
from bot.ui.actions.hints import HintActions
from bot.ui.actions.info_pages import InfoPages
from bot.ui.actions.table_actions import TableActions
from bot.ui.game_cog import GameCog
from bot.ui.interactions.command_tree import CommandTree, keep_syncing
from bot.ui.interactions.respond import finish_answers
from bot.ui.interactions.router import Handler, Router
from bot.ui.interactions.translator import Translator
from bot.ui.messages import discord_events
from bot.ui.messages.live import LiveMessages
from bot.ui.messages.pace import REQUESTS_PER_S, Budget
from bot.ui.messages.repair import Repair
from bot.ui.messages.workers import persist
from bot.ui.posts.face import Face
from bot.ui.posts.sender import Sender

if TYPE_CHECKING:
    from bot.health import Health

log = logging.getLogger(__name__)

LOBBY_LIFE_S: Final = 24 * 60 * 60
"""Time without a change after which a lobby closes."""

_FIRST_SYNC_S: Final = 5.0
"""Maximum time for which the start waits for Discord to take the commands."""
_GATEWAY_WITHIN_S: Final = 1.5
_ANSWERS_WITHIN_S: Final = 3.0
"""Timeouts of closing: for the connection, and for answers being given. The store's last write may take five more."""

COGS: Final = (
    "cogs.pond",
    "cogs.frogs",
    "cogs.pontis",
    "cogs.pot_black",
    "cogs.tables",
    "cogs.privacy",
    "cogs.settings",
    "cogs.server",
)


class LilypadBot(commands.AutoShardedBot):
    """The bot. It needs no privileged intents and keeps no messages or members in memory.

    Cogs use `tables`, `faces`, `actions`, `hints` and `info_pages`, which exist once `setup_hook` has run.
    """

    faces: dict[str, Face[Any]]
    tables: Tables
    actions: TableActions
    hints: HintActions
    info_pages: InfoPages

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float] = time.time,
        *,
        lease_tick_s: float = TICK_S,
        requests_per_s: float = REQUESTS_PER_S,
        emoji_pause_s: float | None = PAUSE_S,
    ) -> None:
        """``lease_tick_s`` (how often leases are checked) and ``requests_per_s`` (the budget) are for tests.

        ``emoji_pause_s`` is the pause before each emoji that is created at the start; with ``None`` there are none.
        """
        VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # there is no voice here to warn about
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self.settings = settings
        self.faces = {}
        self._now = now
        self._board_checks: dict[int, asyncio.Task[None]] = {}
        """The last check of boards of each shard that has had a session."""
        self._lease_tick_s = lease_tick_s
        self._requests_per_s = requests_per_s
        self._emoji_pause_s = emoji_pause_s
        self.sender = Sender(now)
        self._background: set[asyncio.Task[None]] = set()
        self._is_stopping = False
        self._health: Health | None = None

    async def setup_hook(self) -> None:
        """Open the store, build the parts, load the cogs, sync the commands, and resume the tables of the last run."""
        if self.settings.discord_api_url:
            await self._find_gateway()
        await self._open_tables()
        self._build_workers()
        self._build_actions()
        for cog in COGS:
            await self.load_extension(cog)
        await self.tree.set_translator(Translator())
        await self._sync_commands()
        self._in_background("resuming the tables of the last run", self._resume)
        shards = self.shard_count or 1  # without a number of its own, this process runs all shards
        await self._leases.start(range(shards), shards)
        self._close_idle_lobbies.start()
        if self._emoji_pause_s is not None:
            emojis = ApplicationEmojis(
                self,
                self._store.emoji_users,
                self.sender.emojis,
                is_in_charge=lambda: self._leases.holds(None),
                pause_s=self._emoji_pause_s,
            )
            self._in_background("keeping the emojis complete", emojis.keep)
        if self.settings.metrics_port:
            self._health = await _serve_health(self, self.settings.metrics_port)
            self.live.on_board(self._health.shown)
            self._turns.on_thought(self._health.thought)

    async def _open_tables(self) -> None:
        self._store = await open_store(self.settings.database)
        quotas = Quotas(
            self.settings.max_tables_per_host,
            self.settings.max_tables_per_channel,
            self.settings.max_tables_per_server,
        )
        self.tables = Tables(self._store, now=self._now, quotas=quotas)
        await self.tables.close_outdated()

    def _build_workers(self) -> None:
        """Build what reacts to changes of tables: messages, computers and deadlines."""
        self._leases = Leases(
            self._store.leases,
            taken=self._take_over,
            requested=self._update,
            waiting=self._follow,
            tick_s=self._lease_tick_s,
        )
        budget = Budget(self._requests_per_s)
        self.live = LiveMessages(
            self,
            self.tables,
            self.faces,
            now=self._now,
            owner=self._leases,
            budget=budget,
            sender=self.sender,
        )
        self._repair = Repair(self.tables, self.live)
        self._thinkers = Thinkers(self.settings.thinkers)
        self._turns = Turns(self.tables, think=self._thinkers.choose)
        self._deadlines = DeadlineTimer(
            self.tables, self.live, self._now, stand_in=self._turns.stand_in, is_here=self._is_here
        )
        for part in (self.live, self._turns, self._deadlines):
            self.tables.on_change(part.changed)

    def _build_actions(self) -> None:
        """Build what reacts to people, and listen to them."""
        hands = HandReplies(self.tables, self.faces, self.live, self._turns.settle)
        absence = AbsenceActions(self.tables, self.live, self._turns.stand_in)
        self.actions = TableActions(self.tables, self.faces, self.live, hands)
        self.hints = HintActions(self.tables, self.faces, self.live.open_messages, self._thinkers.explain)
        self.info_pages = InfoPages(self.tables, self.faces, self.live.open_messages)
        self._presses: dict[str, Handler] = {
            **self.actions.handlers,
            **absence.handlers,
            **self.hints.handlers,
            **self.info_pages.handlers,
        }
        self.add_listener(Router(self._presses, self.actions.enter).on_interaction)
        self.add_listener(self.live.open_messages.on_refusal)
        for event, listener in discord_events.listeners(self.live).items():
            self.add_listener(listener, event)

    async def add_game(self, cog: GameCog) -> None:
        """Add a game: its commands, its face, and the handlers of its own presses."""
        self.faces[cog.game.key] = cog.face
        self.add_presses(cog.handlers)
        await self.add_cog(cog)

    def add_presses(self, handlers: Mapping[str, Handler]) -> None:
        """Add handlers of presses by verb; no verb may be taken already."""
        if taken := self._presses.keys() & handlers.keys():
            raise ValueError(f"two handlers for {taken}")
        self._presses.update(handlers)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of all presses."""
        return frozenset(self._presses)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Check the boards of the shard: Discord doesn't report what was deleted before its session began."""
        self._check_boards(shard_id)

    def _check_boards(self, shard_id: int) -> None:
        def concerns(guild_id: int | None) -> bool:
            return self._leases.shard_of(guild_id) == shard_id and self._leases.holds(guild_id)

        if shard_id in self._board_checks:
            self._board_checks[shard_id].cancel()
        what = f"checking the boards of shard {shard_id}"
        self._board_checks[shard_id] = self._in_background(what, lambda: self._repair.check_boards(concerns))

    async def on_message(self, message: discord.Message, /) -> None:
        """Ignore messages: there are no text commands."""

    async def close(self) -> None:
        """Stop within ten seconds: take nothing new, finish the answers being given, give up the leases.

        The next start, or another process, shows what isn't shown by then.
        """
        self._is_stopping = True
        if hasattr(self, "_store"):
            self._close_idle_lobbies.cancel()
            for task in self._background:
                task.cancel()
            if self._health is not None:
                await self._health.close()
            if self.shards:
                leaving = [asyncio.ensure_future(shard.disconnect()) for shard in self.shards.values()]
                await asyncio.wait(leaving, timeout=_GATEWAY_WITHIN_S)
            await finish_answers(_ANSWERS_WITHIN_S)
            await self._deadlines.close()
            await self._turns.close()
            self._thinkers.close()
            await self.live.close()
            await self._leases.close()
        try:
            async with asyncio.timeout(_GATEWAY_WITHIN_S):
                await super().close()
        except TimeoutError:
            await self.http.close()
        if hasattr(self, "_store"):
            await self._store.close()

    async def _sync_commands(self) -> None:
        """Sync the commands in the background, and wait a moment for the first attempt."""
        tried = asyncio.Event()
        self._in_background("syncing the commands", lambda: keep_syncing(self.tree, tried))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(tried.wait(), _FIRST_SYNC_S)

    async def _find_gateway(self) -> None:
        """Ask for the gateway's address, which is a constant in discord.py for new sessions."""
        self.shard_count, address, _ = await self.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = URL(address)

    # ---- showing tables

    def _update(self, table_id: int) -> None:
        """Show the changes of another process."""
        self.live.ping_timing.restart(table_id)
        self.live.refresh(table_id)
        self.live.open_messages.redraw(table_id)

    def _follow(self) -> None:
        """Bring open hands up to date: their tables may have been changed by the process that updates messages."""
        self.live.open_messages.redraw_all()

    def _take_over(self, shards: frozenset[int]) -> None:
        """Show the tables whose messages this process updates from now on."""
        self._in_background("showing all tables", self._repair.show_all)
        for shard_id in shards & self._board_checks.keys():  # the others are checked when their session begins
            self._check_boards(shard_id)

    def _in_background(self, what: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Do the work, and repeat it after database errors. Nothing begins any more while the bot stops."""
        task = asyncio.create_task(persist(what, work), name=what)
        if self._is_stopping:  # a session may begin, or a shard be taken over, at that moment
            task.cancel()
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def _resume(self) -> None:
        """Continue the deadlines and computers of the last run."""
        await self._deadlines.resume()
        await self.tables.fill_in_turns()
        await self._turns.resume()

    def _is_here(self) -> bool:
        """Whether the bot is connected. Deadlines are suspended while it isn't."""
        return not any(shard.is_closed() for shard in self.shards.values())

    @tasks.loop(hours=1)
    async def _close_idle_lobbies(self) -> None:
        try:
            await self.tables.close_idle_lobbies(LOBBY_LIFE_S)
        except LilypadError:
            log.exception("idle lobbies can't be closed; retrying in an hour")


async def _serve_health(bot: LilypadBot, port: int) -> "Health":
    try:
        from bot.health import Health  # noqa: PLC0415 - its library is an extra
    except ModuleNotFoundError as error:
        if error.name != "prometheus_client":
            raise
        raise SettingsError("METRICS_PORT needs prometheus-client. Run: make ready.") from None
    return await Health.serve(bot, bot.tables, port)


def make_bot(settings: Settings) -> LilypadBot:
    """Return the bot for these settings. ``discord_api_url`` replaces the base URL of REST requests."""
    use_api_of(settings)
    return LilypadBot(settings)


def use_api_of(settings: Settings) -> None:
    """Send REST requests to the settings' own base URL, if they have one."""
    if settings.discord_api_url:
        discord.http.Route.BASE = settings.discord_api_url
