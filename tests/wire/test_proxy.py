"""A bot that reaches Discord only through a proxy, as ``HTTPS_PROXY`` and ``HTTP_PROXY`` say."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from yarl import URL

from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.people import Person


class Proxy:
    """A proxy that passes plain HTTP and WebSockets on to one server, and refuses to open tunnels."""

    def __init__(self, port: int) -> None:
        self.asked: list[str] = []
        """The method and the address of the first request of each connection."""
        self._port = port

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle a connection."""
        line = await reader.readline()
        self.asked.append(" ".join(line.decode().split()[:2]))
        if line.startswith(b"CONNECT"):
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            writer.close()
            return
        there, onwards = await asyncio.open_connection("127.0.0.1", self._port)
        onwards.write(line)
        await asyncio.gather(_pass_on(reader, onwards), _pass_on(there, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def proxying(port: int) -> AsyncIterator[tuple[Proxy, str]]:
    """Run a proxy for this server. Give it and its address."""
    proxy = Proxy(port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    yield proxy, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()


async def test_requests_and_the_gateway_go_through_the_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Discord() as discord, proxying(URL(discord.url).port or 0) as (proxy, address):
        monkeypatch.setenv("HTTP_PROXY", address)
        discord.gateway.url = "ws://gateway.discord.test/gateway"
        async with running("http://discord.test/api/v10", tmp_path / "tables.db", arguments=IMPATIENT) as bot:
            await discord.gateway.until_ready()
            await Person(discord, "Ann").type("help")
            await bot.end(signal.SIGTERM)
    assert "GET http://discord.test/api/v10/users/@me" in proxy.asked
    assert [each for each in proxy.asked if "//gateway.discord.test/gateway?" in each], proxy.asked


async def test_this_machine_and_exceptions_need_no_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Discord() as discord, proxying(URL(discord.url).port or 0) as (proxy, address):
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("HTTPS_PROXY", address)
        async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
            await discord.gateway.until_ready()
            await bot.end(signal.SIGTERM)
    assert proxy.asked == []


async def test_a_proxy_that_opens_no_tunnel_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxying(0) as (proxy, address):
        monkeypatch.setenv("HTTPS_PROXY", address.replace("://", "://ann:hush@"))
        async with running("https://discord.test/api/v10", tmp_path / "tables.db", arguments=IMPATIENT) as bot:
            line = await bot.line_with("Retrying in")
            status, said = await bot.end(signal.SIGTERM)
    assert "the proxy answers 407" in line
    assert proxy.asked[0] == "CONNECT discord.test:443"
    assert status == 0
    assert "hush" not in line + said


async def test_a_proxy_of_another_kind_is_a_mistake_in_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks5://ann:hush@proxy.test:1080")
    async with running("https://discord.test/api/v10", tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        status, said = await bot.end()
    assert (status, said) == (
        78,
        "lilypad: HTTPS_PROXY is not the address of an HTTP proxy, such as http://proxy:3128.\n",
    )
