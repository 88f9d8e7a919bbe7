"""The Discord client: loads the cogs, opens the one door for presses, repairs what was left undone, closes cleanly."""

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands, tasks
from discord.gateway import DiscordWebSocket
from discord.voice_client import VoiceClient
from yarl import URL

from bot.errors import LilypadError, PlayError, SettingsError
from bot.gateway import start, stay_connected
from bot.leases import TICK_S, Leases
from bot.settings import Settings
from bot.store.sqlite import SqliteStore
from bot.tables import Quotas, Receipt, Tables
from bot.tables.absence.timer import DeadlineTimer
from bot.turns import Turns
from bot.ui.actions.absence import AbsenceActions
from bot.ui.actions.hands import HandReplies
from bot.ui.actions.info_pages import InfoPages
from bot.ui.actions.table_actions import TableActions
from bot.ui.game_cog import GameCog
from bot.ui.interactions.respond import TOO_LATE, Reply, answer, finish_answers, may_autocomplete
from bot.ui.interactions.router import Handler, Router
from bot.ui.interactions.validation import is_valid_command, replace_surrogates
from bot.ui.messages.discord_events import DiscordEvents
from bot.ui.messages.live import LiveMessages
from bot.ui.messages.pace import REQUESTS_PER_S, Budget
from bot.ui.posts.post import Face

if TYPE_CHECKING:
    from bot.health import Health

log = logging.getLogger(__name__)

_TOKEN_REFUSED: Final = "Discord refuses DISCORD_TOKEN; copy it anew from the developer portal."  # noqa: S105 - no token
_AUTHENTICATION_FAILED: Final = 4004

LOBBY_LIFE_S: Final = 24 * 60 * 60
"""A lobby in which nothing happens for so long closes by itself."""

_REDRAWN_ALONE_S: Final = 1.0
"""How long the tables of the last run wait for the one before them: a request of it may hang."""

_TOLD_WITHIN_S: Final = 5.0
"""How long the start waits for Discord to take the commands."""
_TOLD_AGAIN_S: Final = (5, 30, 300, 3600)
"""After what pauses they are told again if it doesn't; then always the last."""

_LOOKED_AFTER: Final = 500
"""So many boards, those of the tables changed last, are looked for when a session begins."""

_GATEWAY_WITHIN_S: Final = 1.5
_ANSWERS_WITHIN_S: Final = 3.0
"""How long the end waits for Discord to let go, and for answers being given; the store's last write may take five."""

COGS: Final = (
    "cogs.pond",
    "cogs.frogs",
    "cogs.pontis",
    "cogs.pot_black",
    "cogs.tables",
    "cogs.privacy",
    "cogs.absence",
    "cogs.settings",
    "cogs.server",
)


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Not that what is offered while somebody types came too late, or after another process's."""
    fault = record.exc_info[1] if record.exc_info else None
    return not (isinstance(fault, discord.HTTPException) and fault.code in TOO_LATE)


logging.getLogger(app_commands.tree.__name__).addFilter(_is_worth_telling)


class OutdatedCommand(PlayError):
    """The refusal of a command that this version of the bot doesn't have, or has in another form."""

    def __init__(self) -> None:
        super().__init__("This command belongs to another version of the bot; please type it again in a minute.")


async def _fail(error: Exception) -> Reply:
    raise error


