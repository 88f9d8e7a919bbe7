"""Challenges whose other player isn't there any more: they have left the server, or deleted their data."""

import logging
from typing import Final

import discord

from bot.records.match import Match, MatchPlayer
from bot.running.client import LilypadBot
from bot.tables.ping_settings import pingable
from bot.texts import supported, using
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, is_refusal
from bot.ui.posts.post import Post
from cogs.matches.posts import gone_line

log: Final = logging.getLogger(__name__)

LOOK_S: Final = 3600.0
"""Time between two looks whether both players are there: only a privileged intent would tell of leavers."""


async def missing(bot: LilypadBot, match: Match) -> MatchPlayer | None:
    """Return the player of a challenge who isn't there any more; ``None`` if both are, or if it ended otherwise."""
    deleted = next((player for player in match.players if player.user_id is None), None)
    if match.kind != "challenge" or not (match.is_open or (match.status == "withdrawn" and deleted)):
        return None
    if deleted is not None:
        return deleted
    guild = bot.get_guild(match.guild_id)
    for player in match.players if guild else ():
        if not await _is_member(guild, player):
            return player
    return None


async def _is_member(guild: discord.Guild | None, player: MatchPlayer) -> bool:
    """Whether the player is on the server. It counts as yes while Discord doesn't say."""
    try:
        if guild is not None:
            await guild.fetch_member(player.user_id or 0)
    except discord.NotFound:
        return False
    except CONNECTION_ERRORS as error:
        log.info("it isn't known whether user %s is on the server: %s", player.user_id, error)
    return True


async def notify(bot: LilypadBot, match: Match, gone: MatchPlayer) -> None:
    """Tell the other player why the challenge is over, with one ping.

    The mark of the message is that of the match but for one bit, so that a restart finds it.
    """
    users = [player.user_id for player in match.players if player != gone and player.user_id is not None]
    with using(supported(await bot.tables.languages.of_server(match.guild_id))):
        post = Post((f"{gone_line(match, gone.side)}\n" + " ".join(f"<@{user}>" for user in users),))
    try:
        if users:
            await bot.live.outbox.tell(
                match.channel_id, post, match.id ^ 2, await pingable(bot.tables.users, users, bot.now())
            )
    except discord.HTTPException as error:
        if not is_refusal(error):
            raise
        log.info("it can't be said that challenge %s is over: %s", match.id, error)
