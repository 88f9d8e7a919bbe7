"""``/settings``: when a user wants to be pinged, how they play, and their language; set by command, menu or button."""

import logging
from collections.abc import Iterator, Mapping
from typing import Final, get_args

from discord import Interaction, app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import StoreError
from bot.games.typed import clean
from bot.running.client import LilypadBot
from bot.tables import MAX_CHOICES, HandStyle, UserSettings
from bot.tables.ping_settings import clock_text, quiet_until, read_quiet
from bot.tables.time_zones import COMMON, local_time, matching_zones, with_zone, zone_text, zones_at
from bot.texts import gettext as _
from bot.texts import language, languages, name_of
from bot.ui.autocomplete import choices
from bot.ui.interactions.language import use_language_of
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.interactions.router import picked
from bot.ui.interactions.send import follow_up
from bot.ui.posts.custom_id import Press
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.post import Button, Choice, Choices, Post

log: Final = logging.getLogger(__name__)

_QUIET: Final = ("20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-08:00", "00:00-09:00")
_AUTOMATIC: Final = "automatic"
_FROGS: Final = "frogs"
_HANDS: Final = "hands"
_LANGUAGE: Final = "language"
_STYLES: Final[tuple[HandStyle, ...]] = get_args(HandStyle)
_ZONE: Final = "timezone"
_MAX_KNOWN: Final = 10_000
"""Maximum number of users kept in memory who needn't be asked for their time zone."""


def page(settings: UserSettings, at: float) -> Post:
    """Return the settings with menus and buttons to change them. ``at`` is the present time."""
    hint = _(
        "In quiet hours you get no pings. Reminders wait until they're over. "
        "For other times: `/settings quiet:22:30-07:15 timezone:Europe/Berlin`."
    )
    paragraphs = ("### " + _("Your settings"), "\n".join(_lines(settings, at)), f"-# {hint}")
    return Post(paragraphs, (*_menus(settings, at), *_languages(settings.language)), (_buttons(settings),))


def zone_question(settings: UserSettings, at: float) -> Post:
    """Return the question to a user whose time zone is only known as hours from UTC."""
    asked = _(
        "Your time zone is {zone}, in summer and in winter. Where do you live? "
        "Then your quiet hours follow the change of the clocks. "
        "For other places: `/settings timezone:Europe/Berlin`.",
        zone=zone_text(settings, at),
    )
    keep = Choice(zone_text(settings, at), _("Keep {zone}", zone=zone_text(settings, at)))
    zones = [_zone_choice(zone, at) for zone in zones_at(settings.utc_offset, at) or COMMON]
    return Post((asked,), (Choices(_("Time zone"), (keep, *zones), verb=_ZONE),))


def _lines(settings: UserSettings, at: float) -> Iterator[str]:
    """Yield each setting in words."""
    yield _("**Pings** {pings}", pings=_("on, when it's your turn") if settings.pings else _("off"))
    quiet = _("none") if settings.quiet is None else "–".join(map(clock_text, settings.quiet))
    if quiet_until(settings, at) is not None:
        quiet = _("{hours} (now)", hours=quiet)
    yield _("**Quiet hours** {hours}", hours=quiet)
    zone, time = zone_text(settings, at), f"{local_time(settings, at):%H:%M}"
    yield _("**Time zone** {zone}. It's {time} for you.", zone=zone, time=time)
    if settings.timezone is None:
        yield "-# " + _("It doesn't follow the change to summer time. A place does, such as Europe/Berlin.")
    yield _("**Hands** {how}", how=_style_names()[settings.hands])
    frogs = _("menus, and the board in words") if settings.prefers_menus else _("buttons")
    yield _("**Pond · frogs** {how}", how=frogs)


def _style_names() -> Mapping[HandStyle, str]:
    return {"pictures": _("as pictures"), "text": _("as text")}


def _zone_choice(zone: str, at: float, *, is_picked: bool = False) -> Choice:
    return Choice(zone, zone_text(UserSettings(timezone=zone), at), is_picked=is_picked)


def _menus(settings: UserSettings, at: float) -> tuple[Choices, ...]:
    hours = (Choice("off", _("off")), *(Choice(hours, hours) for hours in _QUIET))
    zones = (_zone_choice(zone, at, is_picked=zone == settings.timezone) for zone in COMMON)
    styles = (
        Choice(style, _("Hands {how}", how=how), is_picked=style == settings.hands)
        for style, how in _style_names().items()
    )
    return (
        Choices(_("Quiet hours"), hours, verb="quiet"),
        Choices(_("Time zone"), tuple(zones), verb=_ZONE),
        Choices(_("Hands"), tuple(styles), verb=_HANDS),
    )


def _buttons(settings: UserSettings) -> tuple[Button, ...]:
    pings = _("Turn pings off") if settings.pings else _("Turn pings on")
    frogs = _("Pond · frogs: buttons") if settings.prefers_menus else _("Pond · frogs: menus")
    return (
        Button("pings", pings, argument="off" if settings.pings else "on"),
        Button(_FROGS, frogs, argument="buttons" if settings.prefers_menus else "menu"),
    )