class Tree(app_commands.CommandTree["LilypadBot"]):
    """The command tree; what goes wrong before a command's own work starts is answered like everything else."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Refuse commands of another form than this version of the bot has, and apply the rate limit to autocomplete.

        A command applies the limit when it is answered.
        """
        replace_surrogates(interaction)
        if interaction.type is discord.InteractionType.autocomplete and not await may_autocomplete(interaction):
            return False
        if is_valid_command(interaction):
            return True
        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, _fail(OutdatedCommand()))
        else:
            await interaction.response.autocomplete([])
        return False

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Tells the person, under a reference number unless it is a refusal."""
        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, _fail(error))
        else:
            log.error("autocomplete of interaction %s failed", interaction.id, exc_info=error)


class LilypadBot(commands.AutoShardedBot):
    """The bot. It asks for no privileged intent and keeps no message and no member in memory.

    `tables`, `faces`, `actions` and `info_pages` are there for the cogs once `setup_hook` has run.
    """

    faces: dict[str, Face[Any]]
    tables: Tables
    actions: TableActions
    info_pages: InfoPages
    absence: AbsenceActions

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float] = time.time,
        *,
        lease_tick_s: float = TICK_S,
        requests_per_s: float = REQUESTS_PER_S,
    ) -> None:
        """``lease_tick_s`` (how often leases are checked) and ``requests_per_s`` (the budget) are for tests."""
        VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # nothing here speaks: no warning that it could not
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
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
        self._telling: asyncio.Task[None] | None = None
        self._taking_up: asyncio.Task[None] | None = None
        self._looking: dict[int, asyncio.Task[None]] = {}
        self._lease_tick_s = lease_tick_s
        self._requests_per_s = requests_per_s
        self._background: set[asyncio.Task[None]] = set()
        self._health: Health | None = None

    async def setup_hook(self) -> None:
        """Opens the store, loads the cogs, tells Discord the commands, and takes up what the last run left undone."""
        if self.settings.discord_api_url:
            await self._find_gateway()
        self._store = await SqliteStore.open(self.settings.database_path)
        quotas = Quotas(
            self.settings.max_tables_per_host,
            self.settings.max_tables_per_channel,
            self.settings.max_tables_per_server,
        )
        self.tables = Tables(self._store, now=self._now, quotas=quotas)
        await self.tables.close_outdated()
        self._leases = Leases(
            self._store.leases, taken=self._take_over, requested=self._update, tick_s=self._lease_tick_s
        )
        self.live = LiveMessages(
            self,
            self.tables,
            self.faces,
            now=self._now,
            owns=self._leases.holds,
            budget=Budget(self._requests_per_s, self._requests_per_s),
        )
        self._turns = Turns(self.tables)
        self._deadlines = DeadlineTimer(
            self.tables, self.live, self._now, stand_in=self._turns.stand_in, is_here=self._is_here
        )
        self.absence = AbsenceActions(self.tables, self.live, self._turns.stand_in)
        self.actions = TableActions(
            self.tables, self.faces, self.live, HandReplies(self.tables, self.faces, self.live, self._turns.settle)
        )
        self.info_pages = InfoPages(self.tables, self.faces)
        self._presses: dict[str, Handler] = {**self.actions.handlers, **self.info_pages.handlers}
        self.add_listener(Router(self._presses, self.actions.enter).on_interaction)
        for event, listener in DiscordEvents(self.live).listeners.items():
            self.add_listener(listener, event)
        self.tables.on_change(self._changed)
        self.tables.on_change(self._turns.changed)
        self.tables.on_change(self._deadlines.changed)
        for cog in COGS:
            await self.load_extension(cog)
        await self._tell_commands()
        self._taking_up = asyncio.create_task(self._take_up(), name="resuming the tables of the last run")
        shards = self.shard_count or 1  # without a number of its own, this process runs all shards
        await self._leases.start(range(shards), shards)
        self._close_idle_lobbies.start()
        if self.settings.metrics_port:
            self._health = await _serve_health(self, self.settings.metrics_port)
            self.live.on_board(self._health.shown)

    async def add_game(self, cog: GameCog) -> None:
        """Adds a game: its commands, its face, and what its own presses do."""
        self.faces[cog.game.key] = cog.face
        self.add_presses(cog.handlers)
        await self.add_cog(cog)

    def add_presses(self, handlers: Mapping[str, Handler]) -> None:
        """Adds what buttons, menus and forms with these verbs do; no verb may be taken already."""
        if taken := self._presses.keys() & handlers.keys():
            raise ValueError(f"two presses are called {taken}")
        self._presses.update(handlers)

    @property
    def verbs(self) -> frozenset[str]:
        """The verb of every press there is."""
        return frozenset(self._presses)

    async def on_shard_ready(self, shard_id: int) -> None:
        """A session has begun; what was deleted before that nobody has told."""
        if shard_id in self._looking:
            self._looking[shard_id].cancel()
        looking = self._look_after_boards(shard_id)
        self._looking[shard_id] = asyncio.create_task(looking, name="looking whether the boards are there")

    async def on_message(self, message: discord.Message, /) -> None:
        """Messages are no commands here."""

    async def close(self) -> None:
        """Stops within ten seconds: takes nothing new, finishes the answers being given, closes the store at last.

        What isn't drawn by then is drawn at the next start.
        """
        if hasattr(self, "_store"):
            self._close_idle_lobbies.cancel()
            for task in (self._telling, self._taking_up, *self._looking.values(), *self._background):
                if task is not None:  # as it is if the start failed half-way
                    task.cancel()
            if self._health is not None:
                await self._health.close()
            if self.shards:
                leaving = [asyncio.ensure_future(shard.disconnect()) for shard in self.shards.values()]
                await asyncio.wait(leaving, timeout=_GATEWAY_WITHIN_S)
            await finish_answers(_ANSWERS_WITHIN_S)
            await self._deadlines.close()
            await self._turns.close()
            await self.live.close()
            await self._leases.close()
        try:
            async with asyncio.timeout(_GATEWAY_WITHIN_S):
                await super().close()
        except TimeoutError:
            await self.http.close()
        if hasattr(self, "_store"):
            await self._store.close()

    async def _tell_commands(self) -> None:
        """Tells Discord the commands, and waits a moment for it to take them."""
        tried = asyncio.Event()
        self._telling = asyncio.create_task(self._keep_telling(tried), name="telling Discord the commands")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(tried.wait(), _TOLD_WITHIN_S)

    async def _keep_telling(self, tried: asyncio.Event) -> None:
        """Discord may refuse, if there were too many starts today, or fail; until it takes the commands those of the
        last start are good.
        """
        for pause_s in itertools.chain(_TOLD_AGAIN_S, itertools.repeat(_TOLD_AGAIN_S[-1])):
            try:
                await self.tree.sync()
            except Exception:
                log.exception("Discord did not take the commands; they are told again in %s s", pause_s)
            else:
                return
            finally:
                tried.set()
            await asyncio.sleep(pause_s)

    async def _find_gateway(self) -> None:
        """Ask for the gateway's address, which discord.py has as a constant for sessions that can't be resumed."""
        self.shard_count, address, _ = await self.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = URL(address)

    # ---- showing tables

    def _changed(self, receipt: Receipt) -> None:
        if self._leases.holds(receipt.table.place.guild_id):
            self.live.changed(receipt)
        else:
            self._in_background(self._leases.request(receipt.table.id), "asking another process to show a table")

    def _update(self, table_id: int) -> None:
        """Show what another process has changed."""
        self.live.refresh(table_id)

    def _take_over(self, _shards: frozenset[int]) -> None:
        """Show the tables whose messages this process updates from now on."""
        self._in_background(self._show_all(), "showing all tables")

    def _in_background(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _take_up(self) -> None:
        """Let clocks and computers go on where the last run ended."""
        await self._deadlines.resume()
        await self.tables.fill_in_turns()
        await self._turns.resume()

    async def _show_all(self) -> None:
        """Repair what was committed and could not be shown, then check every other table.

        Half of the time is left to those who press something meanwhile.
        """
        try:
            await self.tables.messages.doubt_stale()
            behind = dict.fromkeys(await self.tables.messages.to_reconcile())
            for table_id in behind:
                await asyncio.wait({self.live.refresh(table_id)}, timeout=_REDRAWN_ALONE_S)
            for table_id in await self.tables.lists.open_numbers():
                if table_id not in behind:
                    began = time.perf_counter()
                    await asyncio.wait({self.live.refresh(table_id)}, timeout=_REDRAWN_ALONE_S)
                    await asyncio.sleep(time.perf_counter() - began)
        except LilypadError:
            log.exception("not all tables could be shown; they are when they change")

    async def _look_after_boards(self, shard_id: int) -> None:
        try:
            for table_id in (await self.tables.lists.open_numbers())[:_LOOKED_AFTER]:
                guild_id = (await self.tables.table(table_id)).place.guild_id or 0
                if (guild_id >> 22) % (self.shard_count or 1) == shard_id:
                    await self.live.check(table_id)
        except LilypadError:
            log.exception("whether the boards are there could not be seen")

    def _is_here(self) -> bool:
        """Whether people reach the bot: while Discord is out of reach, no clock runs."""
        return not any(shard.is_closed() for shard in self.shards.values())

    @tasks.loop(hours=1)
    async def _close_idle_lobbies(self) -> None:
        try:
            await self.tables.close_idle_lobbies(LOBBY_LIFE_S)
        except LilypadError:
            log.exception("idle lobbies could not be closed; that is tried again in an hour")


async def _serve_health(bot: LilypadBot, port: int) -> "Health":
    try:
        from bot.health import Health  # noqa: PLC0415 - its library is an extra
    except ModuleNotFoundError as fault:
        if fault.name != "prometheus_client":
            raise
        raise SettingsError("METRICS_PORT needs prometheus-client: pip install 'lilypad[metrics]'.") from None
    return await Health.serve(bot, bot.tables, port)


def make_bot(settings: Settings) -> LilypadBot:
    """The bot for these settings. ``discord_api_url`` moves the REST calls; the gateway's address comes from there."""
    if settings.discord_api_url:
        discord.http.Route.BASE = settings.discord_api_url
    return LilypadBot(settings)


