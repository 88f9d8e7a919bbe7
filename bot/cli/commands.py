"""The commands of the command line. Each takes the parsed arguments and returns the exit status.

discord.py, SimCord and the database driver are imported where they are used: `replay` and other commands that only read
files start faster without them, and work if they aren't installed.
"""

import asyncio
import contextlib
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
from argparse import Namespace
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, TypeVar

from bot import logs, settings as environment, transcript as transcripts
from bot.cli import streams
from bot.cli.selfplay import Plan, lines, parsed_options, with_progress
from bot.computer import levels
from bot.errors import InvalidOption, LilypadError, NoSuchTable, SettingsError, Unreachable, escaped
from bot.games import GAMES

if TYPE_CHECKING:
    from bot.records.table import Table
    from bot.settings import Settings
    from bot.store.store import Store

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

OK: Final = 0
FAILED: Final = 1
_READABLE_BY_OTHERS: Final = stat.S_IRGRP | stat.S_IROTH
HOW_TO_CONNECT: Final = (
    "DISCORD_TOKEN is not set. Copy .env.example to .env and add the bot's token, or play without one: "
    "python -m bot sandbox."
)


class CommandError(LilypadError):
    """A command can't be carried out."""


# ---- the bot


def run(_: Namespace) -> int:
    """Connect to Discord and play until stopped."""
    settings = environment.load()
    if settings.discord_token is None:
        raise _missing(settings, HOW_TO_CONNECT)
    from bot.running import login  # noqa: PLC0415 - the other commands don't need discord.py

    _log_to_stderr(settings)
    if isinstance(settings.database, Path):
        _warn_if_readable(settings.database)
    with _reaching_discord():
        return _until_stopped(login.run(settings), fast_loop())


def emojis(_: Namespace) -> int:
    """Print which emojis exist on Discord, and which are missing or outdated."""
    settings = environment.load()
    if settings.discord_token is None:
        raise _missing(settings, "DISCORD_TOKEN is not set.")
    from bot.running import login  # noqa: PLC0415 - the other commands don't need discord.py
    from bot.running.application_emojis import full_names  # noqa: PLC0415 - nor this

    with _reaching_discord():
        found = asyncio.run(login.compare_emojis(settings))
    names = full_names()
    streams.put(f"{len(found.usable)} of {len(names)} emojis")
    for name in found.missing:
        streams.put(f"missing {names[name]}")
    for emoji in found.outdated:
        streams.put(f"outdated {emoji.name}")
    return OK


def _missing(settings: "Settings", sentence: str) -> SettingsError:
    """Return the error for a missing setting. The warnings come first, as its name may be misspelt."""
    return SettingsError("\n".join((*settings.warnings, sentence)))


@contextlib.contextmanager
def _reaching_discord() -> Iterator[None]:
    """Raise `Unreachable` after an error of the network."""
    try:
        yield
    except OSError as error:
        raise Unreachable("Discord can't be reached: {error}.", error=error) from None


def sandbox(given: Namespace) -> int:
    """Play in a simulated Discord until stopped. The database is temporary, like the simulated server."""
    try:
        from bot import sandbox as simulated  # noqa: PLC0415 - nor SimCord
        from bot.running import client  # noqa: PLC0415 - the other commands don't need discord.py
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("simcord"):
            raise
        raise CommandError("The sandbox needs SimCord. Run: make sandbox.") from None
    settings = environment.load()
    if settings.log_level == "INFO":  # the address is all that people need
        settings = replace(settings, log_level="WARNING")
    _log_to_stderr(settings)
    with tempfile.TemporaryDirectory(prefix="lilypad-") as folder:
        path = Path(folder) / "sandbox.db"
        # A bot that is running here keeps its port.
        settings = replace(
            settings, discord_api_url=None, database=path, shards=environment.ONE_SHARD, metrics_port=None
        )
        try:
            return _until_stopped(simulated.play(client.LilypadBot(settings), given.port, _announce))
        except OSError as error:
            raise CommandError(f"Port {given.port} can't be opened: {error.strerror}.") from None


def _announce(line: str) -> None:
    streams.put(line)
    streams.flush()  # a pipe is buffered, and its reader needs the address now


