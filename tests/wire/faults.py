"""What goes wrong with a request, beyond what Discord itself has to say against it."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from aiohttp import web

from tests.wire.limits import Json

LATE_S: Final = 4.0
"""How long a late request takes: longer than the impatient bot waits for an answer."""
HANGING_S: Final = 300.0
"""How long a hanging request stays unanswered: longer than anybody in these tests waits."""


class Refused(Exception):
    """An error as Discord words it. Of a 429: ``retry_after_s``, and ``scope``: ``user``, ``shared`` or ``global``."""

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
        """The body of the answer."""
        error: Json = {"message": self.message, "code": self.code}
        if self.retry_after_s is not None:
            error |= {"retry_after": self.retry_after_s, "global": self.scope == "global"}
        return error

    @property
    def headers(self) -> dict[str, str]:
        """What the headers of the answer tell of a limit."""
        if self.retry_after_s is None:
            return {}
        told = {"Retry-After": str(int(self.retry_after_s) + 1), "X-RateLimit-Scope": self.scope}
        return told | {"X-RateLimit-Global": "true"} if self.scope == "global" else told


How = Literal["refused", "cut", "cut after", "half", "hanging", "late", "unreadable", "bare"]
"""``refused``: answered with an error; ``cut``: the connection breaks before anything is done, ``cut after``: when all
is done, ``half``: in the middle of the answer; ``hanging``: nothing is done and nothing answered; ``late``: done after
`LATE_S`, and nothing answered; ``unreadable``: the
page of a proxy instead of Discord's words; ``bare``: refused without the headers that tell of the limit.
"""


@dataclass(eq=False)
class Fault:
    """What happens to the next ``times`` requests of a kind, such as ``PATCH messages``.

    ``about``: an id that they have to do with, of a channel, a message or a user; any request without one.
    """

    what: str
    how: How = "refused"
    refusal: Refused = field(default_factory=lambda: Refused(500, 0, "500: Internal Server Error"))
    about: str = ""
    times: int = 1
    hanging: int = 0
    """How many of its requests hang right now; the bot gives each of them up after a time."""

    @property
    def is_done(self) -> bool:
        """Whether what is asked for is done all the same."""
        return self.how in {"cut after", "half", "late"}

    def fits(self, what: str, about: set[str]) -> bool:
        """Whether it is this request's turn to go wrong."""
        return self.times > 0 and self.what == what and (not self.about or self.about in about)

    async def happen(self, request: web.Request) -> web.StreamResponse:
        """Answers the request as badly as it says."""
        self.times -= self.how != "late"
        headers = {"Via": "1.1 google", **(self.refusal.headers if self.how == "refused" else {})}
        match self.how:
            case "refused" | "bare":
                return json_response(self.refusal.status, self.refusal.described, headers)
            case "unreadable":
                page = f"<html><h1>{self.refusal.message}</h1></html>"
                return web.Response(text=page, status=self.refusal.status, content_type="text/html")
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
    """An answer in JSON; discord.py knows it by this very content type, without a charset."""
    body = json.dumps(answer).encode()
    return web.Response(body=body, status=status, headers={**headers, "Content-Type": "application/json"})
