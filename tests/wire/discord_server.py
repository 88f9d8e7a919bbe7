"""Discord as a server: the requests that the bot makes, each judged as strictly as Discord judges it.

Nothing of the bot is imported. What is refused is told to the bot as Discord tells it and kept in `refused`, what comes
too fast in `slowed_down`, and an interaction that never got a first answer in `unanswered`: a good bot
leaves them empty. What is to go wrong by itself is put into `faults`; what did is kept in `went_wrong`.
"""

import asyncio
import contextlib
import json
import re
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Self

from aiohttp import web

from tests.wire.faults import LATE_S, Fault, Refused, json_response
from tests.wire.gateway import Gateway
from tests.wire.limits import EPHEMERAL, FLAGS_OF_A_MESSAGE, LOADING, Json, message_faults
from tests.wire.objects import (
    APP_ID,
    AUTOCOMPLETE,
    BOT_USER,
    CHANNELS,
    COMMAND,
    COMPONENT,
    FORM,
    GUILD_ID,
    TOKEN,
    Interaction,
    Message,
    guild,
    new_id,
    thread,
)
from tests.wire.schemas import faults

TIME_TO_ANSWER_S: Final = 60.0
"""Three seconds on Discord; tests/test_retry.py holds the bot to them in virtual time. Here it only ends the wait for
an answer that never comes, so that a busy machine makes no answer late.
"""
TOKEN_LASTS_S: Final = 15 * 60
ANSWERS: Final = {COMMAND: {4, 5, 9}, COMPONENT: {4, 5, 6, 7, 9}, AUTOCOMPLETE: {8}, FORM: {4, 5, 6, 7}}
LIMITS: Final = {"POST messages": (5, 2.0), "PATCH messages": (5, 2.0), "DELETE messages": (5, 1.0)}
"""Requests and seconds. Discord doesn't tell its own in advance; a bot has to go by the headers."""
GLOBAL_LIMIT: Final = (50, 1.0)


Answer = tuple[int, Json | list[Json] | None]


