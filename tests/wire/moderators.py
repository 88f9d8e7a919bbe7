"""Actions of moderators on the server, and the bot's events about them."""

from typing import Final

from tests.wire.discord_server import Discord
from tests.wire.faults import Refused
from tests.wire.objects import GUILD_ID, Message

_MESSAGES: Final = {50001: "Missing Access", 50013: "Missing Permissions"}


async def delete_message(discord: Discord, message: Message) -> None:
    """Delete a message."""
    discord.backend.delete_message(message.model.channel_id, message.model.id)
    await discord.send_events()


def delete_unnoticed(discord: Discord, message: Message) -> None:
    """Delete a message without an event, as while the bot isn't connected."""
    del discord.backend.messages[message.model.channel_id][message.model.id]


async def delete_channel(discord: Discord, channel_id: str) -> None:
    """Delete a channel with its messages."""
    discord.backend.delete_channel(int(channel_id))
    await discord.send_events()


async def archive(discord: Discord, channel_id: str, *, archived: bool = True, locked: bool = False) -> None:
    """Archive a thread, or open it again."""
    discord.backend.edit_channel(int(channel_id), {}, thread_metadata={"archived": archived, "locked": locked})
    await discord.send_events()


async def deny(discord: Discord, channel_id: str, code: int = 0) -> None:
    """Deny the bot's permissions in a channel, with this error code. Without a code, restore them."""
    if code:
        discord.denied[channel_id] = Refused(403, code, _MESSAGES[code])
    else:
        del discord.denied[channel_id]
    discord.backend.announce_channel_update(int(channel_id))
    await discord.send_events()


async def remove_bot(discord: Discord) -> None:
    """Remove the bot from the server."""
    discord.gateway.has_guild = False
    await discord.gateway.dispatch("GUILD_DELETE", {"id": GUILD_ID}, GUILD_ID)


async def invite_bot(discord: Discord, *, looks_new: bool = True) -> None:
    """Invite the bot again. The event may look as if the server had been unavailable."""
    discord.gateway.has_guild = True
    joined = discord.gateway.server_payload()
    if looks_new:
        del joined["unavailable"]
    await discord.gateway.dispatch("GUILD_CREATE", joined, GUILD_ID)


async def fail_server(discord: Discord) -> None:
    """Make the server unavailable."""
    await discord.gateway.dispatch("GUILD_DELETE", {"id": GUILD_ID, "unavailable": True}, GUILD_ID)


async def restore_server(discord: Discord) -> None:
    """Make the server available again."""
    await discord.gateway.dispatch("GUILD_CREATE", discord.gateway.server_payload(), GUILD_ID)
