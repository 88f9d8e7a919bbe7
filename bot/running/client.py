"""The Discord client: puts the parts of a running bot together, and closes it cleanly."""

import asyncio
import contextlib
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

import discord
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.voice_client import VoiceClient

from bot.calendar import Calendar
from bot.errors import AlreadyRunning, Locked, SettingsError, StoreError
from bot.games import GAMES
from bot.pictures.worker import painter
from bot.records.quota import Quotas
from bot.records.table import Table
from bot.running.application_emojis import PAUSE_S, ApplicationEmojis, version
from bot.running.gateway import find_gateway, keep_syncing, retried
from bot.running.host import this_process
from bot.running.leases import Duties, Leases, Share, spans
from bot.running.second_bot import SecondBot
from bot.running.ticker import TICK_S, Ticker
from bot.settings import Settings, shown
from bot.store.open_store import open_store
from bot.tables.absence.timer import Deadlines
from bot.tables.tables import Tables
from bot.thinking.thinkers import Thinkers, think_here
from bot.thinking.turns import Turns
from bot.ui.actions.hint_thoughts import HintThoughts, Reviews
from bot.ui.actions.press import App, load_handlers, on_interaction
from bot.ui.actions.table_actions import flood_over
from bot.ui.game_cog import GameCog
from bot.ui.interactions.command_tree import CommandTree, invitation
from bot.ui.interactions.language import Translator
from bot.ui.interactions.respond import finish_answers
from bot.ui.live.listeners import listeners
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.pace import SLOTS, Budget, DiscordClock, counting
from bot.ui.live.workers import persist
from bot.ui.posts.face import Face
from bot.ui.posts.sender import Sender

if TYPE_CHECKING:
    from bot.running.health import Health

T = TypeVar("T")

log = logging.getLogger(__name__)

_FIRST_SYNC_S: Final = 5.0
"""The longest time that the start waits for Discord to take the commands."""
_GATEWAY_WITHIN_S: Final = 1.5
_ANSWERS_WITHIN_S: Final = 3.0
"""Timeouts of closing: for the connection, and for answers being given. The store's last write may take five more."""

COGS: Final = (
    *(f"cogs.{game}.cog" for game in GAMES),
    *("cogs.help", "cogs.shared_commands", "cogs.friends.cog", "cogs.daily.cog"),
    *("cogs.matches.challenges", "cogs.matches.duplicates", "cogs.idle_lobbies", "cogs.privacy"),
    *("cogs.user_settings", "cogs.table_alerts", "cogs.ping_digests", "cogs.nights.cog", "cogs.friends.recap"),
    *("cogs.server", "cogs.owner", "cogs.reports"),
)


