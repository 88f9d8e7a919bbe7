"""Discord's clock, as a second opinion about the host's."""

import time
from contextlib import suppress
from email.utils import parsedate_to_datetime

import aiohttp


class DiscordClock:
    """Discord's time, from its last response. It is read where a wrong clock would do harm, such as deleting data."""

    def __init__(self) -> None:
        self._noted: tuple[float, float] | None = None
        """The time of the last response, in seconds since 1970, and on this process's monotonic clock."""

    def note(self, response: aiohttp.ClientResponse) -> None:
        """Note the time at which Discord responded."""
        with suppress(KeyError, ValueError, OverflowError):
            self._noted = parsedate_to_datetime(response.headers["Date"]).timestamp(), time.monotonic()

    def now(self) -> float | None:
        """Return Discord's time in seconds since 1970; ``None`` before its first response."""
        return self._noted and self._noted[0] + time.monotonic() - self._noted[1]
