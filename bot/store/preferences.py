"""Choices of users and servers, as values: settings, the defaults of new tables, saved options."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from bot.games.game import Value

HandStyle = Literal["pictures", "text"]
"""The style in which a user sees hands."""


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
    """

    pings: bool = True
    quiet: tuple[int, int] | None = None
    utc_offset: int = 0
    timezone: str | None = None
    prefers_menus: bool = False
    hands: HandStyle = "pictures"
    language: str | None = None


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
    """

    guild_id: int
    channels: tuple[int, ...] = ()
    threads: bool = False
    role_id: int | None = None
    clock: str = "none"
    language: str | None = None
    looking_role_id: int | None = None
    level: str = "fair"


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
    level: str = "fair"
