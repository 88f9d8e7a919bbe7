"""A reverse proxy that serves our page and the windows of all people under one address.

Every SimCord window has its own address, and other pages can't frame it. With one address for all, our page shows two
windows side by side. A request names its window by SimCord's capability, and gets no other rights.
"""

import asyncio
import contextlib
import errno
import hashlib
import json
import socket
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from importlib import resources
from typing import Any, Final

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler
from yarl import URL

from bot.sandbox.world import CHANNEL, SERVER, Window, World

AMENDMENTS: Final = (
    # Options of a command have descriptions.
    (
        'node("span", "command-suggestion-ellipsis", "\N{HORIZONTAL ELLIPSIS}")',
        'node("span", "command-suggestion-meta", String(value.description))',
    ),
    # Private messages can be dismissed; `page.js` does it.
    (
        'root.append(node("div", "message-ephemeral-note", "Only you can see this"));',
        (
            'const note = node("div", "message-ephemeral-note", "Only you can see this \N{BULLET} ");'
            'note.append(Object.assign(node("button", "dismiss-message", "Dismiss message"), { type: "button" }));'
            "root.append(note);"
        ),
    ),
    # A press during another one, or before its result is shown, waits instead of being dropped. It is made if its
    # button still looks the same. A second press on the pressed button counts for nothing.
    (
        "  let busyDeferred = false;",
        (
            'const all = () => [...document.querySelectorAll("[data-control-key]")];'
            "const look = ({ control_key: key }) => all().find((each) => each.dataset.controlKey === key)?.textContent;"
            "let pressed = null;"
            "const later = (kind, extra, metadata, seen = look(extra)) => setTimeout(() => {"
            " if (look(extra) === seen) dispatch(kind, extra, metadata); }, 50);"
            "let busyDeferred = false;"
        ),
    ),
    ("void perform(kind, extra, null, metadata);", "pressed = look(extra); void perform(kind, extra, null, metadata);"),
    (
        "if (pageAction(kind)) pageIntent(kind, extra); return; }",
        (
            "if (pageAction(kind)) pageIntent(kind, extra);"
            " else if (pending && (pending.controlKey !== extra.control_key || pressed !== look(extra)))"
            " later(kind, extra, metadata); return; }"
        ),
    ),
    (
        "if (!pageAction(kind) && awaitingRevision !== null && awaitingRevision > context.publishedRevision) return;",
        (
            "if (!pageAction(kind) && awaitingRevision !== null && awaitingRevision > context.publishedRevision)"
            " { later(kind, extra, metadata); return; }"
        ),
    ),
    ("if (state.pendingAction || state.blocked) {", "if (state.pinnedCapture) {"),
    # A picture that was replaced before it is loaded leaves its place empty until the new one is shown.
    ("trigger.replaceWith(unavailable);", ""),
    # A window that was at its end stays there, however messages grow meanwhile.
    (
        "return { policy: ui.timeline.scrollHeight",
        "return { policy: window.frameElement?.isAtEnd || ui.timeline.scrollHeight",
    ),
    # The list of a menu that opens upwards ends at the menu.
    ("const height = Math.min(220, available);", "const height = Math.min(desired, available);"),
)
"""Parts of the scripts, each in one place, and what they are replaced by."""

_AMENDMENTS: Final = tuple((old.encode(), new.encode()) for old, new in AMENDMENTS)


def amended(script: bytes) -> bytes:
    """Return one of SimCord's scripts with our changes."""
    for old, new in _AMENDMENTS:
        script = script.replace(old, new)
    return script


HOST: Final = "127.0.0.1"
PORTS_TRIED: Final = 20
"""How many ports are tried if the first one is taken."""
_SHUTDOWN_S: Final = 1.0
"""Maximum time that the shutdown waits for requests in progress, in the world's time."""

PAGE: Final = resources.files("bot.sandbox") / "page"
PAGE_FILES: Final = {
    "index.html": "text/html",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "window.css": "text/css",
}
"""The files that are served, with their content types."""
PAGE_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Our page runs nothing but its own script, and shows nothing but the windows, whose policy is SimCord's."""

CAPABILITY: Final = "X-Simcord-Capability"
FORWARDED_HEADERS: Final = (CAPABILITY, "X-Simcord-Context", "Content-Type")
DROPPED_HEADERS: Final = frozenset(
    {"connection", "content-encoding", "content-length", "date", "server", "transfer-encoding"}
)
_MARK: Final = "~"
"""Separates SimCord's key of a menu from what makes it fresh."""


