"""A bot that may not send, is killed, and may send again shows its boards without waiting for a move."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final

import pytest
import pytest_asyncio

from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.failing import plays, seated
from tests.wire.faults import Refused
from tests.wire.objects import GUILD_ID
from tests.wire.people import Person
from tests.wire.playing import hands

pytestmark = pytest.mark.asyncio(loop_scope="module")

Event = Callable[[Discord, str], Awaitable[None]]
"""Tells the bot, or not, that something has changed in a channel."""

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


EVENTS: Final[tuple[Event, ...]] = (
    nothing_reported,  # first, as the bot waits longer after each refusal
    channel_updated,
    role_updated,
    member_updated,
    guild_updated,
    while_it_is_down,
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tables(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Mapping[Event, list[Person]]]:
    """A table for each event. Its board doesn't show two moves that were made before a bot was killed; another runs."""
    database = tmp_path_factory.mktemp("permissions") / "tables.db"
    async with Discord() as discord:
        seats = {
            event: [Person(discord, name, channel) for name in ("Ann", "Ben")] for channel, event in enumerate(EVENTS)
        }
        async with running(discord.url, database, arguments=IMPATIENT) as bot:
            await discord.gateway.until_ready()
            for ann, ben in seats.values():
                await stands_still(ann, ben)
            await bot.end(signal.SIGKILL)
        del discord.denied[seats[while_it_is_down][0].channel_id]
        discord.refused.clear()
        async with running(discord.url, database, arguments=IMPATIENT):
            await discord.gateway.until_ready()
            yield seats


async def stands_still(ann: Person, ben: Person) -> None:
    """Play two moves which the board can't show."""
    await seated(ann, ben)
    ann.discord.denied[ann.channel_id] = FORBIDDEN
    await plays(ann)
    await ann.discord.until(lambda: "check my permissions" in hands(ben)[-1].text)
    await plays(ben)


@pytest.mark.parametrize("event", EVENTS)
async def test_the_board_is_shown_when_the_permission_returns(
    tables: Mapping[Event, list[Person]], event: Event
) -> None:
    ann, ben = tables[event]
    discord = ann.discord
    if event is not while_it_is_down:
        await discord.until(lambda: any(ann.channel_id in each for each in discord.refused))
        assert "set a card aside." in ann.board.text
        del discord.denied[ann.channel_id]
        await event(discord, ann.channel_id)
    await discord.until(lambda: "set a card aside." not in ann.board.text)
    await discord.until(lambda: not any("check my permissions" in hands(each)[-1].text for each in (ann, ben)))
