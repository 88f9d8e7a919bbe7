"""The command line: parse the arguments, run one command, and turn errors into an exit status.

0    success
1    a transcript is wrong, or Discord or the database's server can't be reached
2    invalid arguments, or a file, database or standard output that can't be used
78   invalid settings
130  interrupted (Ctrl-C)
141  broken pipe: the reader of standard output has gone
"""

import argparse
import logging
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NoReturn

from bot import logs
from bot.cli import checking, commands, restore, streams
from bot.computer import ALL_LEVELS
from bot.errors import AlreadyRunning, LilypadError, SettingsError, Unreachable, escaped, quoted
from bot.games import GAMES
from bot.version import version

USAGE_ERROR: Final = 2
INVALID_SETTINGS: Final = 78
INTERRUPTED: Final = 130
_LONGEST_MISTAKE: Final = 500
_MOST_DIGITS: Final = 100
BROKEN_PIPE: Final = 141
_PAUSE_S: Final = 60.0

SANDBOX_PORT: Final = 8270
_MOST_PIXELS: Final = 4000

AddParser = Callable[..., argparse.ArgumentParser]
"""Adds the parser of a command: the method ``add_parser`` of argparse's subparsers."""

_RUN: Final = """\
Connect to Discord and play until stopped. DISCORD_TOKEN has to be set.
Where several processes run one bot, SHARDS says which shards each of them runs.
With --pause, it waits a minute before it ends with status 2 or 78, as those need a person, and
containers are restarted for ever."""
_SANDBOX: Final = f"""\
Run the bot in a simulated Discord and print the address of its page, by default
http://127.0.0.1:{SANDBOX_PORT}/. If the port is taken, the next free one is used.
Needs no account, token or network. Its database is deleted at the end."""
_SELFPLAY: Final = "Let computers play games against each other, and write one transcript per line."
_REPLAY: Final = """\
Replay each transcript of a file, and check every entry and the outcome.
Prints one line per transcript. The exit status is 1 if any is wrong."""
_VERIFY: Final = """\
Derive each deal of a file again from the published seed and the players' cuts.
Prints one line per transcript, and stops with exit status 1 at the first that differs.
With --commitment or --cut, it also checks that this is the table that you remember, and prints
its commitment and its cuts on a second line."""
_TABLES: Final = "List the tables in the database, one per line: number, name, game, status, seats."
_PREVIEW: Final = """\
Write pictures of typical and extreme moments of a game as PNG files, and print their names.
Without --seat, the pictures are those of the public and of the seat to move."""
_EMOJIS: Final = """\
Print how many of the application's emojis exist on Discord, and the names of those that are
missing or outdated. The running bot creates and deletes them. DISCORD_TOKEN has to be set."""
_MOVE_DATABASE: Final = """\
Copy everything from one database to another, which must be empty, and verify the copy: every row
is counted, and every open table is folded. Stop the bot first. If anything fails, nothing is
written. A database is a path, sqlite:///path, or postgresql://user@host/database, whose password
is in ~/.pgpass or PGPASSWORD: other users can read command lines."""
_BACKUP: Final = "Copy an SQLite database to a new file. Safe while the bot is running. PostgreSQL has pg_dump."

_RESTORE: Final = """\
Put a copy of an SQLite database in its place. The copy is checked first, and what was there is kept
under another name. Stop the bot before. For PostgreSQL, see pg_dump and pg_restore."""
_REDRAW: Final = """\
Have the boards and hands of all open tables posted again at the next start, after an older copy of
the database was restored. A copy made by `backup` does that by itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    streams.set_up()
    status = _status(arguments)
    if status in {USAGE_ERROR, INVALID_SETTINGS} and "--pause" in (sys.argv if arguments is None else arguments):
        streams.flush()
        with suppress(KeyboardInterrupt):
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            time.sleep(_PAUSE_S)
    return status


def _status(arguments: Sequence[str] | None) -> int:
    try:
        try:
            return _run(arguments)
        except KeyboardInterrupt:
            streams.interrupted()
            return INTERRUPTED
        finally:
            streams.flush()
    except BrokenPipeError:
        streams.discard(sys.stdout)
        return BROKEN_PIPE
    except SettingsError as error:
        return _report(error, INVALID_SETTINGS)
    except (Unreachable, AlreadyRunning) as error:
        return _report(error, commands.FAILED)
    except LilypadError as error:
        return _report(error, USAGE_ERROR)


def _run(arguments: Sequence[str] | None) -> int:
    parsed = parser().parse_args(arguments)
    status: int = parsed.command(parsed)
    return status


def _report(error: LilypadError, status: int) -> int:
    for line in error.sentence.splitlines():
        if logs.is_json():  # log collectors read nothing else
            logging.getLogger("lilypad").error("%s", line)
        else:
            streams.tell(f"lilypad: {line}")
    return status


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(USAGE_ERROR, f"{self.prog}: {escaped(' '.join(message.split()), _LONGEST_MISTAKE)} (try --help)\n")


class _Version(argparse.Action):
    """Prints the version. It looks for the commit only when it is asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        streams.put(f"Lilypad {version()}")
        parser.exit()


