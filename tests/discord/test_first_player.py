"""Who begins at Pond · frogs can be chosen, as for a return game; the game then counts nowhere (F-05)."""

from bot.store.database import Transaction
from tests.discord.play import World
from tests.discord.tables import started_in


async def count_results(db: Transaction) -> int:
    """Return how many seats have a result."""
    ((count,),) = await db.rows("SELECT count(*) FROM results")
    return int(count)


async def test_who_begins_can_be_chosen_for_an_unrated_game(world: World) -> None:
    ann, ben = world.people(2)
    for first, beginner in (("0", "Ann"), ("1", "Ben")):
        lobby = await ann.types("frogs open", first=first)
        assert f"Seat {int(first) + 1} begins (unrated)" in lobby.text
        page = await ann.clicks(await ann.clicks(lobby, "More"), "Options")
        assert page.has_option("preset") or page.has_option("repetition")
        assert not page.has_option("first")
        assert not (await ann.clicks(page, "House rules")).has_option("first")
        await ben.clicks(ann.now(lobby), "Join")
        await ann.clicks(ann.now(lobby), "Start")
        assert f"{beginner} was chosen to begin, so this game is unrated." in ann.board.text
        table = (await world.tables.finder.tables_of(ann.id))[-1]
        assert await world.tables.whose_turn(table) == ((ann, ben)[int(first)].id,)
        await world.tables.resign(table.id, ann.id)
        await world.env.settle()
    assert await world.store.database.writer.write(count_results) == 0
    await started_in("frogs", ann, [ben])
    assert "unrated" not in ann.board.text
    (table,) = await world.tables.lists.open_tables()
    await world.tables.resign(table.id, ann.id)
    assert await world.store.database.writer.write(count_results) == 2
