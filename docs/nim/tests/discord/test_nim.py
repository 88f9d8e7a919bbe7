"""A game of Nim on the simulated Discord."""

from tests.discord.play import World
from tests.discord.tables import legal, started_in


async def test_a_game_against_a_computer_is_played_to_its_end(world: World) -> None:
    ann = world.person("Ann")
    await started_in("nim", ann, computers=1)
    while moves := await legal(world, ann):
        await ann.types("nim take", stones=moves[0][-1])
    assert (await world.tables.table(1)).status == "over"
    assert "wins" in ann.board.text
