"""The simulated Discord of an evening, and the way between it and the bot: requests, answers and events take time."""

import json
from collections.abc import Callable, Coroutine, Mapping
from contextvars import Context, copy_context
from random import Random
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.http import Route
from simcord import _dpy_internals
from simcord.backend import Backend, serializers
from simcord.gateway import ShardRouter
from simcord.http import FakeHTTPClient, FakeWebhookAdapter

from bot.running.client import LilypadBot
from tests.discord.env import json_copy
from tests.evenings.faults import Faults
from tests.evenings.loop import EveningLoop, run_of_bot
from tests.evenings.stand_ins import LoopClock
from tests.evenings.story import Story

T = TypeVar("T")

_EVENT_S: Final = 0.04
"""Mean time until an event reaches the bot."""


class Network:
    """Discord, and what is on its way from and to the bot. It goes on when a bot crashes."""

    def __init__(self, loop: EveningLoop, chance: Random, faults: Faults, story: Story) -> None:
        self.backend = Backend(clock=LoopClock(loop))
        self._loop = loop
        self._chance = chance
        self.faults = faults
        self._story = story
        self.sent = 0
        """How many requests the bot has made."""
        self._nonces: dict[tuple[str, str], Any] = {}
        self._feed: Callable[[str, Mapping[str, Any]], None] | None = None
        self._router: ShardRouter | None = None
        self._run, self._in_bot = 0, Context()

    def context(self, run: int) -> Context:
        """Return the context in which a run of the bot does everything."""
        context = copy_context()
        context.run(run_of_bot.set, run)
        context.run(_dpy_internals.set_webhook_adapter, _Webhooks(self))
        return context

    async def connect(self, bot: LilypadBot) -> None:
        """Log the bot in and begin its session. Call this in the bot's own context."""
        _dpy_internals.install_http(bot, _Requests(self, self._loop))
        _dpy_internals.set_guild_ready_timeout(bot, 0.0)
        state = _dpy_internals.get_state(bot)
        state.shard_count, state.shard_ids = 1, [0]
        router = self._router = ShardRouter(self.backend, state, bot.dispatch, 1, (0,))
        await bot.login("simcord.fake.token")
        bot.shard_count = 1
        _dpy_internals.install_shards(bot, router.shards)
        arrives_at, context = 0.0, copy_context()
        self._run, self._in_bot = run_of_bot.get(), context

        def feed(event: str, payload: Mapping[str, Any]) -> None:
            nonlocal arrives_at
            arrives_at = max(arrives_at, self._loop.time() + self._chance.expovariate(1 / _EVENT_S)) + 1e-6
            self._loop.call_at(arrives_at, router.feed, event, json_copy(dict(payload)), context=context)

        self.disconnect()
        self._feed = feed
        self.backend.subscribers.append(feed)
        router.identify(0)
        for guild in list(self.backend.guilds.values()):
            self.backend.emit("GUILD_CREATE", serializers.guild_create_payload(self.backend, guild))

    def disconnect(self) -> None:
        """Let no more events reach the bot."""
        if self._feed is not None:
            self.backend.subscribers.remove(self._feed)
            self._feed = None

    def cut(self) -> Callable[[], object] | None:
        """Lose the session, and return what begins a new one; ``None`` if there is none. Events are lost meanwhile."""
        router, run = self._router, self._run
        if router is None or self._feed is None or not router.websockets[0].open:
            return None
        router.websockets[0].open = False

        def reconnect() -> None:
            if run == self._run and self._feed is not None and not self._loop.is_dead(run):
                router.websockets[0].open = True
                self._in_bot.run(router.identify, 0, replay_guilds=True)

        return reconnect

    async def carry(self, method: str, path: str, body: Any, perform: Callable[[], Any]) -> Any:
        """Carry a request to Discord and return its answer. The bot may stop waiting, and Discord does it all the same.

        ``perform`` is what Discord does.
        """
        number, self.sent = self.sent, self.sent + 1
        fate = self.faults.of_request(number, method, path, self.backend.clock.now().timestamp())
        self._story.tell(f"request {number}: {method} {path}", body=body, fault=fate.name)
        answer = self._loop.create_future()

        def arrives() -> None:
            result: Any = fate.before
            if result is None:
                result = self._attempt(method, path, body, perform)
                if fate.is_repeated:
                    result = self._attempt(method, path, body, perform)
                result = fate.after or result
            self._loop.call_later(fate.down_s, returns, result)

        def returns(result: Any) -> None:
            if answer.done():
                return
            if isinstance(result, Exception):
                answer.set_exception(result)
            else:
                answer.set_result(result)

        self._loop.call_later(fate.up_s, arrives, context=Context())  # that of Discord
        return await answer

    def _attempt(self, method: str, path: str, body: Any, perform: Callable[[], Any]) -> Any:
        nonce = (path, str(body["nonce"])) if isinstance(body, dict) and body.get("enforce_nonce") else None
        if nonce in self._nonces:
            return json_copy(self._nonces[nonce])
        try:
            self.faults.check_recipient(self.backend, method, path)
            result = perform()
        except discord.HTTPException as error:
            self._story.tell(f"refused: {method} {path}: {error.status} {error.code} {error.text[:120]}")
            return error
        except ValueError:  # the bot has given up meanwhile, and closed the file that it was sending
            return aiohttp.ServerDisconnectedError()
        if nonce is not None:
            self._nonces[nonce] = json_copy(result)
        return result


def finished(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that doesn't wait for anything."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it waits")


class _Requests(FakeHTTPClient):
    """SimCord's client, whose requests take time."""

    def __init__(self, network: Network, loop: EveningLoop) -> None:
        super().__init__(network.backend, loop)
        self._network = network

    async def request(self, route: Route, *, files: Any | None = None, form: Any | None = None, **options: Any) -> Any:
        """Make a request."""
        perform = super().request
        body = _body(form, options.get("json"))
        return await self._network.carry(
            route.method,
            _path(route.url),
            body,
            lambda: finished(perform(route, files=files, form=form, **options)),
        )


class _Webhooks(FakeWebhookAdapter):
    """SimCord's adapter for requests with the token of an interaction, which take time."""

    def __init__(self, network: Network) -> None:
        super().__init__(network.backend)
        self._network = network

    async def request(self, route: Any, session: Any, **options: Any) -> Any:
        """Make a request."""
        perform = super().request
        body = _body(options.get("multipart"), options.get("payload"))
        return await self._network.carry(
            route.method, _path(route.url), body, lambda: finished(perform(route, session, **options))
        )


def _body(form: Any, body: Any) -> Any:
    parts = [part["value"] for part in form or () if part.get("name") == "payload_json"]
    return json.loads(parts[0]) if parts else body


def _path(url: str) -> str:
    return "/" + url.partition("/api/v")[2].partition("/")[2].partition("?")[0]
