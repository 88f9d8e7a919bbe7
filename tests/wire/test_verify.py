"""Files for ``/verify`` that can't be read, or are larger than they say."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from simcord.enums import InteractionType, OptionType

from bot.ui.actions.verify import MAX_BYTES
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.objects import LOADING
from tests.wire.people import Person

UNREADABLE = "I couldn't read this file. Attach it again."
TOO_LARGE = "This file is too large: a transcript has at most 1,000,000 bytes."


async def _serve(request: web.Request) -> web.StreamResponse:
    if request.path == "/large":
        return web.Response(body=b" " * (MAX_BYTES + 1))
    if request.path == "/gone":
        raise web.HTTPNotFound
    answer = web.StreamResponse(headers={"Content-Length": "4096"})
    await answer.prepare(request)
    await answer.write(b"{")
    assert request.transport is not None
    request.transport.abort()
    return answer


@pytest.fixture
async def files() -> AsyncIterator[str]:
    """The address of a server with files."""
    app = web.Application()
    app.router.add_get("/{name}", _serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def verified(ann: Person, url: str) -> str:
    """Attach the file at an address, which says that it is small, and return the answer."""
    file = {"id": "5", "filename": "game.jsonl", "size": 500, "url": url, "proxy_url": url}
    command = next(each for each in ann.discord.commands if each["name"] == "verify")
    given = [{"name": "file", "type": int(OptionType.ATTACHMENT), "value": "5"}]
    data = {
        "id": command["id"],
        "name": "verify",
        "type": 1,
        "options": given,
        "resolved": {"attachments": {"5": file}},
    }
    asked = await ann.sends(InteractionType.APPLICATION_COMMAND, data)
    await ann.discord.until(lambda: asked.original and not asked.original.flags & LOADING)
    assert asked.original is not None
    return asked.original.text.strip()


async def test_what_cannot_be_read_is_said_and_is_no_error(tmp_path: Path, files: str) -> None:
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        ann = Person(discord, "Ann")
        for url in (f"{files}/cut", f"{files}/gone", "http://127.0.0.1:1/closed", "nonsense"):
            assert await verified(ann, url) == UNREADABLE
        assert await verified(ann, f"{files}/large") == TOO_LARGE
        assert discord.refused == []
        _, written = await bot.end(signal.SIGTERM)
        assert "ERROR" not in written