@dataclass(frozen=True, slots=True)
class Response:
    """A window's response."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Proxy:
    """Handles the browser's requests."""

    def __init__(self, world: World, session: aiohttp.ClientSession) -> None:
        self._world = world
        self._session = session
        self._tags: dict[str, str] = {}
        """The tags of SimCord's files, by path. The files stay the same as long as the sandbox runs."""

    def application(self) -> web.Application:
        """Return the web application."""
        app = web.Application(middlewares=[_only_from_localhost])
        app.router.add_get("/", self._page)
        app.router.add_get("/page/{name:.*}", self._page)
        app.router.add_get("/people", self._people)
        app.router.add_get("/window", self._window)
        app.router.add_post("/api/pages", self._first_state)
        app.router.add_get("/api/state", self._state)
        app.router.add_post("/api/action", self._action)
        app.router.add_route("*", "/api/{path:.*}", self._anything)
        app.router.add_get("/{path:.*}", self._file)
        return app

    async def _page(self, request: web.Request) -> web.Response:
        name = request.match_info.get("name", "index.html")
        if name not in PAGE_FILES:
            raise web.HTTPNotFound
        text = (PAGE / name).read_text("utf-8")
        tag = _tag(text.encode())
        if _is_known(request, tag):
            return _unchanged(tag)
        return _tagged(web.Response(text=text, content_type=PAGE_FILES[name], headers=PAGE_HEADERS), tag)

    async def _people(self, _request: web.Request) -> web.Response:
        people = [
            {
                "name": person.member.name,
                "moderates": person.is_moderator,
                "channel": person.channel.preview.capability,
                "direct": person.direct.preview.capability,
                "calls": dict(zip(("channel", "direct"), map(str, person.calls), strict=True)),
            }
            for person in self._world.people
        ]
        return web.json_response({"server": SERVER, "channel": CHANNEL, "people": people})

    async def _window(self, request: web.Request) -> web.Response:
        """Return SimCord's page with our stylesheet, which hides SimCord's own tools."""
        answer = await self._ask(request, "/")
        stylesheet = b'<link rel="stylesheet" href="/page/window.css"></head>'
        return _response(Response(answer.status, answer.headers, answer.body.replace(b"</head>", stylesheet)))

    async def _first_state(self, request: web.Request) -> web.Response:
        answer = await self._ask(request, body=await request.read())
        return _response(_with_fresh_menus(answer, self._window_of(request)))

    async def _state(self, request: web.Request) -> web.Response:
        answer = await self._ask(request)
        window = self._window_of(request)
        if window and answer.status == HTTPStatus.OK:
            window.asked_at = asyncio.get_running_loop().time()
            if answer.body not in window.shown:
                window.shown.append(answer.body)
        return _response(_with_fresh_menus(answer, window))

    async def _action(self, request: web.Request) -> web.Response:
        body = await request.read()
        async with self._world.turn:
            if (window := self._window_of(request)) and request.content_type == "application/json":
                body = counted(body, window.picks)
                body = up_to_date(body, window.shown, (await self._ask(request, "/api/state", "GET")).body)
            return _response(await self._ask(request, body=body))

    async def _anything(self, request: web.Request) -> web.Response:
        return _response(await self._ask(request, body=await request.read()))

    async def _file(self, request: web.Request) -> web.Response:
        """Return one of SimCord's files: its stylesheet, a font or a script, which is amended."""
        if (tag := self._tags.get(request.path)) and _is_known(request, tag):
            return _unchanged(tag)
        answer = await self._ask(request)
        if answer.status != HTTPStatus.OK:
            return _response(answer)
        body = amended(answer.body) if request.path.endswith(".js") else answer.body
        tag = self._tags[request.path] = _tag(body)
        return _tagged(_response(replace(answer, body=body)), tag)

    def _window_of(self, request: web.Request) -> Window | None:
        capability = request.headers.get(CAPABILITY)
        return next((window for window in self._world.windows if window.preview.capability == capability), None)

    async def _ask(
        self, request: web.Request, path: str | None = None, method: str | None = None, body: bytes = b""
    ) -> Response:
        """Pass the request on to the window it names. Files that need no capability come from any window."""
        window = self._window_of(request) or self._world.windows[0]
        address = URL(window.preview.url).with_fragment(None).join(URL(path or request.path_qs))
        headers = {name: request.headers[name] for name in FORWARDED_HEADERS if name in request.headers}
        async with self._session.request(
            method or request.method, address, headers=headers, data=body or None
        ) as answer:
            return Response(answer.status, answer.headers, await answer.read())


