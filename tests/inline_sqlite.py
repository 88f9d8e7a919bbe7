"""SQLite without threads, for tests that would mostly wait for them.

The file, its connections and the code of aiosqlite are the real ones. Only the thread of each connection is missing:
the event loop runs its statements, in the same order. Tests of the store, on the wire and of whole programs keep the
threads.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

Call = tuple["asyncio.Future[Any] | None", Callable[[], Any]]


class _Queue:
    """Runs in the loop what aiosqlite would hand to a connection's thread."""

    def put_nowait(self, call: Call) -> None:
        """Run the call in the next turn of the loop, or at once if none is running."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            _run(call)
        else:
            asyncio.BaseEventLoop.call_soon(loop, _run, call)  # type: ignore[arg-type]  # SimCord's takes longer


def _run(call: Call) -> None:
    future, function = call
    try:
        result = function()
    except BaseException as error:  # noqa: BLE001 - raised in the caller, as aiosqlite does
        if future is not None and not future.done():
            future.set_exception(error)
    else:
        if future is not None and not future.done():
            future.set_result(result)


def _no_thread(**_: Any) -> SimpleNamespace:
    return SimpleNamespace(start=lambda: None)


@contextlib.contextmanager
def inline_sqlite() -> Iterator[None]:
    """Let new connections have no threads."""
    with patch("aiosqlite.core.SimpleQueue", _Queue), patch("aiosqlite.core.Thread", _no_thread):
        yield
