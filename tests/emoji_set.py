"""A complete set of emojis, with ids as long as Discord's."""

import discord

from bot.running.application_emojis import full_names
from bot.ui.posts.emojis import EmojiSet

FIRST_ID = 1_234_567_890_123_456_789


def complete_set() -> EmojiSet:
    """Return a set in which every emoji exists."""
    emojis = EmojiSet()
    ids = enumerate(full_names().items(), FIRST_ID)
    emojis.fill({short: discord.PartialEmoji(name=full, id=emoji_id) for emoji_id, (short, full) in ids})
    return emojis
