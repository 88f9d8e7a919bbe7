"""What moderators do on the server, and the events that the bot receives."""

from typing import Final

from tests.wire.discord_server import Discord
from tests.wire.faults import Refused
from tests.wire.objects import GUILD_ID, Message, guild

PUBLIC_THREAD: Final = 11
_WORDS: Final = {50001: "Missing Access", 50013: "Missing Permissions"}


async def delete_message(discord: Discord, message: Message) -> None:
    """Delete a message."""
    del discord.messages[message.id]
    await discord.tell("MESSAGE_DELETE", message)


async def delete_channel(discord: Discord, channel_id: str) -> None:
    """Delete a channel with its messages."""
    gone = discord.channels.pop(channel_id)
    discord.messages = {key: each for key, each in discord.messages.items() if each.channel_id != channel_id}
    event = "THREAD_DELETE" if gone["type"] == PUBLIC_THREAD else "CHANNEL_DELETE"
    await discord.gateway.dispatch(event, gone, GUILD_ID)


async def archive(discord: Discord, channel_id: str, *, archived: bool = True, locked: bool = False) -> None:
    """Archive a thread, or open it again."""
    discord.channels[channel_id]["thread_metadata"] |= {"archived": archived, "locked": locked}
    await discord.gateway.dispatch("THREAD_UPDATE", discord.channels[channel_id], GUILD_ID)


async def deny(discord: Discord, channel_id: str, code: int = 0) -> None:
    """Deny the bot's permissions in a channel, with this error code. Without a code, restore them."""
    if code:
        discord.denied[channel_id] = Refused(403, code, _WORDS[code])
    else:
        del discord.denied[channel_id]
    await discord.gateway.dispatch("CHANNEL_UPDATE", discord.channels[channel_id], GUILD_ID)


async def remove_bot(discord: Discord) -> None:
    """Remove the bot from the server."""
    discord.gateway.has_guild = False
    await discord.gateway.dispatch("GUILD_DELETE", {"id": GUILD_ID}, GUILD_ID)


async def invite_bot(discord: Discord, *, is_told_as_new: bool = True) -> None:
    """Invite the bot again. The event may look as if the server had been unavailable."""
    discord.gateway.has_guild = True
    joined = guild()
    if is_told_as_new:
        del joined["unavailable"]
    await discord.gateway.dispatch("GUILD_CREATE", joined, GUILD_ID)


async def fail_guild(discord: Discord, *, is_over: bool = False) -> None:
    """Make the server unavailable, or available again."""
    what = guild() if is_over else {"id": GUILD_ID, "unavailable": True}
    await discord.gateway.dispatch("GUILD_CREATE" if is_over else "GUILD_DELETE", what, GUILD_ID)
