"""The log on standard error, as plain lines or as JSON lines. A warning that repeats appears once a minute.

No level logs the token, passwords, hands, seeds or moves. Records name tables, interactions and reference numbers.
Libraries that log message contents or SQL at DEBUG stay at INFO. Each record is one line of limited length, without
control characters, whatever texts from outside it contains; in plain lines, an indented traceback may follow.
"""

import json
import logging
import math
import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final

from bot.errors import escaped

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
    """Plain lines with secrets removed."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line."""
        return escaped(super().formatMessage(record), _MOST_CHARACTERS)

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        """Return the traceback, indented: no line of it looks like a record."""
        return "\n".join(f"  {line}" for line in super().formatException(ei).split("\n"))

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the traceback of an exception."""
        return redact(super().format(record), self._secret)


class JsonLines(_Lines):
    """JSON lines: ``at`` (ISO 8601, UTC), ``level``, ``logger``, ``message``, and perhaps ``exception``.

    Anything in ``extra`` is added, such as ``reference``, the number that the user was shown.
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
    """Return the text without the secret, passwords in addresses, and interaction tokens (valid for 15 minutes)."""
    text = _PASSWORD.sub(r"\1…", _CREDENTIALS.sub(r"\1…@", _ADDRESS.sub(r"\1[token]", text)))
    return text.replace(secret, "[token]") if secret else text


def set_up(level: str, form: str, secret: str | None = None) -> None:
    """Log to standard error at this level, as ``plain`` or ``json`` lines. ``secret`` is never logged."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(secret) if form == "json" else PlainLines(secret))
    handler.addFilter(Repetitions())
    logging.basicConfig(level=level, handlers=[handler])
    for name in VERBOSE:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))


def is_json() -> bool:
    """Whether this process logs JSON lines."""
    return any(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers)
