"""The clocks of tables: time limits for moves, and what becomes due while a table waits. Pure."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from bot.errors import InvalidOption

MINUTE: Final = 60.0
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

CLOCKS: Final[Mapping[str, float | None]] = {"none": None, "live": 90.0, "day": DAY, "three-days": 3 * DAY}
"""Time limits for a move in seconds, by clock. The first is the default."""

DEAD_S: Final = 14 * DAY
"""A table in play is closed if nothing has happened there for this long."""
LOBBY_LIFE_S: Final = DAY
"""A lobby is closed if it hasn't changed for this long."""

REMINDERS: Final[Mapping[str, tuple[float, ...]]] = {
    "none": (4 * HOUR, DAY, 3 * DAY, 7 * DAY),
    "day": (6 * HOUR, 18 * HOUR, 3 * DAY, 7 * DAY),
    "three-days": (12 * HOUR, 2 * DAY, 5 * DAY),
}


class Step(NamedTuple):
    """Something that becomes due after a time without a move.

    ``remind`` pings the players to move, ``offer`` shows what the others can do, ``play`` lets a computer play the
    turn, ``close`` closes the table.
    """

    after_s: float
    what: Literal["remind", "offer", "play", "close"]


def steps(clock: str) -> tuple[Step, ...]:
    """Return everything that becomes due while a table waits, in order."""
    if clock == "live":
        return Step(90.0, "play"), Step(2 * 90.0, "offer"), Step(DEAD_S, "close")
    reminders = [Step(after_s, "remind") for after_s in REMINDERS[clock]]
    return tuple(sorted((*reminders, Step(patience_s(clock), "offer"), Step(DEAD_S, "close"))))


def patience_s(clock: str) -> float:
    """Return the time without a move after which any player may act."""
    return CLOCKS[clock] or DAY


def settle_clock(clock: str) -> str:
    """Return the clock. Raises `InvalidOption` if there is no such clock."""
    if clock not in CLOCKS:
        raise InvalidOption(
            "There's no clock {clock}. Choose one of these: {clocks}.", clock=repr(clock), clocks=", ".join(CLOCKS)
        )
    return clock
