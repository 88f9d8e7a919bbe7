"""``/settings``: when a user wants to be pinged, set by command, menu or button."""

from typing import Final

from discord import Interaction, app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.client import LilypadBot
from bot.tables import PingSettings
from bot.tables.ping_settings import clock_text, offset_text, quiet_until, read_offset, read_quiet
from bot.ui.interactions.respond import Reply, answer
from bot.ui.interactions.router import picked
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Choice, Choices, Post

_QUIET: Final = ("off", "20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-08:00", "00:00-09:00")
_OFFSETS: Final = range(-10 * 60, 15 * 60, 60)


def page(habits: PingSettings, at: float) -> Post:
    """Return the settings with menus to change them. ``at`` is the present time."""
    pings = "on: you are pinged when it is your turn" if habits.pings else "off: nobody pings you"
    quiet = "none" if habits.quiet is None else "–".join(map(clock_text, habits.quiet))
    if quiet_until(habits, at) is not None:
        quiet += " (now)"
    minute = int(at / 60 + habits.utc_offset) % (24 * 60)
    lines = (
        "### Your settings",
        (
            f"**Pings** {pings}\n**Quiet hours** {quiet}\n**Time zone** {offset_text(habits.utc_offset)}; "
            f"your clock shows {clock_text(minute)}"
        ),
        (
            "-# In quiet hours no ping and no reminder comes; a reminder that fell due comes after them. "
            "Other hours and half hours: `/settings quiet:22:30-07:15 timezone:+5:30`."
        ),
    )
    menus = (
        Choices("Quiet hours", tuple(Choice(hours, hours) for hours in _QUIET), verb="quiet"),
        Choices(
            "Time zone",
            tuple(Choice(str(offset // 60), offset_text(offset)) for offset in _OFFSETS),
            verb="timezone",
        ),
    )
    label = "Turn pings off" if habits.pings else "Turn pings on"
    return Post(lines, menus, ((Button("pings", label, argument="off" if habits.pings else "on"),),))


class SettingsCog(commands.Cog):
    """A user's settings."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        bot.add_presses({"quiet": self._pressed, "timezone": self._pressed, "pings": self._pressed})

    @app_commands.command(description="When the bot may ping you: pings on or off, quiet hours, your time zone")
    @app_commands.describe(
        pings="Whether you are pinged when it is your turn",
        quiet="From when until when not, such as 22:00-08:00; or off",
        timezone="What your clock is ahead of UTC, such as +2 or -3:30",
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
        before = habits = await self.bot.tables.users.ping_settings(interaction.user.id)
        if pings := given.get("pings"):
            habits = replace(habits, pings=pings == "on")
        if quiet := given.get("quiet"):
            habits = replace(habits, quiet=read_quiet(quiet))
        if timezone := given.get("timezone"):
            habits = replace(habits, utc_offset=read_offset(timezone))
        if habits != before:
            await self.bot.tables.users.set_ping_settings(interaction.user.id, habits)
        return Reply(page(habits, interaction.created_at.timestamp()))


async def setup(bot: LilypadBot) -> None:
    """Add the command, its menus and its button to the bot."""
    await bot.add_cog(SettingsCog(bot))
