"""The log on standard error: a line for people, or a JSON object a line for programs.

Neither holds the token, a hand, a seed or a move, at no level: what is logged here names tables, interactions and
references, and the libraries that would write down what they send and store are held to INFO.
"""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final

TALKATIVE: Final = ("aiosqlite", "discord.gateway", "discord.http", "discord.webhook")
"""Loggers that at DEBUG tell the content of messages and of statements."""

_ADDRESS: Final = re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.-]+")
_PLAIN: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class PlainLines(logging.Formatter):
    """Lines for people; tokens, should one ever get into them, are left out."""

    def __init__(self, secret: str | None = None) -> None:
        super().__init__(_PLAIN)
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """The line, and the story of an exception below it."""
        return hush(super().format(record), self._secret)


class JsonLines(logging.Formatter):
    """An object a line: ``at`` (ISO 8601, UTC), ``level``, ``logger``, ``message``; ``exception`` where there was one;
    and whatever was given as ``extra``, such as ``reference``, the number that the person was told.
    """

    def __init__(self, secret: str | None = None) -> None:
        super().__init__()
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """The object, in one line."""
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return hush(json.dumps(said, ensure_ascii=False, default=str), self._secret)


def hush(text: str, secret: str | None) -> str:
    """The text without the secret, and without the tokens in addresses of Discord's, which are good for 15 minutes."""
    text = _ADDRESS.sub(r"\1[token]", text)
    return text.replace(secret, "[token]") if secret else text


def set_up(level: str, form: str, secret: str | None = None) -> None:
    """From now on everything is logged to standard error, from this level on, as ``plain`` or ``json`` lines.

    ``secret`` is left out wherever it occurs.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(secret) if form == "json" else PlainLines(secret))
    logging.basicConfig(level=level, handlers=[handler])
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
