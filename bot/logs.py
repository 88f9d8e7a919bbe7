"""The log on standard error, as plain lines or as JSON lines.

No level logs the token, hands, seeds or moves. Records name tables, interactions and reference numbers. Libraries that
log message contents or SQL at DEBUG stay at INFO.
"""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final

VERBOSE: Final = ("aiosqlite", "discord.gateway", "discord.http", "discord.webhook")
"""Loggers that log message contents or SQL at DEBUG."""

_ADDRESS: Final = re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.-]+")
_PLAIN: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class PlainLines(logging.Formatter):
    """Plain lines with tokens removed."""

    def __init__(self, secret: str | None) -> None:
        super().__init__(_PLAIN)
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the traceback of an exception."""
        return redact(super().format(record), self._secret)


class JsonLines(logging.Formatter):
    """JSON lines: ``at`` (ISO 8601, UTC), ``level``, ``logger``, ``message``, and perhaps ``exception``.

    Anything in ``extra`` is added, such as ``reference``, the number that the user was shown.
    """

    def __init__(self, secret: str | None) -> None:
        super().__init__()
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """Return the object on one line."""
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return redact(json.dumps(said, ensure_ascii=False, default=str), self._secret)


def redact(text: str, secret: str | None) -> str:
    """Return the text without the secret and the interaction tokens, which are valid for 15 minutes."""
    text = _ADDRESS.sub(r"\1[token]", text)
    return text.replace(secret, "[token]") if secret else text


def set_up(level: str, form: str, secret: str | None = None) -> None:
    """Log to standard error at this level, as ``plain`` or ``json`` lines. ``secret`` is never logged."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(secret) if form == "json" else PlainLines(secret))
    logging.basicConfig(level=level, handlers=[handler])
    for name in VERBOSE:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