class Discord:
    """The server, its channel, its users' direct messages and everything that was said there.

    ``strict``: requests are validated against Discord's description of its API. ``limits`` are the rate limits by kind
    of request; by default there are none unless it is strict.
    """

    def __init__(
        self, shards: int = 1, *, strict: bool = True, limits: Mapping[str, tuple[int, float]] | None = None
    ) -> None:
        self.gateway = Gateway(TOKEN, BOT_USER, guild(), shards)
        self.strict = strict
        self.limits = LIMITS if limits is None and strict else limits
        self.messages: dict[str, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        self.commands: list[Json] = []
        self.dm_channels: dict[str, str] = {}
        self.closed_dms: dict[str, int] = {}
        """Who can't be sent direct messages, and the code that Discord gives for it: 50007 or 50278."""
        self.channels: dict[str, Json] = dict(CHANNELS)
        self.denied: dict[str, Refused] = {}
        """The channels where the bot may do nothing, and what it is told."""
        self.requests: list[tuple[str, str, Any]] = []
        self.refused: list[str] = []
        self.slowed_down: list[str] = []
        self.unanswered: list[str] = []
        self.waits_s: list[float] = []
        self.faults: list[Fault] = []
        self.is_curt = False
        """Whether it says no more of an answer than it must."""
        self.went_wrong: list[str] = []
        self.url = ""
        self._happened = asyncio.Event()
        self._used: dict[tuple[str, str], deque[float]] = defaultdict(deque)
        self._runner: web.AppRunner | None = None
        self._timers: set[asyncio.TimerHandle] = set()
        self._paused_until = 0.0

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
        for timer in self._timers:
            timer.cancel()
        if self._runner is not None:
            await self._runner.cleanup()

    # ---- what users do

    async def interact(self, interaction: Interaction, payload: Json) -> None:
        """Tells the bot of it; `Interaction.answered` gives the seconds until the first answer."""
        self.interactions[interaction.token] = interaction
        timer = asyncio.get_running_loop().call_later(TIME_TO_ANSWER_S, self._overdue, interaction, payload)
        self._timers.add(timer)
        interaction.answered.add_done_callback(lambda _: self._timers.discard(timer))
        interaction.answered.add_done_callback(lambda _: timer.cancel())
        await self.gateway.dispatch("INTERACTION_CREATE", payload, payload.get("guild_id"))

    def is_pausing(self) -> bool:
        """Whether the global limit is in force."""
        return time.monotonic() < self._paused_until

    async def until(self, what: Callable[[], object], within_s: float = 60.0) -> None:
        """Waits until it is so; only a request of the bot can make it so."""
        async with asyncio.timeout(within_s):
            while not what():
                self._happened.clear()
                await self._happened.wait()

    def give_up_waiting(self) -> None:
        """Nobody waits any more for what the bot has not answered yet: it was killed, and Discord knows."""
        for interaction in self.interactions.values():
            interaction.answered.cancel()

    async def until_given_up(self, doing: Awaitable[Interaction], what: Callable[[], object]) -> None:
        """Somebody does something and gets no answer: once it is so, “This interaction failed”."""
        acting = asyncio.ensure_future(doing)
        await self.until(what)
        self.give_up_waiting()
        with contextlib.suppress(asyncio.CancelledError):
            await acting

    def _overdue(self, interaction: Interaction, payload: Json) -> None:
        self.unanswered.append(json.dumps(payload.get("data")))
        interaction.answered.cancel()

    # ---- requests

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/api/v10")
        headers = {"Via": "1.1 google"}
        fault = None
        try:
            body, files = await _read(request)
            fault = self._fault(request.method, path, body)
            if fault is not None and fault.how == "late":
                fault.times -= 1  # the next request may overtake it
                self._happened.set()
                await asyncio.sleep(LATE_S)
            if fault is None or fault.is_done:
                headers |= self._count(request.method, path)
                status, answer = await self._judge(request, path, body, files)
        except Refused as refusal:
            said = f"{request.method} {path}: {refusal.status} {refusal.code} {refusal.message}"
            (self.refused if refusal.retry_after_s is None else self.slowed_down).append(said)
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

    def _fault(self, method: str, path: str, body: Any) -> Fault | None:
        """What goes wrong with this request by itself."""
        what, about = _kind(method, path), set(path.split("/"))
        if interaction := next((self.interactions[part] for part in about if part in self.interactions), None):
            about |= {interaction.channel_id, interaction.user_id}
        if what == "POST @me/channels":
            about.add(str(body["recipient_id"]))
        fault = next((each for each in self.faults if each.fits(what, about)), None)
        if fault is not None:
            self.went_wrong.append(f"{method} {path}: {fault.how} {fault.refusal.status}")
            if fault.refusal.scope == "global":
                self._paused_until = time.monotonic() + (fault.refusal.retry_after_s or 0.0)
        return fault

    async def _judge(self, request: web.Request, path: str, body: Any, files: Mapping[str, bytes]) -> Answer:
        self.requests.append((request.method, path, body))
        self._check_headers(request, path)
        if self.strict and (found := faults(request.method, path, body)):
            raise Refused(400, 50035, "; ".join(found))
        for method, pattern, act in self._routes():
            match = re.fullmatch(pattern, path)
            if match and method == request.method:
                return await act(*match.groups(), body=body, files=files, query=request.query)
        raise Refused(404, 0, "404: Not Found")

    def _check_headers(self, request: web.Request, path: str) -> None:
        agent = request.headers.get("User-Agent", "")
        if not is_limited_globally(path):  # their token is in the path
            if not agent:
                raise Refused(403, 40333, "no User-Agent")
            return
        if not agent.startswith("DiscordBot ("):
            raise Refused(403, 40333, f"User-Agent {agent!r}")
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            raise Refused(401, 0, "401: Unauthorized")

    def _count(self, method: str, path: str) -> dict[str, str]:
        """Counts the request against its limits; the headers that say what is left."""
        if self.limits is None or not is_limited_globally(path):
            return {}
        if self.is_pausing():
            pause_s = self._paused_until - time.monotonic()
            raise Refused(429, 0, "You are being rate limited, globally.", pause_s, "global")
        self._use("global", "", *GLOBAL_LIMIT)
        what = _kind(method, path)
        major = path.split("/")[2] if path.startswith("/channels/") else ""
        most, seconds = self.limits.get(what, GLOBAL_LIMIT)
        left, reset_s = self._use(what, major, most, seconds)
        return {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": f"{time.time() + reset_s:.3f}",
            "X-RateLimit-Reset-After": f"{reset_s:.3f}",
            "X-RateLimit-Bucket": what.replace(" ", "-").replace("/", "-"),
        }

    def _use(self, bucket: str, major: str, most: int, seconds: float) -> tuple[int, float]:
        """A window that begins with its first request."""
        used, now = self._used[bucket, major], time.monotonic()
        if used and now - used[0] >= seconds:
            used.clear()
        if len(used) >= most:
            scope = "global" if bucket == "global" else "user"
            raise Refused(429, 0, f"You are being rate limited ({bucket}).", used[0] + seconds - now, scope)
        used.append(now)
        return most - len(used), used[0] + seconds - now

    def _routes(self) -> tuple[tuple[str, str, Callable[..., Awaitable[Answer]]], ...]:
        webhook = rf"/webhooks/{APP_ID}/([\w.-]+)"
        return (
            ("POST", r"/interactions/(\d+)/([\w.-]+)/callback", self._answer),
            ("PATCH", r"/channels/(\d+)/messages/(\d+)", self._edit_message),
            ("POST", r"/channels/(\d+)/messages", self._create_message),
            ("GET", r"/channels/(\d+)/messages", self._list_messages),
            ("POST", r"/channels/(\d+)/threads", self._create_thread),
            ("DELETE", r"/channels/(\d+)/messages/(\d+)", self._delete_message),
            ("GET", r"/channels/(\d+)/messages/(\d+)", self._show_message),
            ("GET", r"/channels/(\d+)", self._show_channel),
            ("POST", webhook, self._follow_up),
            ("GET", webhook + r"/messages/(@original|\d+)", self._show_answer),
            ("PATCH", webhook + r"/messages/(@original|\d+)", self._edit_answer),
            ("DELETE", webhook + r"/messages/(@original|\d+)", self._delete_answer),
            ("POST", "/users/@me/channels", self._open_dm),
            ("PUT", rf"/applications/{APP_ID}/commands", self._put_commands),
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway_bot),
        )

    # ---- who the bot is

    async def _me(self, **_: Any) -> Answer:
        return 200, BOT_USER

    async def _application(self, **_: Any) -> Answer:
        owner = {"id": "1", "username": "owner", "discriminator": "0", "avatar": None, "global_name": None}
        what = {"id": APP_ID, "name": "Lilypad", "description": "", "icon": None, "verify_key": "", "flags": 0}
        return 200, what | {"bot_public": True, "bot_require_code_grant": False, "owner": owner, "team": None}

    async def _gateway_bot(self, **_: Any) -> Answer:
        limit = {"total": 1000, "remaining": 999, "reset_after": 1000, "max_concurrency": 1}
        return 200, {"url": self.gateway.url, "shards": self.gateway.shards, "session_start_limit": limit}

    async def _put_commands(self, *, body: list[Json], **_: Any) -> Answer:
        fixed = {"application_id": APP_ID, "version": "1", "default_member_permissions": None}
        self.commands = [fixed | command | {"id": new_id()} for command in body]
        return 200, self.commands

    # ---- messages of a channel

    async def _create_message(self, channel_id: str, *, body: Json, files: Mapping[str, bytes], **_: Any) -> Answer:
        self._check_channel(channel_id)
        nonce = body.get("nonce") if body.get("enforce_nonce") else None
        again = [
            each for each in self.messages.values() if nonce and (each.channel_id, each.nonce) == (channel_id, nonce)
        ]
        if again:
            return 200, again[0].described
        if body.get("flags", 0) & ~FLAGS_OF_A_MESSAGE:
            raise Refused(400, 50035, f"flags {body['flags']} can't be set")
        message = Message(new_id(), channel_id, nonce=body.get("nonce"))
        self._write(message, body, files)
        self.messages[message.id] = message
        await self.tell("MESSAGE_CREATE", message)
        return 200, message.described

    async def _edit_message(
        self, channel_id: str, message_id: str, *, body: Json, files: Mapping[str, bytes], **_: Any
    ) -> Answer:
        message = self._message(channel_id, message_id)
        if self._is_archived(channel_id):
            raise Refused(400, 50083, "Thread is archived")
        self._write(message, body, files)
        await self.tell("MESSAGE_UPDATE", message)
        return 200, message.described

    async def _delete_message(self, channel_id: str, message_id: str, **_: Any) -> Answer:
        message = self._message(channel_id, message_id)
        if self._is_archived(channel_id):
            raise Refused(400, 50083, "Thread is archived")
        del self.messages[message_id]
        await self.tell("MESSAGE_DELETE", message)
        return 204, None

    async def _show_message(self, channel_id: str, message_id: str, **_: Any) -> Answer:
        return 200, self._message(channel_id, message_id).described

    async def _list_messages(self, channel_id: str, *, query: Mapping[str, str], **_: Any) -> Answer:
        """The latest first, those before one if it is named."""
        self._check_access(channel_id)
        before = int(query.get("before", 1 << 63))
        there = [m for m in self.messages.values() if m.channel_id == channel_id and m.only_for is None]
        found = sorted((m for m in there if int(m.id) < before), key=lambda m: int(m.id), reverse=True)
        return 200, [message.described for message in found[: int(query.get("limit", 50))]]

    async def _create_thread(self, channel_id: str, *, body: Json, **_: Any) -> Answer:
        self._check_access(channel_id)
        made = thread(channel_id, body["name"])
        self.channels[made["id"]] = made
        await self.gateway.dispatch("THREAD_CREATE", made | {"newly_created": True}, GUILD_ID)
        return 201, made

    async def _show_channel(self, channel_id: str, **_: Any) -> Answer:
        self._check_access(channel_id)
        return 200, self.channels.get(channel_id, {"id": channel_id, "type": 1, "recipients": []})

    async def _open_dm(self, *, body: Json, **_: Any) -> Answer:
        user_id = str(body["recipient_id"])
        channel_id = self.dm_channels.setdefault(user_id, new_id())
        user = {"id": user_id, "username": "u", "discriminator": "0", "avatar": None, "global_name": None}
        return 200, {"id": channel_id, "type": 1, "last_message_id": None, "recipients": [user]}

    def _check_channel(self, channel_id: str) -> None:
        """Whether the bot may post there."""
        self._check_access(channel_id)
        of = next((user for user, channel in self.dm_channels.items() if channel == channel_id), None)
        if code := self.closed_dms.get(of or ""):
            raise Refused(403, code, "Cannot send messages to this user")
        if self._is_archived(channel_id, locked=True):
            raise Refused(400, 50083, "Thread is archived")
        if self._is_archived(channel_id):
            self.channels[channel_id]["thread_metadata"]["archived"] = False

    def _check_access(self, channel_id: str) -> None:
        if channel_id not in self.channels and channel_id not in self.dm_channels.values():
            raise Refused(404, 10003, "Unknown Channel")
        if channel_id in self.channels and not self.gateway.has_guild:
            raise Refused(403, 50001, "Missing Access")
        if channel_id in self.denied:
            denied = self.denied[channel_id]
            raise Refused(denied.status, denied.code, denied.message)

    def _is_archived(self, channel_id: str, *, locked: bool = False) -> bool:
        now = self.channels.get(channel_id, {}).get("thread_metadata", {})
        return bool(now.get("archived") and (now["locked"] or not locked))

    def _message(self, channel_id: str, message_id: str) -> Message:
        self._check_access(channel_id)
        message = self.messages.get(message_id)
        if message is None or message.channel_id != channel_id or message.only_for:
            raise Refused(404, 10008, "Unknown Message")
        return message

    def _write(self, message: Message, body: Json, files: Mapping[str, bytes]) -> None:
        after = Message("", "", message.flags, message.content, message.components, dict(message.attachments))
        after.write(body, files)
        now = {"content": after.content, "components": after.components, "embeds": body.get("embeds")}
        if found := list(message_faults(body | now, after.flags, tuple(after.attachments))):
            raise Refused(400, 50035, "; ".join(found))
        if not (after.content or after.components or after.attachments):
            raise Refused(400, 50006, "Cannot send an empty message")
        message.write(body, files)
        message.edits += 1

    async def tell(self, event: str, message: Message) -> None:
        """Tells the bot of a message that everybody sees."""
        if message.only_for is None:
            guild_id = GUILD_ID if message.channel_id in self.channels else None
            await self.gateway.dispatch(event, message.described | {"guild_id": guild_id}, guild_id)

    # ---- answers to interactions

    async def _answer(
        self,
        interaction_id: str,
        token: str,
        *,
        body: Json,
        files: Mapping[str, bytes],
        query: Mapping[str, str],
        **_: Any,
    ) -> Answer:
        interaction = self.interactions.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.answered.cancelled():
            raise Refused(404, 10062, "Unknown interaction")
        waited_s = time.monotonic() - interaction.made_at
        if interaction.kind:
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        kind, data = body["type"], body.get("data") or {}
        if kind not in ANSWERS[interaction.type] or (kind in {6, 7} and interaction.pressed is None):
            raise Refused(400, 50035, f"answer {kind} to an interaction of type {interaction.type}")
        self._show(interaction, kind, data, files)
        interaction.kind, interaction.answer = kind, data
        self.waits_s.append(waited_s)
        if not interaction.answered.done():
            interaction.answered.set_result(waited_s)
        if interaction.original is not None and kind in {4, 5, 7}:
            await self.tell("MESSAGE_UPDATE" if kind == 7 else "MESSAGE_CREATE", interaction.original)
        if query.get("with_response") not in {"1", "true"}:
            return 204, None
        curt: Json = {"interaction": {"id": interaction.id, "type": interaction.type}}
        return 200, curt if self.is_curt else interaction.described

    def _show(self, interaction: Interaction, kind: int, data: Json, files: Mapping[str, bytes]) -> None:
        if kind in {6, 7}:
            interaction.original = interaction.pressed
            if kind == 7 and interaction.pressed is not None:
                self._write(interaction.pressed, data, files)
        elif kind in {4, 5}:
            message = self._for(interaction, data.get("flags", 0))
            if kind == 4:
                self._write(message, data | {"flags": data.get("flags", 0) & ~EPHEMERAL}, files)
            elif data.get("flags", 0) & ~EPHEMERAL:
                raise Refused(400, 50035, "only EPHEMERAL can be set while the answer is put off")
            else:
                message.flags |= LOADING
            self.messages[message.id] = interaction.original = message

    def _for(self, interaction: Interaction, flags: int) -> Message:
        private = bool(flags & EPHEMERAL)
        return Message(
            new_id(), interaction.channel_id, flags & EPHEMERAL, only_for=interaction.user_id if private else None
        )

    def _answered(self, token: str) -> Interaction:
        interaction = self.interactions.get(token)
        if interaction is None or not interaction.kind:
            raise Refused(404, 10015, "Unknown Webhook")
        if time.monotonic() - interaction.made_at > TOKEN_LASTS_S:
            raise Refused(401, 50027, "Invalid Webhook Token")
        return interaction

    def _of_interaction(self, token: str, which: str) -> Message:
        interaction = self._answered(token)
        message = interaction.original if which == "@original" else self.messages.get(which)
        if message is None or message.id not in self.messages:
            raise Refused(404, 10008, "Unknown Message")
        return message

    async def _follow_up(self, token: str, *, body: Json, files: Mapping[str, bytes], **_: Any) -> Answer:
        interaction = self._answered(token)
        message = interaction.original
        if message is None or not message.flags & LOADING:  # the first one after a deferral takes its place
            message = self._for(interaction, body.get("flags", 0))
        self._write(message, body | {"flags": body.get("flags", 0) & ~EPHEMERAL}, files)
        self.messages[message.id] = message
        await self.tell("MESSAGE_CREATE", message)
        return 200, message.described

    async def _edit_answer(self, token: str, which: str, *, body: Json, files: Mapping[str, bytes], **_: Any) -> Answer:
        message = self._of_interaction(token, which)
        self._write(message, body, files)
        await self.tell("MESSAGE_UPDATE", message)
        return 200, message.described

    async def _show_answer(self, token: str, which: str, **_: Any) -> Answer:
        return 200, self._of_interaction(token, which).described

    async def _delete_answer(self, token: str, which: str, **_: Any) -> Answer:
        del self.messages[self._of_interaction(token, which).id]
        return 204, None


