"""The command line with interrupts, closed streams, full disks and readers that stop."""

import json
import multiprocessing
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.cli.selfplay import Plan, WorkerError, lines
from bot.games import GAMES
from tests.commands import DEADLINE_S, ROOT, ended, kill, make_database, python, started
from tests.doses import dose, on_demand

GOLDEN: Final = str(ROOT / "tests" / "golden" / "pond-two.jsonl")
FULL: Final = Path("/dev/full")
STATUS: Final = Path("/proc/self/status")
ENDLESS: Final = ("-m", "bot", "selfplay", "pond", "--games", str(10**18))
WRITING: Final = (
    "tables",
    "tables --json",
    "transcript 2",
    f"replay {shlex.quote(GOLDEN)}",
    f"verify {shlex.quote(GOLDEN)}",
    "selfplay pond --seed x --games 50",
    "selfplay pond --seed x --games 50 --workers 2",
)
every_writing_command = pytest.mark.parametrize("command", WRITING, ids=lambda command: command.split("/")[0])


@pytest.fixture(autouse=True)
async def _database(tmp_path: Path, _empty_place: None) -> None:
    """A database where the commands look for it."""
    await make_database(tmp_path / "lilypad.db")


@contextmanager
def _killed_in_the_end(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Kill the process after a deadline, so that a test that waits for it fails."""
    killer = threading.Timer(DEADLINE_S, kill, [process])
    killer.start()
    try:
        with process:
            yield process
            kill(process)
    finally:
        killer.cancel()


def _first_line(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout
    return process.stdout.readline()


# ---- interrupts


@pytest.mark.parametrize("workers", ["1", "2", "5"])
def test_an_interrupt_ends_selfplay_without_output(workers: str) -> None:
    with _killed_in_the_end(python(*ENDLESS, "--seed", "x", "--workers", workers)) as playing:
        assert _first_line(playing).startswith(b'{"format"')
        os.killpg(playing.pid, signal.SIGINT)
        status, _, told = ended(playing)
    assert (status, told) == (130, "")


def test_interrupted_workers_print_nothing_while_starting() -> None:
    with _killed_in_the_end(python(*ENDLESS, "--workers", "8")) as playing:
        assert playing.stderr
        assert playing.stderr.readline().startswith(b"--seed")
        os.killpg(playing.pid, signal.SIGINT)
        status, _, told = ended(playing)
    assert (status, told) == (130, "")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_does_not_wait_for_a_reader(workers: str) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while os.write(writing, bytes(4096)):
            pass
    except BlockingIOError:
        os.set_blocking(writing, True)
    with _killed_in_the_end(python(*ENDLESS, "--workers", workers, stdout=writing)) as playing:
        os.close(writing)
        assert playing.stderr
        assert playing.stderr.readline().startswith(b"--seed")
        os.killpg(playing.pid, signal.SIGINT)
        assert playing.wait() == 130
        assert playing.stderr.read() == b""
    os.close(reading)


def test_an_interrupted_file_ends_with_a_complete_line(tmp_path: Path) -> None:
    with (tmp_path / "games").open("wb") as file:
        playing = python(*ENDLESS, "--seed", "x", stdout=file)
    with _killed_in_the_end(playing):
        while playing.poll() is None and not (tmp_path / "games").stat().st_size:
            pass
        os.killpg(playing.pid, signal.SIGINT)
        assert ended(playing)[0] == 130
    for line in (tmp_path / "games").read_text(encoding="utf-8").splitlines():
        assert json.loads(line)["outcome"]


# ---- workers


def test_workers_end_when_the_generator_is_closed() -> None:
    before = set(multiprocessing.active_children())  # the process that draws pictures, after other tests
    with closing(lines(Plan("pond", GAMES["pond"].settle({}), "x"), 10**18, workers=3)) as played:
        assert json.loads(next(played))["game"] == "pond"
        assert len(set(multiprocessing.active_children()) - before) == 3
    assert set(multiprocessing.active_children()) <= before


def test_a_killed_worker_raises_an_error() -> None:
    before = set(multiprocessing.active_children())
    with closing(lines(Plan("pond", GAMES["pond"].settle({}), "x"), 10**18, workers=2)) as played:
        next(played)
        (set(multiprocessing.active_children()) - before).pop().kill()
        with pytest.raises(WorkerError):
            for _ in played:
                pass


@pytest.mark.skipif(not STATUS.exists(), reason="reads a process's memory from /proc")
def test_memory_does_not_grow_with_the_number_of_games() -> None:
    def peak_kb(pid: int) -> int:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        return int(text.partition("VmHWM:")[2].split()[0])

    with _killed_in_the_end(python(*ENDLESS, "--seed", "x", "--legal", "--workers", "2")) as playing:
        size = len(_first_line(playing))
        before = peak_kb(playing.pid)
        for _ in range(600):
            size += len(_first_line(playing))
        grown = peak_kb(playing.pid) - before
    assert grown < size // 1024 // 4


# ---- output that can't be written


@every_writing_command
@pytest.mark.parametrize("unbuffered", dose(test=[""], full=["", "1"]))
@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
def test_a_full_disk_for_standard_output_is_one_error_line(command: str, unbuffered: str) -> None:
    with FULL.open("wb") as full:
        status, _, told = ended(python("-m", "bot", *shlex.split(command), stdout=full, PYTHONUNBUFFERED=unbuffered))
    assert (status, told) == (2, "lilypad: Standard output can't be written: No space left on device.\n")


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
def test_the_sandbox_ends_if_its_address_cannot_be_written() -> None:
    with FULL.open("wb") as full:
        status, _, told = ended(python("-m", "bot", "sandbox", stdout=full, LOG_LEVEL="ERROR"))
    assert (status, told) == (2, "lilypad: Standard output can't be written: No space left on device.\n")


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
def test_a_full_disk_for_a_file_is_one_error_line() -> None:
    status, _, told = ended(python("-m", "bot", "selfplay", "pond", "--seed", "x", "--out", str(FULL)))
    assert (status, told) == (2, "lilypad: /dev/full can't be written: No space left on device.\n")


@every_writing_command
def test_a_pipe_without_a_reader_ends_the_command_silently(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = python("-m", "bot", *shlex.split(command), stdout=writing)
    os.close(writing)
    status, _, told = ended(process)
    assert (status, told) == (141, "")


def test_a_reader_that_stops_ends_selfplay_silently() -> None:
    with _killed_in_the_end(python(*ENDLESS, "--seed", "x")) as playing:
        assert _first_line(playing).startswith(b'{"format"')
        assert playing.stdout
        assert playing.stderr
        playing.stdout.close()
        assert playing.stderr.read() == b""
        assert playing.wait() == 141


@pytest.mark.parametrize(
    ("closed", "status", "told"),
    [
        ("<&- > out", 0, ""),
        (">&-", 2, "lilypad: Standard output can't be written: Bad file descriptor.\n"),
        ("2>&- > out", 0, ""),
    ],
)
def test_closed_standard_streams_cause_no_traceback(closed: str, status: int, told: str) -> None:
    script = f'exec "$0" -m bot replay "$1" {closed}'
    assert ended(started("sh", "-c", script, sys.executable, GOLDEN)) == (status, "", told)


# ---- undecodable arguments


@pytest.mark.parametrize(
    "command",
    [
        "\udcff",
        "transcript \udcff",
        "replay \udcff",
        "backup \udcff/copy",
        "selfplay pond --option \udcff=2",
        "selfplay pond --out \udcff/games",
        *(
            pytest.param(command, marks=on_demand)
            for command in (
                "verify \udcff",
                "selfplay \udcff",
                "selfplay pond --option rounds=\udcff",
                "selfplay pond --level \udcff",
                "selfplay pond --games \udcff",
            )
        ),
    ],
)
def test_undecodable_arguments_are_one_error_line(command: str) -> None:
    status, printed, told = ended(python("-m", "bot", *command.split()))
    assert (status, printed) == (2, "")
    assert len(told.splitlines()) == 1
    assert "Traceback" not in told
