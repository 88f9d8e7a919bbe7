"""Workers retry what failed, and leave alone what is held or gone."""

import asyncio
from collections.abc import Mapping

import discord
import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from bot.errors import NoSuchTable
from bot.ui.interactions.response import FOLLOW_UP_TIMEOUT_S, RESPOND_WITHIN_S
from bot.ui.live import workers
from bot.ui.live.live_messages import HOLD_S
from bot.ui.live.workers import Workers


class Work:
    """Something to be done that may fail; it counts the attempts."""

    def __init__(self, error: Exception | None = None) -> None:
        self.attempts = 0
        self.again = asyncio.Event()
        self._error = error

    async def __call__(self, _key: int) -> None:
        """Make an attempt."""
        self.attempts += 1
        if self.attempts > 1:
            self.again.set()
        if self._error is not None:
            raise self._error


@pytest.fixture(autouse=True)
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry after a hundredth of a second, then after an hour."""
    monkeypatch.setattr(workers, "RETRY_AFTER_S", (0.01, 3600))


async def test_a_failed_attempt_is_retried() -> None:
    work = Work(ValueError())
    running = Workers("the tests", work)
    await running.request(1)
    async with asyncio.timeout(5):
        await work.again.wait()
    await running.close()


async def rate_limited(body: str, headers: Mapping[str, str]) -> discord.HTTPException:
    """Return the error of a request that a server refuses so."""

    async def refuse(_: web.Request) -> web.Response:
        return web.Response(status=429, text=body, headers=headers)

    app = web.Application()
    app.router.add_get("/", refuse)
    async with TestServer(app) as server, ClientSession() as session, session.get(server.make_url("/")) as response:
        return discord.HTTPException(response, await response.text())


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        pytest.param("error code: 1015", {"Retry-After": "30"}, id="page"),
        pytest.param("error code: 1015", {"Retry-After": "29.5"}, id="page, with a fraction"),
        pytest.param('{"retry_after": 29.5}', {"Retry-After": "30"}, id="both"),
        pytest.param('{"retry_after": 29.5}', {}, id="body"),
    ],
)
async def test_a_retry_waits_as_long_as_discord_says(body: str, headers: Mapping[str, str]) -> None:
    work = Work(await rate_limited(body, headers))
    running = Workers("the tests", work)
    for _ in range(3):  # whatever asks for it
        await running.request(1)
    await asyncio.sleep(0.05)
    assert work.attempts == 1
    await running.close()


@pytest.mark.parametrize("body", ["error code: 1015", "[]", '{"retry_after": null}'])
async def test_a_rate_limit_without_a_time_is_retried(body: str) -> None:
    work = Work(await rate_limited(body, {"Retry-After": "soon"}))
    running = Workers("the tests", work)
    await running.request(1)
    async with asyncio.timeout(5):
        await work.again.wait()
    await running.close()


async def test_a_deleted_table_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(NoSuchTable("There is no table 1."))
    running = Workers("the tests", work)
    await running.request(1)
    await asyncio.sleep(0.05)
    assert work.attempts == 1
    assert caplog.records == []
    await running.close()


async def test_closed_workers_start_nothing() -> None:
    work = Work()
    running = Workers("the tests", work)
    await running.close()
    await running.request(1)
    assert work.attempts == 0


def test_a_hold_outlasts_every_answer() -> None:
    """Else an answer that comes after the hold has ended hides a newer edit, and nothing shows the table again."""
    assert HOLD_S > RESPOND_WITHIN_S + FOLLOW_UP_TIMEOUT_S
