"""The settings of users and servers as values, and what is kept about a user."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from bot.games.game import Value
from bot.records.table import DEFAULT_CLOCK, DEFAULT_LEVEL

HandStyle = Literal["pictures", "text"]
"""The style in which a user sees hands."""
Wish = Literal["ask", "on", "off"]
"""Whether a user wants something; ``ask`` until they have been asked."""


class UserSettings(msgspec.Struct, frozen=True):
    """The settings of a user.

    Parameters
    ----------
    pings: Whether they want to be pinged.
    quiet: The start and end of their quiet hours, in minutes of their day.
    utc_offset: How many minutes their day is ahead of UTC, if they chose no time zone by name.
    timezone: The name of their time zone, such as ``Europe/Berlin``.
    prefers_menus: Whether they want menus and the board in words, in games that are played on buttons.
    hands: How they want to see their hands.
    language: The language they chose; ``None`` is their app's language.
    tips: Whether they want tips in their first games.
    digest: Whether they want one message in place of several pings.
    away_until: When their last holiday ends, or has ended. `bot.store.waits` stores it.
    ranking: Whether standings show them.
    daily: Whether cards of dailies show their place.
    reminder: Whether they want to be told when their streak of dailies is at risk.
    forced: Whether moves without a choice play themselves.
    """

    pings: bool = True
    quiet: tuple[int, int] | None = None
    utc_offset: int = 0
    timezone: str | None = None
    prefers_menus: bool = False
    hands: HandStyle = "pictures"
    language: str | None = None
    tips: bool = True
    digest: bool = False
    away_until: float | None = None
    ranking: bool = True
    daily: Wish = "ask"
    reminder: bool = False
    forced: Wish = "ask"


class Server(msgspec.Struct, frozen=True):
    """The settings of a server.

    Parameters
    ----------
    channels: Where tables may be opened; everywhere if empty.
    threads: Whether each table gets a thread.
    role_id: The role that members need to open tables.
    clock: The default clock of new tables.
    language: That of public messages; ``None`` is the server's own on Discord.
    looking_role_id: The role that is mentioned when a host looks for players.
    level: How computers play at new tables.
    daily_channel_id: Where the message about the daily is; ``None`` is where it is asked for first.
    timezone: The time zone in which their day ends, as for `bot.tables.time_zones.with_zone`; ``None`` is UTC.
    recap_channel_id: Where the recap of a week is posted; ``None`` is nowhere.
    recap_day: The day of the week of recaps; 0 is Monday.
    """

    guild_id: int
    channels: tuple[int, ...] = ()
    threads: bool = False
    role_id: int | None = None
    clock: str = DEFAULT_CLOCK
    language: str | None = None
    looking_role_id: int | None = None
    level: str = DEFAULT_LEVEL
    daily_channel_id: int | None = None
    timezone: str | None = None
    recap_channel_id: int | None = None
    recap_day: int = 0


class OptionSet(msgspec.Struct, frozen=True):
    """Options of a game under a name: of a user, or of a server.

    ``options`` are those that differ from the default.
    """

    game: str
    name: str
    options: Mapping[str, Value]
    clock: str
    user_id: int | None = None
    guild_id: int | None = None
    id: int = 0
    level: str = DEFAULT_LEVEL


class Digest(msgspec.Struct, frozen=True):
    """A user who may get a digest, with the time of their last one, or 0."""

    user_id: int
    language: str | None
    last_at: float
    settings: UserSettings


class Streaker(msgspec.Struct, frozen=True):
    """A user who wants to be told when their streak of dailies is at risk.

    ``guild_id`` is the server where they played the last one. ``reminded`` is the day of their last reminder, counted
    from 0001-01-01, or 0.
    """

    user_id: int
    language: str | None
    guild_id: int | None
    reminded: int
    settings: UserSettings


Kept = Mapping[str, Sequence[Mapping[str, Any]]]
"""What is stored about a user: rows by heading."""
