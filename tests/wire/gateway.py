"""The gateway: a compressed WebSocket for each shard of each process, with sessions that can be resumed.

Several processes may have sessions for the same shard. Each of them receives every event, as on Discord.
"""

import asyncio
import itertools
import json
import zlib
from collections import deque
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from aiohttp import WSMsgType, web
from simcord.backend import Backend, serializers
from simcord.backend.models import Guild

from tests.waiting import DEADLINE_S
from tests.world import Json

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
PRIVILEGED: Final = 1 << 1 | 1 << 8 | 1 << 15
DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS = 1 << 12, 1 << 9, 1 << 0
AUTHENTICATION_FAILED, INVALID_SHARD, DISALLOWED_INTENTS, UNKNOWN_ERROR = 4004, 4010, 4014, 4000
REPLAYED: Final = 2000
"""The number of events that a session can replay when it is resumed."""

Outage = Literal["", "unavailable", "silent", "closing"]
"""The treatment of new connections: accepted, 503, no answer, or closed at once."""


class Connection:
    """One WebSocket connection."""

    def __init__(self, socket: web.WebSocketResponse, *, compressed: bool) -> None:
        self.socket = socket
        self.is_dead = False
        """Drop all data in both directions, without closing the connection."""
        self._zlib = zlib.compressobj() if compressed else None

    async def send(self, op: int, data: object, event: str | None = None, number: int | None = None) -> None:
        """Send a payload, unless the connection is closed."""
        text = json.dumps({"op": op, "d": data, "t": event, "s": number})
        if self.socket.closed or self.is_dead:
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
    """The events of a session, for replaying them."""

    id: str
    shard: int
    intents: int
    connection: Connection | None
    sent: deque[tuple[int, str, Json]] = field(default_factory=lambda: deque(maxlen=REPLAYED))
    last: int = 0

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event, now or when the session is resumed."""
        self.last += 1
        self.sent.append((self.last, event, data))
        if self.connection is not None:
            await self.connection.send(DISPATCH, data, event, self.last)


class Gateway:
    """All shards. ``history`` lists what was received: ``identify 0``, ``resume 0``, ``wrong token`` …"""

    def __init__(self, token: str, backend: Backend, servers: Sequence[Guild], shards: int) -> None:
        self.shards = shards
        self.history: list[str] = []
        self.garbled = 0
        """The number of unreadable hellos to send."""
        self.interactions_to: int | None = None
        """The only process that receives interactions, in order. ``None`` for all processes."""
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.heartbeat_s = 41.25
        self.too_soon = 0
        """The number of new sessions to refuse, as if the bot had begun another one less than five seconds ago."""
        self.has_guild = True
        """Whether the bot is on the first server."""
        self.refuses_with = 0
        """The code that closes every new session."""
        self._token = token
        self._backend = backend
        self._servers = servers
        self._numbers = itertools.count(1)
        self._changed = asyncio.Condition()
        self._over = asyncio.Event()
        self._outage: Outage = ""

    def shard_of(self, guild_id: str | None) -> int:
        """Direct messages belong to shard 0."""
        return 0 if guild_id is None else (int(guild_id) >> 22) % self.shards

    @property
    def outage(self) -> Outage:
        """The treatment of new connections now."""
        return self._outage

    @outage.setter
    def outage(self, outage: Outage) -> None:
        self._outage = outage
        (self._over.clear if outage else self._over.set)()

    def server_payload(self, number: int = 0) -> Json:
        """Return a server as the bot gets it: with itself as the only member, as it doesn't ask for others."""
        server = self._servers[number]
        payload = dict(serializers.guild_create_payload(self._backend, server))
        bot = server.members[self._backend.bot_user.id]
        return payload | {"members": [serializers.member_payload(self._backend, server, bot)]}

    def _servers_on(self, shard: int) -> list[int]:
        """Return the numbers of the servers of a shard that the bot is on."""
        numbers = range(0 if self.has_guild else 1, len(self._servers))
        return [number for number in numbers if self.shard_of(str(self._servers[number].id)) == shard]

    def live(self, shard: int) -> list[Session]:
        """Return the connected sessions of the shard, one for each process."""
        return [each for each in self.sessions.values() if each.shard == shard and each.connection is not None]

    @property
    def is_shared(self) -> bool:
        """Whether several processes have a session for the same shard."""
        return any(len(self.live(shard)) > 1 for shard in range(self.shards))

    async def dispatch(self, event: str, data: Json, guild_id: str | None) -> None:
        """Send an event to every process that asked for its kind."""
        needed = 0
        if event.startswith("MESSAGE_"):
            needed = DIRECT_MESSAGES if guild_id is None else GUILD_MESSAGES
        elif event != "INTERACTION_CREATE":
            needed = GUILDS
        sessions = [each for each in self.sessions.values() if each.shard == self.shard_of(guild_id)]
        if event == "INTERACTION_CREATE" and self.interactions_to is not None:
            sessions = [sessions[self.interactions_to]]
        for session in sessions:
            if session.intents & needed == needed:
                await session.dispatch(event, data)

    async def until_ready(self, within_s: float = DEADLINE_S, processes: int = 1) -> None:
        """Wait until every process has a live session for every shard."""
        await self.until_live(range(self.shards), processes, within_s)

    async def until_live(self, shards: Iterable[int], processes: int, within_s: float = DEADLINE_S) -> None:
        """Wait until that many processes have a live session for each of these shards."""
        await self._until(lambda: all(len(self.live(shard)) == processes for shard in shards), within_s)

    def forget(self, shards: Container[int]) -> None:
        """Forget the sessions of these shards that have no connection: their process is gone."""
        gone = [each.id for each in self.sessions.values() if each.shard in shards and each.connection is None]
        for session_id in gone:
            del self.sessions[session_id]

    async def until_lost(self, within_s: float = DEADLINE_S) -> None:
        """Wait until no shard has a live session."""
        await self._until(lambda: not any(map(self.live, range(self.shards))), within_s)

    async def until_received(self, entry: str, within_s: float = DEADLINE_S) -> None:
        """Wait until the history contains this."""
        await self._until(lambda: entry in self.history, within_s)

    async def until_connecting(self) -> None:
        """Wait until the history isn't empty."""
        await self._until(lambda: self.history, 60.0)

    async def _until(self, condition: Callable[[], object], within_s: float) -> None:
        async with asyncio.timeout(within_s), self._changed:
            await self._changed.wait_for(condition)

    async def drop(self, shard: int, *, forget: bool = False) -> None:
        """Break the shard's connections. With ``forget``, their sessions can't be resumed."""
        for session in self.live(shard):
            connection, session.connection = session.connection, None
            if forget:
                del self.sessions[session.id]
            if connection is not None:
                await connection.socket.close(code=UNKNOWN_ERROR)

    async def send(self, shard: int, op: int, data: object = None) -> None:
        """Send `RECONNECT`, or `INVALID_SESSION` with whether it can be resumed, to the shard's connections."""
        for session in self.live(shard):
            if op == INVALID_SESSION and data is False:
                del self.sessions[session.id]
            if session.connection is not None:
                await session.connection.send(op, data)

    def fall_silent(self, shard: int) -> None:
        """Drop all data of the shard's connections, which stay open."""
        for session in self.live(shard):
            if session.connection is not None:
                session.connection.is_dead = True

    # ---- one connection

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Handle ``/gateway`` and ``/gateway/resume``."""
        query = dict(request.query)
        compression = query.pop("compress", None)
        if query != {"v": "10", "encoding": "json"} or compression not in {None, "zlib-stream"}:
            raise web.HTTPBadRequest(text=f"{request.query_string} is not understood")
        if self.outage:
            self.history.append(self.outage)
            async with self._changed:
                self._changed.notify_all()
        if self.outage == "unavailable":
            raise web.HTTPServiceUnavailable
        if self.outage == "silent":
            await self._over.wait()
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        if self.outage == "closing":
            await socket.close(code=UNKNOWN_ERROR)
            return socket
        connection = Connection(socket, compressed=compression is not None)
        await connection.send(HELLO, {"heartbeat_interval": round(self.heartbeat_s * 1000), "_trace": []})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    payload = json.loads(message.data)
                    await self._receive(
                        connection, payload["op"], payload["d"], resuming=request.path.endswith("/resume")
                    )
        finally:
            await self._disconnected(connection)
        return socket

    async def _disconnected(self, connection: Connection) -> None:
        for session in list(self.sessions.values()):
            if session.connection is connection:
                session.connection = None
                if connection.socket.close_code in {
                    1000,
                    1001,
                }:  # the bot closed the connection, which ends its session
                    del self.sessions[session.id]
        async with self._changed:
            self._changed.notify_all()

    async def _receive(self, connection: Connection, op: int, data: Any, *, resuming: bool) -> None:
        match op:
            case 1:
                await connection.send(ACK, None)
            case 2:
                await self._identify(connection, data)
            case 6:
                await self._resume(connection, data, resuming=resuming)
            case _:
                self.history.append(f"op {op}")

    async def _refuse(self, connection: Connection, code: int, why: str) -> None:
        self.history.append(why)
        await connection.socket.close(code=code)

    async def _identify(self, connection: Connection, data: Json) -> None:
        shard, of = data.get("shard", (0, 1))
        if self.refuses_with:
            await self._refuse(connection, self.refuses_with, f"code {self.refuses_with}")
        elif data["token"] != self._token:
            await self._refuse(connection, AUTHENTICATION_FAILED, "wrong token")
        elif data["intents"] & PRIVILEGED:
            await self._refuse(connection, DISALLOWED_INTENTS, "privileged intents")
        elif of != self.shards or not 0 <= shard < of:
            await self._refuse(connection, INVALID_SHARD, f"shard {shard} of {of}")
        elif self.too_soon:
            self.too_soon -= 1
            self.history.append("identify too soon")
            await connection.send(INVALID_SESSION, False)
        else:
            self.history.append(f"identify {shard}")
            await self._greet(Session(f"session{next(self._numbers)}", shard, data["intents"], connection))

    async def _greet(self, session: Session) -> None:
        here = self._servers_on(session.shard)
        guilds = [{"id": str(self._servers[number].id), "unavailable": True} for number in here]
        ready: Json = {
            "v": 10,
            "user": serializers.user_payload(self._backend.bot_user),
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": f"{self.url}/resume",
            "shard": [session.shard, self.shards],
            "application": {"id": str(self._backend.application_id), "flags": 0},
        }
        if self.garbled:
            self.garbled -= 1
            ready["user"] = {"id": "?"}
        self.sessions[session.id] = session
        await session.dispatch("READY", ready)
        for number in here:
            await session.dispatch("GUILD_CREATE", self.server_payload(number))
        async with self._changed:
            self._changed.notify_all()

    async def _resume(self, connection: Connection, data: Json, *, resuming: bool) -> None:
        session = self.sessions.get(data["session_id"])
        if session is None or data["token"] != self._token:
            self.history.append("invalid session")
            await connection.send(INVALID_SESSION, False)
            return
        self.history.append(f"resume {session.shard}" if resuming else f"resume {session.shard} at the wrong address")
        seen = data["seq"]
        while missed := [each for each in session.sent if each[0] > seen]:  # more events may follow meanwhile
            for seen, event, payload in missed:
                await connection.send(DISPATCH, payload, event, seen)
        session.connection = connection
        await session.dispatch("RESUMED", {"_trace": []})
        async with self._changed:
            self._changed.notify_all()
