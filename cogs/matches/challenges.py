"""``/challenge``: two members of a server play the same deals, each against computers in their direct messages."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import NotAllowed, PlayError
from bot.games import GAMES
from bot.records.event import GRACE_S, EventResult, match_of
from bot.records.live_message import Kind as MessageKind, Stage, in_slot, slot_of
from bot.records.match import Kind, Match, MatchPlayer
from bot.records.table import Place, Receipt
from bot.running.client import LilypadBot
from bot.tables.matches import CHALLENGES, DAYS, DEALS, total
from bot.tables.ping_settings import pingable
from bot.texts import gettext as _, supported, translated, using
from bot.ui.actions.opening import direct_place, game_here, way_to_play
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.actions.replay_actions import replay
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.live.lanes import CARD_LINK, Card, Drawing, Lane, Recorded, drawn
from bot.ui.live.plan import Wanted
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Choice, Choices, Post
from cogs.matches import deserted
from cogs.matches.challenge_menu import DAYS_AS_A_RULE, begin, offer
from cogs.matches.posts import heading, headline, match_post, player_label, progress

log: Final = logging.getLogger(__name__)

_SUBJECT: Final = "match"
_AGAIN_S: Final = 3600.0
"""Delay before looking again whether the message can show the end."""
_IN_ROW: Final = 5
DEALS_AS_A_RULE: Final = 3


class ChallengesCog(commands.Cog):
    """Challenges: the command, and the messages and ends of all matches."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._gone_since: dict[int, float] = {}
        """When it was first seen of a challenge that one of its players isn't there any more."""

    async def cog_load(self) -> None:
        """Follow the tables of challenges, and register what is due."""
        self.bot.tables.on_change(self._table_changed)
        self.bot.calendar.add(_SUBJECT, self.due, by_date=True, at_start=True)
        self.bot.live.add(_SUBJECT, self._draw)

    @app_commands.command(name="challenge", description="Play the same cards as somebody else, and compare")
    @app_commands.describe(
        player="The member to challenge. Leave it out to choose, and to see your challenges",
        game="What you both play, else what was played last here; of Pond · frogs, each begins as often",
        deals="How many games each of you plays, with the same cards for both",
        days="For how many days it goes on",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=translated(GAMES[key].title), value=key) for key in CHALLENGES]
    )
    async def challenge(
        self,
        interaction: discord.Interaction,
        player: discord.User | None = None,
        game: str | None = None,
        deals: app_commands.Range[int, DEALS[0], DEALS[-1]] | None = None,
        days: app_commands.Range[int, DAYS[0], DAYS[-1]] = DAYS_AS_A_RULE,
    ) -> None:
        await answer(interaction, _challenge(Context(interaction), player, game, deals, days))

    def _table_changed(self, receipt: Receipt) -> None:
        table = receipt.table
        match_id = None if table.event is None else match_of(table.event[0])
        if match_id is not None and (not receipt.before or not table.is_open):
            self.bot.calendar.soon("match", match_id)

    # ---- one challenge

    async def due(self, match_id: int, now: float) -> float | None:
        """End the match if its time is over, and let the message say how it is."""
        match = await self.bot.tables.matches.update(match_id, now)
        if match is None:
            return None
        if match.kind == "duplicate":
            await self._open_tables(match)
        gone = await deserted.missing(self.bot, match)
        if gone is None:
            self._gone_since.pop(match.id, None)
        else:
            match = await self._end_without(match, gone, now)
        lane = Lane(match.id, subject=_SUBJECT)
        await asyncio.wait({self.bot.live.request(lane)})
        if match.status == "playing" and now >= match.until:
            return match.until + GRACE_S
        if match.is_open:
            return min(match.until, now + deserted.LOOK_S)
        messages = await self.bot.tables.messages.about(_SUBJECT, match.id)
        return None if any(each.stage is Stage.LEFT for each in messages) else self.bot.now() + _AGAIN_S

    async def _end_without(self, match: Match, gone: MatchPlayer, now: float) -> Match:
        """End a challenge whose other player isn't there any more, after the game that is being played.

        Leavers may come back within the hour, and whoever stays may begin a game.
        """
        matches, since = self.bot.tables.matches, self._gone_since.setdefault(match.id, now)
        others = [each.user_id for each in match.players if each != gone and each.user_id is not None]
        is_played = any([await matches.table(match, user_id) for user_id in others])
        if match.is_open and (is_played or now < since + deserted.LOOK_S):
            return match
        await deserted.notify(self.bot, match, gone)
        await matches.desert(match, gone.side)
        return await matches.find(match.id) or match

    async def _open_tables(self, match: Match) -> None:
        """Start the next table in each room of a duplicate. What can't be opened doesn't keep the message back."""
        try:
            await self.bot.tables.duplicates.open_tables(match)
        except PlayError as error:
            log.info("a table of match %s can't be opened: %s", match.id, error)

    async def _draw(self, lane: Lane, recorded: Recorded) -> Drawing | None:
        tables = self.bot.tables
        match = await tables.matches.find(lane.subject_id)
        if match is None or any(each.stage is Stage.LEFT for each in recorded):
            return None
        if (event := await tables.events.records.event(match.event)) is None:
            return None
        results, language = await tables.matches.results(match), await tables.languages.of_server(match.guild_id)
        with using(supported(language)):
            post = match_post(match, event, results, self.bot.faces)
            ping = await self._ping(match, results, recorded) if match.status == "over" else None
        asked = await self._asked(match) if in_slot(recorded, slot_of(MessageKind.CARD)) is None else ()
        shown = Wanted(MessageKind.CARD, digest(post), post=post, mentions=asked, is_last=not match.is_open)
        card = Card(lane, match.event, Place(match.guild_id, match.channel_id))
        return drawn(card, shown, *((ping,) if ping else ()))

    async def _asked(self, match: Match) -> tuple[int, ...]:
        """Return whom the first message of a match pings: the challenged member, unless they want no ping."""
        guest = match.players[-1].user_id if match.kind == "challenge" and match.status == "offered" else None
        pinged = () if guest is None else await pingable(self.bot.tables.users, [guest], self.bot.now())
        return pinged if pinged and await self.bot.tables.matches.may_ping(match) else ()

    async def _ping(self, match: Match, results: Sequence[EventResult], recorded: Recorded) -> Wanted | None:
        """Return the ping of the players with the result: the message is further up, and some finished long ago."""
        if in_slot(recorded, slot_of(MessageKind.RESULT)):
            return Wanted(MessageKind.RESULT, None)
        players = [each.user_id for each in match.players if each.user_id is not None]
        pinged = await pingable(self.bot.tables.users, players, self.bot.now())
        if not pinged:
            return None
        result, people = headline(match, total(match, results)), " ".join(f"<@{user_id}>" for user_id in pinged)
        post = Post((f"**{result}**\n{people} · " + _("[All games]({link})", link=CARD_LINK),))
        return Wanted(MessageKind.RESULT, digest(post), post=post, mentions=pinged, is_final=True)


