"""The two forms of a server's settings, and what was filled in. Discord allows five fields each."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import discord
from discord import RadioGroupOption, SelectDefaultValue, SelectDefaultValueType, SelectOption, ui

from bot.records.preference import Server, UserSettings
from bot.tables.time_zones import with_zone, zone_text
from bot.texts import gettext as _
from bot.ui.messages.lobby import clock_names, level_names
from bot.ui.posts.custom_id import parse_number

_IN_MENU: Final = frozenset(
    {
        *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice),
        *(discord.ChannelType.stage_voice, discord.ChannelType.forum),
    }
)
"""The channels in the menu of those where tables may open: Discord's description of its API lacks media channels."""
_MOST_PICKED: Final = 25
"""Maximum number of channels that a menu takes."""
_LONGEST_ZONE: Final = 60


TABLES: Final = ("channels", "role_id", "threads", "clock", "level")
EVENTS: Final = ("daily_channel_id", "recap_channel_id", "recap_day", "timezone", "looking_role_id")
"""The settings of each form."""


def version_of(server: Server, keys: Iterable[str]) -> str:
    """Return a mark of these settings: a form that was opened with others is outdated."""
    return f"{zlib.crc32(repr([getattr(server, key) for key in keys]).encode()):x}"


def day_names() -> tuple[str, ...]:
    """Return the days of the week, from Monday."""
    return (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))


def changes_of_tables(fields: Mapping[str, Any], server: Server, guild: discord.Guild | None) -> dict[str, object]:
    """Return the settings that the form about tables has changed."""
    changes: dict[str, object] = {
        "threads": fields.get("board") == "thread",
        "clock": str(fields.get("clock") or server.clock),
        "level": str(fields.get("level") or server.level),
        "role_id": _picked_role(guild, _numbers(fields.get("openers"))),
    }
    if "channels" in fields:
        shown = _menu_of(server.channels, guild)
        kept = [number for number in server.channels if number not in shown]
        changes["channels"] = (*kept, *_menu_of(_numbers(fields["channels"]), guild))
    return changes


def changes_of_events(fields: Mapping[str, Any], server: Server, guild: discord.Guild | None) -> dict[str, object]:
    """Return the settings that the form about events has changed. Raises `InvalidOption` for an unknown time zone."""
    days = _numbers(fields.get("recap-day"))
    return {
        "daily_channel_id": _picked_channel(guild, _numbers(fields.get("daily"))),
        "recap_channel_id": _picked_channel(guild, _numbers(fields.get("recap"))),
        "recap_day": days[0] % len(day_names()) if days else server.recap_day,
        "timezone": zone_of_form(str(fields.get("timezone") or "")),
        "looking_role_id": _picked_role(guild, _numbers(fields.get("looking"))),
    }


def zone_of_form(text: str) -> str | None:
    """Return the time zone that was typed as it is stored; ``None`` without one. Raises `InvalidOption`."""
    if not text.strip():
        return None
    zone = with_zone(UserSettings(), text)
    return zone.timezone or zone_text(zone, 0)


def _numbers(picked: object) -> list[int]:
    return [parse_number(str(each)) for each in picked] if isinstance(picked, list) else []


def _picked_role(guild: discord.Guild | None, picked: Sequence[int]) -> int | None:
    roles = map(guild.get_role, picked) if guild else ()
    return next((role.id for role in roles if role and not role.is_default()), None)


def _menu_of(numbers: Iterable[int], guild: discord.Guild | None) -> list[int]:
    """Return the channels that a menu can show."""
    channels = map(guild.get_channel, numbers) if guild else ()
    return [channel.id for channel in channels if channel and channel.type in _IN_MENU]


def tables_form(custom_id: str, server: Server, guild: discord.Guild | None) -> ui.Modal:
    """Return the form about tables. More channels than a menu takes are left to the command."""
    form = ui.Modal(title=_("Tables"), custom_id=custom_id)
    if len(server.channels) <= _MOST_PICKED:
        shown = _menu_of(server.channels, guild)
        picked = [SelectDefaultValue(id=number, type=SelectDefaultValueType.channel) for number in shown]
        types = sorted(_IN_MENU, key=lambda kind: kind.value)
        channels: ui.ChannelSelect[ui.Modal] = ui.ChannelSelect(
            custom_id="channels",
            channel_types=types,
            min_values=0,
            max_values=_MOST_PICKED,
            default_values=picked,
            required=False,
        )
        form.add_item(ui.Label(text=_("Tables open in"), description=_("None means everywhere"), component=channels))
    role = _role("openers", server.role_id)
    form.add_item(ui.Label(text=_("Opened by members with"), description=_("None means everyone"), component=role))
    boards = {"channel": _("in the channel"), "thread": _("in a thread of its own")}
    form.add_item(_radio("board", _("Board"), boards, "thread" if server.threads else "channel"))
    form.add_item(_radio("clock", _("Clock"), clock_names(), server.clock))
    form.add_item(_radio("level", _("Computers"), level_names(), server.level))
    return form


def _radio(key: str, label: str, names: Mapping[str, str], chosen: str) -> "ui.Label[ui.Modal]":
    options = [RadioGroupOption(label=name, value=value, default=value == chosen) for value, name in names.items()]
    group: ui.RadioGroup[ui.Modal] = ui.RadioGroup(custom_id=key, options=options)
    return ui.Label(text=label, component=group)


def events_form(custom_id: str, server: Server) -> ui.Modal:
    """Return the form about the daily, the recap and the search for players."""
    form = ui.Modal(title=_("Daily, recap, players"), custom_id=custom_id)
    daily = _text_channel("daily", server.daily_channel_id)
    form.add_item(ui.Label(text=_("Daily in"), description=_("None means where it's first opened"), component=daily))
    recap = _text_channel("recap", server.recap_channel_id)
    form.add_item(ui.Label(text=_("Recap of the week in"), description=_("None means no recap"), component=recap))
    days = [
        SelectOption(label=name, value=str(day), default=day == server.recap_day)
        for day, name in enumerate(day_names())
    ]
    form.add_item(ui.Label(text=_("Day of the recap"), component=ui.Select(custom_id="recap-day", options=days)))
    zone: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id="timezone",
        default=server.timezone,
        placeholder="UTC",
        required=False,
        max_length=_LONGEST_ZONE,
    )
    form.add_item(
        ui.Label(text=_("Time zone of the server"), description=_("Such as Europe/Berlin, or +2"), component=zone)
    )
    looking = _role("looking", server.looking_role_id)
    form.add_item(ui.Label(text=_("Find players mentions"), description=_("None means nobody"), component=looking))
    return form


def _text_channel(key: str, chosen: int | None) -> "ui.ChannelSelect[ui.Modal]":
    picked = [SelectDefaultValue(id=chosen, type=SelectDefaultValueType.channel)] if chosen else []
    types = [discord.ChannelType.text, discord.ChannelType.news]
    return ui.ChannelSelect(custom_id=key, channel_types=types, min_values=0, default_values=picked, required=False)


def _role(key: str, chosen: int | None) -> "ui.RoleSelect[ui.Modal]":
    picked = [SelectDefaultValue(id=chosen, type=SelectDefaultValueType.role)] if chosen else []
    return ui.RoleSelect(custom_id=key, min_values=0, default_values=picked, required=False)


def _picked_channel(guild: discord.Guild | None, picked: Sequence[int]) -> int | None:
    channels = map(guild.get_channel, picked) if guild else ()
    return next((channel.id for channel in channels if isinstance(channel, discord.TextChannel)), None)
