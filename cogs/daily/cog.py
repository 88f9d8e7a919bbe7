"""``/daily``: the same cards for everyone, one try a day, in direct messages."""

import logging
from datetime import date
from typing import Any, Final, cast

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import LilypadError, NotAllowed
from bot.records.event import GRACE_S, Event, EventResult, daily_name, day_of
from bot.records.table import Receipt, Table
from bot.running.client import LilypadBot
from bot.tables.events import midnight
from bot.texts import gettext as _
from bot.ui.actions.days import today_here, zone_here
from bot.ui.actions.opening import direct_place, way_to_play
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.actions.replay_actions import replay
from bot.ui.actions.review import review
from bot.ui.interactions.command_tree import absence
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.live.workers import Workers
from bot.ui.messages.lesson_pages import LEARN
from bot.ui.messages.lobby import in_force
from bot.ui.posts.custom_id import Outdated
from bot.ui.posts.face import Face
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.names import short_name
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import title_of
from cogs.daily import posts as daily_posts, texts
from cogs.daily.closed import told_when_closed
from cogs.daily.reminders import remind

log = logging.getLogger(__name__)

_EVERY_S: Final = 900.0
"""Days end at multiples of this time, in all time zones."""


class DailyCog(commands.Cog):
    """The command, and what becomes due when days end."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self.posts = daily_posts.DailyPosts(bot, bot.tables, bot.faces, live=bot.live, owner=bot.leases)
        self._fields = Workers[str]("field", self._complete)

    async def cog_load(self) -> None:
        """Follow changes, and register what is due when days end."""
        self.bot.tables.on_change(self._changed)
        self.bot.leases.event_listeners.append(self._asked)
        self.bot.calendar.every("days", _EVERY_S, self._begin_and_end, by_date=True)

    async def cog_unload(self) -> None:
        """Stop."""
        await self._fields.close()
        await self.posts.close()

    @app_commands.command(name="daily", description="Today's deal: the same cards for everyone, one try")
    async def daily(self, interaction: discord.Interaction) -> None:
        await answer(interaction, _page(Context(interaction)))

    def _asked(self, name: str, guild_id: int) -> None:
        if day_of(name) is not None:
            self.posts.request(name, guild_id)

    def _changed(self, receipt: Receipt) -> None:
        if receipt.table.event is None or day_of(receipt.table.event[0]) is None:
            return
        if not receipt.before:
            self._fields.request(receipt.table.event[0])
        self.posts.changed(receipt)

    async def _complete(self, name: str) -> None:
        """Let computers play the deal, in worker processes."""
        try:
            await self.bot.tables.events.complete_field(name, self.bot.thinkers.choose)
        except LilypadError as error:
            log.warning("the computers' results for %s are completed later: %s", name, error)
            return
        await self.posts.request_all(name)

    async def _begin_and_end(self) -> None:
        """Close what is over, open the day where it begins, complete the fields, and bring the messages up to date."""
        events = self.bot.tables.events
        if self.bot.leases.holds(None):
            await events.close_due()
            for name in await events.begun(events.now()):
                self._fields.request(name)
            await remind(self.bot)
        await self.posts.open_due()
        await self.posts.refresh()


# ---- the page of a user


@press("daily")
async def _page(ctx: Context) -> Reply:
    """Return today's daily as it stands for the user. The server gets its message about it.

    **Play** on that message begins the game at once, but for those who are new to it.
    """
    events = ctx.tables.events
    day = await today_here(ctx)
    event = await events.daily(day)
    if (guild_id := ctx.interaction.guild_id) is not None and absence(ctx.interaction) is None:
        server = in_force(await ctx.tables.servers.settings(guild_id), ctx.interaction.guild)
        channel_id = server.daily_channel_id
        await _posts(ctx).open(event.name, guild_id, channel_id or ctx.interaction.channel_id or 0)
    if ctx.press.argument == str(day) and not await _is_new(ctx, event):
        return await _begin(ctx, event, day)
    return await _status(ctx, event, day)


async def _status(ctx: Context, event: Event, day: date) -> Reply:
    records = ctx.tables.events.records
    result = await records.result(event.name, ctx.user_id)
    table = None if result is None else await ctx.tables.events.table(result)
    heading = "### " + texts.title(event, ctx.faces[event.game])
    if result is None and await records.is_used(event.name, ctx.user_id):
        said = _("You've played this one, and deleted it with your data. There's a new deal every day.")
        return Reply(Post((heading, said)), "here")
    if result is None:
        return Reply(await _offer(ctx, event, day, heading), "here")
    if table is not None and table.is_open:
        return await _going_on(ctx, await ctx.tables.events.resume(table), heading)
    if result.score is None:
        return Reply(Post((heading, _("Your try ended without a result. There's a new deal every day."))), "here")
    return Reply(await _result(ctx, event, result, table), "here")


async def _is_new(ctx: Context, event: Event) -> bool:
    """Whether the user has neither played the game nor learned it."""
    is_first = await ctx.tables.lobbies.nth_game(event.game, ctx.user_id) == 1
    has_lesson = ctx.faces[event.game].lesson is not None
    return has_lesson and is_first and not await ctx.tables.users.has_learned(ctx.user_id, event.game)


async def _offer(ctx: Context, event: Event, day: date, heading: str) -> Post:
    face = ctx.faces[event.game]
    ends_at = midnight(day, await zone_here(ctx))
    said = _(
        "It comes to your direct messages. Start before midnight here ({when}), and finish by {until}.",
        when=f"<t:{ends_at:.0f}:R>",
        until=f"<t:{ends_at + GRACE_S:.0f}:f>",
    )
    same = _("Everyone gets the same start, and computers answer the same moves in the same way.")
    row = [Button("daily-play", _("Play"), "success", argument=str(day)), _fair_button(face, day)]
    lines = [texts.form_line(event, face)]
    if await _is_new(ctx, event):
        lines.append(
            _("New to {game}? Learn it first, in three minutes. The daily has tips for you.", game=title_of(face.game))
        )
        row.insert(0, Button(LEARN, _("Learn first"), "primary", event.game))
    return Post(("\n".join([heading, *lines]), f"{said} {same}"), rows=(tuple(row),))


async def _going_on(ctx: Context, table: Table, heading: str) -> Reply:
    again = _("Or allow direct messages from this server, then press **Try again**.")
    said, row = await way_to_play(ctx, table, again)
    rows = ((*row, Button("daily", _("Try again"))),) if row else ()
    return Reply(Post((heading, said), rows=rows), "here", table)


def _fair_button(face: Face[Any], day: date) -> Button:
    return Button("daily-fair", _("Fair deal") if face.game.has_hands else _("Fair start"), argument=str(day))


async def _result(ctx: Context, event: Event, result: EventResult, table: Table | None) -> Post:
    """Return the user's result, and what they can look at and share."""
    face, day = ctx.faces[event.game], day_of(event.name) or date.min
    results, run = await ctx.tables.events.records.results(event.name), await ctx.tables.events.run(ctx.user_id, day)
    said = [texts.result_line(face, result, results)]
    if event.secret is not None and table is not None:
        said += [line async for line in told_when_closed(ctx, event, result, table)]
    small, rows = [f"-# {line}" for line in texts.small_lines(result, run)], []
    row = [_fair_button(face, day)]
    if table is not None:
        row = [
            Button("daily-review", _("Review"), argument=str(day)),
            Button("daily-replay", _("Replay"), argument=str(day)),
            *row,
        ]
    paragraphs = ["### " + texts.title(event, face), "\n".join([*said, *small])]
    if ctx.interaction.guild_id is None and result.guild_id is not None:  # nobody else would read it here
        paragraphs.append("-# " + _("You can share it on your server."))
    else:
        row.insert(0, Button("daily-share", _("Share"), "primary", argument=str(day)))
    rows.append(tuple(row))
    settings = await ctx.tables.users.settings(ctx.user_id)
    if settings.daily == "ask" and result.guild_id is not None:
        await ctx.tables.users.set_settings(ctx.user_id, replace(settings, daily="off"))  # it's asked once
        asked, answers = texts.place_question(day)
        paragraphs.append(asked)
        rows.append(answers)
    return Post(tuple(paragraphs), rows=tuple(rows))


