"""Nights that can't begin: why, and one ping with the reason for those who are in."""

import logging
from collections.abc import Sequence
from typing import Final

import discord

from bot.errors import NotAllowed, PlayError, TooManyTables
from bot.records.night import Night
from bot.running.client import LilypadBot
from bot.tables.ping_settings import pingable
from bot.texts import gettext as _, listed, sentence_of, supported, translated, using
from bot.ui.live.failures import missing_to_post
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, is_refusal
from bot.ui.posts.post import Post

log: Final = logging.getLogger(__name__)

Refusal = PlayError | discord.NotFound | discord.Forbidden
"""What keeps a night from beginning."""


def check_may_post(channel: discord.abc.GuildChannel | discord.Thread) -> None:
    """Raise `NotAllowed` if the bot can't post a table in the channel."""
    if missing := missing_to_post(channel.permissions_for(channel.guild.me), channel):
        permissions = listed([translated(name) for name in missing])
        raise NotAllowed(
            "I can't post there: I need {permissions}. Ask a moderator to allow that.", permissions=permissions
        )


async def notify(bot: LilypadBot, night: Night, refusal: Refusal) -> None:
    """Tell those who are in why there is no table, with one ping: in the channel, or else in direct messages.

    The mark of the message is that of the night but for the last bit, so that a restart finds it.
    """
    users = await pingable(bot.tables.users, dict.fromkeys((night.host_id, *night.guests)), bot.now())
    with using(supported(await bot.tables.languages.of_server(night.guild_id))):
        post = _post(night, refusal, users)
    try:
        await bot.live.outbox.tell(night.channel_id, post, night.id ^ 1, users)
    except discord.HTTPException as error:
        if not is_refusal(error):
            raise
        log.info("game night %s can't be called off in its channel: %s", night.id, error)
        for user in users:
            await _notify_directly(bot, night, post, user)


async def _notify_directly(bot: LilypadBot, night: Night, post: Post, user_id: int) -> None:
    try:
        await bot.live.outbox.send_direct(user_id, post, f"{night.id ^ 1}")
    except CONNECTION_ERRORS as error:
        log.info("user %s doesn't learn that game night %s can't begin: %s", user_id, night.id, error)


def _post(night: Night, refusal: Refusal, users: Sequence[int]) -> Post:
    said = _(
        "🌙 The game night in {channel} can't begin ({when}). {why}",
        channel=f"<#{night.channel_id}>",
        when=f"<t:{night.starts_at:.0f}:t>",
        why=_why(refusal),
    )
    return Post((" ".join(f"<@{user}>" for user in users), said) if users else (said,))


def _why(refusal: Refusal) -> str:
    if isinstance(refusal, TooManyTables):  # its sentence is for the host alone
        return _("Too many tables are open, or were opened lately.")
    if isinstance(refusal, PlayError):
        return sentence_of(refusal)
    return _("Its channel is gone, or I can't see it any more.")
