"""Discord as a server for processes: HTTP requests, their limits and errors, and the gateway.

SimCord's backend keeps the server, its messages and its rules. This module adds what SimCord doesn't have: connections,
Discord's own description of its requests, rate limits, nonces, archived threads, closed direct messages, and `faults`.

Errors are returned to the bot as Discord returns them, and recorded: `refused`, `slowed_down`, `unanswered` (without an
initial response) and `went_wrong` (injected by `faults`). A good bot leaves the first three empty.
"""

import asyncio
import contextlib
import json
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self, cast

from aiohttp import web
from simcord.backend import Backend
from simcord.backend.errors import BackendError
from simcord.enums import InteractionType
from simcord.http import routes as _routes  # noqa: F401 - registers the routes
from simcord.http.router import dispatch

from tests.waiting import DEADLINE_S, answered_within
from tests.wire.emojis import check_emojis
from tests.wire.faults import Fault, Refused, json_response
from tests.wire.files import as_told, check_files
from tests.wire.forms import read_body
from tests.wire.gateway import Gateway
from tests.wire.kinds import is_limited_globally, kind_of
from tests.wire.limits import faults_beyond
from tests.wire.objects import CHANNEL_IDS, GUILD_ID, TOKEN, Interaction
from tests.wire.refusals import INVALID_WEBHOOK_TOKEN, check_archived, check_headers, check_mentions, check_token
from tests.wire.schemas import faults
from tests.world import Json, add_channel, add_server, allow_everything

TIME_TO_ANSWER_S: Final = 60.0
"""Three seconds on Discord. tests/test_retry.py checks that in virtual time; here, busy machines need more."""
ALREADY_ACKNOWLEDGED: Final = 40060
UNKNOWN_MESSAGE: Final = 10008
RESPONSES: Final = {
    InteractionType.APPLICATION_COMMAND: {4, 5, 9},
    InteractionType.MESSAGE_COMPONENT: {4, 5, 6, 7, 9},
    InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE: {8},
    InteractionType.MODAL_SUBMIT: {4, 5, 6, 7},
}
"""The types of initial responses to each type of interaction. 6 and 7 need a message."""
LIMITS: Final = {"POST messages": (5, 2.0), "PATCH messages": (5, 2.0), "DELETE messages": (5, 1.0)}
"""Requests and seconds. Discord doesn't publish its own limits; bots have to go by the headers."""
GLOBAL_LIMIT: Final = (50, 1.0)
Limits = Mapping[str, tuple[int, float]]