class LilypadBot(commands.AutoShardedBot):
    """The bot. It needs no privileged intents and keeps no messages or members in memory.

    Cogs use `tables`, `faces` and `app`, which exist once `setup_hook` has run.
    """

    faces: dict[str, Face[Any]]
    tables: Tables
    app: App

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float] = time.time,
        *,
        lease_tick_s: float = TICK_S,
        slots: int | None = SLOTS,
        emoji_pause_s: float | None = PAUSE_S,
    ) -> None:
        """``lease_tick_s`` (how often leases are checked) and ``slots`` are for tests.

        ``slots`` is the budget of requests of all processes together; with ``None`` there is no limit.
        ``emoji_pause_s`` is the pause before each emoji that is created at the start; with ``None`` there are none.
        """
        self.budget = Budget(lambda: math.inf)  # its margin covers the login, which comes before this process's share
        self._discord_clock = DiscordClock()
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
            http_trace=counting(self.budget, self._discord_clock),
            shard_connect_timeout=None,  # `bot.running.gateway` retries
            **({} if settings.shards is None else settings.shards._asdict()),
        )
        self.settings = settings
        self.faces = {}
        self.now = now
        self._lease_tick_s = lease_tick_s
        self._slots = slots
        self._process = this_process(secrets.token_hex(8))
        self.lost: StoreError | None = None
        """Why the bot has stopped by itself, if it has."""
        self._emoji_pause_s = emoji_pause_s
        self.sender = Sender(now)
        self._background: set[asyncio.Task[None]] = set()
        self._stopping: asyncio.Task[None] | None = None
        self._health: Health | None = None
        self._open_parts = contextlib.AsyncExitStack()
        """Closes the parts that have been built, the last one first."""
        self._open_store = contextlib.AsyncExitStack()
        """Closes the store, if it has been opened."""

    async def setup_hook(self) -> None:
        """Open the store, build the parts, load the cogs, sync the commands, and resume the tables of the last run."""
        asks_for_gateway = self.settings.shards is None or self.settings.discord_api_url
        if asks_for_gateway:
            await self._find_gateway()
        await self._open_tables()
        shards = self.shard_ids or range(self.shard_count)
        await self._unlocked(partial(self.leases.take, shards, self.shard_count))
        await self._unlocked(self.share.renew)
        self._build_workers()
        self.ticker.start()  # if other processes run, the share is empty at first, and syncing the commands needs it
        self._build_actions()
        for cog in COGS:
            await import_module(cog).setup(self)
        drawings = [face.drawings.table for face in self.faces.values() if face.drawings is not None]
        warming = self._in_background("starting the process that draws", partial(painter.warm, *drawings))
        await self.tree.set_translator(Translator())
        await self._sync_commands()
        await asyncio.wait({warming})
        self.leases.begin()
        self._in_background("listening to other processes", partial(self.leases.listen, self.ticker.hurry))
        self._in_background("announcing the start", self._announce)
        if asks_for_gateway and self.leases.is_alone:
            self._in_background("looking for a second bot", self.second_bot.watch_sessions)
        if self._emoji_pause_s is not None:
            emojis = ApplicationEmojis(
                self,
                self._store.bot_processes,
                self.sender.emojis,
                is_in_charge=lambda: self.leases.holds(None),
                pause_s=self._emoji_pause_s,
            )
            self._in_background("keeping the emojis complete", emojis.keep)
        if self.settings.metrics_port:
            self._health = await _serve_health(self, self.settings.metrics_port)
            self.live.on_board(self._health.shown)
            self._turns.on_thought(self._health.thought)

    async def _open_tables(self) -> None:
        store = await self._unlocked(partial(open_store, self.settings.database))
        self._store = await self._open_store.enter_async_context(store)
        quotas = Quotas(
            self.settings.max_tables_per_host,
            self.settings.max_tables_per_channel,
            self.settings.max_tables_per_server,
            opened=(self.settings.max_openings_per_user, self.settings.max_openings_per_server),
            invited=(self.settings.max_invitations_per_user, self.settings.max_invitations_per_server),
            looked=(self.settings.max_searches_per_user, self.settings.max_searches_per_server),
        )
        self.tables = Tables(self._store, now=self.now, quotas=quotas)
        self.tables.privacy.discord_now = self._discord_clock.now
        self.second_bot = SecondBot(self, self.tables, self._discord_clock.now)
        is_alone = self._store.database.occupy()
        await self._store.recompute_ratings()
        self.leases = Leases(self._store.leases, holder=self._process, is_alone=is_alone, tick_s=self._lease_tick_s)
        self._open_parts.push_async_callback(self.leases.release)
        self.leases.on_lost = self._give_way
        self.tables.serve(lambda: (self.leases.held, self.leases.count))
        self.share = Share(
            self._store.bot_processes,
            self.budget,
            process=self._process.process,
            limit=self._slots or SLOTS,
            emojis="" if self._emoji_pause_s is None else version(),
            tick_s=self._lease_tick_s,
        )
        self._open_parts.push_async_callback(self.share.leave)
        if self._slots is not None:
            self.budget.slots = lambda: self.share.slots

    def _build_workers(self) -> None:
        """Build what reacts to changes of tables: messages, computers and deadlines."""
        self.live = LiveMessages(
            self,
            self.tables,
            self.faces,
            now=self.now,
            owner=self.leases,
            budget=self.budget,
            sender=self.sender,
        )
        self._open_parts.push_async_callback(self.live.close)
        self.thinkers = Thinkers(self.settings.thinkers)
        self._open_parts.callback(self.thinkers.close)
        self._turns = Turns(self.tables, think=think_here(self.thinkers), is_ours=self._is_ours)
        self._open_parts.push_async_callback(self._turns.close)
        self.calendar = Calendar(
            self._store.due,
            self.now,
            beat=self.tables.waiting.beat,
            is_ours=self.leases.holds,
            ask=self.leases.request_event,
            is_here=self._is_here,
            is_clock_off=self.tables.privacy.clocks_differ,
        )
        self._open_parts.push_async_callback(self.calendar.close)
        self.leases.event_listeners.append(self.calendar.asked)
        self.tables.waiting.on_gap = self.live.refresh_notices
        deadlines = Deadlines(
            self.tables, self.live, self.now, stand_in=self._turns.stand_in, expect=self.calendar.expect
        )
        self.calendar.add("deadline", deadlines.due)
        forced = self.tables.forced
        forced.expect, forced.offer, forced.wake = self.calendar.expect, self.live.asks, self._turns.changed
        self.calendar.add("forced", forced.due)
        self._open_parts.push_async_callback(forced.close)
        self._duties = Duties(
            tables=self.tables,
            leases=self.leases,
            live=self.live,
            turns=self._turns,
            calendar=self.calendar,
            deadlines=deadlines,
            in_background=self._in_background,
        )
        self.leases.taken_listeners.append(self._duties.take_over)
        self.leases.on_request = self._duties.update
        self.ticker = Ticker(self.share.renew, self.leases.tick, self._duties.follow, tick_s=self._lease_tick_s)
        self._open_parts.push_async_callback(self.ticker.close)
        self._open_parts.callback(self._store.database.give_up_early)
        for part in (self.live, self._turns, deadlines, forced, self.second_bot):
            self.tables.on_change(part.changed)

    def _build_actions(self) -> None:
        """Build what reacts to people, and listen to them."""
        hints = HintThoughts(self.thinkers.explain)
        reviews = Reviews(self.thinkers.judge)
        recollections = HintThoughts(self.thinkers.recall)
        settle, stand_in = self._turns.settle, self._turns.stand_in
        elsewhere = self.thinkers.run
        self.app = App(self.tables, self.faces, self.live, hints, recollections, reviews, settle, stand_in, elsewhere)
        load_handlers()
        self.add_listener(on_interaction)
        self.add_listener(flood_over, "on_flood_over")
        self.add_listener(self.second_bot.on_interaction)
        self.add_listener(self.second_bot.on_message)
        for event, listener in listeners(self.live).items():
            self.add_listener(listener, event)

    async def add_game(self, game: type[GameCog]) -> None:
        """Add a game: its commands and its face."""
        cog = game(self.tables)
        self.faces[cog.game.key] = cog.face
        await self.add_cog(cog)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Check the boards of the shard: Discord doesn't report what was deleted before its session began."""
        self._duties.check_boards(shard_id)

    async def on_ready(self) -> None:
        """Look for what is due: it has waited for this."""
        self.calendar.expect(self.now())

    async def on_message(self, message: discord.Message, /) -> None:
        """Ignore messages: there are no text commands."""

    async def close(self) -> None:
        """Stop within ten seconds: take nothing new, finish the answers being given, give up the leases.

        The next start shows what isn't shown by then. A second call waits for the first one:
        Discord may end the session at the moment at which the host stops the bot.
        """
        await asyncio.shield(self._begin_to_stop())

    def _begin_to_stop(self) -> asyncio.Task[None]:
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(), name="stopping")
        return self._stopping

    async def _stop(self) -> None:
        for task in self._background:
            task.cancel()
        async with self._open_store:
            async with self._open_parts:
                if self._health is not None:
                    await self._health.close()
                if self.shards:
                    leaving = [asyncio.ensure_future(shard.disconnect()) for shard in self.shards.values()]
                    await asyncio.wait(leaving, timeout=_GATEWAY_WITHIN_S)
                await finish_answers(_ANSWERS_WITHIN_S)
            try:
                async with asyncio.timeout(_GATEWAY_WITHIN_S):
                    await super().close()
            except TimeoutError:
                await self.http.close()

    def _give_way(self) -> None:
        """Stop, as another process serves the same shards."""
        self.lost = AlreadyRunning("Another process of the bot serves the same shards.")
        self._begin_to_stop()

    async def _sync_commands(self) -> None:
        """Sync the commands in the background, and wait a moment for the first attempt."""
        tried = asyncio.Event()
        self._in_background("syncing the commands", lambda: keep_syncing(self.tree, tried))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(tried.wait(), _FIRST_SYNC_S)

    async def _find_gateway(self) -> None:
        """Ask for the number of shards, and for the gateway's address, which is a constant in discord.py.

        Wait if Discord allows too few sessions today: above its limit, it would reset the token.
        https://discord.com/developers/docs/events/gateway#session-start-limit-object
        """
        found = await find_gateway(self)
        if self.settings.shards is None:
            self.shard_count = found.shards
        if self.settings.discord_api_url:
            DiscordWebSocket.DEFAULT_GATEWAY = found.address
        if found.sessions_left < len(self.shard_ids or range(self.shard_count or 1)):
            pause_s = found.reset_after_s
            minutes = math.ceil(pause_s / 60)
            log.warning("the bot has started too often today: Discord allows it to connect within %s min", minutes)
            await asyncio.sleep(pause_s)

    async def _announce(self) -> None:
        """Log once that the bot is ready, and how to invite it if it is on no server."""
        await self.wait_until_ready()
        servers = f"{len(self.guilds)} {'server' if len(self.guilds) == 1 else 'servers'}"
        shards = f"{'shard' if len(self.leases.shards) == 1 else 'shards'} {spans(self.leases.shards)}"
        database = shown(self.settings.database)
        log.info("Ready: %s, %s of %s, database %s", servers, shards, self.leases.count, database)
        if not self.guilds:
            log.info("Invite the bot to a server: %s", invitation(self.application_id or 0))

    async def _unlocked(self, work: Callable[[], Awaitable[T]]) -> T:
        """Await the work, and repeat it while another program has locked the database."""
        return await retried("The start", work, (Locked,), is_final=lambda _: False)

    def _in_background(self, what: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Do the work, and repeat it after database errors. Nothing begins any more while the bot stops."""
        task = asyncio.create_task(persist(what, work), name=what)
        if self._stopping:  # a session may begin, or a shard be taken over, at that moment
            task.cancel()
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def _is_ours(self, table: Table) -> bool:
        return self.leases.holds(table.place.guild_id)

    @property
    def connections(self) -> dict[int, bool]:
        """Whether each shard of this process is connected. At the start, none is."""
        live = {number for number, shard in self.shards.items() if not shard.is_closed()}
        return {number: number in live for number in sorted(self.leases.shards)}

    def _is_here(self) -> bool:
        """Whether the bot is connected. Nothing is due while it isn't."""
        return self.is_ready() and all(self.connections.values())


async def _serve_health(bot: LilypadBot, port: int) -> "Health":
    try:
        from bot.running.health import Health  # noqa: PLC0415 - its library is an extra
    except ModuleNotFoundError as error:
        if error.name != "prometheus_client":
            raise
        raise SettingsError("METRICS_PORT needs prometheus-client. Run: make ready.") from None
    health = Health(bot)
    await health.serve(port)
    return health
