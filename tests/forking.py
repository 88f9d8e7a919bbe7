"""Start ``python -m …`` as a fork of a process that has imported the bot, which takes most of a start.

The process behaves like one of its own: it has its own session, environment, standard output and standard error, and
can be killed. Its worker processes are forked from one server, which has drawn pictures before, as that takes most of
drawing a few. It starts with the first of these processes.
"""

import asyncio
import functools
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.forkserver import _forkserver  # there is no public way to share it
from pathlib import Path
from typing import Any, Final, NoReturn

ROOT: Final = Path(__file__).parents[1]
_PRELOADED: Final = ("bot.cli.checking", "bot.cli.commands")
_OF_WORKERS: Final = ["bot.pictures.worker", "bot.computer", "tests.warm_painter"]
_LONGEST: Final = 1 << 20


class Forked:
    """A process with what tests use of `asyncio.subprocess.Process`."""

    def __init__(
        self, pid: int, stdout: asyncio.StreamReader, stderr: asyncio.StreamReader, keeper: asyncio.StreamReader
    ) -> None:
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode: int | None = None
        self._watching = asyncio.ensure_future(self._watch(keeper))

    async def wait(self) -> int:
        """Wait for the end, and return the exit status. It is the negative number of the signal that ended it."""
        return await asyncio.shield(self._watching)

    async def communicate(self) -> tuple[bytes, bytes]:
        """Wait for the end, and return what it has written and nobody has read."""
        written = await asyncio.gather(self.stdout.read(), self.stderr.read())
        await self.wait()
        return written[0], written[1]

    def send_signal(self, signal_number: int) -> None:
        """Send a signal if it is running."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal_number)

    def kill(self) -> None:
        """Kill it if it is running."""
        self.send_signal(signal.SIGKILL)

    async def _watch(self, keeper: asyncio.StreamReader) -> int:
        status = await keeper.read()
        self.returncode = int(status) if status else -signal.SIGKILL
        return self.returncode


async def forked(arguments: tuple[str, ...], environment: Mapping[str, str]) -> Forked:
    """Start ``python -m`` with these arguments in the folder of the project."""
    ours, theirs = zip(*(os.pipe() for _ in range(3)), strict=True)
    request = json.dumps({"arguments": arguments, "environment": dict(environment)}).encode()
    socket.send_fds(_origin()[0], [request], theirs)
    for each in theirs:
        os.close(each)
    stdout, stderr, keeper = [await _reader(each) for each in ours]
    return Forked(int(await keeper.readline()), stdout, stderr, keeper)


async def _reader(descriptor: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=_LONGEST)
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(descriptor, "rb"))
    return reader


@functools.cache
def _origin() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Return the process that is forked, and the connection to it. It ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.forking", str(theirs.fileno())]
        origin = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])  # noqa: S603 - our own program
    return ours, origin


# ---- in the other processes


def _serve(requests: socket.socket) -> None:
    """Fork a process for each request."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the keepers
    gc.freeze()
    while True:
        request, descriptors, _, _ = socket.recv_fds(requests, _LONGEST, 3)
        if not request:
            return
        if not os.fork():
            requests.close()
            _keep(json.loads(request), *descriptors)
        for each in descriptors:
            os.close(each)


def _share_fork_server() -> None:
    """Start the server that forks the worker processes of all bots. It ends with the last of them and this process."""
    _forkserver.set_forkserver_preload(_OF_WORKERS)
    _forkserver.ensure_running()
    _forkserver.ensure_running = lambda: None  # type: ignore[method-assign]  # it isn't a child of the bots


def _keep(request: dict[str, Any], stdout: int, stderr: int, keeper: int) -> NoReturn:
    """Fork the process, and report its id and its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if not pid:
        os.close(keeper)
        _run(request, stdout, stderr)
    os.close(stdout)
    os.close(stderr)
    os.write(keeper, f"{pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):
        os.write(keeper, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _run(request: dict[str, Any], stdout: int, stderr: int) -> NoReturn:
    os.setsid()
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    os.close(stdout)
    os.close(stderr)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)  # not those of the files before
    os.environ.clear()
    os.environ.update(request["environment"])
    module, *rest = request["arguments"]
    sys.argv[:] = [module, *rest]
    status = 1
    try:
        # Worker processes import what `sys.modules` has as the main module: this one, which imports little.
        runpy.run_module(module, run_name="__main__")
        status = 0
    except SystemExit as ended:
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - as Python does
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    for name in (*_PRELOADED, *importlib.import_module("bot.running.client").COGS):
        importlib.import_module(name)
    _share_fork_server()
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        _serve(connection)