class _WallClock:
    """A clock for SimCord's backend that shows real time, or is ahead of it."""

    ahead_s = 0.0

    def now(self) -> datetime:
        """Return the time."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead_s)


class Discord:
    """Discord with servers and their channels: one server, unless a number is given.

    ``strict``: requests are validated against Discord's description of its API. ``limits`` are the rate limits by kind
    of request; by default there are none unless it is strict.
    """

    def __init__(self, shards: int = 1, *, servers: int = 1, strict: bool = True, limits: Limits | None = None) -> None:
        self.clock = _WallClock()
        self.backend = Backend(clock=cast("Any", self.clock))
        self.servers = [add_server(self.backend, int(GUILD_ID) + (number << 22)) for number in range(servers)]
        for server in self.servers:
            allow_everything(self.backend, server)
        for number, channel_id in enumerate(CHANNEL_IDS):
            add_channel(self.backend, self.servers[number % servers], f"games-{number}", int(channel_id))
        self.gateway = Gateway(TOKEN, self.backend, self.servers, shards)
        self.strict = strict
        self.limits = LIMITS if limits is None and strict else limits
        self.interactions: dict[str, Interaction] = {}
        """The interactions by token."""
        self.closed_dms: dict[str, int] = {}
        """Error codes by user whose direct messages are closed: 50007 or 50278."""
        self.denied: dict[str, Refused] = {}
        """Errors by channel in which the bot lacks permissions."""
        self.requests: list[tuple[str, str, Any]] = []
        self.refused: list[str] = []
        self.repeated: list[str] = []
        """Requests that come only on a busy machine.

        Answers and deletions that came once more after they were carried out, and answers in place of a message that
        the bot has deleted since. Then it sends a new one.
        """
        self.expired: list[str] = []
        """Requests with tokens that have expired."""
        self.slowed_down: list[str] = []
        self.unanswered: list[str] = []
        self.waits_s: list[float] = []
        self.arrived_at: list[float] = []
        """When each request arrived that counts against the global limit."""
        self.received_bytes = 0
        self.faults: list[Fault] = []
        self.refused_uploads: set[str] = set()
        """Kinds of requests in which files are refused: see `check_files`."""
        self.omits_messages = False
        """Whether responses to initial responses leave out the message."""
        self.went_wrong: list[str] = []
        self.watchers: list[Callable[[], None]] = []
        """They look at Discord after each request."""
        self.sessions_left, self.sessions_reset_after_ms = 999, 1000
        self.url = ""
        self._nonces: dict[tuple[str, str], int] = {}
        self._deleted: set[str] = set()
        self._events: deque[tuple[str, Json]] = deque()
        self._sending = asyncio.Lock()
        self._happened = asyncio.Event()
        self._used: dict[tuple[str, str], deque[float]] = defaultdict(deque)
        self._runner: web.AppRunner | None = None
        self._timers: set[asyncio.TimerHandle] = set()
        self._paused_until = 0.0
        self.backend.subscribers.append(lambda event, payload: self._events.append((event, dict(payload))))

    async def __aenter__(self) -> Self:
        faults("GET", "/users/@me", None)  # reading the description takes longer than an interaction may
        app = web.Application()
        app.router.add_get("/gateway", self.gateway.connect)
        app.router.add_get("/gateway/resume", self.gateway.connect)
        app.router.add_route("*", "/api/v10/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/api/v10"
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop the server."""
        for timer in self._timers:
            timer.cancel()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def commands(self) -> list[Json]:
        """Return the commands that the bot has registered."""
        return list(self.backend.commands.get(None, {}).values())

    # ---- events and waiting

    async def send_events(self) -> None:
        """Send the backend's events to the bot, in order."""
        async with self._sending:
            while self._events:
                event, payload = self._events.popleft()
                guild_id = payload["id"] if event.startswith("GUILD_") and "id" in payload else payload.get("guild_id")
                await self.gateway.dispatch(event, as_told(payload), guild_id)

    async def interact(self, interaction: Interaction, payload: Json) -> None:
        """Send an interaction to the bot. Its `answered` gets the seconds until the initial response."""
        self.interactions[interaction.record.token] = interaction
        timer = asyncio.get_running_loop().call_later(TIME_TO_ANSWER_S, self._overdue, interaction, payload)
        self._timers.add(timer)
        interaction.answered.add_done_callback(lambda _: self._timers.discard(timer))
        interaction.answered.add_done_callback(lambda _: timer.cancel())
        await self.gateway.dispatch("INTERACTION_CREATE", as_told(payload), payload.get("guild_id"))

    async def until(self, condition: Callable[[], object], within_s: float = DEADLINE_S) -> None:
        """Wait until the condition holds. It is checked after each request."""
        async with answered_within(within_s, self.requests):
            while not condition():
                self._happened.clear()
                await self._happened.wait()

    def give_up_waiting(self) -> None:
        """Let all unanswered interactions fail, as Discord does after three seconds."""
        for interaction in self.interactions.values():
            if not interaction.answered.done():
                interaction.give_up()

    async def until_given_up(self, doing: Awaitable[Interaction], condition: Callable[[], object]) -> None:
        """Start an interaction, and let it fail once the condition holds."""
        acting = asyncio.ensure_future(doing)
        await self.until(condition)
        self.give_up_waiting()
        with contextlib.suppress(asyncio.CancelledError):
            await acting

    def is_pausing(self) -> bool:
        """Return whether the global limit is in force."""
        return time.monotonic() < self._paused_until

    def _overdue(self, interaction: Interaction, payload: Json) -> None:
        self.unanswered.append(json.dumps(payload.get("data")))
        interaction.give_up()

    # ---- requests

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/api/v10")
        self.received_bytes += request.content_length or 0
        if is_limited_globally(path):
            self.arrived_at.append(time.monotonic())
        headers = {"Via": "1.1 google"}
        fault = None
        try:
            body, files = await read_body(request)
            fault = self._fault(request.method, path, body)
            if fault is not None and fault.how == "late":
                fault.times -= 1  # the next request may overtake it
                self._happened.set()
                await fault.overtaken.wait()
            if fault is None or fault.is_done:
                headers |= self._count(request.method, path)
                status, answer = self._respond(request, path, body, files)
                for look in self.watchers:
                    look()
                await self.send_events()
        except Refused as refusal:
            line = f"{request.method} {path}: {refusal.status} {refusal.code} {refusal.message}"
            self._record_of(refusal, request.method, path, body).append(line)
            status, answer = refusal.status, refusal.described
            headers |= refusal.headers
        self._happened.set()
        if fault is not None:
            try:
                return await fault.happen(request)
            finally:
                self._happened.set()
        return (
            web.Response(status=status, headers=headers) if answer is None else json_response(status, answer, headers)
        )

    def _record_of(self, refusal: Refused, method: str, path: str, body: Any) -> list[str]:
        """Return where to record a refusal. An answer is repeated if its body is that of the one before."""
        if refusal.retry_after_s is not None:
            return self.slowed_down
        if refusal.code == INVALID_WEBHOOK_TOKEN:
            return self.expired
        is_repeated = method == "DELETE" and path in self._deleted
        answered = self.interactions.get(path.split("/")[3]) if path.count("/") > 2 else None
        if answered is not None and refusal.code == ALREADY_ACKNOWLEDGED:
            is_repeated = (answered.kind, answered.answer) == (body["type"], body.get("data") or {})
        elif answered is not None and refusal.code == UNKNOWN_MESSAGE and path.endswith("/@original"):
            is_repeated = any(each.endswith(f"/{answered.record.source_message_id}") for each in self._deleted)
        return self.repeated if is_repeated else self.refused

    def _fault(self, method: str, path: str, body: Any) -> Fault | None:
        """Return the injected error for this request."""
        kind, about = kind_of(method, path), set(path.split("/"))
        if interaction := next((self.interactions[part] for part in about if part in self.interactions), None):
            about |= {str(interaction.record.channel_id), str(interaction.record.user_id)}
        if kind == "POST @me/channels":
            about.add(str(body["recipient_id"]))
        fault = next((each for each in self.faults if each.fits(kind, about)), None)
        if fault is not None:
            self.went_wrong.append(f"{method} {path}: {fault.how} {fault.refusal.status}")
            if fault.refusal.scope == "global":
                self._paused_until = time.monotonic() + (fault.refusal.retry_after_s or 0.0)
        return fault

    def _respond(self, request: web.Request, path: str, body: Any, files: list[Any]) -> tuple[int, Any]:
        """Carry a request out. Return the status and the body of the response."""
        self.requests.append((request.method, path, body))
        check_headers(request, path)
        if self.strict and (found := faults(request.method, path, body) or faults_beyond(request.method, path, body)):
            raise Refused(400, 50035, "; ".join(found))
        if self.strict:
            check_mentions(request.method, path, body)
        check_files(request.method, path, body, files, self.refused_uploads)
        self._check_place(request.method, path)
        check_emojis(self.backend, request.method, path, body)
        kind = kind_of(request.method, path)
        if kind == "GET bot":
            return 200, self._gateway_bot()
        if kind == "POST callback":
            return self._initial_response(request, path, body, files)
        if path.startswith("/webhooks/"):
            check_token(self.interactions[path.split("/")[3]], path)
        if kind == "POST messages":
            return 200, self._post(request, path, body, files)
        answer = self._route(request, path, body, files)
        if request.method == "DELETE":
            self._deleted.add(path)
            if path.endswith("/@original"):
                record = self.interactions[path.split("/")[3]].record
                self._deleted.add(f"{path}/{record.message_id or record.source_message_id}")
        return 204 if answer is None else 200, answer

    def _route(self, request: web.Request, path: str, body: Any, files: list[Any]) -> Any:
        """Let SimCord carry the request out."""
        try:
            query = dict(request.query)
            answer = dispatch(self.backend, request.method, path, json=body, params=query, files=files)
            return as_told([each for each in answer if self._is_on(each)] if path == "/users/@me/guilds" else answer)
        except BackendError as error:
            raise Refused(error.status, error.code, error.message) from error
        finally:
            self.backend.http_requests.clear()
            self.backend.transcript.clear()

    def _is_on(self, server: Json) -> bool:
        return self.gateway.has_guild or server["id"] != GUILD_ID

    def _gateway_bot(self) -> Json:
        left, after_ms = self.sessions_left, self.sessions_reset_after_ms
        limit = {"total": 1000, "remaining": left, "reset_after": after_ms, "max_concurrency": 1}
        return {"url": self.gateway.url, "shards": self.gateway.shards, "session_start_limit": limit}

    def _post(self, request: web.Request, path: str, body: Json, files: list[Any]) -> Json:
        """Post a message. One with a nonce that is known already is returned instead."""
        nonce = (path, str(body["nonce"])) if body.get("enforce_nonce") else None
        if nonce in self._nonces:
            with contextlib.suppress(Refused):  # it was deleted
                posted: Json = self._route_to(request, f"{path}/{self._nonces[nonce]}")
                return posted | {"nonce": body["nonce"]}
        message: Json = self._route(request, path, body, files)
        if nonce is not None:
            self._nonces[nonce] = int(message["id"])
        return message | {"nonce": body.get("nonce")}

    def _route_to(self, request: web.Request, path: str) -> Any:
        return self._route(request.clone(method="GET"), path, None, [])

    def _initial_response(self, request: web.Request, path: str, body: Json, files: list[Any]) -> tuple[int, Any]:
        interaction = self.interactions.get(path.split("/")[3])
        if interaction is None:
            raise Refused(404, 10062, "Unknown interaction")
        record, kind = interaction.record, body["type"]
        needs_message = kind in {6, 7} and record.source_message_id is None
        if not record.responded and (needs_message or kind not in RESPONSES[InteractionType(record.type)]):
            raise Refused(400, 50035, f"response {kind} to an interaction of type {record.type}")
        waited_s = time.monotonic() - interaction.made_at
        response = self._route(request, path, body, files)
        interaction.kind, interaction.answer = kind, body.get("data") or {}
        self.waits_s.append(waited_s)
        if not interaction.answered.done():
            interaction.answered.set_result(waited_s)
        if request.query.get("with_response") not in {"1", "true"}:
            return 204, None
        short: Json = {"interaction": {"id": str(record.id), "type": record.type}}
        return 200, short if self.omits_messages else response

    # ---- limits and permissions

    def _count(self, method: str, path: str) -> dict[str, str]:
        """Count the request against its limits. Return the rate limit headers."""
        if self.limits is None or not is_limited_globally(path):
            return {}
        if self.is_pausing():
            pause_s = self._paused_until - time.monotonic()
            raise Refused(429, 0, "You are being rate limited, globally.", pause_s, "global")
        self._use("global", "", *GLOBAL_LIMIT)
        kind = kind_of(method, path)
        major = path.split("/")[2] if path.startswith("/channels/") else ""
        most, seconds = self.limits.get(kind, GLOBAL_LIMIT)
        left, reset_s = self._use(kind, major, most, seconds)
        return {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": f"{time.time() + reset_s:.3f}",
            "X-RateLimit-Reset-After": f"{reset_s:.3f}",
            "X-RateLimit-Bucket": kind.replace(" ", "-").replace("/", "-"),
        }

    def _use(self, bucket: str, major: str, most: int, seconds: float) -> tuple[int, float]:
        """Use one request of a window, which begins with its first request. Return how many are left, until when."""
        used, now = self._used[bucket, major], time.monotonic()
        if used and now - used[0] >= seconds:
            used.clear()
        if len(used) >= most:
            scope = "global" if bucket == "global" else "user"
            raise Refused(429, 0, f"You are being rate limited ({bucket}).", used[0] + seconds - now, scope)
        used.append(now)
        return most - len(used), used[0] + seconds - now

    def _check_place(self, method: str, path: str) -> None:
        """Check what SimCord doesn't know: missing access, closed direct messages, archived threads."""
        _, resource, channel_id, *rest = f"{path}//".split("/")
        channel = self.backend.channels.get(int(channel_id)) if resource == "channels" else None
        if channel is None:
            return
        if channel.guild_id is not None and not self.gateway.has_guild:
            raise Refused(403, 50001, "Missing Access")
        if denied := self.denied.get(channel_id):
            raise Refused(denied.status, denied.code, denied.message)
        is_post = method == "POST" and rest[0] == "messages"
        if is_post and (code := self.closed_dms.get(str(next(iter(channel.recipient_ids), "")))):
            raise Refused(403, code, "Cannot send messages to this user")
        if channel.thread_metadata and method != "GET":
            check_archived(channel.thread_metadata, is_post=is_post)
