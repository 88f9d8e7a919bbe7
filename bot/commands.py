"""What each command of the command line does. Each takes what was given and returns the exit status.

What needs discord.py, SimCord or the database's driver is imported where it is used: `replay` and the other commands
about files start without them, and work where they are not installed.
"""

import asyncio
import contextlib
import gc
import importlib
import importlib.util
import json
import logging
import os
import secrets
import signal
import stat
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from bot import logs, streams
from bot import settings as environment
from bot import transcript as transcripts
from bot.errors import InvalidOption, LilypadError, NoSuchTable, SettingsError, TranscriptError
from bot.games import GAMES
from bot.selfplay import Plan, lines
from bot.transcript import Transcript

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.store import Store, Table

log: Final = logging.getLogger(__name__)

OK: Final = 0
FAILED: Final = 1
_COLLECT_AFTER: Final = 10_000
"""So many new objects between two looks for rubbish; Python's 700 are made by every other move."""
_READABLE_BY_OTHERS: Final = stat.S_IRGRP | stat.S_IROTH
HOW_TO_CONNECT: Final = (
    "DISCORD_TOKEN is not set. Copy .env.example to .env and write the bot's token there, or play without one: "
    "python -m bot sandbox."
)


class Mistake(LilypadError):
    """What was asked for on the command line can't be done."""


# ---- the bot


def run(_: Namespace) -> int:
    """Plays on Discord until it is told to stop."""
    settings = environment.load()
    if settings.discord_token is None:
        raise SettingsError(HOW_TO_CONNECT)
    gc.disable()  # what modules hold stays for good: looking through it for rubbish takes a tenth of the start
    from bot import client  # noqa: PLC0415 - the other commands need no discord.py

    _log_to_stderr(settings)
    _warn_if_readable(settings.database_path)
    gc.freeze()  # and would hold up the players later
    gc.set_threshold(_COLLECT_AFTER)
    gc.enable()
    try:
        return _until_stopped(client.run(settings), quick_loop())
    except OSError as fault:
        streams.tell(f"lilypad: Discord can't be reached: {fault}.")
        return FAILED


def sandbox(given: Namespace) -> int:
    """Plays in a simulated Discord until it is told to stop. Its database lasts as long as its world."""
    try:
        from bot import client  # noqa: PLC0415 - the other commands need no discord.py
        from bot import sandbox as simulated  # noqa: PLC0415 - and no SimCord
    except ModuleNotFoundError as fault:
        if fault.name is None or not fault.name.startswith("simcord"):
            raise
        raise Mistake("The sandbox needs SimCord: pip install 'lilypad[sandbox]', or make sandbox.") from None
    settings = environment.load()
    _log_to_stderr(settings)
    with tempfile.TemporaryDirectory(prefix="lilypad-") as folder:
        settings = replace(settings, discord_api_url=None, database_path=Path(folder) / "sandbox.db")
        try:
            return _until_stopped(simulated.play(client.make_bot(settings), given.port, _announce))
        except OSError as fault:
            raise Mistake(f"Port {given.port} can't be opened: {fault.strerror}.") from None


def _announce(line: str) -> None:
    streams.put(line)
    streams.flush()  # whoever reads a pipe waits for it


def _log_to_stderr(settings: "Settings") -> None:
    logs.set_up(settings.log_level, settings.log_format, settings.discord_token)
    _warn_if_readable(environment.ENV_FILE)


def _warn_if_readable(file: Path) -> None:
    """Log a warning if other users of this machine may read the file. Windows has no such modes."""
    with contextlib.suppress(OSError):
        if os.name == "posix" and file.stat().st_mode & _READABLE_BY_OTHERS:
            log.warning("%s can be read by other users; run: chmod 600 %s", file, file)


Loops = Callable[[], asyncio.AbstractEventLoop]


def quick_loop() -> Loops | None:
    """The event loop of the extra ``speed``, ``None`` where it is not installed."""
    if importlib.util.find_spec("uvloop") is None:
        return None
    loops: Loops = importlib.import_module("uvloop").new_event_loop
    return loops


def _until_stopped(work: Coroutine[None, None, None], loops: Loops | None = None) -> int:
    """Runs the work to its end, or until the program is asked to end, by the system or from the keyboard; then the work
    is cancelled and closes. Asked once more meanwhile it goes on closing.
    """

    async def stoppable() -> None:
        task = asyncio.ensure_future(work)

        def stop() -> None:
            if not task.cancelling():
                task.cancel()

        with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
            for how in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(how, stop)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    with asyncio.Runner(loop_factory=loops) as runner:
        runner.run(stoppable())
    return OK


# ---- transcripts in files


def selfplay(given: Namespace) -> int:
    """Plays games among computer players and writes their transcripts."""
    options = GAMES[given.game].settle(dict(_options(given.option)))
    seed = secrets.token_hex(8) if given.seed is None else given.seed
    plan = Plan(given.game, options, seed, given.level, given.legal)
    played = lines(plan, given.games, given.workers)
    with _output(given.out) as out, contextlib.closing(played):
        if given.seed is None:
            streams.tell(f"--seed {seed}")
        for line in _with_progress(played, given.games):
            out.write(f"{line}\n".encode())
    return OK


