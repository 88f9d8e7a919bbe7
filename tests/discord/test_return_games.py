"""Return games on Discord: the first button on the end card of frogs, and what its end card says."""

import random

from bot import computer
from tests.discord.play import Player, World
from tests.discord.tables import started_in
from tests.waiting import until


async def ends(world: World, table_id: int) -> None:
    """Play a game of frogs to its end."""
    rng = random.Random(table_id)
    while (table := await world.tables.table(table_id)).status == "playing":
        (user,) = await world.tables.whose_turn(table)
        seen = (await world.tables.look(table_id, user)).observation
        await world.tables.play(table_id, user, str(computer.choose("frogs", seen, rng, "easy")))
    await world.bot.live.refresh(table_id)
    await world.env.settle()


def ended(player: Player) -> str:
    return next(seen.text for seen in reversed(player.messages()) if "Review" in seen.labels)


async def test_the_end_of_frogs_offers_the_return_game_and_that_one_tells_the_match(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    first = (await world.tables.whose_turn(await world.tables.table(1)))[0]
    await ends(world, 1)
    await until(lambda: "Return game" in ann.board.labels)
    assert ann.board.labels == ["Return game", "Rematch", "Review", "More"]
    said = await ann.clicks(ann.board, "Return game")
    assert "The return game is" in said.text
    begins = "Ben" if first == ann.id else "Ann"
    lobby = next(seen for seen in ann.messages() if "Return game: " in seen.text)
    assert f"Return game: {begins} begins." in lobby.text or "the other player begins" in lobby.text
    await ben.clicks(lobby, "Join")
    await world.tables.lobbies.start(2, ann.id)
    assert await world.tables.whose_turn(await world.tables.table(2)) == ((ben.id,) if begins == "Ben" else (ann.id,))
    await ends(world, 2)
    await until(lambda: any("Two games: " in seen.text for seen in ann.messages()))
    board = next(seen for seen in ann.messages() if "Two games: " in seen.text)
    assert "wins the match" in board.text or "The match is drawn." in board.text
    assert "Return game" not in board.labels


async def test_the_lobby_of_a_rematch_says_that_the_dealer_is_drawn(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await world.tables.resign(1, ben.id)
    await until(lambda: "Rematch" in ann.board.labels)
    await ann.clicks(ann.board, "Rematch")
    await until(lambda: any("Who deals is drawn." in seen.text for seen in ann.messages()))