# ---- its buttons


@press("daily-play")
async def _play(ctx: Context) -> Reply:
    """Begin the only try, if it's still that day."""
    day = await today_here(ctx)
    if ctx.press.argument != str(day):
        return await _page(ctx)
    return await _begin(ctx, await ctx.tables.events.daily(day), day)


async def _begin(ctx: Context, event: Event, day: date) -> Reply:
    events = ctx.tables.events
    async with one_at_a_time(ctx.user_id, event.name):
        is_used = await events.records.is_used(event.name, ctx.user_id)
        if not is_used and await events.records.result(event.name, ctx.user_id) is None:
            place, ends_at = await direct_place(ctx.interaction), midnight(day, await zone_here(ctx))
            await events.begin(day, ctx.person, place, ctx.interaction.guild_id, ends_at)
    return await _status(ctx, event, day)


@press("daily-mine")
async def _mine(ctx: Context) -> Reply:
    """Return the daily of an ended table as it stands for its player."""
    event = await _event(ctx)
    if await ctx.tables.events.records.result(event.name, ctx.user_id) is None:
        raise NotAllowed("You haven't played this daily.")
    status = await _status(ctx, event, day_of(event.name) or date.min)
    return Reply(status.post)  # it doesn't replace the result of the game


@press("daily-place")
async def _place(ctx: Context) -> Reply:
    """Store whether the user wants to have a place among their friends."""
    wish, _dot, day = ctx.press.argument.partition(".")
    ctx.press = replace(ctx.press, argument=day)
    event = await _event(ctx)
    settings = await ctx.tables.users.settings(ctx.user_id)
    await ctx.tables.users.set_settings(ctx.user_id, replace(settings, daily="on" if wish == "on" else "off"))
    result = await ctx.tables.events.records.result(event.name, ctx.user_id)
    if result is not None and result.guild_id is not None:
        _posts(ctx).request(event.name, result.guild_id)
    return await _status(ctx, event, day_of(event.name) or date.min)


