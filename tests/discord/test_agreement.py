"""Players who agree to end their table before the end."""

from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import legal, started, started_in


async def votes_to_end(player: Player) -> Seen:
    """Vote to end the table, starting from the board, and return the answer."""
    asked = await player.clicks(await player.clicks(player.board, "More"), "Vote to end")
    return await player.clicks(asked, asked.labels[0])


async def status(world: World) -> str:
    """Return the status of Table 1."""
    return (await world.tables.table(1)).status


async def test_the_table_ends_when_the_last_player_agrees(world: World) -> None:
    ann, ben, cleo, dan = people = world.people(4)
    await started(ann, people[1:], players=4)
    asked = await ben.clicks(await ben.clicks(ben.board, "More"), "Vote to end")
    assert "Yours makes 1 of 4 votes. Any move cancels the vote." in asked.text
    answer = await ben.clicks(asked, "Vote to end")
    assert "1 of 4 votes" in answer.text
    assert "🗳️ **Vote to end**: 1 of 4 votes" in ann.board.text
    assert "Vote to end" in ann.board.labels
    await votes_to_end(ann)
    assert "2 of 4 votes" in cleo.board.text
    await cleo.at_table("Vote to end", "Vote to end")
    assert await status(world) == "playing"
    asked = await dan.clicks(dan.board, "Vote to end")
    assert "You can't take this back" in asked.text
    await dan.clicks(asked, "End the table")
    assert await status(world) == "closed"
    assert "The players ended this game early" in ann.board.text
    table = await world.tables.table(1)
    assert (table.why, table.outcome) == ("agreed", None)


async def test_votes_to_end_the_table_survive_a_restart(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await votes_to_end(ann)
    await world.restart()
    assert "🗳️ **Vote to end**: 1 of 2 votes" in ben.board.text
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
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=3, computers=1)
    page = await ben.clicks(ben.board, "More")
    await ann.clicks(await ann.types("pontis resign"), "Resign")
    asked = await ben.clicks(page, "Vote to end")
    assert "You can't take this back" in asked.text
    await ben.clicks(asked, "End the table")
    assert await status(world) == "closed"


async def test_a_host_among_computers_closes_the_table_without_a_vote(world: World) -> None:
    ann = world.person("Ann")
    await started(ann, computers=1)
    page = await ann.clicks(ann.board, "More")
    assert "**Resign**: the other side wins.\n**Close the table**: it ends for everyone" in page.text.replace("-# ", "")
    assert "Vote to end" not in page.labels
    asked = await ann.clicks(page, "Resign")
    assert "** wins at once, whatever the score." in asked.text


async def test_users_without_a_seat_have_no_vote(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    eva = world.person("Eva")
    assert "Vote to end" not in (await eva.clicks(eva.board, "More")).labels
    await votes_to_end(ann)
    asked = await eva.clicks(eva.board, "Vote to end")
    assert "1 of 2 votes" in ann.board.text
    assert asked.labels == []
