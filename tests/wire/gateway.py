"""The gateway: one WebSocket a shard, compressed as it was asked for, sessions that can be resumed."""

import asyncio
import itertools
import json
import zlib
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

Json = dict[str, Any]

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO, ACK = 0, 1, 2, 6, 9, 10, 11
PRIVILEGED: Final = 1 << 1 | 1 << 8 | 1 << 15
DIRECT_MESSAGES, GUILD_MESSAGES = 1 << 12, 1 << 9
AUTHENTICATION_FAILED, INVALID_SHARD, DISALLOWED_INTENTS, UNKNOWN_ERROR = 4004, 4010, 4014, 4000


class Line:
    """One WebSocket connection."""

    def __init__(self, socket: web.WebSocketResponse, *, compressed: bool) -> None:
        self.socket = socket
        self._zlib = zlib.compressobj() if compressed else None

    async def send(self, op: int, data: object, event: str | None = None, number: int | None = None) -> None:
        """Sends a payload, unless the other end is gone."""
        text = json.dumps({"op": op, "d": data, "t": event, "s": number})
        if self.socket.closed:
            return
        try:
            if self._zlib is None:
                await self.socket.send_str(text)
            else:
                await self.socket.send_bytes(self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH))
        except ConnectionError:
            return


@dataclass(eq=False)
class Session:
    """What a shard has been sent, so that it can be sent again."""

    id: str
    shard: int
    intents: int
    line: Line | None
    sent: list[tuple[int, str, Json]] = field(default_factory=list)

    async def dispatch(self, event: str, data: Json) -> None:
        """Sends an event, now or when the session is resumed."""
        self.sent.append((len(self.sent) + 1, event, data))
        if self.line is not None:
            await self.line.send(DISPATCH, data, event, len(self.sent))


class Gateway:
    """All shards. ``history`` tells in order what came: ``identify 0``, ``resume 0``, ``wrong token`` …"""

    def __init__(self, token: str, user: Json, guild: Json, shards: int) -> None:
        self.shards = shards
        self.history: list[str] = []
        self.url = ""
        self.sessions: dict[int, Session] = {}
        self._token = token
        self._user = user
        self._guild = guild
        self._numbers = itertools.count(1)
        self._changed = asyncio.Condition()

    def shard_of(self, guild_id: str | None) -> int:
        """Direct messages come to shard 0."""
        return 0 if guild_id is None else (int(guild_id) >> 22) % self.shards

    async def dispatch(self, event: str, data: Json, guild_id: str | None) -> None:
        """Tells the bot, if it asked for this kind of event."""
        session = self.sessions.get(self.shard_of(guild_id))
        needed = 0 if event == "INTERACTION_CREATE" else DIRECT_MESSAGES if guild_id is None else GUILD_MESSAGES
        if session is not None and session.intents & needed == needed:
            await session.dispatch(event, data)

    async def until_ready(self, within_s: float = 20.0) -> None:
        """Waits until every shard has a live session."""

        def ready() -> bool:
            live = [shard for shard, session in self.sessions.items() if session.line is not None]
            return len(live) == self.shards

        async with asyncio.timeout(within_s), self._changed:
            await self._changed.wait_for(ready)

    async def drop(self, shard: int, *, forget: bool = False) -> None:
        """Breaks the connection off; ``forget``: the session can't be resumed."""
        session = self.sessions[shard]
        line, session.line = session.line, None
        if forget:
            del self.sessions[shard]
        if line is not None:
            await line.socket.close(code=UNKNOWN_ERROR)

    # ---- one connection

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """The handler of ``/gateway`` and ``/gateway/resume``."""
        query = dict(request.query)
        compression = query.pop("compress", None)
        if query != {"v": "10", "encoding": "json"} or compression not in {None, "zlib-stream"}:
            raise web.HTTPBadRequest(text=f"{request.query_string} is not understood")
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        line = Line(socket, compressed=compression is not None)
        await line.send(HELLO, {"heartbeat_interval": 41_250, "_trace": []})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    payload = json.loads(message.data)
                    await self._receive(line, payload["op"], payload["d"], resuming=request.path.endswith("/resume"))
        finally:
            await self._gone(line)
        return socket

    async def _gone(self, line: Line) -> None:
        for shard, session in list(self.sessions.items()):
            if session.line is line:
                session.line = None
                if line.socket.close_code in {1000, 1001}:  # the bot took its leave: its session ends
                    del self.sessions[shard]
        async with self._changed:
            self._changed.notify_all()

    async def _receive(self, line: Line, op: int, data: Any, *, resuming: bool) -> None:
        match op:
            case 1:
                await line.send(ACK, None)
            case 2:
                await self._identify(line, data)
            case 6:
                await self._resume(line, data, resuming=resuming)
            case _:
                self.history.append(f"op {op}")

    async def _refuse(self, line: Line, code: int, why: str) -> None:
        self.history.append(why)
        await line.socket.close(code=code)

    async def _identify(self, line: Line, data: Json) -> None:
        shard, of = data.get("shard", (0, 1))
        if data["token"] != self._token:
            await self._refuse(line, AUTHENTICATION_FAILED, "wrong token")
        elif data["intents"] & PRIVILEGED:
            await self._refuse(line, DISALLOWED_INTENTS, "privileged intents")
        elif of != self.shards or not 0 <= shard < of:
            await self._refuse(line, INVALID_SHARD, f"shard {shard} of {of}")
        else:
            self.history.append(f"identify {shard}")
            await self._greet(Session(f"session{next(self._numbers)}", shard, data["intents"], line))

    async def _greet(self, session: Session) -> None:
        here = self.shard_of(self._guild["id"]) == session.shard
        guilds = [{"id": self._guild["id"], "unavailable": True}] if here else []
        ready = {
            "v": 10,
            "user": self._user,
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": f"{self.url}/resume",
            "shard": [session.shard, self.shards],
            "application": {"id": self._user["id"], "flags": 0},
        }
        self.sessions[session.shard] = session
        await session.dispatch("READY", ready)
        if here:
            await session.dispatch("GUILD_CREATE", self._guild)
        async with self._changed:
            self._changed.notify_all()

    async def _resume(self, line: Line, data: Json, *, resuming: bool) -> None:
        session = next((each for each in self.sessions.values() if each.id == data["session_id"]), None)
        if session is None or data["token"] != self._token:
            self.history.append("invalid session")
            await line.send(INVALID_SESSION, False)
            return
        self.history.append(f"resume {session.shard}" if resuming else f"resume {session.shard} at the wrong address")
        for number, event, missed in session.sent[data["seq"] :]:
            await line.send(DISPATCH, missed, event, number)
        session.line = line
        await session.dispatch("RESUMED", {"_trace": []})
        async with self._changed:
            self._changed.notify_all()
