"""Starting the bot: settings, the token, and files that others can read."""

import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.command_line.output import GOLDEN, Output, printed_lines
from tests.commands import ended, python

HUSH = "hush.hush"


def test_run_without_a_token_explains_what_to_do_with_status_78() -> None:
    status, printed, told = ended(python("-m", "bot", "run"))
    assert (status, printed) == (78, "")
    (line,) = told.splitlines()
    assert "DISCORD_TOKEN" in line
    assert ".env" in line


@pytest.fixture
def refusing() -> Iterator[str]:
    """The address of a Discord that refuses every token."""

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api/v10"
        server.shutdown()
        thread.join()


def test_a_refused_token_is_a_mistake_in_the_settings(refusing: str) -> None:
    status, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing))
    assert status == 78
    assert "refuses DISCORD_TOKEN" in told.splitlines()[-1]
    assert HUSH not in told


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_run_warns_about_files_that_others_can_read(refusing: str, tmp_path: Path) -> None:
    files = [tmp_path / ".env", tmp_path / "lilypad.db"]
    for file in files:
        file.touch()
    for mode, warnings in ((0o644, 2), (0o640, 2), (0o600, 0)):
        for file in files:
            file.chmod(mode)
        _, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing))
        assert told.count("can be read by other users") == warnings
        assert [file.stat().st_mode & 0o777 for file in files] == [mode, mode]


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
