"""Worker processes: they start when they are needed, and end with the process that started them."""

import logging
import multiprocessing
import multiprocessing.connection
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bot.machine import memory_left

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

R = TypeVar("R")

log: Final = logging.getLogger(__name__)

_PRELOADED: Final = ["bot.pictures.worker", "bot.computer"]
"""Modules that the fork server imports, so that its processes share them."""


RETRY_S: Final = 60.0
"""Time after a process couldn't start until the next one is tried."""


TO_START: Final = 64_000_000
"""Bytes of memory that have to be left when a process starts: for it, and for what it is forked from."""
TO_GO_ON: Final = 16_000_000
"""Bytes that have to be left when a process is given work. It is better ended here than all are by the kernel."""


class WorkerDied(Exception):
    """The process ended before it answered."""


class NoWorker(WorkerDied):
    """This machine lets no process start. The log says so once."""


class Starts:
    """Whether processes can start on this machine. ``refused`` is the reason if they can't."""

    def __init__(self) -> None:
        self.refused: str | None = None
        self._retry_at = 0.0

    def check(self) -> None:
        """Raise `NoWorker` if a process couldn't start a short time ago, or there is too little memory for one."""
        if self.refused is not None and time.monotonic() < self._retry_at:
            raise NoWorker(self.refused)
        self.check_memory(TO_START)

    def check_memory(self, least: int) -> None:
        """Raise `NoWorker` if so little memory is left."""
        if (left := memory_left()) < least:
            self.failed(f"only {left / 1e6:.0f} MB of memory are left")
            raise NoWorker(self.refused)

    def failed(self, reason: str) -> None:
        """Record why a process couldn't start. Log it if the one before could."""
        if self.refused is None:
            log.warning(
                "worker processes can't start (%s): boards are shown in words, and strong computers play by rules of"
                " thumb. Allow the bot to start processes: check its limits of processes and memory, and what its"
                " service or container forbids. It tries again every minute",
                reason,
            )
        self.refused, self._retry_at = reason, time.monotonic() + RETRY_S

    def succeeded(self) -> None:
        """Record that a process has started."""
        if self.refused is not None:
            log.warning("worker processes start again")
        self.refused = None


starts: Final = Starts()
"""Shared by all workers of this process."""


class Worker:
    """A process that runs functions, one at a time. It starts with the first one.

    ``memory_bytes`` limits its address space. ``niceness`` lowers its priority, so that it doesn't delay people's
    answers.
    """

    def __init__(self, name: str, memory_bytes: int, niceness: int = 10) -> None:
        self._name = name
        self._limits = memory_bytes, niceness
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._has_ended = False

    @property
    def pid(self) -> int | None:
        """The id of the process, while it runs."""
        if self._process is None or self._has_ended or not _is_running(self._process):
            return None
        return self._process.pid

    def run(self, function: Callable[..., R], *arguments: object) -> R:
        """Return the result of the function; raise its exception. Blocks, so call this in a thread.

        Raises `WorkerDied` if the process dies or `end` is called meanwhile.
        """
        if self._pipe is not None and not self._has_ended:
            try:
                starts.check_memory(TO_GO_ON)
            except NoWorker:
                self.end()
                raise
        pipe = self._pipe or self._start()
        if self._has_ended:
            self.end()
        try:
            pipe.send((function, arguments))
            result, error = pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied from None
        if error is not None:
            raise error
        answer: R = result
        return answer

    def end(self) -> None:
        """Kill the process. It may be called from another thread than `run`."""
        self._has_ended = True
        if self._process is not None and _is_running(self._process):
            with suppress(ProcessLookupError):
                self._process.kill()
            self._process.join()

    def _start(self) -> Connection:
        starts.check()
        pipe, end = multiprocessing.Pipe()
        try:
            with end:
                self._process = _started(self._name, (end, *self._limits))
            pipe.recv()
        except (EOFError, OSError) as error:
            pipe.close()
            if self._has_ended or self._was_killed():
                raise WorkerDied from None
            reason = str(error) or "a process ended while it started"
            starts.failed(reason)
            raise NoWorker(reason) from None
        starts.succeeded()
        self._pipe = pipe
        return pipe

    def _was_killed(self) -> bool:
        """Whether somebody has killed the process while it started, which says nothing about the next one."""
        if self._process is None:
            return False
        self._process.join()
        return self._process.exitcode == -signal.SIGKILL


def _started(name: str, arguments: tuple[object, ...]) -> "BaseProcess":
    """Start a process, with the fork server that the program shares or, if that can't run, on its own.

    The fork server needs a directory for temporary files, where its socket is.
    """
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(_PRELOADED)
    process: BaseProcess = server.Process(target=_serve, args=arguments, name=name, daemon=True)
    try:
        process.start()
    except (EOFError, OSError):
        process = multiprocessing.get_context("spawn").Process(target=_serve, args=arguments, name=name, daemon=True)
        process.start()
    return process


def _is_running(process: "BaseProcess") -> bool:
    """Whether a process that was started has not ended. `is_alive` would never return where a test stops the clock."""
    poller = select.poll()
    poller.register(process.sentinel, select.POLLIN)
    return not poller.poll(0)


# ---- in the other process


def _serve(pipe: Connection, memory_bytes: int, niceness: int) -> None:
    """Run functions until the parent closes the pipe, or ends, perhaps before this process has started."""
    import resource  # noqa: PLC0415 - not on Windows, which has no fork server either

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(OSError):  # a service's filter of system calls may forbid it
        os.nice(niceness)
    with suppress(OSError, ValueError):  # the same, or there is a lower limit already
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    with suppress(EOFError, OSError):  # the parent has ended, or closed the pipe
        pipe.send(None)  # it has started
        while True:
            function, arguments = pipe.recv()
            pipe.send(_result(function, arguments))


def _result(function: Callable[..., Any], arguments: tuple[object, ...]) -> tuple[Any, Exception | None]:
    try:
        return function(*arguments), None
    except Exception as error:  # noqa: BLE001 - the parent raises it
        return None, RuntimeError(f"{type(error).__name__}: {error}")


def _end_with(sentinel: int) -> None:
    """End this process with its parent, which can't do so if it is killed."""
    multiprocessing.connection.wait([sentinel])
    os._exit(0)
