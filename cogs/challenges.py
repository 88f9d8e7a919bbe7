"""``/challenge``: two members of a server play the same deals, each against computers in their direct messages."""

import logging
from typing import Final, cast

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.errors import NotAllowed, PlayError
from bot.games import GAMES as ALL_GAMES
from bot.running.client import LilypadBot
from bot.running.regular_cog import WorkerCog
from bot.tables import Match, Place, Receipt, match_of
from bot.tables.matches import DAYS, DEALS, GAMES, total
from bot.tables.ping_settings import wants_ping
from bot.texts import gettext as _, supported, translated, using
from bot.ui.actions.opening import channel_place, direct_place, reached
from bot.ui.actions.permissions import check_may_open
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.actions.replay_actions import replay
from bot.ui.interactions.command_tree import as_person
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.live.failures import may_read
from bot.ui.messages.match_posts import heading, headline, match_post, player_label, progress
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.discord_errors import POST_AGAIN, Code, is_refusal
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import plain, title_of

log: Final = logging.getLogger(__name__)

_LOOK_MIN: Final = 15
"""Interval of looking for matches that another process has left undone."""
_IN_ROW: Final = 5


class ChallengesCog(WorkerCog):
    """Challenges. The worker of each keeps its message up to date, and ends it in time."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "challenge", _LOOK_MIN)

    async def cog_load(self) -> None:
        """Follow the tables of challenges, and start looking for what is due."""
        self.bot.tables.on_change(self._table_changed)
        await super().cog_load()

    @app_commands.command(name="challenge", description="Play the same cards as somebody else, and compare")
    @app_commands.describe(
        player="The member to challenge. Leave it out to see your challenges",
        game="Without Pond · frogs, which has no cards to compare",
        deals="How many games each of you plays, with the same cards for both",
        days="For how many days it goes on",
    )
    @app_commands.choices(game=[app_commands.Choice(name=translated(ALL_GAMES[key].title), value=key) for key in GAMES])
    async def challenge(
        self,
        interaction: discord.Interaction,
        player: discord.User | None = None,
        game: str = "pond",
        deals: app_commands.Range[int, DEALS[0], DEALS[-1]] = 3,
        days: app_commands.Range[int, DAYS[0], DAYS[-1]] = 7,
    ) -> None:
        ctx = Context(interaction)
        await answer(interaction, _own(ctx) if player is None else self._challenge(ctx, player, game, deals, days))

    async def _challenge(self, ctx: Context, player: discord.abc.User, game: str, deals: int, days: int) -> Reply:
        place = channel_place(ctx.interaction)
        if place.guild_id is None:
            raise NotAllowed("Challenges are for servers.")
        await check_may_open(ctx.tables, ctx.interaction, place)
        _check_reachable(ctx.interaction, player)
        match = await ctx.tables.matches.challenge(ctx.person, as_person(player), place, game, deals=deals, days=days)
        self.changed(match.id)
        return Reply(sentence(_("{name} can accept or decline it here.", name=f"<@{player.id}>")))

    def number_of(self, event: str) -> int | None:
        """Return the match of an event."""
        return match_of(event)

    def _table_changed(self, receipt: Receipt) -> None:
        table = receipt.table
        match_id = None if table.event is None else match_of(table.event[0])
        if match_id is not None and (not receipt.before or not table.is_open):
            self.changed(match_id)

    async def look(self) -> None:
        """Look for what is due."""
        for match_id in await self.bot.tables.matches.unfinished():
            self.changed(match_id)

    # ---- one challenge

    async def work(self, match_id: int) -> None:
        """Do what is due, and let the message say how it is, if this process does that."""
        tables = self.bot.tables
        match = await tables.matches.update(match_id, trusts_clock=not tables.privacy.clocks_differ())
        if match is None:
            return
        if not self.bot.leases.holds(match.guild_id):
            await self.bot.leases.request_event(match.event, match.guild_id)
            return
        if match.kind == "duplicate":
            await self._open_tables(match)
        await self._show(match)
        if match.is_open:
            self.later(match_id, max(1.0, match.until - self.bot.now()))

    async def _open_tables(self, match: Match) -> None:
        """Start the next table in each room of a duplicate. What can't be opened doesn't keep the message back."""
        try:
            await self.bot.tables.duplicates.open_tables(match)
        except PlayError as error:
            log.info("a table of match %s can't be opened: %s", match.id, error)

    async def _show(self, match: Match) -> None:
        """Post or edit the message. What Discord refuses is left: the match goes on all the same."""
        tables = self.bot.tables
        event = await tables.events.records.event(match.event)
        if event is None:
            return
        results, language = await tables.matches.results(match), await tables.languages.of_server(match.guild_id)
        with using(supported(language)):
            post = match_post(match, event, results, self.bot.faces)
        shown, message_id = digest(post), match.message_id
        try:
            if shown != match.shown:
                message_id = await self._send(match, post)
                if match.status == "over":
                    with using(supported(language)):
                        await self._tell(match, headline(match, total(match, results)), message_id)
        except discord.HTTPException as error:
            if not is_refusal(error):
                raise
            log.info("challenge %s can't be shown: %s", match.id, error)
            shown = match.shown
        await tables.matches.posted(replace(match, message_id=message_id, shown=shown), is_final=not match.is_open)

    async def _send(self, match: Match, post: Post) -> int:
        is_asked = match.kind == "challenge" and match.status == "offered"
        guest = match.players[-1].user_id if is_asked else None
        pinged = () if guest is None or not await self._wants_ping(guest) else (guest,)
        again = POST_AGAIN | {Code.UNKNOWN_MESSAGE}  # if it was deleted, the match still needs its message
        return await self.bot.live.outbox.show(
            match.channel_id, match.message_id, post, mark=match.id, pings=pinged, again=again
        )

    async def _tell(self, match: Match, result: str, message_id: int) -> None:
        """Ping the players with the result, once: its message is further up, and some have finished long ago.

        The mark of the ping is that of the match but for the last bit, so that a restart finds it.
        """
        outbox, mark = self.bot.live.outbox, match.id ^ 1
        players = [each.user_id for each in match.players if each.user_id is not None]
        pinged = [user_id for user_id in players if await self._wants_ping(user_id)]
        if not pinged or await outbox.find(match.channel_id, mark) is not None:
            return
        link = f"https://discord.com/channels/{match.guild_id}/{match.channel_id}/{message_id}"
        people = " ".join(f"<@{user_id}>" for user_id in pinged)
        post = Post((f"**{result}**\n{people} · " + _("[All games]({link})", link=link),))
        await outbox.send(match.channel_id, post, f"{mark}", mark=mark, pings=pinged)

    async def _wants_ping(self, user_id: int) -> bool:
        return wants_ping(await self.bot.tables.users.settings(user_id), self.bot.now())


def _check_reachable(interaction: discord.Interaction, player: discord.abc.User) -> None:
    """Raise `NotAllowed` unless the user is a member who can see the channel."""
    if player.bot:
        raise NotAllowed("Computers play along anyway. Challenge a person.")
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    is_here = isinstance(player, discord.Member)
    if is_here and isinstance(channel, discord.abc.GuildChannel):
        is_here = may_read(channel.permissions_for(cast("discord.Member", player)), channel)
    if not is_here:
        raise NotAllowed("{name} can't see this channel.", name=plain(player.display_name))


# ---- pages


async def _own(ctx: Context) -> Reply:
    """Return the user's challenges that haven't ended, each with its button."""
    matches = ctx.tables.matches
    found = [match for match_id in await matches.of_user(ctx.user_id) if (match := await matches.find(match_id))]
    if not found:
        said = _("You have no challenges. `/challenge player:` plays the same cards as a friend.")
        return Reply(sentence(said), "here")
    lines, row = [], []
    for number, match in enumerate(found, 1):
        line = progress(match, await matches.results(match)) if match.status == "playing" else _("not answered yet")
        player = match.player(ctx.user_id)
        channel_id = match.rooms[player.room] if player and match.rooms else match.channel_id
        where = f"<#{channel_id}> · <t:{match.until:.0f}:R>"
        lines.append(f"{number}. {title_of(ctx.faces[match.game].game)} · {line}\n-# {where}")
        if match.status == "playing" and match.kind == "challenge":
            row.append(Button("match-play", _("Play {n}", n=number), argument=str(match.id)))
    return Reply(Post(("### " + _("Your challenges"), *lines), rows=(tuple(row),) if row else ()), "here")


async def pressed_match(ctx: Context) -> Match:
    """Return the match that a button is about. It is in its channel, or on a page of one of the players."""
    match = await ctx.tables.matches.find(parse_number(ctx.press.argument.partition(".")[0]))
    if match is None or (ctx.interaction.channel_id != match.channel_id and match.player(ctx.user_id) is None):
        raise Outdated
    return match


def match_changed(ctx: Context, match: Match) -> None:
    """Bring a match up to date soon."""
    ChallengesCog.of(ctx.interaction).changed(match.id)


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
    match = await pressed_match(ctx)
    await ctx.tables.matches.accept(match, ctx.user_id)
    match_changed(ctx, match)
    row = (Button("match-play", _("Play"), "success", argument=str(match.id)),)
    said = _("You're in. **Play** begins your first game, in your direct messages. You can pause at any time.")
    return Reply(Post((heading(match, ctx.faces), said), rows=(row,)))


@press("match-decline")
async def _decline(ctx: Context) -> Reply:
    match = await pressed_match(ctx)
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
    match, matches = await pressed_match(ctx), ctx.tables.matches
    player = match.player(ctx.user_id)
    place = await direct_place(ctx.interaction) if player else Place(None, 0)
    async with one_at_a_time(ctx.user_id, match.id):
        table = await matches.play(match, ctx.person, place)
    title = heading(match, ctx.faces)
    if table is None:
        said = _("You've played all your games. The result comes when both have finished.")
        return Reply(Post((title, said, progress(match, await matches.results(match)))), "here")
    nth = _("Game {n} of {deals}", n=(table.event or ("", 0))[1] + 1, deals=match.deals)
    if (link := await reached(ctx, table)) is not None:
        said = _("Your game is in your direct messages. {link}", link=link)
    else:
        said = _("I can't reach you yet. Allow direct messages from this server, then press **Play** again.")
    return Reply(Post((title, f"{nth} · {said}")), "here")


@press("match-replay")
async def _replay(ctx: Context) -> Reply:
    """Show the user one of their games again, or let them choose: once the match is over, also others' games."""
    match = await pressed_match(ctx)
    if match.status != "over" or match.player(ctx.user_id) is None or not (games := await _games(ctx, match)):
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
        lines.append(seeds + "\n" + _("To check your own game, use `/verify`."))
    return Reply(Post((heading(match, ctx.faces), *lines)))


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(ChallengesCog(bot))