def parser() -> Parser:
    """Build the parser for all commands."""
    root = Parser(
        prog="python -m bot",
        description="Lilypad: four tabletop games for Discord.",
        epilog="Settings are read from the environment and from .env. See .env.example for a description of each.",
        allow_abbrev=False,
    )
    root.add_argument("--version", action=_Version, nargs=0, help="show the version, its commit and date, and exit")
    add_parser = root.add_subparsers(required=True, metavar="COMMAND", title="commands").add_parser
    running = _add(add_parser, "run", "connect to Discord and play", _RUN)
    running.add_argument("--pause", action="store_true", help="wait a minute after mistakes in the settings")
    sandbox = _add(add_parser, "sandbox", "play in a simulated Discord in your browser", _SANDBOX)
    port = "port of the page (default: %(default)s; 0: any free port)"
    sandbox.add_argument("--port", metavar="N", type=_port, default=SANDBOX_PORT, help=port)
    _add_selfplay(add_parser)
    _add_checking(add_parser, "replay", "replay transcripts and check them", _REPLAY)
    verify = _add_checking(add_parser, "verify", "check that deals come from their seeds", _VERIFY)
    verify.add_argument("--commitment", metavar="HEX", type=_commitment, help="what the bot's messages showed after 🔒")
    verify.add_argument("--cut", metavar="TEXT", action="append", default=[], help="a cut that you made; repeatable")
    tables = _add(add_parser, "tables", "list the tables in the database", _TABLES)
    tables.add_argument("--json", action="store_true", help="print a JSON array of objects")
    transcript = _add(add_parser, "transcript", "print the transcript of a table")
    transcript.add_argument("table", metavar="TABLE", type=_printable, help="number or name of the table")
    backup = _add(add_parser, "backup", "copy the database", _BACKUP)
    backup.add_argument("file", metavar="FILE", type=_file, help="path of the copy; must not exist yet")
    restoring = _add(add_parser, "restore", "put a copy in the place of the database", _RESTORE)
    restoring.add_argument("file", metavar="FILE", type=_file, help="path of the copy")
    _add(add_parser, "redraw", "post boards and hands again after a restore", _REDRAW)
    moving = _add(add_parser, "move-database", "copy everything to another database", _MOVE_DATABASE)
    moving.add_argument("source", metavar="FROM", type=_named, help="path or address of the database")
    target = "path or address of an empty database; a file may be missing"
    moving.add_argument("target", metavar="TO", type=_named, help=target)
    _add_preview(add_parser)
    _add(add_parser, "emojis", "show which of the bot's emojis exist on Discord", _EMOJIS)
    return root


