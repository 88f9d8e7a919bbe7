"""**Tell me when**: a direct message with **Join** to those who want to know when a table opens, until it begins.

A row of the calendar is due for a lobby as long as there are alerts about it: first to send them, then to remove them.
After a restart, those who weren't reached yet are checked again.
"""

import asyncio
import logging
from typing import Final

import discord
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import DamagedTable, NoSuchTable, NotAllowed
from bot.records.alert import DELAY_S
from bot.records.live_message import Kind, in_slot, slot_of
from bot.records.table import Receipt, Table
from bot.running.client import LilypadBot
from bot.tables.finding import is_seated
from bot.tables.ping_settings import wants_ping
from bot.texts import either, gettext as _, supported, using
from bot.ui.actions.permissions import may_view
from bot.ui.actions.press import Context, press
from bot.ui.interactions.command_tree import absence
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.live.lanes import Card, Drawing, Lane, Recorded, drawn, lane_of
from bot.ui.live.pace import Priority
from bot.ui.live.plan import Wanted
from bot.ui.messages.board import named_link
from bot.ui.posts.custom_id import Outdated
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.recent import Recent
from bot.ui.posts.text import title_of

log: Final = logging.getLogger(__name__)

ALERTS: Final = "alerts"
"""The choice of a menu that leads to the page of alerts."""
_SUBJECT: Final = "alert"
_SET: Final = "alert-set"
_LATE_S: Final = 1800.0
"""Nobody is told about a table that is older than this, such as after an outage."""
_SENT_WITHIN_S: Final = 60.0
"""The longest time that one user's message keeps the next one waiting."""
_AGAIN_S: Final = 900.0
"""Delay before looking at a lobby again about which there are alerts. Its changes come at once."""
_CHECKED_S: Final = 300.0
"""The longest time between a check and its alert, such as in an outage."""
_MAX_LANES: Final = 5000