def _options(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise InvalidOption(f"{text!r} is no option; write key=value.")
        if key in seen:
            raise InvalidOption(f"{key} is given twice.")
        seen.add(key)
        yield key, value


def _with_progress(lines: Iterable[str], games: int) -> Iterator[str]:
    """The same lines; on a terminal, how far it is, once a second from the second second on."""
    watched = sys.stderr.isatty()
    told_at = time.monotonic()
    told = False
    for number, line in enumerate(lines, 1):
        yield line
        if watched and (now := time.monotonic()) >= told_at + 1:
            streams.tell(f"\r{number} of {games} games", end="")
            told_at, told = now, True
    if told:
        streams.tell(f"\r{games} of {games} games")


def replay(given: Namespace) -> int:
    """Folds every transcript of a file; a line for each."""
    faults = 0
    for line, is_right in _checked(given.file, transcripts.replay):
        streams.put(line)
        faults += not is_right
    return FAILED if faults else OK


def verify(given: Namespace) -> int:
    """Derives every deal of a file again; ends at the first transcript with a fault."""
    for line, is_right in _checked(given.file, transcripts.verify):
        streams.put(line)
        if not is_right:
            return FAILED
    return OK


def _checked(file: str, check: Callable[[Transcript], None]) -> Iterator[tuple[str, bool]]:
    """For each transcript what is printed of it (G-13), and whether it is right."""
    with _input(file) as file_lines:
        try:
            for number, thing in enumerate(transcripts.objects(file_lines), 1):
                try:
                    read = transcripts.read(thing)
                    check(read)
                except TranscriptError as fault:
                    yield f"{number} {fault.sentence}", False
                else:
                    reason = read.outcome.reason if read.outcome else "unfinished"
                    yield f"{number} ok {read.game.key} {reason}", True
        except TranscriptError as fault:
            raise Mistake(f"{file}: {fault.sentence}") from None


@contextmanager
def _input(name: str) -> Iterator[IO[bytes]]:
    """Open the file, or standard input for ``-``. Raises `Mistake` if it can't be read."""
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as opened:
            yield opened
    except OSError as error:
        name = "Standard input" if name == "-" else name
        raise Mistake(f"{name} can't be read: {error.strerror}.") from None


@contextmanager
def _output(name: str) -> Iterator[IO[bytes]]:
    """Open the file, or standard output for ``-``. Raises `OutputError` if it can't be written."""
    if name == "-":
        with streams.writing(streams.STDOUT):
            yield sys.stdout.buffer
    else:
        with streams.writing(name), Path(name).open("wb") as opened:
            yield opened


# ---- the database


def tables(given: Namespace) -> int:
    """Lists all tables, the oldest first; nothing before the bot has run for the first time."""
    path = environment.load().database_path
    listed = asyncio.run(_all_tables(path)) if _is_there(path) else ()
    if given.json:
        streams.put(json.dumps([_described(table) for table in listed], ensure_ascii=False, indent=2))
        return OK
    for table in listed:
        seats = ", ".join(map(str, _seats(table, "(free)")))
        streams.put(f"{table.id}  {table.name}  {table.game}  {table.status}  {seats}")
    return OK


def _is_there(path: Path) -> bool:
    """Whether the file exists. Raises `Mistake` if its directory can't be read."""
    try:
        return path.exists()
    except OSError as error:
        raise Mistake(f"{path} can't be read: {error.strerror}.") from None


async def _all_tables(path: Path) -> tuple["Table", ...]:
    async with _opened(path) as store:
        return await store.tables()


def _described(table: "Table") -> dict[str, object]:
    return {
        "number": table.id,
        "name": table.name,
        "game": table.game,
        "status": table.status,
        "seats": _seats(table, None),
    }


def _seats(table: "Table", free: str | None) -> list[str | None]:
    """The name at each seat."""
    return [sitter.name if (sitter := table.sitter_at(seat)) else free for seat in range(table.seats)]


def transcript(given: Namespace) -> int:
    """Writes a table's transcript to standard output."""
    path = environment.load().database_path
    if not _is_there(path):
        raise NoSuchTable(f"There is no database {path} yet, and so no table.")
    written = asyncio.run(_transcript(path, given.table))
    if written.outcome is None and written.ended is None:
        streams.tell("This table is not over: its transcript tells what the players may not know.")
    with streams.writing(streams.STDOUT):
        sys.stdout.buffer.write(f"{transcripts.write(written)}\n".encode())
    return OK


async def _transcript(path: Path, table: str) -> Transcript:
    from bot.tables import OPERATOR, Tables  # noqa: PLC0415 - the commands about files need no database

    async with _opened(path) as store:
        tables = Tables(store)
        return await tables.transcript((await tables.find(table, OPERATOR)).id, unfinished=True)


def backup(given: Namespace) -> int:
    """Copies the database to a new file while the bot goes on."""
    path = environment.load().database_path
    if not _is_there(path):
        raise Mistake(f"There is no database {path} yet.")
    asyncio.run(_backup(path, Path(given.file)))
    return OK


async def _backup(path: Path, copy: Path) -> None:
    async with _opened(path) as store:
        await store.backup(copy)


@asynccontextmanager
async def _opened(path: Path) -> "AsyncIterator[Store]":
    from bot.store.sqlite import SqliteStore  # noqa: PLC0415 - the commands about files need no driver

    async with await SqliteStore.open(path) as store:
        yield store
