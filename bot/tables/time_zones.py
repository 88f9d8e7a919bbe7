"""Time zones of users and servers: parsing what people type, formatting, checking. Pure."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from bot.errors import InvalidOption
from bot.games.typed import clean
from bot.records.preference import Server, UserSettings

COMMON: Final = (
    *("Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago"),
    *("America/New_York", "America/Halifax", "America/Sao_Paulo", "Atlantic/Azores", "Europe/London", "Europe/Berlin"),
    *("Europe/Athens", "Africa/Johannesburg", "Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata"),
    *("Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Brisbane", "Australia/Sydney"),
    "Pacific/Auckland",
)
"""The zones in menus, from west to east: one fewer than fit."""

_ABBREVIATIONS: Final[Mapping[str, str]] = {
    abbreviation: zone
    for zone, abbreviations in {
        "Pacific/Honolulu": "hst",
        "America/Anchorage": "akst akdt",
        "America/Los_Angeles": "pst pdt pt",
        "America/Denver": "mst mdt mt",
        "America/Chicago": "cst cdt ct",
        "America/New_York": "est edt et",
        "America/Sao_Paulo": "brt",
        "Europe/London": "bst",
        "Europe/Lisbon": "wet west",
        "Europe/Berlin": "cet cest mez mesz met",
        "Europe/Athens": "eet eest oez oesz",
        "Europe/Moscow": "msk",
        "Europe/Istanbul": "trt",
        "Africa/Johannesburg": "sast",
        "Asia/Kolkata": "ist",
        "Asia/Shanghai": "hkt",
        "Asia/Singapore": "sgt",
        "Asia/Tokyo": "jst",
        "Asia/Seoul": "kst",
        "Australia/Perth": "awst",
        "Australia/Sydney": "aest aedt",
        "Pacific/Auckland": "nzst nzdt",
        "UTC": "utc gmt z",
    }.items()
    for abbreviation in abbreviations.split()
}
"""What people write for the time where they live, in summer and in winter."""
_OFFSET: Final = re.compile(r"(?:utc|gmt)?\s*([+-]?)\s*(\d{1,2})(?:[:.]?([0-5]\d))?(?:\s*h)?")
_MAX_OFFSET: Final = 14 * 60
_MIN_OFFSET: Final = -12 * 60
_ZONES: Final = files("tzdata").joinpath("zoneinfo")


def local_time(settings: UserSettings, at: float) -> datetime:
    """Return the user's time at ``at``, in seconds since 1970."""
    return datetime.fromtimestamp(at, zone_of(settings))


def zone_of(settings: UserSettings) -> tzinfo:
    """Return the user's time zone."""
    return _zone(settings.timezone) or timezone(timedelta(minutes=settings.utc_offset))


def zone_of_server(server: Server) -> tzinfo:
    """Return the time zone of a server. What isn't known any more counts as UTC."""
    try:
        return zone_of(with_zone(UserSettings(), server.timezone or "UTC"))
    except InvalidOption:
        return UTC


def zone_text(settings: UserSettings, at: float) -> str:
    """Return the user's time zone in words: ``Europe/Berlin (UTC+02:00)``, or only the offset."""
    offset = local_time(settings, at).utcoffset() or timedelta()
    text = _offset_text(round(offset.total_seconds() / 60))
    return f"{settings.timezone} ({text})" if settings.timezone else text


def with_zone(settings: UserSettings, text: str) -> UserSettings:
    """Return the settings with a time zone that a user typed: ``Europe/Berlin``, ``berlin``, ``CET`` or ``+5:30``.

    Raises `InvalidOption`.
    """
    if (offset := _read_offset(text)) is not None:
        return replace(settings, utc_offset=offset, timezone=None)
    key = _key(text)
    zone = _ABBREVIATIONS.get(key) or _by_name().get(key) or _by_name().get(_key(text.split(",", maxsplit=1)[0]))
    if zone is None:
        raise InvalidOption("Pick your time zone from the list, such as Europe/Berlin, or write it as +2 or -3:30.")
    return replace(settings, timezone=zone)


def matching_zones(text: str, at: float) -> list[str]:
    """Return the zones that a user may mean, what they have typed so far first. All can be typed."""
    if (offset := _read_offset(text)) is not None:
        return [_offset_text(offset), *zones_at(offset, at)]
    key = _key(text)
    if not key:
        return list(COMMON)
    meant = _ABBREVIATIONS.get(key)
    return list(dict.fromkeys([*([meant] if meant else []), *(zone for zone in _places() if key in _key(zone))]))


def zones_at(offset: int, at: float) -> list[str]:
    """Return the common zones that were so many minutes ahead of UTC at some time in the year before."""
    times = [at - days * 24 * 3600 for days in range(0, 365, 60)]
    return [zone for zone in COMMON if timedelta(minutes=offset) in {_offset(zone, time) for time in times}]


def _offset(zone: str, at: float) -> timedelta | None:
    return datetime.fromtimestamp(at, _zone(zone) or UTC).utcoffset()


def _read_offset(text: str) -> int | None:
    """Parse ``+2``, ``-03:30`` or ``UTC+5:45`` to minutes ahead of UTC."""
    found = _OFFSET.fullmatch(clean(text).lower())
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3] or 0)
    offset = -minutes if found[1] == "-" else minutes
    return offset if _MIN_OFFSET <= offset <= _MAX_OFFSET else None


def _offset_text(offset: int) -> str:
    return f"UTC{'-' if offset < 0 else '+'}{abs(offset) // 60:02}:{abs(offset) % 60:02}"


@cache
def _zone(name: str | None) -> tzinfo | None:
    """Return the zone of the package tzdata, which the lock file names; ``None`` if that has none of this name.

    ``ZoneInfo(name)`` would prefer the system's zones, which may be years older:
    https://docs.python.org/3/library/zoneinfo.html#data-sources
    """
    if name is None or name not in _names():
        return None
    with _ZONES.joinpath(*name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@cache
def _names() -> tuple[str, ...]:
    every = files("tzdata").joinpath("zones").read_text("utf-8").split()
    return tuple(name for name in every if name != "Factory")  # it stands for a clock that nobody has set


@cache
def _places() -> tuple[str, ...]:
    """Return the zones to choose from: those of all countries, each by its largest cities."""
    lines = _ZONES.joinpath("zone.tab").read_text("utf-8").splitlines()
    return (*sorted({line.split("\t")[2] for line in lines if line and not line.startswith("#")}), "UTC")


@cache
def _by_name() -> Mapping[str, str]:
    """Return each zone by its name in full, and by its city alone, as `_key` writes them."""
    every = (*_places(), *_names())
    cities = {_key(zone.rpartition("/")[2]): zone for zone in reversed(every)}
    return cities | {_key(zone): zone for zone in reversed(every)}


def _key(text: str) -> str:
    """Return the letters and digits of a name, without accents and case: ``saopaulo`` for ``São Paulo``."""
    letters = unicodedata.normalize("NFKD", clean(text)).casefold()
    return "".join([letter for letter in letters if letter.isascii() and (letter.isalnum() or letter == "+")])
