"""The sandbox without a browser: its clock, windows and proxy. `tests/browser` tests the page."""

import asyncio
import json
import logging
import re
import signal
import threading
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import simcord
from discord.ext import commands
from yarl import URL

from bot import sandbox
from bot.sandbox.proxy import AMENDMENTS, amended, counted, listen, serve, up_to_date, with_fresh_menus
from bot.sandbox.world import World, world
from tests.commands import ended, python
from tests.waiting import DEADLINE_S, until

PAGE = Path(sandbox.__file__).parent / "page"


class Clockwork(commands.AutoShardedBot):
    """A bot that sleeps, answers late, blocks a thread and fails."""

    def __init__(self) -> None:
        super().__init__(command_prefix=commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.work: set[asyncio.Task[None]] = set()
        self.slept_s = 0.0
        self.named = 0
        self.busy_until = threading.Event()

    async def setup_hook(self) -> None:
        """Register the commands."""
        self.tree.command(name="board", description="Shows a board")(self._board)
        self.tree.command(name="slow", description="Answers late")(self._slow)
        self.tree.command(name="busy", description="Answers, then is busy in a thread")(self._busy)
        self.tree.command(name="name", description="Names somebody")(self._name)
        self.tree.command(name="broken", description="Answers, then a task of it fails")(self._broken)
        await self.tree.sync()

    def begin(self, work: Any) -> None:
        """Run something in the background."""
        task = asyncio.ensure_future(work)
        self.work.add(task)

    async def _board(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("the first board")

        async def later() -> None:
            began = time.monotonic()  # the simulated time
            await asyncio.sleep(1)
            self.slept_s = time.monotonic() - began
            await interaction.edit_original_response(content="the second board")

        self.begin(later())

    async def _slow(self, interaction: discord.Interaction) -> None:
        await asyncio.sleep(0.5)
        await interaction.response.send_message("at last")

    async def _name(self, interaction: discord.Interaction, is_private: bool) -> None:  # noqa: FBT001 - an option
        await interaction.response.send_message(f"<@{self.named}>", ephemeral=is_private)

    async def _busy(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("at once")
        self.begin(asyncio.to_thread(self.busy_until.wait, DEADLINE_S))

    async def _broken(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("so far so good")

        async def fail() -> None:
            raise ZeroDivisionError

        self.begin(fail())


@pytest.fixture
async def place() -> AsyncIterator[World]:
    async with world(Clockwork(), answer_s=DEADLINE_S) as place:
        yield place
        clockwork(place).busy_until.set()


def clockwork(place: World) -> Clockwork:
    """Return the bot."""
    assert isinstance(place.env.bot, Clockwork)
    return place.env.bot


async def answer_of(place: World, command: str, **options: object) -> str:
    """Let Ann type a command, and return the answer."""
    ann = place.people[0]
    async with place.turn:
        result = await ann.member.slash(ann.channel.preview.channel, command, **options)
    return result.response.content if result.response else "nothing"


async def test_one_second_of_sleep_takes_one_second(place: World) -> None:
    await answer_of(place, "board")
    await until(lambda: place.people[0].channel.preview.channel.history()[-1].content == "the second board")
    assert clockwork(place).slept_s == pytest.approx(1, abs=0.01)
    assert place.env.now() <= datetime.now(UTC)


async def test_time_passes_while_a_press_waits_for_its_answer(place: World) -> None:
    assert await answer_of(place, "slow") == "at last"


async def test_answers_are_shown_while_the_bot_is_busy(place: World) -> None:
    assert await answer_of(place, "busy") == "at once"
    assert await answer_of(place, "slow") == "at last"
    (busy, *_) = clockwork(place).work
    assert not busy.done()


async def test_an_exception_in_a_task_is_logged_and_the_sandbox_goes_on(
    place: World, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert await answer_of(place, "broken") == "so far so good"
    assert "ZeroDivisionError" in caplog.text
    assert await answer_of(place, "slow") == "at last"


async def test_recorded_events_and_requests_are_dropped(place: World) -> None:
    await answer_of(place, "slow")
    await until(lambda: not place.env.backend.transcript and not place.env.backend.http_requests)


async def test_an_open_window_shows_actions_of_other_people(place: World) -> None:
    ben = place.people[1]
    headers = {"X-Simcord-Capability": ben.channel.preview.capability}
    async with serve(place, listen(0)) as address, aiohttp.ClientSession(address) as browser:
        page = await (await browser.post("/api/pages", json={}, headers=headers)).json()
        headers["X-Simcord-Context"] = page["context"]["id"]
        await browser.get("/api/state", headers=headers)
        await answer_of(place, "slow")
        async with asyncio.timeout(DEADLINE_S):
            while not page["timeline"]:
                page = await (await browser.get("/api/state", headers=headers)).json()
    assert "at last" in json.dumps(page["messages"])


async def test_private_answers_call_nobody_whom_they_name(place: World) -> None:
    ben = place.people[1]
    clockwork(place).named = ben.member.id
    await answer_of(place, "name", is_private=True)
    assert ben.calls == (0, 0)
    await answer_of(place, "name", is_private=False)
    assert ben.calls[0] > 0


async def test_requests_under_another_host_name_are_refused(place: World) -> None:
    async with serve(place, listen(0)) as address, aiohttp.ClientSession(address) as browser:
        assert (await browser.get("/people")).status == HTTPStatus.OK
        for host in ("lilypad.example", "[::1", "127.0.0.1:port"):
            assert (await browser.get("/people", headers={"Host": host})).status == HTTPStatus.FORBIDDEN


async def status_of(address: str, path: str) -> tuple[int, bytes]:
    """Send a request without a client that normalises the path. Return status and body."""
    url = URL(address)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {url.authority}\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), body


async def test_the_files_of_the_page_are_served(place: World) -> None:
    async with serve(place, listen(0)) as address:
        for file in PAGE.iterdir():
            assert await status_of(address, f"/page/{file.name}") == (HTTPStatus.OK, file.read_bytes())


@pytest.mark.parametrize("path", ["/", "/page/page.js", "/page/window.css", "/preview.css", "/app.js"])
async def test_a_browser_gets_a_file_again_only_if_it_has_changed(place: World, path: str) -> None:
    async with serve(place, listen(0)) as address, aiohttp.ClientSession(address) as browser:
        first = await browser.get(path)
        assert (first.status, first.headers["Cache-Control"]) == (HTTPStatus.OK, "no-cache")
        for known, status in ((first.headers["ETag"], HTTPStatus.NOT_MODIFIED), ('"another"', HTTPStatus.OK)):
            again = await browser.get(path, headers={"If-None-Match": known})
            assert (again.status, again.headers["ETag"]) == (status, first.headers["ETag"])
            assert await again.read() == (await first.read() if status == HTTPStatus.OK else b"")


async def test_no_browser_keeps_what_a_window_shows(place: World) -> None:
    headers = {"X-Simcord-Capability": place.people[0].channel.preview.capability}
    async with serve(place, listen(0)) as address, aiohttp.ClientSession(address) as browser:
        answer = await browser.post("/api/pages", json={}, headers=headers)
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A file outside the page's folder, and a symbolic link to it inside."""
    secret = tmp_path / "secret.html"
    secret.write_text("secret", encoding="utf-8")
    link = PAGE / "link.html"
    link.symlink_to(secret)
    yield secret
    link.unlink()


async def test_no_other_files_are_served(place: World, secret: Path) -> None:
    up = "../" * len(PAGE.parts)
    names = [
        *(
            "",
            ".",
            "..",
            "/",
            "nothing.html",
            "link.html",
            "index.html/",
            "./index.html",
            "INDEX.HTML",
            "index.html%00",
        ),
        *("../proxy.py", "../page/index.html", "../../sandbox/page/index.html", "index.html/../../proxy.py", "page"),
        *(str(secret), f"/{secret}", f"{up}{secret}", f"file://{secret}", str(PAGE / "index.html")),
    ]
    async with serve(place, listen(0)) as address:
        for name in names:
            for form in (
                name,
                name.replace("/", "%2f"),
                name.replace(".", "%2e").replace("/", "%2F"),
                name.replace("/", "\\"),
            ):
                status, body = await status_of(address, f"/page/{form}")
                assert status == HTTPStatus.NOT_FOUND, form
                assert b"secret" not in body


def state(revision: int, label: str) -> bytes:
    """Return the state of a window with one button."""
    button = {"type": 2, "label": label, "control_key": "message:1:component:2"}
    return json.dumps({"publishedRevision": revision, "messages": {"1": {"components": [button]}}}).encode()


def press(revision: int) -> bytes:
    """Return a press of that button."""
    return json.dumps(
        {"kind": "click", "published_revision": revision, "control_key": "message:1:component:2"}
    ).encode()


def test_a_press_on_a_redrawn_board_is_passed_on() -> None:
    sent = up_to_date(press(4), [state(4, "Join"), state(5, "Join")], state(6, "Join"))
    assert json.loads(sent)["published_revision"] == 6


def test_a_press_on_a_button_that_changed_is_left_to_simcord() -> None:
    assert up_to_date(press(4), [state(4, "Join")], state(6, "Leave")) == press(4)


def test_a_press_on_an_unknown_state_is_left_to_simcord() -> None:
    assert up_to_date(press(3), [state(4, "Join")], state(6, "Join")) == press(3)


def menu_key(picks: dict[str, int], label: str = "7♠") -> str:
    """Return the key that the page gets for a menu with one option."""
    menu = {"type": 3, "control_key": "message:1:component:3", "options": [{"label": label}]}
    fresh = with_fresh_menus(json.dumps({"messages": {"1": {"components": [menu]}}}).encode(), picks)
    return str(json.loads(fresh)["messages"]["1"]["components"][0]["control_key"])


def test_a_menu_is_fresh_after_a_value_was_picked() -> None:
    picks: dict[str, int] = {}
    before = menu_key(picks)
    assert menu_key(picks) == before
    sent = counted(json.dumps({"kind": "select", "control_key": before, "values": ["7♠"]}).encode(), picks)
    assert json.loads(sent)["control_key"] == "message:1:component:3"
    assert menu_key(picks) != before


def test_a_menu_is_fresh_if_its_options_change() -> None:
    assert menu_key({}) != menu_key({}, "8♠")


@pytest.mark.parametrize("action", [press(4), b'{"kind": "refresh"}', b'{"control_key": null}', b"[]", b"no json"])
def test_other_actions_than_picks_stay_as_they_are(action: bytes) -> None:
    picks: dict[str, int] = {}
    assert counted(action, picks) == action
    assert not picks


async def test_the_page_of_the_sandbox_has_a_policy_as_the_windows_have(place: World) -> None:
    headers = {"X-Simcord-Capability": place.people[0].channel.preview.capability}
    async with serve(place, listen(0)) as address, aiohttp.ClientSession(address) as browser:
        for path in ("/", *(f"/page/{file.name}" for file in PAGE.iterdir()), "/window"):
            policy = (await browser.get(path, headers=headers)).headers["Content-Security-Policy"]
            assert re.match(r"default-src '(none|self)';", policy), path
            assert "script-src 'self'" in policy, path
            assert "unsafe" not in policy.partition("script-src")[2].partition(";")[0], path


def test_the_sandbox_prints_its_address_first_and_last_and_nothing_else() -> None:
    process = python("-m", "bot", "sandbox", "--port", "0", LOG_LEVEL="", LOG_FORMAT="plain")
    assert process.stdout is not None
    lines = [process.stdout.readline().decode() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    _, printed, told = ended(process)
    first, last = (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in lines)
    assert first is not None
    assert last is not None
    assert first[0] == last[0]
    assert lines[1].startswith("Lilypad is open at ")
    assert (printed, told) == ("", "")


async def test_one_of_the_people_is_a_moderator(place: World) -> None:
    async with serve(place, listen(0)) as address, aiohttp.ClientSession(address) as browser:
        people = (await (await browser.get("/people")).json())["people"]
    assert [person["name"] for person in people if person["moderates"]] == ["Dan"]


async def test_the_next_free_port_is_used_if_the_port_is_taken(place: World) -> None:
    async with serve(place, listen(0)) as first, serve(place, listen(URL(first).port or 0)) as second:
        assert second != first
        async with aiohttp.ClientSession(second) as browser:
            assert (await browser.get("/people")).status == HTTPStatus.OK


@pytest.mark.parametrize("old", [old for old, _ in AMENDMENTS])
def test_simcords_page_has_each_part_that_is_amended_once(old: str) -> None:
    scripts = [path.read_bytes() for path in (Path(simcord.__file__).parent / "preview" / "static").glob("*.js")]
    assert [script.count(old.encode()) for script in scripts if old.encode() in script] == [1]
    assert all(amended(script) != script for script in scripts if old.encode() in script)
