"""Lilypad that counts its own parts, for `benchmarks.parts`: ``python -m benchmarks.traced_bot FILE``.

SIGUSR1 begins to count, SIGUSR2 writes the counts to the file and stops counting.
"""

import json
import signal
import sqlite3
import sys
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from bot.__main__ import main

ROOT: Final = Path(__file__).parents[1]
OWN: Final = tuple(f"{ROOT / part}/" for part in ("bot", "cogs"))
STATEMENTS: Final = frozenset({"execute", "executemany", "executescript"})

_calls: Counter[CodeType] = Counter()
_statements: list[str] = []
_is_counting = threading.Event()


def _count(frame: FrameType, event: str, argument: Any) -> None:
    if not _is_counting.is_set():
        return
    if event == "call":
        code = frame.f_code
        if code.co_filename.startswith(OWN):
            _calls[code] += 1
    elif (
        event == "c_call"
        and isinstance(getattr(argument, "__self__", None), sqlite3.Connection | sqlite3.Cursor)
        and argument.__name__ in STATEMENTS
    ):
        _statements.append(_text(frame))


def _text(frame: FrameType) -> str:
    """Return the statement that a function runs: a parameter or a constant of it."""
    given = frame.f_locals
    return " ".join(str(given.get("statement") or given.get("query") or frame.f_code.co_qualname).split())


def _begin(*_signal: object) -> None:
    _calls.clear()
    _statements.clear()
    _is_counting.set()


def _write(*_signal: object) -> None:
    _is_counting.clear()
    calls = [[code.co_filename, code.co_qualname, count] for code, count in _calls.items()]
    file = Path(sys.argv[1])
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"calls": calls, "statements": _statements}), encoding="utf-8")
    part.rename(file)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, _begin)
    signal.signal(signal.SIGUSR2, _write)
    threading.setprofile(_count)
    sys.setprofile(_count)
    sys.exit(main(["run"]))
