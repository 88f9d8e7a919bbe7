"""Starting the bot: settings, the token, and files that others can read."""

import json
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.command_line.output import GOLDEN, Output, printed_lines
from tests.commands import DEADLINE_S, ended, kill, python

HUSH = "hush.hush"


def test_run_without_a_token_explains_what_to_do_with_status_78() -> None:
    status, printed, told = ended(python("-m", "bot", "run"))
    assert (status, printed) == (78, "")
    (line,) = told.splitlines()
    assert "DISCORD_TOKEN" in line
    assert ".env" in line


def test_a_container_waits_after_a_mistake_until_it_is_stopped() -> None:
    process = python("-m", "bot", "run", "--pause", DISCORD_TOKEN="")
    try:
        assert process.stderr is not None
        assert b"lilypad: " in process.stderr.readline()
        caught, deadline = 0, time.monotonic() + DEADLINE_S
        while not caught >> signal.SIGTERM - 1 & 1:
            assert process.poll() is None, "it has ended"
            assert time.monotonic() < deadline
            said = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
            caught = int(re.findall(r"^SigCgt:\s+(\w+)", said, re.MULTILINE)[0], 16)
        process.terminate()
        assert ended(process)[0] == 78
    finally:
        kill(process)


@pytest.mark.parametrize(("command", "written"), [("run", "discord_token=hush"), ("emojis", "DISCORD_TOKN=hush")])
def test_a_setting_that_is_missing_may_be_misspelt(command: str, written: str, tmp_path: Path, capsys: Output) -> None:
    (tmp_path / ".env").write_text(written)
    assert main([command]) == 78
    doubt, mistake = capsys.readouterr().err.splitlines()
    assert doubt.endswith("Did you mean DISCORD_TOKEN?")
    assert "DISCORD_TOKEN" in mistake


@contextmanager
def answering(status: int, page: str = "") -> Iterator[tuple[str, list[str]]]:
    """Run a server that has one answer. Give the address of its API, and the paths that were asked for."""
    asked: list[str] = []

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api/v10", asked
        server.shutdown()
        thread.join()


@pytest.fixture
def refusing() -> Iterator[str]:
    """The address of a Discord that refuses every token."""
    with answering(401) as (address, _):
        yield address


@pytest.fixture
def pages() -> Iterator[tuple[str, list[str]]]:
    """The address of something that isn't Discord, and the paths that it was asked for."""
    with answering(403, "<html>Blocked") as server:
        yield server


def test_a_refused_token_is_a_mistake_in_the_settings(refusing: str) -> None:
    status, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing))
    assert status == 78
    assert "refuses DISCORD_TOKEN" in told.splitlines()[-1]
    assert HUSH not in told


def test_a_page_instead_of_discord_is_one_sentence_and_tried_again(pages: tuple[str, list[str]]) -> None:
    address, asked = pages
    process = python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=address)
    deadline = time.monotonic() + DEADLINE_S
    while len(asked) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.terminate()
    status, _, told = ended(process)
    (line,) = [line for line in told.splitlines() if " WARNING " in line]
    assert status == 0
    assert len(asked) >= 2
    assert "without Discord's JSON; check DISCORD_API_URL, the proxy, and whether this network asks for a login" in line
    assert "Traceback" not in told
    assert HUSH not in told


def test_emojis_says_that_a_page_answers_instead_of_discord(pages: tuple[str, list[str]]) -> None:
    status, _, told = ended(python("-m", "bot", "emojis", DISCORD_TOKEN=HUSH, DISCORD_API_URL=pages[0]))
    assert (status, len(told.splitlines())) == (1, 1)
    assert "without Discord's JSON" in told


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_run_warns_about_files_that_others_can_read(refusing: str, tmp_path: Path) -> None:
    files = [tmp_path / ".env", tmp_path / "lilypad.db"]
    for file in files:
        file.touch()
    files[0].write_text("DATABASE_URL=sqlite:///lilypad.db\n")
    for mode, warnings in ((0o644, 2), (0o640, 2), (0o600, 0)):
        for file in files:
            file.chmod(mode)
        _, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing))
        assert told.count("can be read by other users") == warnings
        assert [file.stat().st_mode & 0o777 for file in files] == [mode, mode]


def test_the_end_of_a_json_log_is_json_as_well(refusing: str) -> None:
    status, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing, LOG_FORMAT="json"))
    *_, last = map(json.loads, told.splitlines())
    assert (status, last["level"]) == (78, "ERROR")
    assert "refuses DISCORD_TOKEN" in last["message"]


def test_run_ends_with_status_1_if_discord_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    address = f"http://127.0.0.1:{port}/api/v10"
    status, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=address))
    assert status == 1
    assert "Discord can't be reached" in told.splitlines()[-1]
    assert HUSH not in told


def test_all_mistakes_in_the_settings_are_reported_first(capsys: Output, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=LOUD\nDATABASE_URL=mysql://x\n")
    assert main(["tables"]) == 78
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 2


def test_commands_for_files_need_no_settings(capsys: Output, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=LOUD\n")
    assert len(printed_lines(capsys, "replay", str(GOLDEN))) == 2
