"""What users and servers have chosen, as values: pings, hands, the defaults of new tables, saved options."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from bot.games.game import Value

HandStyle = Literal["pictures", "emojis", "text"]
"""How a user wants to see hands."""


class PingSettings(msgspec.Struct, frozen=True):
    """When a user wants to be pinged.

    ``quiet`` is the start and end of their quiet hours in minutes of their day, which is ``utc_offset`` minutes ahead
    of UTC.
    """

    pings: bool = True
    quiet: tuple[int, int] | None = None
    utc_offset: int = 0


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