async def _challenge(
    ctx: Context, player: discord.User | None, game: str | None, deals: int | None, days: int
) -> Reply:
    if player is None:
        return await begin(ctx, game, deals, days)
    return await offer(ctx, player, game or await game_here(ctx, CHALLENGES), deals or DEALS_AS_A_RULE, days)


# ---- pages


async def pressed_match(ctx: Context, kind: Kind | None = None) -> Match:
    """Return the match that a button is about. It is in its channel, or on a page of one of the players.

    With ``kind``, only matches of that kind have such a button.
    """
    match = await ctx.tables.matches.find(parse_number(ctx.press.argument.partition(".")[0]))
    if match is None or (ctx.interaction.channel_id != match.channel_id and match.player(ctx.user_id) is None):
        raise Outdated
    if kind is not None and match.kind != kind:
        raise Outdated
    return match


def match_changed(ctx: Context, match: Match) -> None:
    """Bring a match up to date soon."""
    client: Any = ctx.interaction.client
    client.calendar.soon("match", match.id)


@press("match")
async def _status(ctx: Context) -> Reply:
    """Return the match as it stands, for its players."""
    match = await pressed_match(ctx)
    event = await ctx.tables.events.records.event(match.event)
    if event is None or match.player(ctx.user_id) is None:
        raise Outdated
    return Reply(match_post(match, event, await ctx.tables.matches.results(match), ctx.faces))


@press("match-accept")
async def _accept(ctx: Context) -> Reply:
    match = await pressed_match(ctx, "challenge")
    await ctx.tables.matches.accept(match, ctx.user_id)
    match_changed(ctx, match)
    row = (Button("match-play", _("Play"), "success", argument=str(match.id)),)
    said = _("You're in. **Play** begins your first game, in your direct messages. You can pause at any time.")
    return Reply(Post((heading(match, ctx.faces), said), rows=(row,)))


