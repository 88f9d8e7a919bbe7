"""``replay`` and ``verify``: check the transcripts of a file, and print a line for each (G-13)."""

import contextlib
import itertools
import sys
from argparse import Namespace
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Final

from bot import transcript as transcripts
from bot.cli import streams
from bot.errors import LilypadError, TranscriptError
from bot.machine import usable_cores

OK: Final = 0
FAILED: Final = 1
_FEW: Final = 200
"""Transcripts that are checked before processes are started for the rest of a file."""
_BATCH: Final = 20
_BATCHES_AHEAD: Final = 3
"""Batches that are read ahead for each process, so that memory doesn't grow with the file."""

Check = Callable[[transcripts.Transcript], str | None]
"""Raises `TranscriptError`. May return a second line to print."""
Line = tuple[str, bool]
"""What is printed after the number of a transcript, and whether it is valid."""
Thing = Mapping[str, object]


class UnreadableFile(LilypadError):
    """A file can't be read, or has a line that isn't a transcript."""


def replay(given: Namespace) -> int:
    """Replay every transcript of a file, and print one line for each."""
    failures = 0
    for line, is_valid in _checked(given.file, transcripts.replay):
        streams.put(line)
        failures += not is_valid
    return FAILED if failures else OK


def verify(given: Namespace) -> int:
    """Derive every deal of a file again, and stop at the first invalid transcript."""
    is_remembered = given.commitment or given.cut
    check = partial(_verify_table, given.commitment or "", given.cut) if is_remembered else transcripts.verify
    with contextlib.closing(_checked(given.file, check)) as checked:
        for line, is_valid in checked:
            streams.put(line)
            if not is_valid:
                return FAILED
    return OK


def _verify_table(commitment: str, cuts: Sequence[str], transcript: transcripts.Transcript) -> str:
    """Verify the transcript of a table that somebody remembers, and return what tells it from others."""
    transcripts.verify(transcript, commitment, cuts)
    return transcripts.proof(transcript.fairness) if isinstance(transcript.fairness, transcripts.Fairness) else ""


def _checked(file: str, check: Check) -> Generator[Line, None, None]:
    """Yield the line to print for each transcript, and whether the transcript is valid."""
    with _input(file) as opened:
        try:
            for number, (text, is_valid) in enumerate(_lines(transcripts.objects(opened), check), 1):
                yield "\n".join(f"{number} {line}" for line in text.split("\n")), is_valid
        except TranscriptError as error:
            raise UnreadableFile(f"{file}: {error.sentence}") from None


def _lines(things: Iterator[Thing], check: Check) -> Iterator[Line]:
    """Yield the results in order. Many transcripts are checked in as many processes as there are cores."""
    broken: list[TranscriptError] = []
    things = _until_broken(things, broken)
    yield from map(partial(_line, check), itertools.islice(things, _FEW))
    if (first := next(things, None)) is not None:
        yield from _in_processes(itertools.chain([first], things), check)
    if broken:
        raise broken[0]


def _in_processes(things: Iterator[Thing], check: Check) -> Iterator[Line]:
    cores = usable_cores()
    waiting: deque[Future[list[Line]]] = deque()
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        for batch in _batches(things):
            waiting.append(pool.submit(_batch, check, batch))
            if len(waiting) >= cores * _BATCHES_AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _until_broken(things: Iterator[Thing], broken: list[TranscriptError]) -> Iterator[Thing]:
    """Yield what can be read. A line that isn't a transcript is kept, to be reported after those before it."""
    try:
        yield from things
    except TranscriptError as error:
        broken.append(error)


def _batches(things: Iterator[Thing]) -> Iterator[list[Thing]]:
    while batch := list(itertools.islice(things, _BATCH)):
        yield batch


def _batch(check: Check, things: Sequence[Thing]) -> list[Line]:
    return [_line(check, thing) for thing in things]


def _line(check: Check, thing: Thing) -> Line:
    try:
        read = transcripts.read(thing)
        more = check(read)
    except TranscriptError as error:
        return error.sentence, False
    result = f"ok {read.game.key} {read.outcome.reason if read.outcome else 'unfinished'}"
    return f"{result}\n{more}" if more else result, True


@contextlib.contextmanager
def _input(name: str) -> Iterator[IO[bytes]]:
    """Open the file, or standard input for ``-``. Raises `UnreadableFile` if it can't be read."""
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as opened:
            yield opened
    except OSError as error:
        name = "Standard input" if name == "-" else name
        raise UnreadableFile(f"{name} can't be read: {error.strerror}.") from None