def _languages(chosen: str | None) -> tuple[Choices, ...]:
    """Return the menu of languages, if there are several."""
    if len(languages()) == 1:
        return ()
    own = tuple(Choice(language, name_of(language), is_picked=language == chosen) for language in languages())
    automatic = Choice(_AUTOMATIC, _("Same as Discord"), is_picked=chosen is None)
    return (Choices(_("Language"), (automatic, *own), verb=_LANGUAGE),)


class SettingsCog(commands.Cog):
    """A user's settings."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._known: set[int] = set()
        """Users who needn't be asked for their time zone, any more or at all."""
        verbs = ("quiet", _ZONE, "pings", _FROGS, _HANDS, _LANGUAGE)
        bot.add_presses(dict.fromkeys(verbs, self._pressed))

    @app_commands.command(description="Choose your pings, your language, and how games look")
    @app_commands.describe(
        pings="Pings when it's your turn",
        quiet="No pings between these times, such as 22:00-08:00, or off",
        timezone="Your time zone by name, such as Europe/Berlin, or hours from UTC, such as +2",
        hands="Hands as pictures or as text",
        frogs="Pond · frogs with buttons, or with menus and the board in words, for screen readers",
        language="The language of all texts; automatic is that of your Discord",
    )
    @app_commands.choices(
        pings=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
        frogs=[app_commands.Choice(name="buttons", value="buttons"), app_commands.Choice(name="menu", value="menu")],
        hands=[
            app_commands.Choice(name="pictures", value="pictures"),
            app_commands.Choice(name="text", value="text"),
        ],
        language=[
            app_commands.Choice(name="automatic", value=_AUTOMATIC),
            *(app_commands.Choice(name=name_of(code), value=code) for code in languages()),
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
        language: str | None = None,
    ) -> None:
        given = {
            "pings": pings,
            "quiet": quiet,
            _ZONE: timezone,
            _FROGS: frogs,
            _HANDS: hands,
            _LANGUAGE: language,
        }
        await answer(interaction, self._set(interaction, given))

    @settings.autocomplete("timezone")
    async def _autocomplete_timezone(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        at = interaction.created_at.timestamp()
        zones = matching_zones(typed, at)[:MAX_CHOICES]
        return choices([(zone_text(with_zone(UserSettings(), zone), at), zone) for zone in zones])

    @commands.Cog.listener()
    async def on_answer(self, interaction: Interaction, *_about: object) -> None:
        """Ask a user with hours from UTC once for their time zone, after an answer to them."""
        user_id = interaction.user.id
        if user_id in self._known:
            return
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        self._known.add(user_id)
        try:
            if await self.bot.tables.users.claim_zone_question(user_id):
                settings = await self.bot.tables.users.settings(user_id)
                await follow_up(interaction, zone_question(settings, interaction.created_at.timestamp()))
        except (StoreError, *CONNECTION_ERRORS) as error:
            log.info("user %s couldn't be asked for their time zone: %s", user_id, error)

    async def _pressed(self, interaction: Interaction, press: Press) -> Reply:
        return await self._set(interaction, {press.verb: picked(interaction) or press.argument})

    async def _set(self, interaction: Interaction, given: Mapping[str, str | None]) -> Reply:
        tables, user_id = self.bot.tables, interaction.user.id
        before = await tables.users.settings(user_id)
        settings = changed(before, given)
        if settings != before:
            await tables.users.set_settings(user_id, settings)
        await tables.users.claim_zone_question(user_id)  # the page asks for it, too
        if settings.language != before.language:
            await use_language_of(interaction)
            self.bot.live.open_messages.translate(user_id, language())
        if settings.prefers_menus != before.prefers_menus:
            for table in await tables.finder.tables_of(user_id, "frogs"):
                self.bot.live.refresh(table.id)
        if (settings.hands, settings.language) != (before.hands, before.language):
            for table in await tables.finder.tables_of(user_id):
                self.bot.live.redraw_hand(table.id, user_id)
        if any(given.values()):
            await self.bot.live.try_direct_messages(user_id)
        return Reply(page(settings, interaction.created_at.timestamp()), "here")


def changed(settings: UserSettings, given: Mapping[str, str | None]) -> UserSettings:
    """Return the settings with the given ones changed. Raises `InvalidOption`."""
    if pings := given.get("pings"):
        settings = replace(settings, pings=pings == "on")
    if quiet := given.get("quiet"):
        is_off = clean(quiet).casefold() == _("off")
        settings = replace(settings, quiet=None if is_off else read_quiet(quiet))
    if timezone := given.get(_ZONE):
        settings = with_zone(settings, timezone)
    if frogs := given.get(_FROGS):
        settings = replace(settings, prefers_menus=frogs == "menu")
    if style := next((style for style in _STYLES if style == given.get(_HANDS)), None):
        settings = replace(settings, hands=style)
    if language := given.get(_LANGUAGE):
        settings = replace(settings, language=language if language in languages() else None)
    return settings


async def setup(bot: LilypadBot) -> None:
    """Add the command, its menus and its button to the bot."""
    await bot.add_cog(SettingsCog(bot))
