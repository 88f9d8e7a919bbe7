"""``/settings``: when a user wants to be pinged, how they play, and their language; set by command, menu or button."""

from typing import Final, get_args

from discord import Interaction, app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.client import LilypadBot
from bot.tables import HandStyle, PingSettings
from bot.tables.ping_settings import clock_text, offset_text, quiet_until, read_offset, read_quiet
from bot.texts import gettext as _
from bot.texts import languages, name_of
from bot.ui.interactions.language import use_language_of
from bot.ui.interactions.respond import Reply, answer
from bot.ui.interactions.router import picked
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Choice, Choices, Post

_QUIET: Final = ("20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-08:00", "00:00-09:00")
_AUTOMATIC: Final = "automatic"
_FROGS: Final = "frogs"
_HANDS: Final = "hands"
_STYLES: Final[tuple[HandStyle, ...]] = get_args(HandStyle)
_OFFSETS: Final = range(-10 * 60, 15 * 60, 60)


def page(
    settings: PingSettings,
    at: float,
    chosen: str | None = None,
    *,
    menus: bool = False,
    hands: HandStyle = "pictures",
) -> Post:
    """Return the settings with menus to change them.

    ``at`` is the present time, ``chosen`` the language. ``menus``: whether they play Pond · frogs by menus.
    """
    styles = {"pictures": _("as pictures"), "emojis": _("in text with emojis"), "text": _("in text")}
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
                _("**Hands** {how}", how=styles[hands]),
                _("**Pond · frogs** {how}", how=_("menus, and the board in words") if menus else _("buttons")),
            )
        ),
        "-# "
        + _(
            "In quiet hours you get no pings. Reminders wait until they're over. "
            "For other times: `/settings quiet:22:30-07:15 timezone:+5:30`."
        ),
    )
    choices = (
        Choices(_("Quiet hours"), (Choice("off", _("off")), *(Choice(hours, hours) for hours in _QUIET)), verb="quiet"),
        Choices(
            _("Time zone"),
            tuple(Choice(str(offset // 60), offset_text(offset)) for offset in _OFFSETS),
            verb="timezone",
        ),
        Choices(
            _("Hands"),
            tuple(Choice(style, name, is_picked=style == hands) for style, name in styles.items()),
            verb=_HANDS,
        ),
        *_languages(chosen),
    )
    label = _("Turn pings off") if settings.pings else _("Turn pings on")
    pings_button = Button("pings", label, argument="off" if settings.pings else "on")
    by_buttons = Button(_FROGS, _("Pond · frogs: buttons"), argument="buttons")
    frogs_button = by_buttons if menus else Button(_FROGS, _("Pond · frogs: menus"), argument="menu")
    return Post(lines, choices, ((pings_button, frogs_button),))


def _languages(chosen: str | None) -> tuple[Choices, ...]:
    """Return the menu of languages, if there are several."""
    if len(languages()) == 1:
        return ()
    own = tuple(Choice(language, name_of(language), is_picked=language == chosen) for language in languages())
    automatic = Choice(_AUTOMATIC, _("Language of Discord"), is_picked=chosen is None)
    return (Choices(_("Language"), (automatic, *own), verb="language"),)


class SettingsCog(commands.Cog):
    """A user's settings."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        bot.add_presses(dict.fromkeys(("quiet", "timezone", "pings", _FROGS, _HANDS), self._pressed))
        bot.add_presses({"language": self._choose_language})

    @app_commands.command(description="Choose when the bot may ping you")
    @app_commands.describe(
        pings="Pings when it's your turn",
        quiet="No pings between these times, such as 22:00-08:00, or off",
        timezone="Your time zone in hours from UTC, such as +2 or -3:30",
        hands="Hands as pictures, in text with emojis, or in text alone",
        frogs="Pond · frogs on buttons, or with menus and the board in words, for screen readers",
    )
    @app_commands.choices(
        pings=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
        frogs=[app_commands.Choice(name="buttons", value="buttons"), app_commands.Choice(name="menu", value="menu")],
        hands=[
            app_commands.Choice(name="pictures", value="pictures"),
            app_commands.Choice(name="emojis", value="emojis"),
            app_commands.Choice(name="text", value="text"),
        ],
    )
    async def settings(  # noqa: PLR0913, PLR0917 - one for each option of the command
        self,
        interaction: Interaction,
        pings: str | None = None,
        quiet: str | None = None,
        timezone: str | None = None,
        frogs: str | None = None,
        hands: str | None = None,
    ) -> None:
        given = {"pings": pings, "quiet": quiet, "timezone": timezone, _FROGS: frogs, _HANDS: hands}
        await answer(interaction, self._set(interaction, given))

    async def _pressed(self, interaction: Interaction, press: Press) -> Reply:
        return replace(await self._set(interaction, {press.verb: picked(interaction) or press.argument}), where="here")

    async def _choose_language(self, interaction: Interaction, _press: Press) -> Reply:
        language = picked(interaction)
        await self.bot.tables.languages.choose(interaction.user.id, language if language in languages() else None)
        await use_language_of(interaction)
        return replace(await self._set(interaction, {}), where="here")

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
        if frogs := given.get(_FROGS):
            await self.bot.tables.users.set_prefers_menus(interaction.user.id, menus=frogs == "menu")
            for table in await self.bot.tables.finder.tables_of(interaction.user.id, "frogs"):
                self.bot.live.refresh(table.id)
        style = next((style for style in _STYLES if style == given.get(_HANDS)), None)
        if style:
            await self.bot.tables.users.set_hand_style(interaction.user.id, style)
            for table in await self.bot.tables.finder.tables_of(interaction.user.id):
                self.bot.live.redraw_hand(table.id, interaction.user.id)
        hands = await self.bot.tables.users.hand_style(interaction.user.id)
        menus = await self.bot.tables.users.prefers_menus(interaction.user.id)
        chosen = await self.bot.tables.languages.chosen(interaction.user.id)
        return Reply(page(settings, interaction.created_at.timestamp(), chosen, menus=menus, hands=hands))


async def setup(bot: LilypadBot) -> None:
    """Add the command, its menus and its button to the bot."""
    await bot.add_cog(SettingsCog(bot))
