"""``/settings``: when a user wants to be pinged, how they play, and their language; set by command, menu or button."""

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Final, get_args

from discord import Interaction, app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import StoreError
from bot.records.preference import HandStyle, UserSettings
from bot.running.client import LilypadBot
from bot.tables.finding import MAX_CHOICES
from bot.tables.ping_settings import clock_text, is_away, quiet_until, read_quiet
from bot.tables.time_zones import COMMON, local_time, matching_zones, with_zone, zone_of, zone_text, zones_at
from bot.tables.typed_times import Moment, other_text, read_away
from bot.texts import gettext as _, language, languages, name_of, translated
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import hand_answer
from bot.ui.autocomplete import choices
from bot.ui.interactions.language import use_language_of
from bot.ui.interactions.reply import Reply, follow_up, text_form
from bot.ui.interactions.respond import answer
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.post import Button, Choice, Choices, Post
from cogs.table_alerts import ALERTS, alerts_page

log: Final = logging.getLogger(__name__)

_QUIET: Final = ("20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-08:00", "00:00-09:00")
_AUTOMATIC: Final = "automatic"
_FROGS: Final = "frogs"
_HANDS: Final = "hands"
_LANGUAGE: Final = "language"
_STYLES: Final[tuple[HandStyle, ...]] = get_args(HandStyle)
_ZONE: Final = "timezone"
_TIPS: Final = "tips"
_RANKING: Final = "ranking"
_DAILY: Final = "daily"
_REMINDER: Final = "reminder"
_FORCED: Final = "forced"
_AWAY: Final = "away-until"
_OTHER: Final = "other"
"""The choice that opens a form for any other value."""
_MAX_TYPED: Final = 60
_MAX_AWAY: Final = 40
"""Maximum length of the end of a holiday, as users type it."""
_MAX_KNOWN: Final = 10_000
"""Maximum number of users kept in memory who needn't be asked for their time zone."""


def page(settings: UserSettings, at: float) -> Post:
    """Return the settings with menus and buttons to change them. ``at`` is the present time."""
    paragraphs = ("### " + _("Your settings"), "\n".join(_lines(settings, at)))
    return Post(paragraphs, (*_menus(settings, at), *_languages(settings.language)), _buttons(settings, at))