def _log_to_stderr(settings: "Settings") -> None:
    logs.set_up(settings.log_level, settings.log_format, settings.discord_token)
    for warning in settings.warnings:
        log.warning(warning)
    if environment.has_secrets():
        _warn_if_readable(environment.ENV_FILE)


def _warn_if_readable(file: Path) -> None:
    """Log a warning if other users of this machine can read the file. Windows has no file modes."""
    with contextlib.suppress(OSError):
        if os.name == "posix" and file.stat().st_mode & _READABLE_BY_OTHERS:
            log.warning("%s can be read by other users; run: chmod 600 %s", file, file)


Loops = Callable[[], asyncio.AbstractEventLoop]


def fast_loop() -> Loops | None:
    """Return uvloop's event loop, or ``None`` if the extra ``speed`` isn't installed."""
    if importlib.util.find_spec("uvloop") is None:
        return None
    loops: Loops = importlib.import_module("uvloop").new_event_loop
    return loops


def _until_stopped(work: Coroutine[None, None, None], loops: Loops | None = None) -> int:
    """Run the coroutine until it ends, or cancel it on SIGTERM or SIGINT.

    Further signals don't interrupt its clean-up.
    """

    async def stoppable() -> None:
        task = asyncio.ensure_future(work)

        def stop() -> None:
            if not task.cancelling():
                task.cancel()

        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers
            for number in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, stop)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    with asyncio.Runner(loop_factory=loops) as runner:
        runner.run(stoppable())
    return OK


# ---- transcripts in files


def selfplay(given: Namespace) -> int:
    """Let computers play games, and write their transcripts."""
    options = GAMES[given.game].settle(dict(parsed_options(given.option)))
    seed = secrets.token_hex(8) if given.seed is None else given.seed
    for level in given.level:
        if level not in levels(given.game):
            raise InvalidOption(f"{given.game} has no {level} computers. Levels: {', '.join(levels(given.game))}.")
    plan = Plan(given.game, options, seed, given.level, given.legal)
    played = lines(plan, given.games, given.workers)
    with _output(given.out) as out, contextlib.closing(played):
        if given.seed is None:
            streams.tell(f"--seed {seed}")
        for line in with_progress(played, given.games):
            out.write(f"{line}\n".encode())
    return OK


def preview(given: Namespace) -> int:
    """Write pictures of a game, and print the names of the files."""
    from bot.cli.preview import previews  # noqa: PLC0415 - the other commands don't need Pillow

    folder = Path(given.out)
    try:
        for name, picture in previews(given.game, given.moment, given.seat, given.language, given.size):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.png").write_bytes(picture.png)
            streams.put(f"{name}.png {len(picture.png)} bytes: {picture.alt}")
    except OSError as error:
        raise CommandError(f"{folder} can't be written: {error.strerror}.") from None
    return OK


@contextlib.contextmanager
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
    """List all tables, the oldest first. Without a database there are none."""
    settings = environment.load()
    is_there = _is_there(settings.database)
    listed, damaged = _in_store(settings.database, _all_tables) if is_there else ((), ())
    if given.json:
        streams.put(json.dumps([_described(table) for table in listed], ensure_ascii=False, indent=2))
    else:
        for table in listed:
            seats = ", ".join(map(str, _seats(table, "(free)")))
            streams.put(escaped(f"{table.id}  {table.name}  {table.game}  {table.status}  {seats}"))
    for number in damaged:
        streams.tell(f"Table {number} is left out: it is damaged.")
    _say_which(settings)
    if not is_there:
        is_elsewhere = isinstance(settings.database, Path) and not settings.database.absolute().parent.exists()
        streams.tell("Its folder doesn't exist: check DATABASE_URL." if is_elsewhere else "It doesn't exist yet.")
    return OK


async def _all_tables(store: "Store") -> "tuple[Sequence[Table], Sequence[int]]":
    """Return the tables that can be read, and the numbers of the others."""
    listed = await store.lists.all()
    return listed, sorted(set(await store.lists.numbers()).difference(table.id for table in listed))


def _say_which(settings: "Settings") -> None:
    """Print which database was used, and warnings about settings. A mistake is a single line, so this comes last."""
    streams.flush()
    for warning in settings.warnings:
        streams.tell(warning)
    streams.tell(f"Database: {environment.shown(settings.database)}")