async def _break_off(task: asyncio.Future[None]) -> None:
    task.cancel()
    await asyncio.wait({task}, timeout=_GATEWAY_WITHIN_S)


async def run(settings: Settings) -> None:
    """Connects to Discord and plays until it is stopped. Needs ``discord_token``.

    Raises `SettingsError` if Discord refuses the token, `OSError` if it can't be reached at the start.
    """
    stay_connected()
    async with make_bot(settings) as bot:
        playing = asyncio.ensure_future(start(bot, settings.discord_token or ""))
        try:
            await asyncio.wait({playing})
        except asyncio.CancelledError:
            # A start is broken off first, or it would go on while all is closed. Else that comes last: while discord.py
            # connects anew, it takes no notice of it.
            if not bot.is_ready():
                await _break_off(playing)
            await bot.close()
            await _break_off(playing)
            raise
        try:
            await playing
        except discord.LoginFailure:
            raise SettingsError(_TOKEN_REFUSED) from None
        except discord.ConnectionClosed as fault:
            if fault.code == _AUTHENTICATION_FAILED:
                raise SettingsError(_TOKEN_REFUSED) from None
            raise
        except (discord.GatewayNotFound, discord.DiscordServerError, aiohttp.ClientConnectionError) as fault:
            raise ConnectionError(str(fault).rstrip(".")) from fault
