"""What the bot logs at every level, and which of it is secret."""

import json
import logging
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from bot.logs import JsonLines
from tests.discord.watch import cards_in

_OURS: Final = ("bot", "cogs")


class _Lines(logging.Handler):
    """Collects the lines of the log with all that JSON lines show, but for the time."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Note a line."""
        told = json.loads(JsonLines(None).format(record))
        self._lines.append(json.dumps({key: each for key, each in told.items() if key != "at"}, ensure_ascii=False))


@contextmanager
def logged() -> Iterator[list[str]]:
    """Collect what the bot logs, at all levels."""
    lines: list[str] = []
    handler, loggers = _Lines(lines), [logging.getLogger(name) for name in _OURS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


def secrets_in(lines: Sequence[str], seeds: Collection[bytes], texts: Collection[str]) -> list[str]:
    """Return the lines that name a card, a seed, or one of the texts, such as names and cuts."""
    written = [form for seed in seeds for form in (seed.hex(), json.dumps(repr(seed)[2:-1])[1:-1])]
    secret = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in (*written, *texts)) or "(?!)")
    return [line for line in lines if cards_in(line) or secret.search(line)]
