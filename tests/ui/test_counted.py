"""Every request that Discord limits takes a slot until a second after its answer, and frees it in any case."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from aiohttp import web

from bot.ui.live import pace
from bot.ui.live.pace import Budget, DiscordClock, counting


@pytest.fixture
async def url(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of a server that answers everything, and is Discord's for the budget."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", _answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    base = f"http://127.0.0.1:{runner.addresses[0][1]}/api"
    monkeypatch.setattr(discord.http.Route, "BASE", base)
    yield base
    await runner.cleanup()


async def _answer(request: web.Request) -> web.Response:
    if request.path.endswith("/cut") and request.transport is not None:
        request.transport.abort()
    status = request.path.rpartition("/")[2]
    shared = {"X-RateLimit-Scope": "shared"} if "/shared/" in request.path else {}
    return web.Response(status=int(status) if status in {"401", "403", "404", "429", "500"} else 200, headers=shared)


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        pytest.param("/channels/1/messages", 1, id="a message"),
        pytest.param("/gateway/bot", 1, id="the gateway's address"),
        pytest.param("/500", 1, id="an error"),
        pytest.param("/cut", 1, id="a lost connection"),
        pytest.param("/interactions/1/token/callback", 0, id="an answer"),
        pytest.param("/webhooks/1/token/messages/@original", 0, id="an edit with a token"),
    ],
)
async def test_requests_take_slots_except_those_with_an_interactions_token(url: str, path: str, counts: int) -> None:
    budget = Budget(window_s=60.0)
    async with aiohttp.ClientSession(trace_configs=[counting(budget, DiscordClock())]) as session:
        try:
            async with session.post(url + path):
                pass
        except aiohttp.ClientError:
            assert path == "/cut"
    assert budget.in_use == counts


async def test_other_servers_do_not_count(url: str) -> None:
    budget = Budget(window_s=60.0)
    async with aiohttp.ClientSession(trace_configs=[counting(budget, DiscordClock())]) as session:
        await session.get(url.removesuffix("/api") + "/gateway")
    assert budget.in_use == 0


async def test_a_request_waits_for_a_slot_and_gives_it_back_if_it_is_cancelled(url: str) -> None:
    budget = Budget(lambda: 0, window_s=0.0)
    async with aiohttp.ClientSession(trace_configs=[counting(budget, DiscordClock())]) as session:
        waiting = asyncio.ensure_future(session.get(f"{url}/users/@me"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert budget.in_use == 0


@pytest.mark.parametrize(
    ("path", "is_invalid"),
    [
        *((f"/channels/1/{status}", True) for status in (401, 403, 429)),
        ("/webhooks/1/token/403", True),
        ("/shared/429", False),
        *((f"/channels/1/{status}", False) for status in (200, 404, 500)),
    ],
)
async def test_many_invalid_requests_may_lead_to_a_ban(
    url: str, monkeypatch: pytest.MonkeyPatch, path: str, *, is_invalid: bool
) -> None:
    monkeypatch.setattr(pace, "MAX_INVALID", 3)
    budget = Budget(window_s=60.0)
    seen = []
    async with aiohttp.ClientSession(trace_configs=[counting(budget, DiscordClock())]) as session:
        for _ in range(3):
            async with session.post(url + path):
                seen.append(budget.is_near_ban)
    assert seen == [False, False, is_invalid]
