"""Players who agree to end their table before the end."""

from tests.discord.play import Player, World, legal, started
from tests.discord.seen import Seen


async def votes_to_end(player: Player) -> Seen:
    """Vote to end the table, starting from the board, and return the answer."""
    asked = await player.clicks(await player.clicks(player.board, "More"), "End the table")
    return await player.clicks(asked, "End the table")


async def status(world: World) -> str:
    """Return the status of Table 1."""
    return (await world.tables.table(1)).status


async def test_the_table_ends_when_the_last_player_agrees(world: World) -> None:
    ann, ben, cleo, dan = people = world.people(4)
    await started(ann, people[1:], players=4)
    asked = await ben.clicks(await ben.clicks(ben.board, "More"), "End the table")
    assert "Yours makes 1 of 4 votes. Any move cancels the vote." in asked.text
    answer = await ben.clicks(asked, "End the table")
    assert "1 of 4 votes" in answer.text
    assert "🗳️ **End the table**: 1 of 4 votes" in ann.board.text
    assert "End the table" in ann.board.labels
    await votes_to_end(ann)
    assert "2 of 4 votes" in cleo.board.text
    await cleo.at_table("End the table", "End the table")
    assert await status(world) == "playing"
    asked = await dan.clicks(dan.board, "End the table")
    assert "You can't take this back" in asked.text
    await dan.clicks(asked, "End the table")
    assert await status(world) == "closed"
    assert "The players ended this table before the end" in ann.board.text
    table = await world.tables.table(1)
    assert (table.why, table.outcome) == ("agreed", None)


async def test_votes_to_end_the_table_survive_a_restart(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await votes_to_end(ann)
    await world.restart()
    assert "🗳️ **End the table**: 1 of 2 votes" in ben.board.text
    await votes_to_end(ben)
    assert await status(world) == "closed"


async def test_a_move_cancels_the_votes_to_end_the_table(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await votes_to_end(ann)
    await ben.types("pond move", move=(await legal(world, ben))[0])
    assert "🗳️" not in ben.board.text
    await votes_to_end(ben)
    assert await status(world) == "playing"


async def test_a_player_among_computers_can_end_the_table_alone(world: World) -> None:
    ann = world.person("Ann")
    await started(ann, computers=1)
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "End the table")
    assert "You can't take this back" in asked.text
    await ann.clicks(asked, "End the table")
    assert await status(world) == "closed"


async def test_users_without_a_seat_have_no_vote(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    eva = world.person("Eva")
    assert "End the table" not in (await eva.clicks(eva.board, "More")).labels
    await votes_to_end(ann)
    asked = await eva.clicks(eva.board, "End the table")
    assert "1 of 2 votes" in ann.board.text
    assert asked.labels == []
