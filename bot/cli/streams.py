"""The standard streams of the command line, which may be closed, full, or a pipe without a reader."""

import os
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, TextIO

from bot.errors import LilypadError, escaped

STDOUT: Final = "Standard output"
_LONGEST_LINE: Final = 2_000


class OutputError(LilypadError):
    """A file or standard output can't be written."""


def set_up() -> None:
    """Make the streams usable even if they are closed, or the terminal can't show ♦.

    A closed standard output is replaced by one that can't be written, so that writing is reported as an error.
    """
    if sys.stdin is None:
        sys.stdin = _null(os.O_RDONLY, "r")
    if sys.stdout is None:
        sys.stdout = _null(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _null(os.O_WRONLY, "w")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # always a TextIOWrapper


def put(text: str) -> None:
    """Print lines to standard output. Raise `OutputError`. No character controls the terminal."""
    with writing(STDOUT):
        print("\n".join(map(escaped, text.split("\n"))))


def flush() -> None:
    """Flush standard output. Raise `OutputError`."""
    try:
        with writing(STDOUT):
            sys.stdout.flush()
    except OutputError:
        discard(sys.stdout)
        raise


def tell(text: str, end: str = "\n") -> None:
    """Print to standard error, if possible. Only a carriage return at the beginning may control the terminal."""
    start = "\r" if text.startswith("\r") else ""
    try:
        print(start + escaped(text.removeprefix("\r"), _LONGEST_LINE), end=end, file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Discard buffered output of a stream that can't be written, as closing it would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def interrupted() -> None:
    """Ignore further interrupts. Discard output unless it goes to a file, as its reader may be gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode):
        discard(sys.stdout)


@contextmanager
def writing(name: str) -> Iterator[None]:
    """Convert an `OSError` to an `OutputError`. A closed pipe stays a `BrokenPipeError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"{name} can't be written: {error.strerror}.") from None


def _null(flags: int, mode: Literal["r", "w"]) -> TextIO:
    return os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8")
