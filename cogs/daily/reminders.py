"""Reminders of streaks that end tonight, for those who asked for them: one direct message a day at most."""

import logging
from datetime import date, datetime, tzinfo
from typing import Final

from bot.records.event import at_risk, daily_name
from bot.records.preference import Streaker
from bot.running.client import LilypadBot
from bot.tables.events import midnight
from bot.tables.ping_settings import wants_ping
from bot.tables.time_zones import zone_of, zone_of_server
from bot.texts import gettext as _, ngettext, supported, using
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, Reach, reach_of
from bot.ui.posts.post import Button, Post

log: Final = logging.getLogger(__name__)

_FROM_HOUR: Final = 19
"""The hour of the player's day from which on they are reminded."""


async def remind(bot: LilypadBot) -> None:
    """Send the reminders that are due."""
    now = bot.now()
    for each in await bot.tables.users.streakers():
        zone = await _zone_of(bot, each)
        at = datetime.fromtimestamp(now, zone)
        if at.hour < _FROM_HOUR or each.reminded >= at.toordinal() or not wants_ping(each.settings, now):
            continue
        records = bot.tables.events.records
        days = at_risk(at.date(), await records.days(each.user_id))
        if days and await records.result(daily_name(at.date()), each.user_id) is None:
            await _send(bot, each, at.date(), _post(each, days, midnight(at.date(), zone)))


async def _zone_of(bot: LilypadBot, each: Streaker) -> tzinfo:
    """Return the time zone of the user's daily: that of the server where they played the last one, or their own."""
    if each.guild_id is None:
        return zone_of(each.settings)
    return zone_of_server(await bot.tables.servers.settings(each.guild_id))


def _post(each: Streaker, days: int, ends_at: float) -> Post:
    with using(supported(each.language)):
        said = ngettext(
            "Your streak of {n} day ends at midnight ({when}), unless you play today's daily.",
            "Your streak of {n} days ends at midnight ({when}), unless you play today's daily.",
            days,
            when=f"<t:{ends_at:.0f}:R>",
        )
        off = "-# " + _("`/settings reminder:off` stops these messages.")
        return Post((said, off), rows=((Button("daily", _("Today's daily"), "primary"),),))


async def _send(bot: LilypadBot, each: Streaker, day: date, post: Post) -> None:
    """Send a reminder, and record it afterwards: if that fails, Discord knows the nonce of the next one."""
    try:
        await bot.live.outbox.send_direct(each.user_id, post, f"s{each.user_id:x}.{day.toordinal():x}")
    except CONNECTION_ERRORS as error:
        log.info("user %s got no reminder: %s", each.user_id, error)
        if reach_of(error, is_direct=True, is_new=True) is Reach.USER:
            await bot.live.note_closed(each.user_id, None, error)
        return
    await bot.tables.users.record_reminder(each.user_id, day.toordinal())