async def zone_choices(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Return the time zones that a user may mean by what they have typed."""
    at = interaction.created_at.timestamp()
    zones = matching_zones(typed, at)[:MAX_CHOICES]
    return choices([(zone_text(with_zone(UserSettings(), zone), at), zone) for zone in zones])


def zone_question(settings: UserSettings, at: float) -> Post:
    """Return the question to a user whose time zone is only known as hours from UTC."""
    asked = _(
        "Your time zone is {zone}, in summer and in winter. Where do you live? "
        "Then your quiet hours follow the change of the clocks.",
        zone=zone_text(settings, at),
    )
    keep = Choice(zone_text(settings, at), _("Keep {zone}", zone=zone_text(settings, at)))
    zones = [_zone_choice(zone, at) for zone in zones_at(settings.utc_offset, at) or COMMON][: MAX_OPTIONS - 2]
    return Post(
        (asked,),
        (Choices(_("Time zone"), (keep, *zones, Choice(_OTHER, _("Another place …"))), verb=_ZONE),),
    )


def _lines(settings: UserSettings, at: float) -> Iterator[str]:
    """Yield each setting in words."""
    yield _("**Pings** {pings}", pings=_pings(settings))
    if is_away(settings, at):
        yield _("**Away** until {day}. The clock stops on your turns.", day=f"<t:{settings.away_until or 0:.0f}:f>")
    quiet = _("none") if settings.quiet is None else "–".join(map(clock_text, settings.quiet))
    if quiet_until(settings, at) is not None:
        quiet = _("{hours} (now)", hours=quiet)
    yield _("**Quiet hours** {hours}", hours=quiet)
    zone, time = zone_text(settings, at), f"{local_time(settings, at):%H:%M}"
    yield _("**Time zone** {zone}. It's {time} for you.", zone=zone, time=time)
    if settings.timezone is None:
        yield "-# " + _("This zone has no summer time. If yours has, pick a place.")
    frogs = _("menus, and the board in words") if settings.prefers_menus else _("buttons")
    yield _("**Pond · frogs** {how}", how=frogs)
    yield _(
        "**Rating** {rating} · **Tips** {tips} · **Forced moves** {forced}",
        rating=_("shown") if settings.ranking else _("hidden"),
        tips=_switched(settings.tips),
        forced=_("auto") if settings.forced == "on" else _("by hand"),
    )
    yield _(
        "**Dailies** place {daily}, reminder {reminder}",
        daily=_("shown") if settings.daily == "on" else _("hidden"),
        reminder=_switched(settings.reminder),
    )


def _switched(is_on: bool) -> str:  # noqa: FBT001 - whether the setting is on
    return _("on") if is_on else _("off")


def _pings(settings: UserSettings) -> str:
    if not settings.pings:
        return _("off")
    return _("together, every few hours") if settings.digest else _("on, when it's your turn")


def _zone_choice(zone: str, at: float, *, is_picked: bool = False) -> Choice:
    return Choice(zone, zone_text(UserSettings(timezone=zone), at), is_picked=is_picked)


def _menus(settings: UserSettings, at: float) -> tuple[Choices, ...]:
    now = "off" if not settings.pings else "digest" if settings.digest else "on"
    pings = {
        "on": _("Ping me when it's my turn"),
        "digest": _("One ping for several turns, every few hours"),
        "off": _("Never ping me"),
        ALERTS: _("Tell me when a table opens …"),
    }
    ways = tuple(Choice(key, words, is_picked=key == now) for key, words in pings.items())
    hours = (Choice("off", _("off")), *(Choice(hours, hours) for hours in _QUIET), Choice(_OTHER, _("Other hours …")))
    zones = (_zone_choice(zone, at, is_picked=zone == settings.timezone) for zone in COMMON[: MAX_OPTIONS - 1])
    return (
        Choices(_("Pings"), ways, verb="pings"),
        Choices(_("Quiet hours"), hours, verb="quiet"),
        Choices(_("Time zone"), (*zones, Choice(_OTHER, _("Another place …"))), verb=_ZONE),
    )


def _buttons(settings: UserSettings, at: float) -> tuple[tuple[Button, ...], ...]:
    """Return rows with a button for each setting of two values. It says what pressing it does."""
    is_text = settings.hands == "text"
    buttons = (
        Button(_HANDS, _("Show cards") if is_text else _("Hands as text"), argument="pictures" if is_text else "text"),
        _switch(_RANKING, settings.ranking, _("Show my rating"), _("Hide my rating")),
        Button(
            _FROGS,
            _("Frogs by buttons") if settings.prefers_menus else _("Frogs by menus"),
            argument="buttons" if settings.prefers_menus else "menu",
        ),
        Button(_AWAY, _("I'm back"), argument="off") if is_away(settings, at) else Button(_AWAY, _("I'm away…")),
        _switch(_TIPS, settings.tips, _("Give me tips"), _("No tips")),
        _switch(_FORCED, settings.forced == "on", _("Forced moves: auto"), _("Forced moves: by hand")),
    )
    return buttons[:4], buttons[4:]


def _switch(verb: str, is_on: bool, on: str, off: str) -> Button:  # noqa: FBT001 - whether the setting is on
    """Return the button that turns a setting on, or off, with these labels."""
    return Button(verb, off if is_on else on, argument="off" if is_on else "on")


def _languages(chosen: str | None) -> tuple[Choices, ...]:
    """Return the menu of languages, if there are several."""
    if len(languages()) == 1:
        return ()
    named = [(code, _("Language: {language}", language=name_of(code))) for code in languages()]
    own = tuple(Choice(code, name, is_picked=code == chosen) for code, name in named)
    automatic = Choice(_AUTOMATIC, _("Language: same as Discord"), is_picked=chosen is None)
    return (Choices(_("Language"), (automatic, *own), verb=_LANGUAGE),)


class SettingsCog(commands.Cog):
    """A user's settings."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._known: set[int] = set()
        """Users who needn't be asked for their time zone, any more or at all."""

    @app_commands.command(description="Choose your pings, your language, and how games look")
    @app_commands.describe(
        pings="Pings when it's your turn; digest sends one message for several turns",
        quiet="No pings between these times, such as 22:00-08:00, or off",
        timezone="Your time zone by name, such as Europe/Berlin, or hours from UTC, such as +2",
        hands="Hands as pictures or as text",
        frogs="Pond · frogs with buttons, or with menus and the board in words, for screen readers",
        language="The language of all texts; automatic is that of your Discord",
        tips="Tips on your hand in your first games",
        ranking="Whether standings and results show you",
        daily="Whether the daily shows your place when its day ends",
        reminder="A message in the evening if your streak of dailies would end",
        forced="Whether moves without a choice play themselves; the last card of a hand always does",
        away="Stop the clock on your turns until 2026-12-24 or fri 20:00, or for 5 days; off when you're back",
    )
    @app_commands.choices(
        pings=[
            app_commands.Choice(name="on", value="on"),
            app_commands.Choice(name="off", value="off"),
            app_commands.Choice(name="digest", value="digest"),
        ],
        frogs=[app_commands.Choice(name="buttons", value="buttons"), app_commands.Choice(name="menu", value="menu")],
        hands=[app_commands.Choice(name="pictures", value="pictures"), app_commands.Choice(name="text", value="text")],
        language=[
            app_commands.Choice(name="automatic", value=_AUTOMATIC),
            *(app_commands.Choice(name=name_of(code), value=code) for code in languages()),
        ],
        tips=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
        ranking=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
        daily=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
        reminder=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
        forced=[app_commands.Choice(name="on", value="on"), app_commands.Choice(name="off", value="off")],
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
        tips: str | None = None,
        ranking: str | None = None,
        daily: str | None = None,
        reminder: str | None = None,
        forced: str | None = None,
        away: str | None = None,
    ) -> None:
        given = {
            "pings": pings,
            "quiet": quiet,
            _ZONE: timezone,
            _FROGS: frogs,
            _HANDS: hands,
            _LANGUAGE: language,
            _TIPS: tips,
            _RANKING: ranking,
            _DAILY: daily,
            _REMINDER: reminder,
            _FORCED: forced,
            _AWAY: away,
        }
        await answer(interaction, _set(Context(interaction), given))

    settings.autocomplete("timezone")(zone_choices)

    @commands.Cog.listener()
    async def on_answer(self, interaction: Interaction) -> None:
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


@press("settings")
async def _settings(ctx: Context) -> Reply:
    return await _set(ctx, {})


@press("quiet")
@press(_ZONE)
async def _picked_or_written(ctx: Context) -> Reply:
    """Take what was picked, or open a form for what the menu lacks."""
    if ctx.is_form or ctx.picked != _OTHER:
        return await _pressed(ctx)
    fresh = replace(ctx.press, argument="")
    if ctx.press.verb == _ZONE:
        label, example = _("Where do you live?"), _("A city, such as Berlin, or hours from UTC, such as +2")
        return Reply(form=text_form(fresh, _("Time zone"), label, example, _MAX_TYPED))
    return Reply(form=text_form(fresh, _("Quiet hours"), _("No pings between"), "22:30-07:15", _MAX_TYPED))


@press("pings")
@press(_FROGS)
@press(_HANDS)
@press(_LANGUAGE)
@press(_TIPS)
@press(_RANKING)
@press(_FORCED)
async def _pressed(ctx: Context) -> Reply:
    if ctx.picked == ALERTS:
        return Reply(await alerts_page(ctx), "here")
    return await _set(ctx, {ctx.press.verb: ctx.picked or ctx.press.argument})


@press("automatic")
async def _automatic(ctx: Context) -> Reply:
    """Let forced moves play themselves from now on, as the player was asked at their hand."""
    ctx.sitter()
    ctx.live.expect(ctx.interaction)
    settings = await ctx.tables.users.settings(ctx.user_id)
    await ctx.tables.users.set_settings(ctx.user_id, replace(settings, forced="on"))
    await ctx.tables.forced.reconsider(ctx.user_id)
    return await hand_answer(ctx, _("Moves without a choice play themselves now. `/settings` changes that."))


@press(_AWAY)
async def _go_away(ctx: Context) -> Reply:
    """Open the form for the end of a holiday, or take what was written there. **I'm back** ends it."""
    if ctx.press.argument or ctx.is_form:
        return await _set(ctx, {_AWAY: ctx.press.argument or ctx.picked})
    label, example = _("Until when are you away?"), _("A date such as 2026-12-24, or 5 days")
    return Reply(form=text_form(ctx.press, _("Holiday"), label, example, _MAX_AWAY))


async def _set_holiday(ctx: Context, until: Moment | None, now: float) -> None:
    """Begin or end a holiday, and let the user's tables say so."""
    if until is None:
        await ctx.tables.holidays.end(ctx.user_id, now)
    else:
        await ctx.tables.holidays.begin(ctx.user_id, now, until.at)
    await ctx.live.refresh_games_of(ctx.user_id)


def _with_doubt(post: Post, until: Moment | None, settings: UserSettings) -> Post:
    """Add the question whether another time was meant, if there is a doubt, and the button that takes it."""
    if until is None or until.other is None:
        return post
    taken, other = other_text(until, zone_of(settings))
    button = Button(_AWAY, _("Make it {time}", time=other), argument=f"<t:{until.other:.0f}>")
    doubt = _("Away: I took {taken}, or {other}?", taken=taken, other=other)
    return replace(post, paragraphs=(*post.paragraphs, doubt), rows=(*post.rows, (button,)))


async def _set(ctx: Context, given: Mapping[str, str | None]) -> Reply:
    tables, live, user_id, now = ctx.tables, ctx.live, ctx.user_id, ctx.interaction.created_at.timestamp()
    before = await tables.users.settings(user_id)
    settings, until = changed(before, given), None
    if away := given.get(_AWAY):  # first, as it may be refused: then nothing is changed
        until = read_away(away, settings, now, translated)
        await _set_holiday(ctx, until, now)
        settings = replace(settings, away_until=None if until is None else until.at)
    if settings != before:
        await tables.users.set_settings(user_id, settings)
    await tables.users.claim_zone_question(user_id)  # the page asks for it, too
    if (settings.hands, settings.language) != (before.hands, before.language):
        await use_language_of(ctx.interaction)
        live.open_messages.translate(user_id, language())
    if settings.prefers_menus != before.prefers_menus:
        for table in await tables.finder.tables_of(user_id, "frogs"):
            live.refresh(table.id)
    if (settings.hands, settings.language, settings.tips) != (before.hands, before.language, before.tips):
        for table in await tables.finder.tables_of(user_id):
            live.show_hand(table, user_id)
    if settings.forced != before.forced:
        await tables.forced.reconsider(user_id)
    if any(given.values()):
        await live.try_direct_messages(user_id, is_closed=await tables.users.is_dm_closed(user_id))
    return Reply(_with_doubt(page(settings, now), until, settings), "here")


def changed(settings: UserSettings, given: Mapping[str, str | None]) -> UserSettings:
    """Return the settings with the given ones changed. Raises `InvalidOption`."""
    for name, change in _CHANGES.items():
        if value := given.get(name):
            settings = change(settings, value)
    return settings


def _with_quiet(settings: UserSettings, quiet: str) -> UserSettings:
    return replace(settings, quiet=read_quiet(quiet, translated))


def _with_style(settings: UserSettings, style: str) -> UserSettings:
    return replace(settings, hands=next((each for each in _STYLES if each == style), settings.hands))


_CHANGES: Final[Mapping[str, Callable[[UserSettings, str], UserSettings]]] = {
    "pings": lambda settings, pings: replace(settings, pings=pings != "off", digest=pings == "digest"),
    "quiet": _with_quiet,
    _ZONE: with_zone,
    _FROGS: lambda settings, frogs: replace(settings, prefers_menus=frogs == "menu"),
    _HANDS: _with_style,
    _TIPS: lambda settings, tips: replace(settings, tips=tips == "on"),
    _RANKING: lambda settings, ranking: replace(settings, ranking=ranking == "on"),
    _DAILY: lambda settings, daily: replace(settings, daily="on" if daily == "on" else "off"),
    _REMINDER: lambda settings, reminder: replace(settings, reminder=reminder == "on"),
    _FORCED: lambda settings, forced: replace(settings, forced="on" if forced == "on" else "off"),
    _LANGUAGE: lambda settings, chosen: replace(settings, language=chosen if chosen in languages() else None),
}
"""What a value of each option changes, by the option's name."""


async def setup(bot: LilypadBot) -> None:
    """Add the command, its menus and its button to the bot."""
    await bot.add_cog(SettingsCog(bot))
