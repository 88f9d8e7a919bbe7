"""Errors to inject into requests."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from aiohttp import web

from tests.world import Json

HANGING_S: Final = 300.0
"""Duration of a hanging request, longer than any timeout in these tests."""


class Refused(Exception):
    """An error of Discord. For a 429: ``retry_after_s``, and ``scope``: ``user``, ``shared`` or ``global``."""

    def __init__(
        self, status: int, code: int, message: str, retry_after_s: float | None = None, scope: str = "user"
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.retry_after_s, self.scope = (
            status,
            code,
            message,
            retry_after_s,
            scope,
        )

    @property
    def described(self) -> Json:
        """Return the body of the response."""
        error: Json = {"message": self.message, "code": self.code}
        if self.retry_after_s is not None:
            error |= {"retry_after": self.retry_after_s, "global": self.scope == "global"}
        return error

    @property
    def headers(self) -> dict[str, str]:
        """Return the rate limit headers."""
        if self.retry_after_s is None:
            return {}
        headers = {"Retry-After": str(int(self.retry_after_s) + 1), "X-RateLimit-Scope": self.scope}
        return headers | {"X-RateLimit-Global": "true"} if self.scope == "global" else headers


@dataclass(frozen=True)
class Page:
    """An answer by something that isn't Discord."""

    status: int = 200
    body: str = ""
    content_type: str = "text/html"
    headers: Mapping[str, str] = field(default_factory=dict)


How = Literal["refused", "failed after", "cut", "cut after", "half", "hanging", "late", "unreadable", "bare", "direct"]
"""The kinds of errors.

``refused`` is an error response, ``failed after`` one to a request that is carried out, ``bare`` one without rate limit
headers, ``direct`` one without ``Via`` as well, which discord.py raises at once. ``unreadable`` is a proxy's page, with
``Retry-After`` if the refusal has it. ``cut`` breaks the connection before the request is carried out, ``cut after``
afterwards, ``half`` in the middle of the response. ``hanging`` does nothing and never answers. ``late`` carries the
request out, without an answer, once the test sets the event `Fault.overtaken`.
"""


@dataclass(eq=False)
class Fault:
    """An error for the next ``times`` requests of a kind, such as ``PATCH messages``.

    ``about`` limits it to requests with the id of a channel, a message or a user.
    """

    kind: str
    how: How = "refused"
    refusal: Refused = field(default_factory=lambda: Refused(500, 0, "500: Internal Server Error"))
    about: str = ""
    times: int = 1
    page: Page | None = None
    """What is answered instead, if given."""
    overtaken: asyncio.Event = field(default_factory=asyncio.Event)
    """Lets a late request be carried out."""
    hanging: int = 0
    """The number of its requests that hang now. The bot gives up each of them after a time."""

    @property
    def is_done(self) -> bool:
        """Return whether the request is carried out."""
        return self.how in {"failed after", "cut after", "half", "late"}

    def fits(self, kind: str, about: set[str]) -> bool:
        """Return whether the error applies to this request."""
        return self.times > 0 and self.kind == kind and (not self.about or self.about in about)

    async def happen(self, request: web.Request) -> web.StreamResponse:
        """Answer the request with the error."""
        self.times -= self.how != "late"
        if self.page is not None:
            headers = {**self.page.headers, "Content-Type": self.page.content_type}
            return web.Response(status=self.page.status, body=self.page.body.encode(), headers=headers)
        via = {} if self.how in {"direct", "unreadable"} else {"Via": "1.1 google"}
        headers = {**via, **(self.refusal.headers if self.how in {"refused", "unreadable"} else {})}
        match self.how:
            case "refused" | "failed after" | "bare" | "direct":
                return json_response(self.refusal.status, self.refusal.described, headers)
            case "unreadable":
                page = f"<html><h1>{self.refusal.message}</h1></html>"
                return web.Response(text=page, status=self.refusal.status, headers=headers, content_type="text/html")
            case "hanging":
                await self._hang(request)
            case "half":
                answer = web.StreamResponse(headers={"Content-Length": "4096", "Content-Type": "application/json"})
                await answer.prepare(request)
                await answer.write(b'{"id": "')
                await asyncio.sleep(0.02)
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    async def _hang(self, request: web.Request) -> None:
        """Wait until the bot gives the request up."""
        self.hanging += 1
        try:
            async with asyncio.timeout(HANGING_S):
                while request.transport is not None and not request.transport.is_closing():  # noqa: ASYNC110 - no event
                    await asyncio.sleep(0.02)
        finally:
            self.hanging -= 1


def json_response(status: int, answer: Json | list[Json], headers: Mapping[str, str]) -> web.Response:
    """A JSON response with the exact content type that discord.py expects."""
    body = json.dumps(answer).encode()
    return web.Response(body=body, status=status, headers={**headers, "Content-Type": "application/json"})