class AlertsCog(commands.Cog):
    """Sends alerts, and removes them."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._lobbies: set[int] = set()
        """The lobbies about which there are alerts."""
        self._checked = Recent[Lane, tuple[float, str | None]](_MAX_LANES)
        """Who may get which alert, with the time of that check and their language."""

        self._sending_until = Recent[int, float](_MAX_LANES)
        """Until when an alert about each lobby may still be posted."""

    async def cog_load(self) -> None:
        """Follow lobbies, and register what is due."""
        self.bot.tables.on_change(self._table_changed)
        self.bot.live.on_board(self._board_shown)  # another process may have changed its table
        self.bot.calendar.add(_SUBJECT, self.due, at_start=True)
        self.bot.live.add(_SUBJECT, self._draw)

    def _table_changed(self, receipt: Receipt) -> None:
        self._board_shown(receipt.table)
        if not receipt.before and receipt.table.place.guild_id is not None:
            self.bot.calendar.expect(receipt.table.opened_at + DELAY_S)

    def _board_shown(self, table: Table) -> None:
        if table.id in self._lobbies:
            self.bot.calendar.soon(_SUBJECT, table.id)

    async def due(self, table_id: int, now: float) -> float | None:
        """Send the alerts about a lobby if their time has come, and remove them once it has begun or is closed."""
        table = await self._seeking(table_id)
        if table is not None and now < table.opened_at + DELAY_S:
            return table.opened_at + DELAY_S
        is_new = table is not None and table_id not in self._lobbies and now <= table.opened_at + _LATE_S
        self._lobbies.add(table_id)
        if table is not None and is_new:
            await self._send(table, now)
        recorded = await self.bot.tables.messages.about(_SUBJECT, table_id)
        await self._show(*map(lane_of, recorded))
        if self._sending_until.get(table_id, 0.0) > now or await self.bot.tables.messages.about(_SUBJECT, table_id):
            return now + _AGAIN_S
        self._lobbies.discard(table_id)
        return None

    async def _seeking(self, table_id: int) -> Table | None:
        """Return a lobby that anybody can still join; ``None`` if there is none any more."""
        try:
            table = await self.bot.tables.table(table_id)
        except (NoSuchTable, DamagedTable):
            return None
        is_open = table.status == "lobby" and not table.is_full and not table.invited_only
        return table if is_open else None

    async def _send(self, table: Table, now: float) -> None:
        """Tell those who want it, one after the other. Each is checked just before."""
        guild = self.bot.get_guild(table.place.guild_id or 0)
        if guild is None:
            return
        involved = {table.host_id, *(guest.user_id for guest in table.guests)}
        for each in await self.bot.tables.alerts.listeners(table, now):
            if each.user_id in involved or is_seated(table, each.user_id) or not wants_ping(each.settings, now):
                continue
            lane = Lane(table.id, each.user_id, _SUBJECT)
            if await self._may_view(guild, each.user_id, table) and await self._claim(lane, now):
                self._checked[lane] = self.bot.now(), each.language
                self._sending_until[table.id] = self.bot.now() + _CHECKED_S
                await self._show(lane)

    async def _may_view(self, guild: discord.Guild, user_id: int, table: Table) -> bool:
        async with self.bot.budget.slot(guild.id, "member", Priority.OTHER):
            return await may_view(guild, user_id, table.place.channel_id)

    async def _claim(self, lane: Lane, now: float) -> bool:
        """Return whether the user may be told about this lobby, which may have begun meanwhile."""
        if await self._seeking(lane.subject_id) is None:
            return False
        return await self.bot.tables.alerts.claim(lane.user_id or 0, lane.subject_id, now)

    async def _show(self, *lanes: Lane) -> None:
        """Bring alerts up to date."""
        if lanes:
            await asyncio.wait({self.bot.live.request(lane) for lane in lanes}, timeout=_SENT_WITHIN_S)

    async def _draw(self, lane: Lane, recorded: Recorded) -> Drawing | None:
        """Draw an alert. One that was sent stays as it is until it goes; a new one needs a check."""
        try:
            table = await self.bot.tables.table(lane.subject_id)
        except (NoSuchTable, DamagedTable):
            return None
        card = Card(lane, f"{_SUBJECT} {table.id}", table.place, table.version, table.key)
        user_id = lane.user_id or 0
        if await self._seeking(table.id) is None or is_seated(table, user_id):
            return drawn(card)
        if in_slot(recorded, slot_of(Kind.ALERT, user_id)):
            return drawn(card, Wanted(Kind.ALERT, None, user_id))
        checked_at, language = self._checked.get(lane, (0.0, None))
        if self.bot.now() > checked_at + _CHECKED_S:
            return drawn(card)
        with using(supported(language)):
            post = await self._post(table)
        return drawn(card, Wanted(Kind.ALERT, digest(post), user_id, post=post, is_final=True))

    async def _post(self, table: Table) -> Post:
        said = _(
            "{table} · {game} has opened in {channel}.",
            table=named_link(table, await self.bot.tables.messages.of(table.id)),
            game=title_of(self.bot.faces[table.game].game),
            channel=f"<#{table.place.channel_id}>",
        )
        note = "-# " + _("At most once a day. This message goes when the game begins.")
        row = (Button("join", _("Join"), "success"), Button("alert-stop", _("Stop these messages")))
        return Post((said, note), rows=(row,))


async def alerts_page(ctx: Context) -> Post:
    """Return the page on which users choose the games of this server about whose tables they want to be told."""
    guild_id = ctx.interaction.guild_id
    if guild_id is None:
        raise NotAllowed("Open `/settings` on the server whose tables you want to hear of.")
    if refusal := absence(ctx.interaction):
        raise refusal
    has_pings = (await ctx.tables.users.settings(ctx.user_id)).pings
    post = _page(ctx.faces, await ctx.tables.alerts.games(ctx.user_id, guild_id), has_pings=has_pings)
    back = (Button("settings", _("Back")),)
    return post if ctx.press.origin else replace(post, rows=(*post.rows, back))


def _page(faces: Faces, wanted: frozenset[str], *, has_pings: bool) -> Post:
    titles = {key: title_of(face.game) for key, face in faces.items()}
    chosen = [title for key, title in titles.items() if key in wanted]
    said = _("Which games?")
    if chosen:
        said = _("I'll tell you when a table of {games} opens here.", games=either(chosen))
    note = _("In a direct message with **Join**, at most once a day, and not in your quiet hours.")
    if not has_pings:
        note = _("Your pings are off, so nothing comes. Turn them on in `/settings`.")
    games = tuple(
        Button(_SET, f"✓ {title}", "success", f"{key}.off")
        if key in wanted
        else Button(_SET, title, argument=f"{key}.on")
        for key, title in titles.items()
    )
    return Post(("### " + _("Tell me when a table opens"), said, f"-# {note}"), rows=(games,))


@press("alert")
async def _tell(ctx: Context) -> Reply:
    """Note that the user wants to hear of tables of the lobby's game, and show the page."""
    table, guild_id = ctx.table, ctx.interaction.guild_id
    if guild_id is None or guild_id != table.place.guild_id:
        raise Outdated
    await ctx.live.reopen(ctx.user_id)  # their direct messages may be open by now
    await ctx.tables.alerts.want(ctx.user_id, guild_id, table.game, is_wanted=True)
    return Reply(await alerts_page(ctx))


@press(_SET)
async def _choose(ctx: Context) -> Reply:
    game, _dot, wish = ctx.press.argument.partition(".")
    guild_id = ctx.interaction.guild_id
    if game not in ctx.faces or wish not in {"on", "off"} or guild_id is None or absence(ctx.interaction):
        raise Outdated
    await ctx.live.reopen(ctx.user_id)
    await ctx.tables.alerts.want(ctx.user_id, guild_id, game, is_wanted=wish == "on")
    return Reply(await alerts_page(ctx), "private" if ctx.press.origin else "here")


@press("alert-stop")
async def _stop(ctx: Context) -> Reply:
    """Take the wish back that has brought about the pressed message."""
    table = ctx.table
    await ctx.tables.alerts.want(ctx.user_id, table.place.guild_id or 0, table.game, is_wanted=False)
    return Reply(sentence(_("I won't tell you about tables of {game} there any more.", game=title_of(ctx.face.game))))


async def setup(bot: LilypadBot) -> None:
    """Add the feature to the bot."""
    await bot.add_cog(AlertsCog(bot))
