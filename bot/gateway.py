"""Staying connected: a shard finds back to Discord, however long that takes.

discord.py does nearly all of it. But where Discord takes connections and closes them before it has said hello, as in an
outage, discord.py (2.7) tries to resume without any pause, hundreds of times a second, and ends the program where a
session was to begin anew; and its pauses grow to a quarter of an hour. Here every such failure is a pause, of a minute
at most.
"""

import logging
from typing import Any, Final, Self

from discord import shard
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

LONGEST_PAUSE_S: Final = 60.0


class _Line(DiscordWebSocket):
    """A connection that is closed before it is greeted has failed like any other that can't be made."""

    @classmethod
    async def from_client(cls, *given: Any, **named: Any) -> Self:
        try:
            return await super().from_client(*given, **named)
        except ReconnectWebSocket as fault:
            raise ConnectionError("Discord closed the connection before it said hello") from fault


class _Pauses(ExponentialBackoff[bool]):
    def delay(self) -> float:
        return min(super().delay(), LONGEST_PAUSE_S)


def stay_connected() -> None:
    """From now on every shard that is connected in this process does so."""
    setattr(shard, "DiscordWebSocket", _Line)  # noqa: B010 - a name of the module, which mypy takes for a type
    setattr(shard, "ExponentialBackoff", _Pauses)  # noqa: B010 - likewise
    logging.getLogger(shard.__name__).addFilter(_in_one_line)


def _in_one_line(record: logging.LogRecord) -> bool:
    """A connection that fails is a warning in one line: nothing is wrong here, and it is tried again."""
    fault = record.exc_info[1] if record.exc_info else None
    if record.levelno == logging.ERROR and fault is not None:
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {type(fault).__name__}: {fault}", (), None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True
