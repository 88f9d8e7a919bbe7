"""A bot that may not send, is killed, and may send again shows its boards without waiting for a move."""

import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.failing import plays, seated
from tests.wire.faults import Refused
from tests.wire.objects import GUILD_ID
from tests.wire.people import Person
from tests.wire.playing import hands

pytestmark = pytest.mark.asyncio

FORBIDDEN = Refused(403, 50013, "Missing Permissions")


async def channel_updated(discord: Discord, channel_id: str) -> None:
    discord.backend.announce_channel_update(int(channel_id))
    await discord.send_events()


async def role_updated(discord: Discord, _channel_id: str) -> None:
    server = discord.gateway.server_payload()
    await discord.gateway.dispatch("GUILD_ROLE_UPDATE", {"guild_id": GUILD_ID, "role": server["roles"][0]}, GUILD_ID)


async def member_updated(discord: Discord, _channel_id: str) -> None:
    server = discord.gateway.server_payload()
    me = next(each for each in server["members"] if each["user"].get("bot"))
    changed = {**me, "guild_id": GUILD_ID, "roles": [server["roles"][-1]["id"]], "nick": "Pad"}
    await discord.gateway.dispatch("GUILD_MEMBER_UPDATE", changed, GUILD_ID)


async def guild_updated(discord: Discord, _channel_id: str) -> None:
    server = discord.gateway.server_payload()
    await discord.gateway.dispatch("GUILD_UPDATE", {**server, "name": "Another"}, GUILD_ID)


async def nothing_reported(_discord: Discord, _channel_id: str) -> None:
    """The event got lost, or came while no process ran."""


async def while_it_is_down(_discord: Discord, _channel_id: str) -> None:
    """The permission returns before the bot starts."""


@pytest.mark.parametrize(
    "event", [channel_updated, role_updated, member_updated, guild_updated, nothing_reported, while_it_is_down]
)
async def test_the_board_is_shown_when_the_permission_returns(
    tmp_path: Path, event: Callable[[Discord, str], Awaitable[None]]
) -> None:
    is_down = event is while_it_is_down
    database = tmp_path / "tables.db"
    async with Discord() as discord:
        async with running(discord.url, database, arguments=IMPATIENT) as bot:
            await discord.gateway.until_ready()
            ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
            await seated(ann, ben)
            discord.denied[ann.channel_id] = FORBIDDEN
            await plays(ann)
            await discord.until(lambda: "check my permissions" in hands(ben)[-1].text)
            await plays(ben)
            await bot.end(signal.SIGKILL)
        if is_down:
            discord.denied.clear()
        discord.refused.clear()
        async with running(discord.url, database, arguments=IMPATIENT):
            await discord.gateway.until_ready()
            if not is_down:
                await discord.until(lambda: any(ann.channel_id in each for each in discord.refused))
                discord.denied.clear()
                await event(discord, ann.channel_id)
            await discord.until(lambda: "set a card aside." not in ann.board.text)
            await discord.until(lambda: not any("check my permissions" in hands(each)[-1].text for each in (ann, ben)))
