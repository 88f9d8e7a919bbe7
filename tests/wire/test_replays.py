"""Replays of a whole evening show the pictures that were posted: at once, after a kill, and from a moved database."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from discord import Permissions
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.ui.posts.text import LATER
from tests.commands import ended, python
from tests.databases import SqliteDatabase
from tests.doses import IS_COMPLETE
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.kept_pictures import Keeper, Kept, shown
from tests.wire.objects import CHANNEL_IDS, LOADING, Message
from tests.wire.people import Person, button, presses
from tests.wire.playing import doors, open_table, play_on, see_the_end
from tests.world import walk

GAMES: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("pond", 2, {"players": 2, "rounds": 2}),
    ("frogs", 2, {}),
    ("pontis", 2, {"players": 2, "games": 1}),
    ("potblack", 2, {"players": 4, "deals": 5, "computers": 2}),
)
"""The commands, the number of people and the options of a game of each kind."""
FORMS: Final = (
    ("pond", 4, {"players": 4, "rounds": 2}),
    ("frogs", 1, {"preset": "big", "computers": 1}),
    ("pontis", 3, {"players": 4, "computers": 1, "fake": "on", "liar": "on"}),
    ("potblack", 2, {"players": 3, "computers": 1, "deals": 5}),
)
COMPARED: Final = 1 if IS_COMPLETE else 3
"""Of the pictures from each pair of eyes, the last one is compared, and every first or third one before it."""
EVENING: Final = GAMES + (FORMS if IS_COMPLETE else ())


class Played(NamedTuple):
    """A game that is over, what its players saw, and the number of entries at each version of its table."""

    people: list[Person]
    kept: frozenset[Kept]
    plies: dict[int, int]


async def played(discord: Discord, database: SqliteDatabase, number: int) -> Played:
    """Play a whole game in a channel of its own."""
    group, how_many, options = EVENING[number]
    people = [Person(discord, f"{name}{number}", number) for name in ("Ann", "Ben", "Cat", "Dan")[:how_many]]
    keeper = Keeper(discord, people)
    await open_table(people, group, **options)
    await play_on(people, doors(group), random.Random(number))
    await see_the_end(people)
    place = f"WHERE channel_id = {people[0].channel_id}"
    ((table, version),) = await database.rows(f"SELECT id, version FROM tables {place}")  # noqa: S608 - for tests
    seats = [seat for (seat,) in await database.rows(f"SELECT seat FROM entries WHERE table_id = {table} ORDER BY ply")]  # noqa: S608
    # Somebody's turn, or the end: a deal follows at once. Each entry is a version.
    plies = [ply for ply in range(1, len(seats) + 1) if ply == len(seats) or seats[ply] is not None]
    return Played(people, frozenset(keeper.kept), {version - len(seats) + ply: ply for ply in plies})


class Replay:
    """A replay on somebody's phone, from one pair of eyes."""

    def __init__(self, viewer: Person, page: Message, count: int) -> None:
        self.viewer, self.page, self.count = viewer, page, count

    async def see_as(self, eyes: str) -> None:
        """Change the eyes."""
        (menu,) = (part for part in walk(self.page.components) if part.get("placeholder") == "See as")
        (value,) = (each["value"] for each in menu["options"] if each["label"] == f"See as: {eyes}")
        before = self.page.components
        await self.viewer.press(self.page, menu["custom_id"], value)
        await self.viewer.discord.until(lambda: self.page.components != before)

    async def picture_at(self, ply: int, number: int) -> bytes:
        """Jump to a moment, the one with this number, and return its picture."""
        menu = next(each for each, value in presses(self.page) if value and each.split(":")[1] == "replay-to")
        await self.viewer.press(self.page, menu, str(ply))
        await self.viewer.discord.until(lambda: f"move {number} of {self.count}" in self.page.text.lower())
        ((_, png),) = shown(self.page)
        return png


async def opened(viewer: Person, game: Played) -> Message:
    """Open the replay of the game on the board."""
    key = str(button(viewer.board, "More")).split(":")[2]
    page = (await viewer.type("replay", table=key)).original
    assert page is not None
    await viewer.discord.until(lambda: not page.flags & LOADING)
    assert f"of {len(game.plies) - 1}" in page.text
    return page


async def check(viewer: Person, game: Played, page: Message) -> None:
    """Compare pictures that were kept with those of the replay from the same eyes."""
    replay = Replay(viewer, page, len(game.plies) - 1)
    numbers = {version: number for number, version in enumerate(game.plies)}
    for eyes in sorted({each.viewer or "" for each in game.kept}):
        await replay.see_as(eyes or "the table")
        for each in sorted(kept for kept in game.kept if (kept.viewer or "") == eyes)[::-COMPARED]:
            number = numbers[each.version]
            assert await replay.picture_at(game.plies[each.version], number) == each.png, (eyes, number, each.name)


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord without administrators. At the end, it must have refused nothing, and every interaction is answered."""
    async with Discord() as discord:
        (server,) = discord.servers
        permissions = Permissions(Permissions.all().value & ~Permissions(administrator=True).value)
        discord.backend.edit_role(server.id, server.id, {"permissions": permissions.value})
        yield discord
        # So that the time doesn't tell whether there is a table, the bot also asks about channels that don't exist.
        assert [line for line in discord.refused if "10003 Unknown Channel" not in line] == []
        assert discord.unanswered == []


async def test_an_evening_is_replayed_after_a_kill_and_from_a_moved_database(discord: Discord, tmp_path: Path) -> None:
    database, moved = (SqliteDatabase(tmp_path / name) for name in ("tables.db", "moved.db"))
    async with running(discord.url, database.address) as bot:
        await discord.gateway.until_ready()
        games = await asyncio.gather(*(played(discord, database, number) for number in range(len(EVENING))))
        assert all({each.what for each in game.kept} == {"board", "hand", "result"} for game in games)
        pages = [await opened(game.people[-1], game) for game in games]
        await bot.end(signal.SIGKILL)
    # Every game is compared once, and each half in other circumstances.
    parts = [[*zip(games, pages, strict=True)][part::2] for part in (0, 1)]
    async with running(discord.url, database.address) as bot:
        await discord.gateway.until_ready()
        for game, page in parts[0]:
            await check(game.people[-1], game, page)
        await bot.end(signal.SIGTERM)
    status, _printed, said = ended(python("-m", "bot", "move-database", str(database.address), str(moved.address)))
    assert status == 0, said
    Path(database.address).unlink()  # noqa: ASYNC240
    async with running(discord.url, moved.address):
        await discord.gateway.until_ready()
        for game, page in parts[1]:
            await check(game.people[-1], game, page)
        for game in games:
            await is_refused_without_access(game)


async def is_refused_without_access(game: Played) -> None:
    """Open the replay as somebody who didn't play, and go on without access to the channel."""
    player, *_ = game.people
    discord, channel = player.discord, CHANNEL_IDS.index(player.channel_id)
    spectator = Person(discord, "Zoe", len(EVENING) + channel)
    key = str(button(player.board, "More")).split(":")[2]
    page = (await spectator.type("replay", table=key)).original
    assert page is not None
    await discord.until(lambda: f"move 0 of {len(game.plies) - 1}" in page.text.lower())
    denied = Overwrite(int(spectator.id), OverwriteType.MEMBER, deny=Permissions(view_channel=True).value)
    discord.backend.set_overwrite(int(player.channel_id), denied)
    await discord.send_events()
    await spectator.press_label(page, LATER)
    await discord.until(lambda: any("I don't know this game" in message.text for message in spectator.seen))
    assert f"move 0 of {len(game.plies) - 1}" in page.text.lower()
