"""Game nights: planning them, and the table that opens when one begins."""

import secrets
from collections.abc import Callable
from datetime import tzinfo
from typing import Final

from msgspec.structs import replace

from bot.errors import InvalidOption, NotAllowed
from bot.records.night import Night
from bot.records.preference import Server, UserSettings
from bot.records.quota import Quotas
from bot.records.table import Person, Place, Table
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY, HOUR
from bot.tables.defaults import Wanted, merged
from bot.tables.finding import Finder
from bot.tables.lobbies import Lobbies
from bot.tables.time_zones import local_time, with_zone

MOST_AHEAD_S: Final = 60 * DAY
LATE_S: Final = 2 * HOUR
"""A night that couldn't begin for this time is missed."""
KEPT_S: Final = DAY
"""A night is deleted this long after it should have begun."""
_IDS: Final = range(2**10, 2**20)
_MOST_TABLES: Final = 25


class GameNights:
    """Plans game nights, and opens their tables."""

    def __init__(
        self, store: Store, finder: Finder, lobbies: Lobbies, now: Callable[[], float], quotas: Quotas
    ) -> None:
        self._store = store
        self._finder = finder
        self._lobbies = lobbies
        self._now = now
        self._quotas = quotas
        self.find = store.nights.find
        self.all = store.nights.all
        self.leave = store.nights.leave

    async def plan(self, host: Person, place: Place, game: str, starts_at: float) -> Night:
        """Plan a night. Raises `InvalidOption`, or `NotAllowed` or `TooManyTables` if there are too many."""
        self._check_time(starts_at)
        if place.guild_id is None:
            raise NotAllowed("Game nights are for servers.")
        night_id = secrets.choice(_IDS)
        night = Night(
            night_id, place.guild_id, place.channel_id, host.id, host.name, game, starts_at, guests=(host.id,)
        )
        uses = self._quotas.uses("night", host.id, place.guild_id)
        await self._store.nights.plan(night, uses, self._now())
        return night

    async def change(self, night: Night, user_id: int, game: str, starts_at: float | None = None) -> None:
        """Change the game and the time of a night, by default not the time. Raises as `plan` does.

        With a new time, this counts as planning a night if others are in: they get a ping.
        """
        if starts_at is not None:
            self._check_time(starts_at)
        uses = self._quotas.uses("night", user_id, night.guild_id)
        changed = replace(night, game=game, starts_at=night.starts_at if starts_at is None else starts_at)
        if not await self._store.nights.change(changed, uses, self._now(), by=user_id):
            raise NotAllowed("This game night is over.")

    def _check_time(self, starts_at: float) -> None:
        if not 0 < starts_at - self._now() <= MOST_AHEAD_S:
            raise InvalidOption(
                "That's {when}. Choose a time within the next {days} days.",
                when=f"<t:{starts_at:.0f}:F>",
                days=round(MOST_AHEAD_S / DAY),
            )

    async def join(self, night_id: int, user_id: int) -> None:
        """Note that the user is in. Raises `NotAllowed` if too many are."""
        await self._store.nights.join(night_id, user_id, self._now())

    async def cancel(self, night: Night) -> None:
        """Cancel a night. Raises `NotAllowed` if it has begun."""
        if not await self._store.nights.settle(night, "cancelled"):
            raise NotAllowed("This game night is over.")

    async def begin(self, night: Night, server: Server) -> Table | None:
        """Open the table of a night whose time has come, and return it; ``None`` if another process does.

        The night begins first, so that only one process opens a table. If that one dies before it has noted the table,
        the next one finds it: it is the host's, and opened since. Raises what `Lobbies.open` raises,
        and `NotAllowed` if it is too late.
        """
        if self._now() >= night.starts_at + LATE_S:
            raise NotAllowed("I was offline when it should have begun.")
        if night.status == "planned" and not await self._store.nights.settle(night, "begun"):
            return None
        table = await self._opened(night) or await self._open(night, server)
        await self._store.nights.opened(night.id, table.id)
        return table

    async def miss(self, night: Night) -> None:
        """Note that a night couldn't begin."""
        await self._store.nights.settle(night, "missed")

    async def _opened(self, night: Night) -> Table | None:
        here = await self._store.lists.in_channel(night.channel_id, night.game, _MOST_TABLES)
        own = (each for each in here if each.host_id == night.host_id and each.opened_at >= night.starts_at)
        return next(own, None)

    async def _open(self, night: Night, server: Server) -> Table:
        options, clock, level = merged(self._finder.game(night.game), Wanted(), None, server)
        receipt = await self._lobbies.open(
            night.game,
            options,
            Person(night.host_id, night.host_name),
            Place(night.guild_id, night.channel_id),
            clock=clock,
            levels=(level,),
            called=night.guests,
        )
        return receipt.table

    async def forget_old(self) -> None:
        """Delete the nights of the days before."""
        await self._store.nights.forget(self._now() - KEPT_S)


def zone_of(server: Server, settings: UserSettings, at: float) -> tuple[tzinfo, str]:
    """Return the time zone in which a user types times on a server, and its name: the server's, else their own."""
    meant = with_zone(UserSettings(), server.timezone) if server.timezone else settings
    zone = local_time(meant, at).tzinfo
    assert zone is not None  # noqa: S101 - local times have a zone
    return zone, meant.timezone or local_time(meant, at).tzname() or "UTC"
