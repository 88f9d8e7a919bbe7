"""The front door: ``/help``, the answer to a bare mention of the bot, and the first message on a server."""

import logging
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import PlayError
from bot.running.client import LilypadBot
from bot.tables.defaults import Wanted, proposed_to
from bot.texts import gettext as _, supported, using
from bot.ui.actions.opening import Wishes, open_here
from bot.ui.actions.owners import is_owner
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.live.failures import missing_to_post
from bot.ui.messages.duration import COMPUTER_S, PERSON_S, minutes
from bot.ui.messages.lesson_pages import LEARN
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE
from bot.ui.posts.face import Face
from bot.ui.posts.post import Button, Choice, Choices, Post, Section
from bot.ui.posts.recent import Recent
from bot.ui.posts.text import title_of

log: Final = logging.getLogger(__name__)

_QUIET_S: Final = 600.0
"""Time after which a bare mention is answered again in a channel."""


class HelpCog(commands.Cog):
    """The command, and the messages that show the same to everyone."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot
        self._shown_at = Recent[int, float]()
        """When a channel last got the answer to a mention."""

    @app_commands.command(name="help", description="What you can play here, and how to begin")
    async def help(self, interaction: discord.Interaction) -> None:
        await answer(interaction, _help(Context(interaction)))

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is nothing but a mention of the bot, and no reply."""
        user = self.bot.user
        if user is None or message.author.bot or message.guild is None or message.reference is not None:
            return
        at = message.created_at.timestamp()
        is_bare = message.content.strip() in {f"<@{user.id}>", f"<@!{user.id}>"}
        if is_bare and at - self._shown_at.get(message.channel.id, 0.0) >= _QUIET_S:
            self._shown_at[message.channel.id] = at
            await self._show(message.guild, message.channel.id, str(message.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say in the system channel what can be played, if the bot may write there."""
        channel = guild.system_channel
        if channel is not None and not missing_to_post(channel.permissions_for(guild.me), channel):
            await self._show(guild, channel.id, f"hello-{guild.id}")

    async def _show(self, guild: discord.Guild, channel_id: int, nonce: str) -> None:
        try:
            with using(supported(await self.bot.tables.languages.of_server(guild.id))):
                await self.bot.live.outbox.send(channel_id, help_post(self.bot.faces, is_direct=False), nonce)
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            log.info("channel %s can't be shown what there is to play: %s", channel_id, error)


@press("help")
async def _help(ctx: Context) -> Reply:
    client: Any = ctx.interaction.client
    post = help_post(ctx.faces, is_direct=ctx.interaction.guild_id is None)
    own = (Button("bot", _("How the bot is")),)
    return Reply(replace(post, rows=(*post.rows, own)) if is_owner(client, ctx.user_id) else post, "here")


@press("open-here")
async def _open(ctx: Context) -> Reply:
    """Open a table in this channel, or in a thread of its own, with a link to it."""
    key = ctx.press.argument
    if key not in ctx.faces:
        raise PlayError("That game isn't here any more.")
    return await open_here(ctx, Wishes(key, Wanted(), 0))


def help_post(faces: Mapping[str, Face[Any]], *, is_direct: bool) -> Post:
    """Return the games, each with the ways to begin, and below them everything else."""
    games = tuple(Section(_game(face), _ways(face, is_direct=is_direct)) for face in faces.values())
    rules = tuple(Choice(f"{key}.0.0", title_of(face.game)) for key, face in faces.items())
    here = (Button("challenges", _("Duel")), Button("friends", _("Standings")))
    own = (Button("tables", _("My games")), Button("settings", _("Settings")))
    row = (Button("daily", _("Daily")), *(() if is_direct else here), *own)
    menu = Choices(_("Read the rules"), rules, verb="rules", origin="help")
    counted = "-# " + _("Minutes: {n} s for your move, {m} s for a computer's.", n=PERSON_S, m=COMPUTER_S)
    return Post(("### Lilypad", counted), (menu,), (row,), sections=games)


def _game(face: Face[Any]) -> str:
    """Return a game in two lines. The minutes are those of the game that **Play now** starts."""
    given = face.lesson.first_game if face.lesson else {}
    n = minutes(face, face.game.settle({**proposed_to(face.game, is_learner=True), **given}), people=1)
    facts = _("{players}, {n} min", players=face.players(), n=n)
    return f"**{title_of(face.game)}** · {facts}\n-# {face.pitch()}"


def _ways(face: Face[Any], *, is_direct: bool) -> tuple[Button, ...]:
    key = face.game.key
    learn = (Button(LEARN, _("Learn"), argument=key),) if face.lesson is not None else ()
    here = () if is_direct else (Button("open-here", _("Open here"), argument=key),)
    return (Button("play-now", _("Play now"), "success", key), *learn, *here)


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(HelpCog(bot))
