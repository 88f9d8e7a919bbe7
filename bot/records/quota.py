"""Limits of what users may do, as values."""

from typing import Final, Literal

import msgspec

Deed = Literal["open", "invite", "look", "night", "match"]
"""What is counted: opening a table, inviting a user, looking for players, planning a game night, a challenge."""


UNLIMITED: Final = 1_000_000


NIGHTS_AN_HOUR: Final = (3, 10)
"""Game nights that a user may plan within an hour, and that may be planned on a server."""


MATCHES_AN_HOUR: Final = (5, 30)
"""The same for challenges."""


class Use(msgspec.Struct, frozen=True):
    """Something that a user or a server may do ``limit`` times within an hour, and is done so many times now."""

    what: Deed
    whose: Literal["user", "server"]
    id: int
    limit: int
    times: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """What all its uses have in common."""
        return self.what, self.whose, self.id


class Quotas(msgspec.Struct, frozen=True):
    """Limits of what users may do.

    Parameters
    ----------
    host, channel, server: Open tables of a host, in a channel and on a server.
    opened, invited, looked: Openings of tables, invited users and searches for players within an hour, of a user and on
        a server.
    """

    host: int = UNLIMITED
    channel: int = UNLIMITED
    server: int = UNLIMITED
    opened: tuple[int, int] = (UNLIMITED, UNLIMITED)
    invited: tuple[int, int] = (UNLIMITED, UNLIMITED)
    looked: tuple[int, int] = (UNLIMITED, UNLIMITED)

    def uses(self, what: Deed, user_id: int, guild_id: int | None, times: int = 1) -> tuple[Use, ...]:
        """Return what is counted if the user does this. What has no limit isn't."""
        limits = {"open": self.opened, "invite": self.invited, "look": self.looked}
        limits |= {"night": NIGHTS_AN_HOUR, "match": MATCHES_AN_HOUR}
        of_user, of_server = limits[what]
        uses = [Use(what, "user", user_id, of_user, times)]
        if guild_id is not None:
            uses.append(Use(what, "server", guild_id, of_server, times))
        return tuple([use for use in uses if use.limit < UNLIMITED])


NO_QUOTAS: Final = Quotas()
