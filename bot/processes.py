"""Worker processes: they start when they are needed, and end with the process that started them."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

R = TypeVar("R")

_PRELOADED: Final = ["bot.pictures.worker", "bot.thinkers"]
"""Modules that the fork server imports, so that its processes share them."""


class WorkerDied(Exception):
    """The process ended before it answered."""


def context() -> ForkServerContext:
    """Return how processes are started. The fork server is that of the whole program."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(_PRELOADED)
    return server


def begin() -> None:
    """Leave Ctrl-C to the parent, and end with it: a killed parent can't end this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


class Worker:
    """A process that runs functions, one at a time. It starts with the first one.

    ``memory_bytes`` limits its address space. It has a low priority, so that it doesn't delay people's answers.
    """

    def __init__(self, name: str, memory_bytes: int) -> None:
        self._name = name
        self._memory_bytes = memory_bytes
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._has_ended = False

    @property
    def pid(self) -> int | None:
        """The id of the process, while it runs."""
        return self._process.pid if self._process is not None and self._process.is_alive() else None

    def run(self, function: Callable[..., R], *arguments: object) -> R:
        """Return the result of the function; raise its exception. Blocks, so call this in a thread.

        Raises `WorkerDied` if the process dies or `end` is called meanwhile.
        """
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
        if self._process is not None and self._process.is_alive():
            with suppress(ProcessLookupError):
                self._process.kill()
            self._process.join()

    def _start(self) -> Connection:
        server = context()
        self._pipe, end = server.Pipe()
        with end:
            self._process = server.Process(target=_serve, args=(end, self._memory_bytes), name=self._name, daemon=True)
            self._process.start()
        return self._pipe


# ---- in the other process


def _serve(pipe: Connection, memory_bytes: int) -> None:
    """Run functions until the parent closes the pipe."""
    import resource  # noqa: PLC0415 - not on Windows, which has no fork server either

    begin()
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    while True:
        try:
            function, arguments = pipe.recv()
        except EOFError:
            return
        pipe.send(_result(function, arguments))


def _result(function: Callable[..., Any], arguments: tuple[object, ...]) -> tuple[Any, Exception | None]:
    try:
        return function(*arguments), None
    except Exception as error:  # noqa: BLE001 - the parent raises it
        return None, RuntimeError(f"{type(error).__name__}: {error}")


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(0)