def _is_there(database: Path | str) -> bool:
    """Whether the file exists. Raises `CommandError` if its directory can't be read. A server answers for itself."""
    try:
        return isinstance(database, str) or database.exists()
    except OSError as error:
        raise CommandError(f"{database} can't be read: {error.strerror}.") from None


def _described(table: "Table") -> dict[str, object]:
    return {
        "number": table.id,
        "name": table.name,
        "game": table.game,
        "status": table.status,
        "seats": _seats(table, None),
    }


def _seats(table: "Table", free: str | None) -> list[str | None]:
    """Return the player's name at each seat, or ``free``."""
    return [sitter.name if (sitter := table.sitter_at(seat)) else free for seat in range(table.seats)]


def transcript(given: Namespace) -> int:
    """Print the transcript of a table."""
    settings = environment.load()
    name = environment.shown(settings.database)
    if not _is_there(settings.database):
        raise NoSuchTable(f"There is no table: the database {name} doesn't exist yet.")
    try:
        written = _in_store(settings.database, partial(_transcript, given.table))
    except NoSuchTable as error:
        raise NoSuchTable(f"{error.sentence} The database is {name}.") from None
    if written.outcome is None and written.ended is None:
        streams.tell("This game isn't over: the transcript shows cards that are hidden from players.")
    with streams.writing(streams.STDOUT):
        sys.stdout.buffer.write(f"{escaped(transcripts.write(written))}\n".encode())
    _say_which(settings)
    return OK


async def _transcript(table: str, store: "Store") -> transcripts.Transcript:
    from bot.tables.finding import OPERATOR  # noqa: PLC0415 - commands that only read files don't need it
    from bot.tables.tables import Tables  # noqa: PLC0415 - as above

    tables = Tables(store, closes=False)
    return await tables.transcript((await tables.finder.find(table, OPERATOR)).id, unfinished=True)


def backup(given: Namespace) -> int:
    """Copy the database to a new file, also while the bot is running."""
    from bot.store import open_store as store  # noqa: PLC0415 - commands that only read files don't need it

    settings, file = environment.load(), Path(given.file)
    name = environment.shown(settings.database)
    if not _is_there(settings.database):
        raise CommandError(f"The database {name} doesn't exist yet.")
    asyncio.run(store.backup(settings.database, file))
    streams.put(f"Copied {name} to {file.absolute()}: {file.stat().st_size:,} bytes.")
    _say_which(settings)
    return OK


def redraw(_: Namespace) -> int:
    """Have the boards and hands of all open tables posted again."""
    from bot.store.open_store import open_store  # noqa: PLC0415 - commands that only read files don't need it

    settings = environment.load()
    if not _is_there(settings.database):
        raise CommandError(f"The database {environment.shown(settings.database)} doesn't exist yet.")

    async def mark() -> int:
        async with await open_store(settings.database) as store:
            await store.messages.mark_restored()
            return len(await store.lists.open_numbers())

    streams.put(f"Boards and hands of {asyncio.run(mark())} open tables are posted again when the bot starts.")
    _say_which(settings)
    return OK


def move_database(given: Namespace) -> int:
    """Copy a database to an empty one, and verify the copy."""
    from bot.cli import move_database as moving  # noqa: PLC0415 - commands that only read files don't need it

    source, target = map(moving.database_of, (given.source, given.target))
    if any(map(moving.has_password, (source, target))):
        streams.tell("Other users can read a password on the command line: keep it in ~/.pgpass or PGPASSWORD instead.")
    if not _is_there(source):
        raise CommandError(f"The database {source} doesn't exist.")
    rows = asyncio.run(moving.move(source, target))
    names = f"From {environment.shown(source)} to {environment.shown(target)}"
    advice = "Set DATABASE_URL to the new database before you start the bot."
    streams.put(f"{names}: {rows} rows copied and checked. {advice}")
    return OK


def _in_store(database: Path | str, work: "Callable[[Store], Awaitable[T]]") -> T:
    """Return the result of ``work``, called with the open store. A file on a read-only disk is copied first."""
    from bot.store.open_store import open_store, writable  # noqa: PLC0415 - commands that only read files don't need it

    async def run() -> T:
        with writable(database) as file:
            async with await open_store(file) as store:
                return await work(store)

    return asyncio.run(run())
