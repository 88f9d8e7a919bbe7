"""The log on standard error, as plain lines or as JSON lines. A warning that repeats appears once a minute.

No level logs the token, passwords, hands, seeds or moves. Records name tables, interactions and reference numbers.
`note` puts the ids of an interaction, its server, table and user on all lines that it causes.
Libraries that log message contents or SQL at DEBUG stay at INFO. Each record is one line of limited length, without
control characters, whatever texts from outside it contains; in plain lines, an indented traceback may follow.
"""

import json
import logging
import math
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType, TracebackType
from typing import Any, Final

from bot.errors import escaped, is_defect, without_tokens

VERBOSE: Final = ("aiosqlite", "discord.gateway", "discord.http", "discord.webhook")
"""Loggers that log message contents or SQL at DEBUG."""

REPEAT_S: Final = 60.0
"""Minimum time between warnings that differ in numbers only."""

_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_MOST_KINDS: Final = 1000
_MOST_CHARACTERS: Final = 2_000
"""Maximum length of a message, and of a line of a traceback."""
_MOST_LINES: Final = 200
"""Maximum lines of a traceback. The last ones are kept."""
_ADDRESS: Final = re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.-]+")
_CREDENTIALS: Final = re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^\s\"']*@", re.IGNORECASE)
"""The user and the password in an address."""
_PASSWORD: Final = re.compile(r"(\b(?:ssl)?password=)[^\s&\"']+", re.IGNORECASE)
_PLAIN: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


_ABOUT: Final = ("interaction", "server", "table", "user")
"""What lines may be about, in this order."""
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
_about: Final[ContextVar[Mapping[str, int]]] = ContextVar("about", default=_NOTHING)


def note(
    *, interaction: int | None = None, server: int | None = None, table: int | None = None, user: int | None = None
) -> None:
    """Put these ids on all lines that the current task and the tasks that it starts log from now on."""
    ids = {"interaction": interaction, "server": server, "table": table, "user": user}
    _about.set({**_about.get(), **{name: each for name, each in ids.items() if each is not None}})


def noted(name: str) -> int | None:
    """Return an id that was noted for the current task."""
    return _about.get().get(name)


class About(logging.Filter):
    """Lets all records pass, with the ids that were noted."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the ids, but for those that the record has."""
        vars(record).update({name: each for name, each in _about.get().items() if name not in vars(record)})
        return True


_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class _Lines(logging.Formatter):
    """Lines without secrets."""

    def __init__(self, secret: str | None) -> None:
        super().__init__(_PLAIN)
        self._secret = secret

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        """Return the traceback, with lines of limited length."""
        lines = super().formatException(ei).split("\n")[-_MOST_LINES:]
        return "\n".join(escaped(line, _MOST_CHARACTERS) for line in lines)


class PlainLines(_Lines):
    """Plain lines with secrets removed. The ids that they are about are at their end."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line."""
        ids = ", ".join(f"{name} {vars(record)[name]}" for name in _ABOUT if name in vars(record))
        return escaped(super().formatMessage(record), _MOST_CHARACTERS) + (f" [{ids}]" if ids else "")

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        """Return the traceback, indented: no line of it looks like a record."""
        return "\n".join(f"  {line}" for line in super().formatException(ei).split("\n"))

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the traceback of an exception."""
        return redact(super().format(record), self._secret)


class JsonLines(_Lines):
    """JSON lines: ``at`` (ISO 8601, UTC), ``level``, ``logger``, ``message``, and perhaps ``exception``.

    Anything in ``extra`` is added, such as ``reference``, the number that the user was shown, and what was noted.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the object on one line."""
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage()[:_MOST_CHARACTERS],
        }
        said |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return redact(escaped(json.dumps(said, ensure_ascii=False, default=str)), self._secret)


class Repetitions(logging.Filter):
    """Lets each kind of warning pass once a minute, with the number of those left out since the last one.

    ``now`` returns seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._last: dict[tuple[str, str], tuple[float, int]] = {}
        """When each kind passed last, and how many were left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record passes."""
        if record.levelno != logging.WARNING:
            return True
        message, now = record.getMessage(), self._now()
        kind = record.name, _NUMBER.sub("#", message)
        passed_at, left_out = self._last.get(kind, (-math.inf, 0))
        if now - passed_at < REPEAT_S:
            self._last[kind] = passed_at, left_out + 1
            return False
        if len(self._last) >= _MOST_KINDS:
            self._last = {each: last for each, last in self._last.items() if now - last[0] < REPEAT_S}
        self._last[kind] = now, 0
        if left_out:
            record.msg, record.args = f"{message} (and {left_out} more like this)", ()
        return True


def redact(text: str, secret: str | None) -> str:
    """Return the text without tokens of bots, passwords in addresses, and interaction tokens (valid for 15 minutes).

    ``secret`` is the token of this bot, whatever it looks like.
    """
    text = _PASSWORD.sub(r"\1…", _CREDENTIALS.sub(r"\1…@", _ADDRESS.sub(r"\1[token]", text)))
    return without_tokens(text.replace(secret, "[token]") if secret else text)


def set_up(level: str, form: str, secret: str | None = None) -> None:
    """Log to standard error at this level, as ``plain`` or ``json`` lines. ``secret`` is never logged."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(secret) if form == "json" else PlainLines(secret))
    handler.addFilter(Repetitions())
    handler.addFilter(About())
    logging.basicConfig(level=level, handlers=[handler])
    for name in VERBOSE:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))


def failure(log: logging.Logger, text: str, *values: object, error: Exception) -> None:
    """Log that something failed: a defect with its traceback, otherwise the error's sentence as a warning."""
    if is_defect(error):
        log.error(text, *values, exc_info=error)
    else:
        log.warning(f"{text}: %s", *values, error)  # noqa: G004 - a constant


def is_json() -> bool:
    """Whether this process logs JSON lines."""
    return any(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers)
