"""Recaps: what happened on a server in the seven days before a day of the week, or in a year."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from typing import Final, NamedTuple

from bot.records.preference import Server
from bot.records.standing import Recap, Season, Year
from bot.store.store import Store
from bot.tables.events import midnight
from bot.tables.time_zones import zone_of_server

HOUR: Final = 9
"""The hour of the day at which recaps are due."""
_LEAST_DAYS: Final = 4
"""Minimum number of days between two recaps, as moderators may choose another day."""
_WEEK: Final = timedelta(days=7)
_DAY: Final = timedelta(days=1)


class DueRecap(NamedTuple):
    """A recap to be posted: on which day, and in which time zone. It is about the week before that day."""

    guild_id: int
    channel_id: int
    day: date
    zone: tzinfo

    @property
    def first(self) -> date:
        """The first day that it is about."""
        return self.day - _WEEK

    @property
    def last(self) -> date:
        """The last day that it is about."""
        return self.day - _DAY


def latest_day(weekday: int, zone: tzinfo, at: float) -> date:
    """Return the latest day on which a recap was due; 0 is Monday."""
    local = datetime.fromtimestamp(at, zone)
    days = (local.weekday() - weekday) % 7
    if not days and local.hour < HOUR:
        days = 7
    return local.date() - timedelta(days=days)


def _first_of_month(day: date, months: int) -> date:
    """Return the first day of the month that is so many months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


class Recaps:
    """The recaps that servers want. The day of the last one is stored, so that each is posted once."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now

    def last_day(self, server: Server) -> date:
        """Return the latest day on which a recap was due on a server."""
        return latest_day(server.recap_day, zone_of_server(server), self._now())

    async def due(self, guild_id: int) -> DueRecap | None:
        """Return the recap that is due on a server."""
        server = await self._store.servers.settings(guild_id)
        day, last = self.last_day(server), await self._store.servers.last_recap(guild_id)
        if server.recap_channel_id is None or day.toordinal() - last < _LEAST_DAYS:
            return None
        return DueRecap(guild_id, server.recap_channel_id, day, zone_of_server(server))

    async def next_at(self, guild_id: int) -> float | None:
        """Return when a recap may be due next on a server; ``None`` if it wants none."""
        server = await self._store.servers.settings(guild_id)
        if server.recap_channel_id is None:
            return None
        day = self.last_day(server) + _WEEK
        return datetime(day.year, day.month, day.day, HOUR, tzinfo=zone_of_server(server)).timestamp()

    async def of_week(self, due: DueRecap) -> Recap:
        """Return what the recap tells."""
        begin, end = midnight(due.first - _DAY, due.zone), midnight(due.last, due.zone)
        return await self._store.standings.recap(due.guild_id, begin, end)

    async def of_month(self, guild_id: int, game: str, back: int = 0) -> tuple[date, Season]:
        """Return the season of the present month on a server, or of one before, and the month's first day."""
        zone = zone_of_server(await self._store.servers.settings(guild_id))
        today = datetime.fromtimestamp(self._now(), zone).date()
        begin, end = [_first_of_month(today, months) for months in (-back, 1 - back)]
        between = [datetime(day.year, day.month, 1, tzinfo=zone).timestamp() for day in (begin, end)]
        return begin, await self._store.standings.season(guild_id, game, *between)

    async def years(self, guild_id: int) -> range:
        """Return the years in which games ended on a server, and those between, in its time zone."""
        zone = zone_of_server(await self._store.servers.settings(guild_id))
        ends = await self._store.standings.ends(guild_id)
        first, last = [datetime.fromtimestamp(at, zone).year for at in ends] if ends else (1, 0)
        return range(first, last + 1)

    async def of_year(self, guild_id: int, year: int) -> Year:
        """Return what happened on a server in a year."""
        zone = zone_of_server(await self._store.servers.settings(guild_id))
        months = [datetime(year, month, 1, tzinfo=zone).timestamp() for month in range(1, 13)]
        end = datetime(year + 1, 1, 1, tzinfo=zone).timestamp()
        return await self._store.standings.year(guild_id, [*months, end])

    async def done(self, due: DueRecap) -> None:
        """Store that the recap is posted, or that there is nothing to tell."""
        await self._store.servers.note_recap(due.guild_id, due.day.toordinal())
