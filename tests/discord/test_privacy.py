"""``/privacy``: what users see, export and delete, and what happens when the bot leaves a server."""

import math

from bot.records.preference import Server
from tests.discord.play import Player, World
from tests.discord.tables import started
from tests.waiting import until


async def two_at_play(world: World) -> tuple[Player, Player]:
    """Start a table with Ann as its host, and Ben."""
    ann, ben = world.people(2)
    await started(ann, [ben])
    return ann, ben


async def test_users_who_never_played_have_nothing_stored(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("privacy")
    assert page.is_private
    assert "I have no data about you" in page.text
    assert page.labels == []


async def test_players_see_and_export_what_is_stored(world: World) -> None:
    ann, _ = await two_at_play(world)
    page = await ann.types("privacy")
    assert page.is_private
    assert "**1** seat, with your name" in page.text
    assert "I don't store your messages" in page.text
    file = await ann.clicks(page, "Export")
    assert file.is_private
    assert file.files[0].endswith("/lilypad.json")


async def test_players_can_cancel_the_deletion(world: World) -> None:
    ann, _ = await two_at_play(world)
    asked = await ann.clicks(await ann.types("privacy"), "Delete")
    assert "You're at 1 open table." in asked.text
    assert "Your cuts stay too" in asked.text
    kept = await ann.clicks(asked, "Keep it")
    assert "### Your data" in kept.text
    assert (await world.tables.table(1)).sitter(ann.id) is not None


async def test_a_computer_takes_the_seat_of_a_deleted_player(world: World) -> None:
    ann, ben = await two_at_play(world)
    asked = await ann.clicks(await ann.types("privacy"), "Delete")
    done = await ann.clicks(asked, "Delete all")
    assert "Your data is deleted" in done.text
    assert not any((await world.tables.personal_data.kept(ann.id)).values())
    table = await world.tables.table(1)
    assert table.names == ("Player 1", "Ben")
    assert table.host_id == ben.id
    assert await world.tables.whose_turn(table) == (ben.id,)
    assert "Ann" not in ben.board.text
    await ben.picks(ben.hand, next(iter(ben.hand.moves)))
    assert "I have no data about you" in (await ann.types("privacy")).text


async def test_a_press_on_an_old_hand_stores_nothing_again(world: World) -> None:
    ann, _ = await two_at_play(world)
    hand = ann.hand
    await ann.clicks(await ann.clicks(await ann.types("privacy"), "Delete"), "Delete all")
    await ann.picks(hand, next(iter(hand.moves)))
    await world.restart()
    assert not any((await world.tables.personal_data.kept(ann.id)).values())


async def test_a_server_counts_as_left_until_the_bot_is_back(world: World) -> None:
    (server,) = world.bot.guilds

    async def is_left() -> bool:
        return await world.store.personal_data.guilds_left(math.inf) == (server.id,)

    async def is_back() -> bool:
        return await world.store.personal_data.guilds_left(math.inf) == ()

    for event, happened in (("guild_remove", is_left), ("guild_join", is_back)):
        world.bot.dispatch(event, server)
        await until(happened)


async def test_a_removal_that_discord_has_not_reported_is_noticed_within_a_day(world: World) -> None:
    other = world.env.create_guild("Elsewhere")
    await world.tables.servers.save(Server(other.id))
    await world.wait(24 * 60 * 60)
    assert await world.store.personal_data.guilds_left(math.inf) == ()
    del world.env.backend.guilds[other.id]  # as between two sessions
    await world.wait(24 * 60 * 60)
    assert await world.store.personal_data.guilds_left(math.inf) == (other.id,)