def is_limited_globally(path: str) -> bool:
    """Whether requests to this address count against the limit of the whole bot; those with a token don't."""
    return not path.startswith(("/interactions/", "/webhooks/"))


def _kind(method: str, path: str) -> str:
    """What a request is: its method and the last word of its path, such as ``PATCH messages``."""
    *_, what = [part for part in path.split("/") if not part.isdecimal()]
    return f"{method} {'@me/channels' if path == '/users/@me/channels' else what}"


async def _read(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """The JSON body, and the files sent with it. Raises `Refused` for what is neither JSON nor a good form."""
    if not request.can_read_body:
        return None, {}
    if request.content_type == "application/json":
        return await request.json(), {}
    if request.content_type != "multipart/form-data":
        raise Refused(400, 50035, f"content type {request.content_type}")
    form = await request.post()
    body = json.loads(str(form["payload_json"]))
    holder = body.get("data", body) if "type" in body else body
    names = {str(each["id"]): each["filename"] for each in holder.get("attachments") or () if "filename" in each}
    sent = {
        key[6:-1]: part for key, part in form.items() if isinstance(part, web.FileField) and key.startswith("files[")
    }
    if set(sent) != set(names) or len(form) != 1 + len(sent):
        raise Refused(400, 50035, f"files {list(form)} are not the attachments {names}")
    return body, {names[key]: part.file.read() for key, part in sent.items()}
