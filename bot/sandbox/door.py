"""One address for the whole world: our page, and behind it the windows of all people.

A SimCord window has an address of its own and may not be framed by another page. The door serves all of them under its
own address, so that one page can hold two of them side by side. A request names its window by the capability that
SimCord gave to it; the door lends no right that its caller lacks.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from typing import Any, Final

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler
from yarl import URL

from bot.sandbox.world import CHANNEL, SERVER, Window, World

HOST: Final = "127.0.0.1"
PAGE: Final = resources.files("bot.sandbox") / "page"
PAGE_FILES: Final = {
    "index.html": "text/html",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "window.css": "text/css",
}
"""Content types of the files that are served; whatever else a request names doesn't exist."""

CAPABILITY: Final = "X-Simcord-Capability"
PASSED_ON: Final = (CAPABILITY, "X-Simcord-Context", "Content-Type")
KEPT_BACK: Final = frozenset(
    {"connection", "content-encoding", "content-length", "date", "server", "transfer-encoding"}
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a window answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Door:
    """Answers every request of the browser."""

    def __init__(self, world: World, session: aiohttp.ClientSession) -> None:
        self._world = world
        self._session = session

    def application(self) -> web.Application:
        """The web application."""
        app = web.Application(middlewares=[_only_from_here])
        app.router.add_get("/", self._page)
        app.router.add_get("/page/{name:.*}", self._page)
        app.router.add_get("/people", self._people)
        app.router.add_get("/window", self._window)
        app.router.add_get("/api/state", self._state)
        app.router.add_post("/api/action", self._action)
        app.router.add_route("*", "/{path:.*}", self._anything)
        return app

    async def _page(self, request: web.Request) -> web.Response:
        name = request.match_info.get("name", "index.html")
        if name not in PAGE_FILES:
            raise web.HTTPNotFound
        text = (PAGE / name).read_text("utf-8")
        return web.Response(text=text, content_type=PAGE_FILES[name], headers={"Cache-Control": "no-store"})

    async def _people(self, _request: web.Request) -> web.Response:
        people = [
            {
                "name": person.member.name,
                "channel": person.channel.preview.capability,
                "direct": person.direct.preview.capability,
                "call": str(person.call),
            }
            for person in self._world.people
        ]
        return web.json_response({"server": SERVER, "channel": CHANNEL, "people": people})

    async def _window(self, request: web.Request) -> web.Response:
        """SimCord's page in our dress: a player sees what Discord would show, and none of SimCord's tools."""
        answer = await self._ask(request, "/")
        dress = b'<link rel="stylesheet" href="/page/window.css"></head>'
        return _response(Answer(answer.status, answer.headers, answer.body.replace(b"</head>", dress)))

    async def _state(self, request: web.Request) -> web.Response:
        answer = await self._ask(request)
        if (window := self._window_of(request)) and answer.status == HTTPStatus.OK:
            window.asked_at = asyncio.get_running_loop().time()
            if answer.body not in window.shown:
                window.shown.append(answer.body)
        return _response(answer)

    async def _action(self, request: web.Request) -> web.Response:
        body = await request.read()
        async with self._world.turn:
            if (window := self._window_of(request)) and request.content_type == "application/json":
                body = up_to_date(body, window.shown, (await self._ask(request, "/api/state", "GET")).body)
            return _response(await self._ask(request, body=body))

    async def _anything(self, request: web.Request) -> web.Response:
        return _response(await self._ask(request, body=await request.read()))

    def _window_of(self, request: web.Request) -> Window | None:
        capability = request.headers.get(CAPABILITY)
        return next((window for window in self._world.windows if window.preview.capability == capability), None)

    async def _ask(
        self, request: web.Request, path: str | None = None, method: str | None = None, body: bytes = b""
    ) -> Answer:
        """Asks the window that the request names; any window has the files that need no right."""
        window = self._window_of(request) or self._world.windows[0]
        address = URL(window.preview.url).with_fragment(None).join(URL(path or request.path_qs))
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        async with self._session.request(
            method or request.method, address, headers=headers, data=body or None
        ) as answer:
            return Answer(answer.status, answer.headers, await answer.read())


def up_to_date(action: bytes, shown: Iterable[bytes], present: bytes) -> bytes:
    """The action, for the present state of its window instead of the one among ``shown`` that it was meant for.

    SimCord refuses an action on a state that has been replaced, as every live board is, again and again. On Discord the
    press arrives. It is passed on if the button or menu it meant is still the same; otherwise SimCord refuses it.
    """
    try:
        wish, new = json.loads(action), json.loads(present)
        states = map(json.loads, shown)
        old = next((state for state in states if state["publishedRevision"] == wish["published_revision"]), None)
        key = wish.get("control_key")
        if old is None or (wish["kind"] in {"click", "select"} and _control(old, key) != _control(new, key)):
            return action
        wish["published_revision"] = new["publishedRevision"]
    except (ValueError, KeyError):
        return action
    return json.dumps(wish).encode()


def _control(state: Any, key: str) -> tuple[Any, ...] | None:
    """How the button or menu looks that has this key."""
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


def _response(answer: Answer) -> web.Response:
    headers = {name: value for name, value in answer.headers.items() if name.lower() not in KEPT_BACK}
    headers["X-Frame-Options"] = "SAMEORIGIN"
    headers["Content-Security-Policy"] = headers.get("Content-Security-Policy", "").replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    )
    return web.Response(status=answer.status, body=answer.body, headers=headers)


@web.middleware
async def _only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses a page that reaches this machine under another name, and with it the windows' capabilities."""
    if URL(f"http://{request.host}").host not in {HOST, "localhost"}:
        raise web.HTTPForbidden
    return await handler(request)


@contextlib.asynccontextmanager
async def door(world: World, port: int) -> AsyncIterator[str]:
    """Opens the door and gives its address. ``port`` 0 is any that is free. Raises `OSError` if the port is taken."""
    async with aiohttp.ClientSession() as session:
        runner = web.AppRunner(Door(world, session).application(), access_log=None, handler_cancellation=False)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
            yield f"http://{HOST}:{runner.addresses[0][1]}/"
        finally:
            await runner.cleanup()