@press("match-decline")
async def _decline(ctx: Context) -> Reply:
    match = await pressed_match(ctx, "challenge")
    await ctx.tables.matches.decline(match, ctx.user_id)
    match_changed(ctx, match)
    return Reply(sentence(_("You've declined the challenge.")))


@press("match-withdraw")
async def _withdraw(ctx: Context) -> Reply:
    match, may = await pressed_match(ctx), ctx.interaction.permissions
    is_moderator = ctx.interaction.guild_id == match.guild_id and (may.manage_guild or may.manage_messages)
    await ctx.tables.matches.withdraw(match, ctx.user_id, moderates=is_moderator)
    match_changed(ctx, match)
    return Reply(sentence(_("You've withdrawn it.")))


@press("match-play")
async def _play(ctx: Context) -> Reply:
    """Lead the user to their game, or begin their next one."""
    match, matches = await pressed_match(ctx, "challenge"), ctx.tables.matches
    player = match.player(ctx.user_id)
    place = await direct_place(ctx.interaction) if player else Place(None, 0)
    async with one_at_a_time(ctx.user_id, match.id):
        table = await matches.play(match, ctx.person, place)
    title = heading(match, ctx.faces)
    if table is None:
        said = _("You've played all your games. The result comes when both have finished.")
        return Reply(Post((title, said, progress(match, await matches.results(match)))), "here")
    nth = _("Game {n} of {deals}", n=(table.event or ("", 0))[1] + 1, deals=match.deals)
    again = _("Or allow direct messages from this server, then press **Play** again.")
    said, row = await way_to_play(ctx, table, again)
    return Reply(Post((title, f"{nth} · {said}"), rows=(row,) if row else ()), "here", table)


@press("match-replay")
async def _replay(ctx: Context) -> Reply:
    """Show the user one of their games again, or let them choose: once the match is over, also others' games."""
    match = await pressed_match(ctx)
    if not match.was_played or match.player(ctx.user_id) is None or not (games := await _games(ctx, match)):
        return await _replay_own(ctx, match)
    menu = Choices(_("Which game?"), games, verb="replay-of")
    return Reply(Post((heading(match, ctx.faces),), choices=(menu,)))


async def _replay_own(ctx: Context, match: Match) -> Reply:
    tables = await ctx.tables.matches.tables(match, ctx.user_id)
    ended = [number for number, table in tables.items() if table.has_ended]
    chosen = ctx.press.argument.partition(".")[2]
    deal = parse_number(chosen) if chosen else ended[0] if len(ended) == 1 else None
    if deal is not None and deal in tables:
        ctx.press = replace(ctx.press, argument="")
        return await replay(await ctx.at(tables[deal]))
    if not ended:
        raise NotAllowed("You haven't finished a game of this challenge.")
    buttons = [Button("match-replay", _("Game {n}", n=n + 1), argument=f"{match.id}.{n}") for n in ended]
    rows = tuple(tuple(buttons[first : first + _IN_ROW]) for first in range(0, len(buttons), _IN_ROW))
    return Reply(Post((heading(match, ctx.faces), _("Which of your games?")), rows=rows))


async def _games(ctx: Context, match: Match) -> tuple[Choice, ...]:
    """Return all games of a match, each with who played it."""
    found: list[Choice] = []
    for result in sorted(await ctx.tables.matches.results(match), key=lambda each: (each.deal, each.side)):
        table = await ctx.tables.events.table(result)
        if table is not None and table.has_ended:
            player = player_label(match.players_of(result.side)[0])
            who = _("table {n}", n=result.side + 1) if match.kind == "duplicate" else player
            found.append(Choice(table.key, _("Game {n} · {who}", n=result.deal + 1, who=who)))
    return tuple(found)


@press("match-fair")
async def _fair(ctx: Context) -> Reply:
    """Show how to check that both got the same deals."""
    match = await pressed_match(ctx)
    event = await ctx.tables.events.records.event(match.event)
    if event is None:
        raise Outdated
    lines = [_("Its SHA-256, shown before the first game:\n`{commitment}`", commitment=event.commitment)]
    if event.secret is None:
        lines.insert(0, _("🔒 A secret fixes every shuffle, for both. You'll see it when the challenge is over."))
    else:
        lines.insert(0, _("The secret was\n`{secret}`", secret=event.secret))
        seeds = _(
            "The seed of the tables is the HMAC-SHA256 of this secret and `{text}`, and so on.", text=f"{match.game}|0"
        )
        lines.append(seeds + "\n" + _("To check your own game: **More**, **About this game**, **Check**."))
    return Reply(Post((heading(match, ctx.faces), *lines)))


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(ChallengesCog(bot))
