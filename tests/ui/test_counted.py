"""Every request that Discord limits takes a slot until a second after its answer, and frees it in any case."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from aiohttp import web

from bot.ui.messages.counted import counting
from bot.ui.messages.pace import Budget


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
    return web.Response(status=500 if request.path.endswith("/fails") else 200)


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        pytest.param("/channels/1/messages", 1, id="a message"),
        pytest.param("/gateway/bot", 1, id="the gateway's address"),
        pytest.param("/fails", 1, id="an error"),
        pytest.param("/cut", 1, id="a lost connection"),
        pytest.param("/interactions/1/token/callback", 0, id="an answer"),
        pytest.param("/webhooks/1/token/messages/@original", 0, id="an edit with a token"),
    ],
)
async def test_requests_take_slots_except_those_with_an_interactions_token(url: str, path: str, counts: int) -> None:
    budget = Budget(window_s=60.0)
    async with aiohttp.ClientSession(trace_configs=[counting(budget)]) as session:
        try:
            async with session.post(url + path):
                pass
        except aiohttp.ClientError:
            assert path == "/cut"
    assert budget.in_use == counts


async def test_other_servers_do_not_count(url: str) -> None:
    budget = Budget(window_s=60.0)
    async with aiohttp.ClientSession(trace_configs=[counting(budget)]) as session:
        await session.get(url.removesuffix("/api") + "/gateway")
    assert budget.in_use == 0


async def test_a_request_waits_for_a_slot_and_gives_it_back_if_it_is_cancelled(url: str) -> None:
    budget = Budget(lambda: 0, window_s=0.0)
    async with aiohttp.ClientSession(trace_configs=[counting(budget)]) as session:
        waiting = asyncio.ensure_future(session.get(f"{url}/users/@me"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert budget.in_use == 0
