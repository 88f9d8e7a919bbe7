"""``/settings``: when a user wants to be pinged, set by command, menu or button."""

from typing import Final

from discord import Interaction, app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.client import LilypadBot
from bot.tables import PingSettings
from bot.tables.ping_settings import clock_text, offset_text, quiet_until, read_offset, read_quiet
from bot.texts import gettext as _
from bot.ui.interactions.respond import Reply, answer
from bot.ui.interactions.router import picked
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Choice, Choices, Post

_QUIET: Final = ("20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-08:00", "00:00-09:00")
_OFFSETS: Final = range(-10 * 60, 15 * 60, 60)


def page(settings: PingSettings, at: float) -> Post:
    """Return the settings with menus to change them. ``at`` is the present time."""
    pings = _("on, when it's your turn") if settings.pings else _("off")
    quiet = _("none") if settings.quiet is None else "–".join(map(clock_text, settings.quiet))
    if quiet_until(settings, at) is not None:
        quiet = _("{hours} (now)", hours=quiet)
    minute = int(at / 60 + settings.utc_offset) % (24 * 60)
    lines = (
        "### " + _("Your settings"),
        "\n".join(
            (
                _("**Pings** {pings}", pings=pings),
                _("**Quiet hours** {hours}", hours=quiet),
                _(
                    "**Time zone** {zone}. It's {time} for you.",
                    zone=offset_text(settings.utc_offset),
                    time=clock_text(minute),
                ),
            )
        ),
        "-# "
        + _(
            "In quiet hours you get no pings. Reminders wait until they're over. "
            "For other times: `/settings quiet:22:30-07:15 timezone:+5:30`."
        ),
    )
    menus = (
        Choices(_("Quiet hours"), (Choice("off", _("off")), *(Choice(hours, hours) for hours in _QUIET)), verb="quiet"),
        Choices(
            _("Time zone"),
            tuple(Choice(str(offset // 60), offset_text(offset)) for offset in _OFFSETS),
            verb="timezone",
        ),
    )
    label = _("Turn pings off") if settings.pings else _("Turn pings on")
    return Post(lines, menus, ((Button("pings", label, argument="off" if settings.pings else "on"),),))


class SettingsCog(commands.Cog):
    """A user's settings."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        bot.add_presses({"quiet": self._pressed, "timezone": self._pressed, "pings": self._pressed})

    @app_commands.command(description="Choose when the bot may ping you")
    @app_commands.describe(
        pings="Pings when it's your turn",
        quiet="No pings between these times, such as 22:00-08:00, or off",
        timezone="Your time zone in hours from UTC, such as +2 or -3:30",
    )
    @app_commands.choices(pings=[app_commands.Choice(name=each, value=each) for each in ("on", "off")])
    async def settings(
        self,
        interaction: Interaction,
        pings: str | None = None,
        quiet: str | None = None,
        timezone: str | None = None,
    ) -> None:
        await answer(interaction, self._set(interaction, {"pings": pings, "quiet": quiet, "timezone": timezone}))

    async def _pressed(self, interaction: Interaction, press: Press) -> Reply:
        return replace(await self._set(interaction, {press.verb: picked(interaction) or press.argument}), where="here")

    async def _set(self, interaction: Interaction, given: dict[str, str | None]) -> Reply:
        before = settings = await self.bot.tables.users.ping_settings(interaction.user.id)
        if pings := given.get("pings"):
            settings = replace(settings, pings=pings == "on")
        if quiet := given.get("quiet"):
            settings = replace(settings, quiet=read_quiet(quiet))
        if timezone := given.get("timezone"):
            settings = replace(settings, utc_offset=read_offset(timezone))
        if settings != before:
            await self.bot.tables.users.set_ping_settings(interaction.user.id, settings)
        return Reply(page(settings, interaction.created_at.timestamp()))


async def setup(bot: LilypadBot) -> None:
    """Add the command, its menus and its button to the bot."""
    await bot.add_cog(SettingsCog(bot))