def _add(add_parser: AddParser, name: str, summary: str, description: str = "") -> argparse.ArgumentParser:
    """Add the command that the function of this name carries out."""
    added = add_parser(
        name,
        help=summary,
        description=description or f"{summary.capitalize()}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    home = {"replay": checking, "verify": checking, "restore": restore}.get(name, commands)
    added.set_defaults(command=getattr(home, name.replace("-", "_")))
    return added


def _add_checking(add_parser: AddParser, name: str, summary: str, description: str) -> argparse.ArgumentParser:
    added = _add(add_parser, name, summary, description)
    source = "file with one transcript per line; - reads standard input"
    added.add_argument("file", metavar="FILE", type=_file, help=source)
    return added


def _add_preview(add_parser: AddParser) -> None:
    added = _add(add_parser, "preview", "write pictures of a game to look at", _PREVIEW)
    added.add_argument("game", metavar="GAME", choices=tuple(GAMES), help=f"one of: {', '.join(GAMES)}")
    added.add_argument("--seat", metavar="N", type=_number, help="draw what this seat sees, counted from 0")
    added.add_argument("--moment", metavar="NAME", help="one moment, such as names or end (default: all)")
    added.add_argument("--language", metavar="CODE", default="en", help="language of the texts (default: en)")
    added.add_argument("--size", metavar="N", type=_width, default=1000, help="width in pixels (default: 1000)")
    added.add_argument(
        "--out", metavar="DIR", type=_named, required=True, help="folder for the files; created if needed"
    )


def _add_selfplay(add_parser: AddParser) -> None:
    added = _add(add_parser, "selfplay", "let computers play, and write transcripts", _SELFPLAY)
    added.add_argument("game", metavar="GAME", choices=tuple(GAMES), help=f"one of: {', '.join(GAMES)}")
    added.add_argument(
        "--option", metavar="KEY=VALUE", action="append", default=[], help="set an option of the game; repeatable"
    )
    added.add_argument("--games", metavar="N", type=_positive, default=1, help="number of games (default: 1)")
    added.add_argument("--seed", metavar="TEXT", help="seed; the same seed gives the same games (default: random)")
    added.add_argument(
        "--level",
        metavar="LEVEL",
        type=_levels,
        default=("random",),
        help=f"how computers play: one of {', '.join(ALL_LEVELS)}; several, such as strong,fair, go to the seats in "
        "turn (default: random)",
    )
    added.add_argument("--legal", action="store_true", help="add the legal moves to each move in the transcript")
    out = "output file (default: -, standard output)"
    added.add_argument("--out", metavar="FILE", type=_file, default="-", help=out)
    added.add_argument("--workers", metavar="N", type=_positive, default=1, help="number of processes (default: 1)")
    added.epilog = f"options of the games, with the default first:\n{_option_lines()}"


def _option_lines() -> str:
    return "\n".join(
        f"  {game.key:10} {option.key + '=' + '|'.join(map(str, option.choices)):42} {option.help}"
        for game in GAMES.values()
        for option in game.options
    )


def _printable(text: str) -> str:
    """Escape bytes that aren't valid UTF-8: the database driver refuses them."""
    return text.encode(errors="backslashreplace").decode()


def _named(text: str) -> str:
    """Return the name of a file, a folder or a database, which an unset variable of a shell would leave empty."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def _file(text: str) -> str:
    """Return the name of a file. An address, which may have a password, is refused without being printed."""
    if "://" in text:
        raise argparse.ArgumentTypeError("an address isn't the name of a file")
    return _named(text)


def _commitment(text: str) -> str:
    """Return the beginning of a commitment, also with what surrounds it in the bot's messages."""
    digits = text.strip("🔒…`. \t\n").lower()
    if re.fullmatch(r"[0-9a-f]{12,64}", digits):
        return digits
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not a commitment, nor the first 12 hex digits of one or more")


def _is_whole(text: str) -> bool:
    """Whether the text is a number that isn't too long: Python reads no more than a few thousand digits."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _positive(text: str) -> int:
    if _is_whole(text) and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number above 0")


def _width(text: str) -> int:
    if (width := _positive(text)) <= _MOST_PIXELS:
        return width
    raise argparse.ArgumentTypeError(f"{quoted(text)} is more than {_MOST_PIXELS} pixels")


def _levels(text: str) -> tuple[str, ...]:
    levels = tuple(text.split(","))
    if wrong := [level for level in levels if level not in ALL_LEVELS]:
        raise argparse.ArgumentTypeError(f"{wrong[0]!r} is not a level. Choose from: {', '.join(ALL_LEVELS)}")
    return levels


def _number(text: str) -> int:
    if _is_whole(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number")


def _port(text: str) -> int:
    if _is_whole(text) and int(text) < 2**16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not a port number from 0 to {2**16 - 1}")


if __name__ == "__main__":
    sys.exit(main())
