"""The command line: ``python -m bot COMMAND``. Here the parts are joined, and errors become an exit status.

0   all is well
1   a transcript is not what it says, or Discord can't be reached
2   a mistake on the command line, or a file, a database or standard output that can't be used
78  a mistake in the settings
130 interrupted from the keyboard
141 nobody reads the output any more
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from bot import commands, streams
from bot.computer import LEVELS
from bot.errors import LilypadError, SettingsError
from bot.games import GAMES

MISTAKE: Final = 2
WRONG_SETTINGS: Final = 78
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    streams.set_up()
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
        return PIPE_CLOSED
    except SettingsError as mistake:
        return _tell(mistake.sentence, WRONG_SETTINGS)
    except LilypadError as mistake:
        return _tell(mistake.sentence, MISTAKE)


def _run(arguments: Sequence[str] | None) -> int:
    given = parser().parse_args(arguments)
    status: int = given.command(given)
    return status


def _tell(sentence: str, status: int) -> int:
    for line in sentence.splitlines():
        streams.tell(f"lilypad: {line}")
    return status


class Parser(argparse.ArgumentParser):
    """Tells a mistake in one line, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        """Ends with status 2."""
        self.exit(MISTAKE, f"{self.prog}: {' '.join(message.split())} (try --help)\n")


def parser() -> Parser:
    """What can be asked for."""
    whole = Parser(
        prog="python -m bot",
        description="Lilypad: four games for a group, inside Discord.",
        epilog="Settings come from the environment and from .env; .env.example describes them.",
        allow_abbrev=False,
    )
    command = whole.add_subparsers(required=True, metavar="COMMAND", title="commands")

    def add(name: str, what: str, description: str = "") -> argparse.ArgumentParser:
        made = command.add_parser(
            name,
            help=what,
            description=description or f"{what[0].upper()}{what[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        made.set_defaults(command=getattr(commands, name))
        return made

    add("run", "connects to Discord and plays")
    add("sandbox", "a local Discord in the browser with the bot in it: no account, no token, no network").add_argument(
        "--port", metavar="N", type=_port, default=0, help="where the page is served (any that is free)"
    )
    _add_selfplay(add("selfplay", "plays games among computer players and writes their transcripts, one a line"))
    for name, what in (
        ("replay", "folds each transcript in a file and checks every entry and the outcome; a line for each"),
        ("verify", "derives every chance entry again from the published seed; stops at the first that differs"),
    ):
        add(name, what).add_argument("file", metavar="FILE", help="transcripts, one a line; - for standard input")
    add("tables", "lists the tables in the database, one a line: number, name, game, status, seats").add_argument(
        "--json", action="store_true", help="as a JSON list of objects"
    )
    add("transcript", "writes the transcript of a table").add_argument(
        "table", metavar="TABLE", type=_text, help="number or name"
    )
    add("backup", "copies the database to a new file, also while the bot is running").add_argument(
        "file", metavar="FILE", help="the new file"
    )
    return whole


def _add_selfplay(made: argparse.ArgumentParser) -> None:
    made.add_argument("game", metavar="GAME", choices=tuple(GAMES), help=", ".join(GAMES))
    made.add_argument("--option", metavar="K=V", action="append", default=[], help="an option of the game; repeatable")
    made.add_argument("--games", metavar="N", type=_positive, default=1, help="how many games (1)")
    made.add_argument("--seed", metavar="TEXT", help="the same seed gives the same games (random)")
    made.add_argument("--level", choices=LEVELS, default="random", help="how the players choose (random)")
    made.add_argument("--legal", action="store_true", help="adds the legal moves to every entry of a seat")
    made.add_argument("--out", metavar="FILE", default="-", help="where to (standard output)")
    made.add_argument("--workers", metavar="N", type=_positive, default=1, help="how many processes play (1)")
    made.epilog = "options, the default first:\n" + "\n".join(
        f"  {game.key:10} {option.key + '=' + '|'.join(map(str, option.choices)):42} {option.help}"
        for game in GAMES.values()
        for option in game.options
    )


def _text(given: str) -> str:
    """Replace bytes that are no UTF-8 by escapes, as the database can't be asked for them."""
    return given.encode(errors="backslashreplace").decode()


def _positive(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) < 2**16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port; it is a number from 0 to {2**16 - 1}")


if __name__ == "__main__":
    sys.exit(main())