@press("daily-share")
async def _share(ctx: Context) -> Reply:
    """Post a line about the user's result, which says nothing about the cards."""
    event = await _event(ctx)
    result = texts.check_finished(await ctx.tables.events.records.result(event.name, ctx.user_id))
    result = replace(result, name=ctx.person.name)  # not the one of the server where they began
    results = await ctx.tables.events.records.results(event.name)
    with await ctx.in_public():
        line = texts.share_line(event, ctx.faces[event.game], result, results)
    return Reply(sentence(line), "channel")


@press("daily-review")
async def _review(ctx: Context) -> Reply:
    """Review the user's own game: one moment from their own seat, and everything once the daily is over everywhere."""
    table = await _own_table(ctx, await _event(ctx))
    ctx.press = replace(ctx.press, argument="all")
    return await review(await ctx.at(table))


async def _own_table(ctx: Context, event: Event) -> Table:
    """Return the user's table of a daily, which has ended."""
    result = await ctx.tables.events.records.result(event.name, ctx.user_id)
    table = None if result is None else await ctx.tables.events.table(result)
    if table is None or not table.has_ended:
        raise NotAllowed("You haven't finished this daily.")
    return table


@press("daily-replay")
async def _replay(ctx: Context) -> Reply:
    """Show the user's own game again: with all hands once the daily is over everywhere, and then others' games, too."""
    event = await _event(ctx)
    table, offered = await _own_table(ctx, event), await _games(ctx, event)
    if len(offered) > 1:
        heading = "### " + texts.title(event, ctx.faces[event.game])
        return Reply(Post((heading,), choices=(Choices(_("Whose game?"), offered, verb="replay-of"),)))
    ctx.press = replace(ctx.press, argument="")
    return await replay(await ctx.at(table))


async def _games(ctx: Context, event: Event) -> tuple[Choice, ...]:
    """Return the games of a daily that the user may see again: their own, and once it is over the others' here."""
    if event.secret is None or ctx.interaction.guild_id is None:
        return ()
    results = await ctx.tables.events.records.results(event.name)
    here = texts.shown_here(results, ctx.interaction.guild_id)
    shown = [each for each in here if each.user_id != ctx.user_id]
    own = [each for each in (*here, *results) if each.user_id == ctx.user_id][:1]
    tables = [(each, await ctx.tables.events.table(each)) for each in (*own, *shown)[:MAX_OPTIONS]]
    return tuple([Choice(table.key, short_name(each.name, 0)) for each, table in tables if table is not None])


@press("daily-fair")
async def _fair(ctx: Context) -> Reply:
    """Show how to check that everybody got the same deal."""
    event = await _event(ctx)
    game, _options = ctx.tables.events.game(event)
    heading = "### " + _("Fair deal · {title}", title=texts.short_title(event, ctx.faces[event.game]))
    lines = [_("Its SHA-256, as on the daily's public card:\n`{commitment}`", commitment=event.commitment)]
    if event.secret is None:
        when = f"<t:{event.closes_at:.0f}:R>"
        lines.insert(
            0, _("🔒 A secret fixes every shuffle, for everyone. You'll see it when it's over {when}.", when=when)
        )
    else:
        lines.insert(0, _("The secret was\n`{secret}`", secret=event.secret))
        lines.append(
            _("The seed of every table is the HMAC-SHA256 of this secret and `{text}`.", text=f"{game.key}|0")
            + "\n"
            + _("To check your own game: **More**, **About this game**, **Check**.")
        )
    return Reply(Post((heading, *lines)))


async def _event(ctx: Context) -> Event:
    """Return the daily that a button is about."""
    try:
        day = date.fromisoformat(ctx.press.argument)
    except ValueError:
        raise Outdated from None
    event = await ctx.tables.events.records.event(daily_name(day))
    if event is None:
        raise Outdated
    return event


def _posts(ctx: Context) -> daily_posts.DailyPosts:
    client: Any = ctx.interaction.client
    return cast("DailyCog", client.get_cog(DailyCog.__cog_name__)).posts


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(DailyCog(bot))
