"""What goes wrong in an evening. Each fault is drawn from the seed and its own number, so that one can be left out."""

import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Final

import aiohttp
import discord
from simcord.backend import Backend

_WAY_S: Final = 0.03
"""Mean time that a request, or its answer, is on its way."""
_REPEATED: Final = "500 after, then carried out again"
_KINDS: Final = {
    "500 before": 4,
    "500 after": 4,
    "500 once": 3,
    _REPEATED: 3,
    "a portal's page": 1,
    "429": 3,
    "the answer is lost": 2,
    "the connection breaks before": 2,
    "the connection breaks after": 2,
    "slow": 8,
}
"""What may happen to a request, with its weight."""
_OF_TOKENS: Final = {"50027": 3}
_OF_CALLBACKS: Final = {"too late": 4, "40060": 2}
_OF_OLD: Final = {"30046": 20}
_OLD_S: Final = 3600.0
"""Discord limits edits of messages older than this."""


_BEFORE: Final = {
    "500 before": (503, 0, "Service Unavailable"),
    "a portal's page": (403, 0, "<html>Please log in</html>"),
    "429": (429, 0, "You are being rate limited."),
    "50027": (401, 50027, "Invalid Webhook Token"),
    "30046": (429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
}
_AFTER: Final = {
    "500 after": (503, 0, "Service Unavailable"),
    "40060": (400, 40060, "Interaction has already been acknowledged."),
}
_ERRORS: Final = (("before", _BEFORE), ("after", _AFTER))
"""The errors with which Discord answers, before or after it has carried out the request."""


class _Response:
    """As much of aiohttp's response as discord.py's errors read."""

    def __init__(self, status: int, reason: str) -> None:
        self.status, self.reason = status, reason
        self.headers: dict[str, str] = {}


def refusal(status: int, code: int, text: str) -> discord.HTTPException:
    """Return the error that discord.py raises for Discord's answer."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        kind = discord.DiscordServerError
    return kind(_Response(status, text), {"code": code, "message": text})


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to one request: how long it takes, and the error before or after Discord carries it out."""

    up_s: float
    down_s: float
    name: str = ""
    before: Exception | None = None
    after: Exception | None = None
    is_repeated: bool = False


class Faults:
    """The faults of one evening. ``left_out`` has the names of those that don't happen this time."""

    def __init__(self, seed: str, left_out: Collection[str], tell: Callable[[str], None]) -> None:
        chance = Random(f"{seed} weather")
        self._seed = seed
        self._left_out = left_out
        self._tell = tell
        self.is_calm = chance.random() < 0.25
        self._of_requests = 0.0 if self.is_calm else chance.choice((0.0, 0.01, 0.05, 0.15))
        self._of_commits = 0.0 if self.is_calm else chance.choice((0.0, 0.0, 0.02, 0.1))
        self.of_events = 0.0 if self.is_calm else chance.choice((0.0, 0.02, 0.1))
        """The probability that an interaction is delivered twice, or never."""
        self.of_steps = 0.0 if self.is_calm else chance.choice((0.0, 0.0, 0.02, 0.05))
        """The probability that the bot crashes, or is stopped, soon after somebody's step."""
        self.of_world = 0.0 if self.is_calm else chance.choice((0.0, 0.02, 0.06))
        """The probability that a step changes something on the server or the clock."""
        self.closed_to: set[int] = set()
        """Users who take no direct messages."""
        self.are_over = False
        self.happened: list[str] = []
        """The names of all steps and faults so far."""
        self._commits = 0

    @property
    def spare_answers(self) -> bool:
        """Whether nothing that may happen keeps an interaction from being answered."""
        return not any((self._of_requests, self._of_commits, self.of_events, self.of_steps, self.of_world))

    def happens(self, key: str, probability: float) -> bool:
        """Whether the fault of this name happens."""
        if self.are_over or self.draw(key).random() >= probability:
            return False
        return not self.leaves_out(key)

    def leaves_out(self, key: str) -> bool:
        """Whether a step or a fault doesn't happen this time."""
        self.happened.append(key)
        return key in self._left_out

    def draw(self, key: str) -> Random:
        """Return what draws the details of a fault."""
        return Random(f"{self._seed} {key}")

    def of_request(self, number: int, method: str, path: str, now: float) -> Fate:
        """Return what happens to a request."""
        key = f"request {number}"
        chance = self.draw(f"time of {key}")
        up_s, down_s = chance.expovariate(1 / _WAY_S), chance.expovariate(1 / _WAY_S)
        if not self.happens(key, self._of_requests):
            return Fate(up_s, down_s)
        kinds = dict(_KINDS)
        if path.startswith("/webhooks/"):
            kinds |= _OF_TOKENS
        if path.endswith("/callback"):
            kinds |= _OF_CALLBACKS
        if method == "PATCH" and path.startswith("/channels/") and _age_s(path, now) > _OLD_S:
            kinds |= _OF_OLD
        chance = self.draw(f"kind of {key}")
        (name,) = chance.choices(list(kinds), list(kinds.values()))
        self._tell(f"fault of {method} {path}: {name} ({key})")
        return _fate(name, up_s, down_s, chance)

    def check_recipient(self, backend: Backend, method: str, path: str) -> None:
        """Raise 50007 for a new direct message to somebody who takes none."""
        parts = path.split("/")
        if method == "POST" and path.endswith("/messages") and parts[1] == "channels":
            channel = backend.channels.get(int(parts[2]))
            if channel is not None and self.closed_to & set(channel.recipient_ids):
                raise refusal(HTTPStatus.FORBIDDEN, 50007, "Cannot send messages to this user")

    def of_commit(self) -> float | sqlite3.Error:
        """Return how much longer the next commit takes, or why it is refused."""
        self._commits += 1
        key = f"commit {self._commits}"
        if not self.happens(key, self._of_commits):
            return 0.0
        chance = self.draw(f"kind of {key}")
        name = chance.choice(("slow", "slow", "full", "locked", "disk"))
        self._tell(f"fault of a commit: {name} ({key})")
        if name == "slow":
            return chance.choice((0.5, 2.0, 6.0))
        error = sqlite3.OperationalError(f"injected: {name}")
        names = {"full": "SQLITE_FULL", "locked": "SQLITE_BUSY", "disk": "SQLITE_IOERR_WRITE"}
        error.sqlite_errorname = names[name]
        return error


def _age_s(path: str, now: float) -> float:
    number = path.rpartition("/")[2]
    return now - discord.utils.snowflake_time(int(number)).timestamp() if number.isdecimal() else 0.0


def _fate(name: str, up_s: float, down_s: float, chance: Random) -> Fate:
    """Return the fate of this name."""
    up_s += {"500 before": 1.0, "500 after": 1.0, "500 once": 1 + chance.random(), "too late": 4.0}.get(name, 0.0)
    down_s += {_REPEATED: 1.0, "the answer is lost": chance.choice((20.0, 60.0))}.get(name, 0.0)
    if name == "slow":
        up_s, down_s = up_s + chance.choice((0.5, 2.0, 8.0)), down_s + chance.choice((0.1, 1.0))
    before, after = (refusal(*kinds[name]) if name in kinds else _broken(name, which) for which, kinds in _ERRORS)
    return Fate(up_s, down_s, name, before, after, is_repeated=name == _REPEATED)


def _broken(name: str, which: str) -> Exception | None:
    if name == f"the connection breaks {which}":
        return aiohttp.ClientOSError(104, "Connection reset by peer")
    return TimeoutError() if (name, which) == ("the answer is lost", "after") else None
