"""Tables that end outside the rules, as players see them."""

from bot.transcript import read, verify
from tests.discord.guests import transcript_from
from tests.discord.play import World, started


async def test_a_closed_table_publishes_its_seed_and_its_transcript_and_can_be_played_again(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    before = await ben.clicks(await ben.clicks(ben.board, "More"), "Fair deal")
    assert "Until then" in before.text
    await ann.clicks(await ann.types("close"), "Close the table")
    closed = ben.board
    assert closed.labels == ["Rules", "Fair deal", "Transcript", "Rematch"]
    seed = (await world.tables.table(1)).seed
    assert f"The seed was\n`{seed}`" in (await ben.clicks(closed, "Fair deal")).text
    thing = await transcript_from(world, ben)
    assert (thing["outcome"], thing["ended"], thing["fairness"]["seed"]) == (None, "closed", seed)
    verify(read(thing))
    await ben.clicks(closed, "Rematch")
    again = await world.tables.table(2)
    assert (again.rematch_of, again.host_id) == (1, ben.id)


async def test_a_table_closed_in_its_lobby_shows_no_seed(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    await ann.clicks(await ann.types("close"), "Close the table")
    assert ann.board.labels == []
    assert (await world.tables.table(1)).seed is None
