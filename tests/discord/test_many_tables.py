"""Many open tables: quotas, and lists that fit into one message."""

import asyncio
from pathlib import Path

from bot.records.table import Place, Sitter
from bot.settings import Settings
from bot.store.sqlite import SqliteStore
from tests.discord.play import Player, World
from tests.discord.tables import started
from tests.discord.test_server import moderator, move_to_channel
from tests.live import live_message
from tests.store.lilypads import opened

LONGEST = 2**63 - 1


async def open_many(path: Path, player: Player, place: Place, count: int) -> None:
    """Open tables with the longest possible names and links for the player, as another process."""
    sitters = (Sitter(0, "W" * 40, player.id), Sitter(1, "Moss", None))
    options = {"players": 2, "rounds": 4, "tie": "leader", "tiebreak": "none", "history": "log"}
    async with await SqliteStore.open(path) as store:
        names = [f"Oystercatcher {number + 10**6}" for number in range(count)]
        seated = {"host_id": player.id, "place": place, "sitters": sitters, "options": options}
        tables = await asyncio.gather(*[opened(store, name, **seated) for name in names])
        place_id = place.channel_id
        boards = [live_message(table.id, channel_id=place_id, message_id=LONGEST - table.id) for table in tables]
        await asyncio.gather(*map(store.messages.posted, boards))


async def test_each_page_of_sixty_tables_fits_into_one_message(world: World, tmp_path: Path) -> None:
    (ann,) = world.people(1)
    await open_many(tmp_path / "lilypad.db", ann, Place(LONGEST, LONGEST), 60)
    page = await ann.types("tables")
    first = page
    assert "and 54 more" in page.text
    listed = []
    while True:
        assert len(page.text) <= 4000
        listed += [line for line in page.text.splitlines() if line.startswith("**")]
        if "Next" not in page.labels:
            break
        page = await ann.clicks(page, "Next")
    assert page.id == first.id
    assert len(listed) == len(set(listed)) == 60
    assert "more" not in page.text
    assert (await ann.clicks(page, "Previous")).labels == ["Previous", "Next"]


async def test_thousands_of_tables_of_one_user_do_not_affect_another(world: World, tmp_path: Path) -> None:
    ann, ben = world.people(2)
    await open_many(tmp_path / "lilypad.db", ann, Place(world.server.id, world.channel.id), 6000)
    assert "and 5,994 more" in (await ann.types("tables")).text
    several = await ann.types("pond hand")
    assert len(several.options) == 25
    assert "Which one?" in several.text
    for command, option in (("pond hand", "table"), ("tables", "table")):
        assert len(await ann.completes(command, option)) == len(await ben.completes(command, option)) == 25
    assert "You're not in a game" in (await ben.types("tables")).text
    assert "You're not in a game of Pond" in (await ben.types("pond hand")).text
    assert "6,000 open tables" in (await ann.clicks(await ann.types("privacy"), "Delete")).text


async def test_a_table_over_the_quota_is_refused_and_creates_no_thread(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    for _ in range(Settings().max_tables_per_host):
        await ann.types("pond open", at=ann.dm)
    refusal = await ann.types("pond open")
    assert refusal.is_private
    assert refusal.text == "You can't host more open tables (limit 20). Finish or close one first."
    assert refusal.labels == ["My games"]
    await kim.types("server threads", own=True)
    move_to_channel(world, ann, threads=True)
    before = set(world.env.backend.channels)
    assert (await ann.types("pond open")).text == refusal.text
    assert set(world.env.backend.channels) == before
    await ann.types("pond leave", table="1")
    assert "is open in" in (await ann.types("pond open")).text


async def test_a_move_updates_the_lists_of_both_players(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    assert "**your turn**" in (await ann.types("tables")).text
    await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert "waiting for others" in (await ann.types("tables")).text
    assert "**your turn**" in (await ben.types("tables")).text


async def test_the_bot_fills_in_missing_turns_of_older_tables(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])

    async def as_after_an_update() -> None:
        world.execute("UPDATE seats SET owes = NULL")

    await world.crash(as_after_an_update)
    assert "**your turn**" in (await ann.types("tables")).text