def with_fresh_menus(state: bytes, picks: Mapping[str, int]) -> bytes:
    """Return the state with a new key for each menu that has other options than before, or that a value was picked in.

    SimCord's page shows the picked value as long as there is a menu with the same key, even if the menu was gone for a
    while. It doesn't let people pick the shown value, so after an undo they couldn't repeat their move.
    """
    fresh = json.loads(state)
    for node in _nodes(fresh.get("messages")):
        if "control_key" in node and "options" in node:
            look = json.dumps([node.get("placeholder"), node["options"]]).encode()
            node["control_key"] += f"{_MARK}{picks.get(node['control_key'], 0)}.{zlib.crc32(look)}"
    return json.dumps(fresh).encode()


def counted(action: bytes, picks: MutableMapping[str, int]) -> bytes:
    """Return the action with SimCord's own key of its button or menu. Count it if it picks a value."""
    try:
        wanted = json.loads(action)
        key, _, is_menu = wanted["control_key"].partition(_MARK)
        if is_menu and wanted["kind"] == "select":
            picks[key] = picks.get(key, 0) + 1
        wanted["control_key"] = key
    except (ValueError, KeyError, AttributeError, TypeError):
        return action
    return json.dumps(wanted).encode()


def up_to_date(action: bytes, shown: Iterable[bytes], present: bytes) -> bytes:
    """Return the action for the present state of its window instead of the state it was meant for.

    SimCord refuses actions on an older state, but live boards change all the time, and Discord accepts such a press.
    If the button or menu is still the same, the action is updated; otherwise SimCord refuses it. ``shown`` are the
    states that the browser has seen.
    """
    try:
        wanted, new = json.loads(action), json.loads(present)
        states = map(json.loads, shown)
        old = next((state for state in states if state["publishedRevision"] == wanted["published_revision"]), None)
        key = wanted.get("control_key")
        if old is None or (wanted["kind"] in {"click", "select"} and _control(old, key) != _control(new, key)):
            return action
        wanted["published_revision"] = new["publishedRevision"]
    except (ValueError, KeyError):
        return action
    return json.dumps(wanted).encode()


def _control(state: Any, key: str) -> tuple[Any, ...] | None:
    """Return the look of the button or menu with this key."""
    for node in _nodes(state["messages"]):
        if node.get("control_key") == key:
            return node["type"], node.get("label"), node.get("placeholder")
    return None


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from _nodes(child)


def _with_fresh_menus(answer: Response, window: Window | None) -> Response:
    if window is None or answer.status != HTTPStatus.OK:
        return answer
    return replace(answer, body=with_fresh_menus(answer.body, window.picks))


def _response(answer: Response) -> web.Response:
    headers = {name: value for name, value in answer.headers.items() if name.lower() not in DROPPED_HEADERS}
    headers["X-Frame-Options"] = "SAMEORIGIN"
    headers["Content-Security-Policy"] = headers.get("Content-Security-Policy", "").replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    )
    return web.Response(status=answer.status, body=answer.body, headers=headers)


def _tag(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


def _is_known(request: web.Request, tag: str) -> bool:
    """Return whether the browser has the file with this tag."""
    return any(known.value == tag for known in request.if_none_match or ())


def _unchanged(tag: str) -> web.Response:
    return _tagged(web.Response(status=HTTPStatus.NOT_MODIFIED), tag)


def _tagged(response: web.Response, tag: str) -> web.Response:
    """Let the browser keep a file, and ask each time whether it is still the same."""
    response.headers["Cache-Control"] = "no-cache"
    response.etag = tag
    return response


@web.middleware
async def _only_from_localhost(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests under another host name: with DNS rebinding, other pages could read the capabilities."""
    try:
        host = URL(f"http://{request.host}").host
    except ValueError:
        host = None
    if host not in {HOST, "localhost"}:
        raise web.HTTPForbidden
    return await handler(request)


def listen(port: int) -> socket.socket:
    """Return a socket at this port, where browsers wait until `serve` is ready. If it is taken, it's the next free one.

    With port 0, any. Raise `OSError` if none can be opened.
    """
    last = min(port + PORTS_TRIED, 2**16) - 1 if port else port
    for candidate in range(port, last + 1):
        try:
            return socket.create_server((HOST, candidate))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or candidate == last:
                raise
    raise AssertionError  # the last one is returned, or raised


def address_of(listener: socket.socket) -> str:
    """Return the address of the page that is served at a socket."""
    return f"http://{HOST}:{listener.getsockname()[1]}/"


@contextlib.asynccontextmanager
async def serve(world: World, listener: socket.socket) -> AsyncIterator[str]:
    """Serve the world at a socket, which is closed at the end, and yield the address."""
    async with aiohttp.ClientSession() as session:
        application = Proxy(world, session).application()
        runner = web.AppRunner(application, access_log=None, handler_cancellation=False, shutdown_timeout=_SHUTDOWN_S)
        await runner.setup()
        try:
            await web.SockSite(runner, listener).start()
            yield address_of(listener)
        finally:
            await runner.cleanup()
